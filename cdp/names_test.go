package cdp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestNamesOfObjects reads a page whose roles, tags and counters are called what every
// object of a script has: they are unknown words like others.
func TestNamesOfObjects(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`<!doctype html><title>Names</title>
			<div role=constructor>One</div><div role=__proto__>Two</div><div role=list><div role=constructor>Three</div></div>
			<div role=constructor aria-label=Label>Four</div><constructor>Five</constructor><constructor aria-label=Label>Six</constructor>
			<ol style="list-style-type: toString"><li>Seven</ol><ol style="list-style-type: valueOf"><li>Eight</ol>`))
	}))
	defer srv.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), srv.URL)
	for _, scope := range []Scope{ScopePage, ScopeRows} {
		r, err := p.Read(ctx, ReadOptions{Scope: scope})
		if err != nil {
			t.Fatalf("%s: %v", scope, err)
		}
		var words []string
		for i := range r.Documents[0].Facts.Records {
			rec := &r.Documents[0].Facts.Records[i]
			if rec.Tag == "" {
				words = append(words, strings.TrimSpace(rec.Text))
			}
			if m := rec.More().Marker; m != "" {
				t.Errorf("%s: an entry is numbered %q, by a counter that there is not", scope, m)
			}
		}
		if got, want := strings.Join(words, " "), "One Two Three Four Five Six Seven Eight"; got != want {
			t.Errorf("%s: got the words %q, want %q", scope, got, want)
		}
	}
}
