package testpages

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// restlessPage changes a hundred times a second, in each way a page can. Whatever
// it shows has a name of its own, kept12 on what stays and new12 on what comes and
// goes, and never shows one name on two things.
const restlessPage = `
<style>section { max-height: 300px; overflow: auto }</style>
<main id=main></main><div id=shadow></div><div id=frames></div>
<script>
	let count = 0, made = 0;
	const pick = list => list[Math.floor(Math.random() * list.length)];
	const make = (tag, text, more) => Object.assign(document.createElement(tag), {textContent: text}, more);
	const fresh = () => 'new' + ++made;
	const kept = [], lists = [], fields = [];
	const root = shadow.attachShadow({mode: 'closed'});
	for (let i = 0; i < 12; i++) {
		const section = document.createElement('section');
		section.setAttribute('data-subrole', 'kept' + i);
		section.setAttribute('aria-label', 'Section');
		const p = make('p', 'kept' + (100 + i) + ' is a paragraph ');
		p.append(make('a', 'kept' + (200 + i), {href: '/there'}));
		const list = document.createElement('ul');
		for (let k = 0; k < 4; k++) {
			const row = make('li', 'kept' + (300 + 10 * i + k));
			list.append(row);
			kept.push(row);
		}
		const field = make('input', '', {value: 'words', ariaLabel: 'kept' + (500 + i)});
		section.append(p, list, field);
		(i % 4 ? main : root).append(section);
		kept.push(section, p);
		lists.push(list);
		fields.push(field);
	}
	const changes = [
		() => pick(lists).append(make('li', fresh())),
		() => pick(lists).prepend(make('li', fresh())),
		() => { const row = pick(kept); row.after(make('p', fresh() + ' comes ')); },
		() => document.querySelectorAll('main p, main li').forEach(e => /^new/.test(e.textContent) && Math.random() < .2 && e.remove()),
		() => pick(lists).append(pick(kept.filter(e => e.localName === 'li'))),
		() => pick(lists).replaceChildren(...pick(lists).childNodes),
		() => { const p = pick(kept.filter(e => e.localName === 'p')); p.normalize(); p.firstChild.data = p.firstChild.data.split(' ')[0] + ' is changed ' + ++count + ' times '; },
		() => { const p = pick(kept.filter(e => e.localName === 'p')); p.normalize(); p.firstChild.splitText(5); },
		() => { pick(kept).hidden ^= 1; },
		() => { pick(kept).toggleAttribute('aria-selected'); },
		() => { pick(kept).ariaDescription = 'said ' + count; },
		() => { pick(kept).style.opacity = Math.random() < .5 ? 0 : ''; },
		() => pick(fields).focus(),
		() => { const f = pick(fields); f.value = 'typed ' + ++count; f.focus(); f.setSelectionRange(0, 5); },
		() => getSelection().selectAllChildren(pick(kept)),
		() => { const a = pick(kept), b = pick(kept); getSelection().setBaseAndExtent(a, 0, b, 0); },
		() => getSelection().removeAllRanges(),
		() => pick(kept).scrollIntoView(),
		() => { document.title = 'Restless ' + ++count; },
		() => history.replaceState(0, '', '#' + ++count),
		() => { frames.append(Object.assign(document.createElement('iframe'), {srcdoc: '<title>T</title><p>' + fresh() + '<p>' + fresh()})); },
		() => { const f = frames.querySelectorAll('iframe'); if (f.length > 3) f[0].remove(); },
		() => { const f = frames.querySelector('iframe'); if (f) f.srcdoc = '<ul><li>' + fresh() + '<li>' + fresh() + '</ul>'; },
		() => { const host = document.createElement('div'); host.attachShadow({mode: 'open'}).append(make('p', fresh())); pick(kept).after(host); setTimeout(() => host.remove(), 200); },
		() => { const d = make('dialog', fresh()); main.append(d); d.show(); setTimeout(() => d.remove(), 100); },
		() => main.append(pick([...main.querySelectorAll('section')])),
	];
	let ticks = 0;
	setInterval(() => { ticks++; pick(changes)(); }, 10);
</script>`

// TestRestless reads a page that changes all the time: each answer is valid, a
// thing that stays keeps its id, and no id is ever that of another thing.
func TestRestless(t *testing.T) {
	t.Parallel()
	reads := 200
	if testing.Short() {
		reads = 40
	}
	p := openHTML(t, restlessPage)
	names := map[string]string{} // of things by id
	ids := map[string]string{}   // of things by name
	note := func(a *elements.Answer) {
		for e := range a.All() {
			name := restlessName(e)
			if name == "" {
				continue
			}
			// A row says its words as its title, or in a Text of its own while they are selected.
			name += " " + string(e.Role)
			if known, ok := names[e.ID]; ok && known != name {
				t.Errorf("the id %s was that of %s and is now that of %s", e.ID, known, name)
			}
			if known, ok := ids[name]; ok && known != e.ID {
				t.Errorf("%s had the id %s and has now %s: %s", name, known, e.ID, line(e, nil))
			}
			names[e.ID], ids[name] = name, e.ID
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	var last *elements.Answer
	var ticks float64
	// Reads may be faster than the page changes: there are as many changes as reads.
	for i := 0; i < reads || ticks < float64(reads); i++ {
		if i >= reads {
			p.Value("ticks", &ticks)
		}
		if scope := []cdp.Scope{Pointing, WholePage, Visible, ""}[i%4]; scope != "" {
			last = p.Elements(scope)
			note(last)
			continue
		}
		// One of what was there a moment ago, by its id.
		var there []*elements.Element
		for e := range last.All() {
			there = append(there, e)
		}
		asked := there[random.IntN(len(there))]
		a, err := p.ask(provider.Query{ID: asked.ID})
		var failure *provider.Error
		if errors.As(err, &failure) && failure.Code == provider.CodeGone {
			continue
		}
		if err != nil {
			t.Fatalf("asking for %s: %v", line(asked, nil), err)
		}
		for _, v := range elements.Validate(*a) {
			t.Errorf("asking for %s: %s", line(asked, nil), v)
		}
		if a.Find(asked.ID) == nil {
			t.Errorf("the answer about %s by its id is without it:\n%s", line(asked, nil), Format(a.Root))
		}
		note(a)
	}
	p.Value("ticks", &ticks)
	seen := map[string]bool{}
	for name := range ids {
		name, _, _ = strings.Cut(name, " ")
		seen[name] = true
	}
	kept := 0
	for name := range seen {
		if name[0] == 'k' {
			kept++
		}
	}
	// 12 sections, paragraphs, links and fields, 48 rows, some of which the page may
	// have taken out again; and enough else to show that it did change.
	if all := 4*12 + 48; kept < all*3/4 || len(seen)-kept < reads/10 || ticks < float64(reads) {
		t.Errorf("in %d changes %d things that stay were seen (of %d), and %d others", int(ticks), kept, all, len(seen)-kept)
	}
}

var restlessWords = regexp.MustCompile(`^(?:kept|new)\d+\b`)

// restlessName is the name that the page shows on an element: as its subrole, or
// at the beginning of its title or words. A selection has none.
func restlessName(e *elements.Element) string {
	if e.Role == elements.Text && e.Selected {
		return ""
	}
	for _, s := range []string{e.Subrole, e.Title} {
		if name := restlessWords.FindString(s); name != "" {
			return name
		}
	}
	if len(e.Content) > 0 && e.Title == "" {
		return restlessWords.FindString(e.Content[0].Text)
	}
	return ""
}
