package cdp

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSettledRows holds what plain HTML says of links, headings and tables in a reading of rows
// to what the accessibility tree says of each, on every fixture, some of the saved pages
// at hand, and what is near to being plain and is not.
func TestSettledRows(t *testing.T) {
	const nearly = "<!doctype html><style>.c::before{content:'→ '}.u{text-transform:uppercase}.l{display:list-item;margin:2em}.n{counter-increment:x}.n::after{content:counter(x)}</style>" +
		"<h1>A plain heading</h1><h2 title=More>Titled</h2><h2 class=u>Capitals</h2><h3 class=l>In a list</h3><h3 class=n>Counted</h3><h4>Has <b>bold</b></h4><h5> Spaces   within \n </h5>" +
		"<a href=/p>Plain</a> <a href=/t title=T>Titled</a> <a href=/l aria-label=L>Labelled</a> <a href=/c class=c>Generated</a> <a href=/i tabindex=-1>Indexed</a> " +
		"<a href=/e></a><a href=/x aria-expanded=true>Expands</a> <a href=/h>Soft\u00adhyphen</a> <a href=/z>Zero\u200bwidth</a> <pre><a href=/w>Kept   white</a></pre>" +
		"<div aria-disabled=true><a href=/d>Disabled</a><h6>Disabled too</h6></div><button>Press <a href=/b>here</a></button><details><summary><h2>Summary</h2></summary></details>" +
		"<div role=tab><a href=/r>In a tab</a></div><div contenteditable><a href=/o>Edited</a></div><a href>Empty address</a>" +
		"<p hidden id=n>Name</p><a href=/y aria-labelledby=n>By another</a><label>Label <a href=/f>with a link</a></label><a name=k>No address</a>"
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/nearly" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(nearly))
			return
		}
		http.FileServer(http.Dir("../..")).ServeHTTP(w, r)
	}))
	defer srv.Close()
	paths := []string{"/nearly"}
	fixtures, err := filepath.Glob("../testpages/fixtures/*.html")
	if err != nil || len(fixtures) == 0 {
		t.Fatalf("got %d fixtures, %v", len(fixtures), err)
	}
	tree, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	saved, _ := filepath.Glob("../../shared/pages/*.html")
	if len(saved) == 0 {
		t.Log("there are no saved pages at hand, none is looked at")
	}
	for i, f := range fixtures {
		if i%4 == 0 || !testing.Short() {
			paths = append(paths, "/"+filepath.Base(tree)+strings.TrimPrefix(f, ".."))
		}
	}
	nearlies, err := filepath.Glob("testdata/*.html")
	if err != nil || len(nearlies) == 0 {
		t.Fatalf("got %d pages of what is nearly plain, %v", len(nearlies), err)
	}
	for _, f := range nearlies {
		paths = append(paths, "/"+filepath.Base(tree)+"/cdp/"+f)
	}
	for i, f := range saved {
		if i%3 == 0 || !testing.Short() {
			paths = append(paths, strings.TrimPrefix(f, "../.."))
		}
	}
	b := launchForPages(t)
	told, focused, tables := 0, 0, 0
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
			defer cancel()
			p := openForTest(t, ctx, b, srv.URL+path)
			inPage(t, ctx, p.Session, `document.querySelector("p a[href], li a[href]")?.focus()`)
			r, err := p.Read(ctx, ReadOptions{Scope: ScopeRows, verify: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range r.Documents {
				for i := range d.Facts.Records {
					rec := &d.Facts.Records[i]
					if rec.More().Settled == 0 || rec.AX == nil || rec.AX.Hidden {
						continue
					}
					told++
					if rec.More().Settled == settledFocused {
						focused++
					}
					if rec.Tag == "table" || rec.Tag == "th" {
						tables++
					}
					got, want := rec.settledNode(), rec.AX
					// Of what is told of an element the place where it lives is told elsewhere, and
					// nobody asks for what a live region says of all in it.
					facts := maps.Clone(want.Properties)
					maps.DeleteFunc(facts, func(name string, _ any) bool {
						return name == "url" || name == "live" || name == "atomic" || name == "relevant" || name == "busy" || name == "root"
					})
					if got.Role != want.Role || got.RoleWord != want.RoleWord || strings.Join(strings.Fields(got.Name), " ") != strings.Join(strings.Fields(want.Name), " ") ||
						want.Ignored || want.Description != got.Description || want.Value != "" || !maps.Equal(facts, got.Properties) {
						t.Errorf("<%s>: settled as %d %s %q %v, description %q, the accessibility tree says %d %s %q %v, description %q, value %q, ignored %v",
							rec.Tag, got.Role, got.RoleWord, got.Name, got.Properties, got.Description, want.Role, want.RoleWord, want.Name, facts, want.Description, want.Value, want.Ignored)
					}
				}
			}
		})
	}
	if told < 10 || focused < 3 || tables < 10 {
		t.Errorf("got %d links, headings and tables settled in all, of which %d have the focus and %d are tables and their headers; want many, and some of each", told, focused, tables)
	}
}
