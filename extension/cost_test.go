package extension_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/provider"
)

// BenchmarkRead reads pages by a connection of our own, and over the whole way from an
// agent through host and extension, one after the other in the same tab.
func BenchmarkRead(b *testing.B) {
	e := install(b, rigOptions{})
	tab := e.open("/one")
	tab.share()
	agent := e.agent()
	direct := provider.New("Chromium")
	b.Cleanup(direct.Close)
	if _, err := direct.Share(b.Context(), e.browser.Conn, tab.target); err != nil {
		b.Fatal(err)
	}
	for _, page := range []struct{ name, path, words string }{
		{"20 nodes", "/one", "More words"}, {"3000 nodes", "/middle", "A sentence"}, {"30000 nodes", "/large", "A sentence"},
	} {
		if err := driver.Load(b.Context(), tab.session, e.site.URL+page.path); err != nil {
			b.Fatal(err)
		}
		if err := driver.SelectText(b.Context(), tab.session, page.words); err != nil {
			b.Fatal(err)
		}
		for _, scope := range []provider.Scope{provider.Pointing, provider.Visible, provider.Page} {
			name := page.name + "/" + string(scope)
			b.Run(name+"/direct", func(b *testing.B) {
				for b.Loop() {
					if _, err := direct.Elements(b.Context(), provider.Query{Scope: scope, MaxElements: mostElements, MaxText: mostText}); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(name+"/relayed", func(b *testing.B) {
				for b.Loop() {
					ctx, cancel := context.WithTimeout(b.Context(), patience)
					got, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: "get_elements", Arguments: object{
						"scope": scope, "max_elements": mostElements, "max_text": mostText, "images": "none",
					}})
					cancel()
					if err != nil || got.IsError {
						b.Fatalf("%v, %v", got, err)
					}
				}
			})
		}
	}
}
