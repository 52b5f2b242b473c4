package mcp

import (
	"os"
	"strings"
	"testing"

	"github.com/webarea/webarea/provider"
)

// The documentation has every tool with its arguments, every code and every resource.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	_, list := listTools(t)
	for _, tool := range list {
		want = append(want, "`"+tool.Name+"`")
		for name := range tool.InputSchema.Properties {
			want = append(want, "`"+name+"`")
		}
	}
	for _, r := range resources {
		want = append(want, "`webarea://INSTANCE/"+strings.ReplaceAll(r.path, placeholder, "ID")+"`")
	}
	for _, code := range []provider.Code{
		provider.CodeUnknownID, provider.CodeGone, provider.CodeInvalid, provider.CodeBrowserGone, provider.CodePageUnresponsive,
		provider.CodeTabCrashed, provider.CodeNotDrawn, provider.CodeNoPicture, provider.CodeFailed,
		CodeUnknownInstance, CodeBudget, CodeTimeout,
	} {
		want = append(want, "`"+string(code)+"`")
	}
	for _, words := range want {
		if !strings.Contains(string(text), words) {
			t.Errorf("docs/mcp.md has no %s", words)
		}
	}
}
