package cdp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// TestPlainHTML holds both ways of learning what an element is alike, node by node,
// on every fixture and every saved page at hand: where plain HTML settles a role
// without asking, the accessibility tree says the same.
func TestPlainHTML(t *testing.T) {
	dirs := []string{"testdata", "../testpages/fixtures", "../../shared/pages"}
	b := launchForPages(t)
	for _, dir := range dirs {
		files, _ := filepath.Glob(dir + "/*.html")
		if len(files) == 0 {
			t.Logf("%s: no pages there, not looked at", dir)
			continue
		}
		if testing.Short() && len(files) > 12 {
			files = files[:12]
		}
		srv := httptest.NewServer(http.FileServer(http.Dir(dir)))
		defer srv.Close()
		for _, f := range files {
			name := filepath.Base(f)
			t.Run(name, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
				defer cancel()
				p := openForTest(t, ctx, b, srv.URL+"/"+name)
				r, err := p.Read(ctx, ReadOptions{Scope: ScopePage, verify: true})
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range r.Documents {
					if d.Err == nil {
						comparePlain(t, d)
					}
				}
			})
		}
	}
}

// hoisted are roles of which nothing is reported where they have no name: none,
// generic, rowgroup, ruby, a section, and the parts of a layout table.
var hoisted = map[int]bool{0: true, 88: true, 146: true, 148: true, 105: true, 106: true, 107: true, 211: true}

// isFormula tells the roles of what is in a formula, whose words are the formula's.
func isFormula(role int) bool { return role >= 188 && role <= 208 }

func comparePlain(t *testing.T, d *Document) {
	words := make([]strings.Builder, len(d.Facts.Records))
	kids := make([]int, len(d.Facts.Records))
	rich := make([]bool, len(d.Facts.Records)) // holds more than words, so that its name was asked
	for _, r := range d.Facts.Records {
		if r.Parent >= 0 {
			kids[r.Parent]++
		}
		if r.Tag != "" && (r.Role == nil || r.Tag == "img" || r.Tag == "article" || r.Tag == "main" || r.Tag == "nav" || r.Tag == "table" || r.Flags.Has(Named)) {
			for i := r.Parent; i >= 0; i = d.Facts.Records[i].Parent {
				rich[i] = true
			}
		}
		if r.Tag == "" {
			for i := r.Parent; i >= 0; i = d.Facts.Records[i].Parent {
				words[i].WriteString(r.Text)
			}
		}
	}
	bad := 0
	complain := func(format string, args ...any) {
		if bad++; bad <= 12 {
			t.Errorf(format, args...)
		}
	}
	for i := range d.Facts.Records {
		r := &d.Facts.Records[i]
		if r.Tag == "" || r.Role == nil || *r.Role < 0 || r.AX == nil || r.Flags.Has(Hides) {
			continue
		}
		say := fmt.Sprintf("<%s> %q", r.Tag, firstOf(words[i].String(), 40))
		if got, want := *r.Role, r.AX.Role; got != want && !(r.AX.Ignored && saysNothing(got, words[i].String())) && !(got == 0 && hoisted[want]) {
			complain("%s: plain HTML says role %d, the accessibility tree %d %s (ignored %v)", say, got, want, r.AX.RoleWord, r.AX.Ignored)
			continue
		}
		if r.AX.Leaf && !r.AX.Ignored && kids[i] > 0 {
			complain("%s: the accessibility tree has nothing in it, the walk %d", say, kids[i])
		}
		if !rich[i] && words[i].Len() > 0 && (r.Tag == "a" || strings.HasPrefix(r.Tag, "h") && len(r.Tag) == 2) && squeezed(r.AX.Name) != squeezed(words[i].String()) {
			complain("%s: named %q, not by its words, and yet not asked", say, r.AX.Name)
		}
		if (r.Tag == "img" || r.Tag == "iframe" || r.Tag == "table" || r.Tag == "th" || r.Flags.Has(Named) && settledWords[*r.Role] != "" && *r.Role != roleLink && *r.Role != roleHeading) && squeezed(r.AX.Name) != squeezed(r.Name) {
			complain("%s: plain name %q, accessible name %q", say, r.Name, r.AX.Name)
		}
		if (r.Tag == "p" || r.Tag == "li" && r.AX.RoleWord == "listitem" || r.Tag == "ul" || r.Tag == "ol") && r.Name == "" && r.AX.Name != "" {
			complain("%s: has the name %q, and yet was not asked", say, r.AX.Name)
		}
	}
	for _, e := range d.Facts.Plain {
		tag, at := e[0].(string), int(e[1].(float64))
		ax := d.nodes[d.asked[at]]
		if ax != nil && !ax.Ignored && !isFormula(ax.Role) && (!hoisted[ax.Role] || ax.Name != "") {
			complain("<%s>: left out as plain, the accessibility tree says role %d %s, name %q", tag, ax.Role, ax.RoleWord, ax.Name)
		}
	}
	if bad > 12 {
		t.Errorf("and %d more", bad-12)
	}
}

// saysNothing tells whether an element that the tree ignores comes to nothing
// either way: a label or a paragraph, of which only words remain, or nothing.
func saysNothing(role int, words string) bool {
	return role == 0 || role == 88 || role == 104 || role == 133 || strings.TrimSpace(words) == ""
}

func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\u200b' {
			return -1
		}
		return r
	}, s)
}

func firstOf(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > n {
		r = r[:n]
	}
	return string(r)
}

// noNetwork keeps pages from asking for anything but what tests serve.
const noNetwork = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"

func launchForPages(t *testing.T) *Browser {
	t.Helper()
	b, err := Launch(context.Background(), LaunchOptions{Width: 1280, Height: 800, HostRules: noNetwork})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// openForTest opens a page in a tab of its own and follows it.
func openForTest(t *testing.T, ctx context.Context, b *Browser, url string) *Page {
	t.Helper()
	var made target.CreateTargetResult
	if err := b.Conn.Browser().Call(ctx, target.CommandCreateTarget, map[string]any{"url": "about:blank"}, &made); err != nil {
		t.Fatal(err)
	}
	var at target.AttachToTargetResult
	if err := b.Conn.Browser().Call(ctx, target.CommandAttachToTarget, map[string]any{"targetId": made.TargetID, "flatten": true}, &at); err != nil {
		t.Fatal(err)
	}
	s := b.Conn.Session(at.SessionID)
	p, err := OpenPage(ctx, s, made.TargetID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Close()
		_ = b.Conn.Browser().Call(context.Background(), target.CommandCloseTarget, map[string]any{"targetId": made.TargetID}, nil)
	})
	loaded, stop := s.Subscribe(page.LoadEventFired.Method)
	defer stop()
	if err := s.Call(ctx, page.CommandNavigate, map[string]any{"url": url}, nil); err != nil {
		t.Fatal(err)
	}
	select {
	case <-loaded:
	case <-ctx.Done():
		t.Fatalf("%s: did not load", url)
	}
	return p
}
