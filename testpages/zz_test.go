package testpages

import (
	"os"
	"testing"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

func TestZZ(t *testing.T) {
	p := Open(t, "page.html", Files(files("page.html", os.Getenv("HTML"))))
	if js := os.Getenv("JS"); js != "" {
		p.Eval(js)
	}
	for _, s := range []cdp.Scope{Pointing, WholePage} {
		a := p.Elements(s)
		t.Logf("%s\n%s", s, Format(a.Root))
		for e := range a.All() {
			if os.Getenv("ALL") != "" {
				b, err := p.provider.Elements(t.Context(), provider.Query{ID: e.ID})
				if err != nil {
					t.Fatal(err)
				}
				if v := elements.Validate(*b); len(v) > 0 {
					t.Logf("%s by id %s\n%s %v", e.Role, e.ID, Format(b.Root), v)
				}
			}
		}
	}
}
