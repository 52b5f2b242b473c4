package provider

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/page"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/mapper"
)

// A scene is what one page alone does not show: it opens what is shared, and gives
// the query to record. Its right answer, of the whole app, is in package mapper's
// testdata.
type scene func(ctx context.Context, t *testing.T, r *recorder, p *Provider) Query

var scenes = map[string]scene{
	// Two windows, the first with a tab behind the other, the second minimized, and
	// in all of them something has the focus, is selected and is under the pointer.
	"desk": func(ctx context.Context, t *testing.T, r *recorder, p *Provider) Query {
		behind := r.open(ctx, t, p, "fields.html", driver.Options{Window: true})
		r.perform(ctx, t, behind, act{"focus": "#wishes"}, act{"hover": "#wishes"})
		front := r.open(ctx, t, p, "links.html", driver.Options{})
		r.perform(ctx, t, front, act{"focus": "#plan"}, act{"hover": "#plan"})
		away := r.open(ctx, t, p, "notes-app.html", driver.Options{Window: true})
		r.perform(ctx, t, away, act{"select_text": "peas first"}, act{"hover": "li"})
		r.minimize(ctx, t, away)
		return Query{}
	},
	// Two windows that both say the pointer is in them: it came to the second last,
	// before anybody read them.
	"pointer": func(ctx context.Context, t *testing.T, r *recorder, p *Provider) Query {
		first := r.open(ctx, t, p, "links.html", driver.Options{Window: true})
		second := r.open(ctx, t, p, "notes-app.html", driver.Options{Window: true})
		r.perform(ctx, t, second, act{"hover": "li"})
		r.perform(ctx, t, first, act{"hover": "#plan"})
		r.perform(ctx, t, second, act{"hover": "body"}, act{"hover": "li"})
		return Query{}
	},
	// More in a focused element than a pointing answer carries.
	"long-list": func(ctx context.Context, t *testing.T, r *recorder, p *Provider) Query {
		tab := r.open(ctx, t, p, "listbox.html", driver.Options{Window: true})
		r.perform(ctx, t, tab, act{"eval": `document.body.innerHTML =
			'<ul id=list tabindex=0>' + Array.from({length: 60}, (_, i) => '<li>' + (i + 1)).join('') + '</ul>'`}, act{"focus": "#list"})
		return Query{}
	},
	// One element by its id.
	"one": func(ctx context.Context, t *testing.T, r *recorder, p *Provider) Query {
		tab := r.open(ctx, t, p, "article.html", driver.Options{Window: true})
		r.perform(ctx, t, tab, act{"select_text": "ferment slowly"})
		a, err := p.Elements(ctx, Query{Scope: cdp.ScopePage})
		if err != nil {
			t.Fatal(err)
		}
		for e := range a.All() {
			if e.Role == elements.List {
				return Query{ID: e.ID}
			}
		}
		t.Fatal("the article has no list")
		return Query{}
	},
	// A dialog stands before the page, which answers nothing: of the page there is
	// what was said of it before.
	"confirm": func(ctx context.Context, t *testing.T, r *recorder, p *Provider) Query {
		tab := r.open(ctx, t, p, "links.html", driver.Options{Window: true})
		if _, err := p.Elements(ctx, Query{}); err != nil {
			t.Fatal(err)
		}
		r.perform(ctx, t, tab, act{"eval": `confirm("Leave the page?\nNothing is saved.")`})
		t.Cleanup(func() {
			// Without the test's context, which has ended by now.
			ctx, cancel := context.WithTimeout(context.Background(), stepTimeout)
			defer cancel()
			yes := page.HandleJavaScriptDialogParams{Accept: true}
			if err := tab.session.Call(ctx, page.CommandHandleJavaScriptDialog, yes, nil); err != nil {
				t.Error(err)
			}
		})
		return Query{}
	},
}

func (r *recorder) perform(ctx context.Context, t *testing.T, tab *Tab, list ...act) {
	t.Helper()
	if err := perform(ctx, tab, list...); err != nil {
		t.Fatal(err)
	}
}

func (r *recorder) minimize(ctx context.Context, t *testing.T, tab *Tab) {
	t.Helper()
	var at browser.GetWindowForTargetResult
	root := r.browser.Conn.Browser()
	if err := root.Call(ctx, browser.CommandGetWindowForTarget, map[string]any{"targetId": tab.Page.Target}, &at); err != nil {
		t.Fatal(err)
	}
	if err := root.Call(ctx, browser.CommandSetWindowBounds, map[string]any{
		"windowId": at.WindowID, "bounds": map[string]any{"windowState": "minimized"},
	}, nil); err != nil {
		t.Fatal(err)
	}
}

func (r *recorder) scene(t *testing.T, name string, set scene) {
	ctx, cancel := context.WithTimeout(t.Context(), stepTimeout)
	defer cancel()
	p := New("Chromium")
	t.Cleanup(p.Close)
	q := set(ctx, t, r, p)
	got, err := p.reading(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	scope := "pointing"
	if q.ID != "" {
		scope = "one"
	}
	save(t, name, map[string]*mapper.Reading{scope: got})
}
