package cdp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/runtime"
)

// TestLost changes a page between what the script saw of it and what the accessibility
// tree says: what has gone or is out of sight by then is told of as that, also where the
// whole tree is asked for, which is without it, and not as something that says nothing by
// itself.
func TestLost(t *testing.T) {
	for _, c := range []struct {
		name    string
		entries int
	}{{"each asked about alone", wholeTreeMin - 4}, {"the whole tree", 2 * wholeTreeMin}} {
		t.Run(c.name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte("<!doctype html><title>Entries</title><ul>"))
				for i := range c.entries {
					fmt.Fprintf(w, "<li id=e%d aria-description=said>Entry %d", i, i)
				}
				_, _ = w.Write([]byte(`</ul><ol id=other><li>Another</ol><p id=empty aria-description=said><button aria-description=said><span id=in aria-description=said>Press</span></button>`))
			}))
			defer srv.Close()
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			p := openForTest(t, ctx, launchForPages(t), srv.URL)
			r := &Reading{}
			visits, err := p.prepare(ctx, r)
			if err != nil {
				t.Fatal(err)
			}
			v := visits[0]
			p.send(ctx, v, ReadOptions{Scope: ScopePage, part: -1}, true, true, false)
			if err := p.receive(ctx, v, true); err != nil {
				t.Fatal(err)
			}
			change := "e1.hidden = true; e2.remove(); other.append(e3); e4.ariaHidden = 'true'; e5.style.visibility = 'hidden'"
			if err := p.Session.Call(ctx, runtime.CommandEvaluate, map[string]any{"expression": change}, nil); err != nil {
				t.Fatal(err)
			}
			if err := p.askAll(ctx, r, visits); err != nil {
				t.Fatal(err)
			}
			gone := map[string]bool{"Entry 1": true, "Entry 2": true, "Entry 4": true, "Entry 5": true}
			found := 0
			for _, text := range v.doc.Facts.Records {
				if text.Tag != "" || text.Parent < 0 {
					continue
				}
				rec := v.doc.Facts.Records[text.Parent]
				if rec.Tag != "li" || rec.Ask == nil {
					continue
				}
				found++
				switch {
				case rec.AX == nil:
					t.Errorf("%s: the tree has said nothing", text.Text)
				case rec.AX.Hidden != gone[text.Text]:
					t.Errorf("%s: is it gone? got %v, want %v", text.Text, rec.AX.Hidden, gone[text.Text])
				case !rec.AX.Hidden && rec.AX.RoleWord != "listitem":
					t.Errorf("%s: got the role %q, want that of an entry", text.Text, rec.AX.RoleWord)
				}
			}
			if found != c.entries {
				t.Errorf("the tree was asked about %d entries, want %d", found, c.entries)
			}
		})
	}
}
