package cdp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestHorizon holds a reading of rows with a budget, which walks no further than that
// reaches, to one of the whole page: it has what is nearest to the screen, and all that
// is on it.
func TestHorizon(t *testing.T) {
	var table, list, mixed strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&table, "<tr><td><a href=/t/%d>Tool %d</a><td>Shelf <b>%d</b><td>words</tr>", i, i, i)
		fmt.Fprintf(&list, "<li id=e%d>Entry %d <a href=#e%d>before</a> and <i>more</i>", i, i, i-1)
		fmt.Fprintf(&mixed, "<section><h3>Part %d</h3><p>Words <em>of</em> it</p><div style='height:40px;overflow:auto'><p>in a</p><p>scroller %d</p><p>below</p></div></section>", i, i)
	}
	pages := map[string]string{
		"table": "<table>" + table.String() + "</table>",
		"list":  "<ul>" + list.String() + "</ul>",
		"parts": mixed.String(),
		"line":  "<p>" + strings.Repeat("<span>some</span> <b>words</b> ", 2500) + "</p><p>The end</p>",
		"columns": "<div style='display:flex'><div style='width:50%'>" + mixed.String() + "</div><div style='width:5000px;flex:none'><ul>" + list.String() +
			"</ul></div></div>",
		"cards": `<script>customElements.define("x-card", class extends HTMLElement { constructor() {
			super().attachShadow({mode: "open"}).innerHTML = "<article><h3>Card</h3><a href=/card>Open it</a> <slot></slot></article>" } })</script>` +
			strings.Repeat("<x-card><p>Words of it</p></x-card>", 1600),
		"fixed": "<ul>" + list.String() + "<li><div style='position:fixed;top:9px;right:9px'><a href=/fixed>Fixed</a></div></ul>",
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>Rows</title>%s<script>scrollTo(0, location.hash ? document.body.scrollHeight / 2 : 0)</script>",
			pages[strings.TrimPrefix(r.URL.Path, "/")])
	}))
	defer srv.Close()
	b := launchForPages(t)
	for name := range pages {
		for _, where := range []string{"", "#scrolled"} {
			t.Run(name+where, func(t *testing.T) {
				if testing.Short() && name != "fixed" && name != "parts" {
					t.Skip("it is part of the whole run: two of the pages do for the short one")
				}
				ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
				defer cancel()
				p := openForTest(t, ctx, b, srv.URL+"/"+name+where)
				read := func(records int) *Facts {
					r, err := p.Read(ctx, ReadOptions{Scope: ScopeRows, Records: records})
					if err != nil {
						t.Fatal(err)
					}
					return &r.Documents[0].Facts
				}
				whole := read(0)
				if whole.Cut != "" || whole.Pending == nil || *whole.Pending != 0 {
					t.Fatalf("the whole page: got cut %q, pending %v", whole.Cut, whole.Pending)
				}
				for _, budget := range []int{60, 700, 2000} {
					f := read(budget)
					if f.Cut != "records" && (f.Pending == nil || *f.Pending == 0) || f.Unread == 0 && f.Cut != "" {
						t.Errorf("%d of %d records: got cut %q, unread %d, pending %v; want it told that there are more", budget, len(whole.Records), f.Cut, f.Unread, f.Pending)
					}
					// A piece and what it is in are taken together or not at all.
					if len(f.Records) < budget-20 || len(f.Records) > budget {
						t.Errorf("got %d records, want %d", len(f.Records), budget)
					}
					got, holders, farthest := map[int64]bool{}, map[int]bool{}, 0.0
					for i := range f.Records {
						got[f.Records[i].Serial] = true
						holders[f.Records[i].Parent] = true
					}
					for i := range f.Records {
						if !holders[i] {
							farthest = max(farthest, f.Records[i].More().Distance)
						}
					}
					missing := 0
					for i := range whole.Records {
						r := &whole.Records[i]
						if r.More().Distance < farthest && !got[r.Serial] {
							if missing++; missing < 4 {
								t.Errorf("a budget of %d, farthest %v: <%s> %q at %v is missing", budget, farthest, r.Tag, r.Text+r.Name, r.More().Distance)
							}
						}
					}
				}
				if name == "fixed" {
					found := false
					for _, r := range read(700).Records {
						found = found || strings.HasSuffix(r.URL, "/fixed")
					}
					if !found {
						t.Error("the link that is fixed on screen, far below in the list, is missing")
					}
				}
			})
		}
	}
}
