package mcp

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/provider"
)

// The documentation has every tool with its arguments, every code and every resource.
func TestDocumentation(t *testing.T) {
	var text []byte
	for _, name := range []string{"../docs/mcp.md", "../docs/window-state.md"} {
		part, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, part...)
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
		CodeUnknownInstance, CodeBudget, CodeTimeout, CodeNotHere,
		provider.CodeWindowNotFound, provider.CodeWindowOwner, provider.CodeTabNotFound, provider.CodeNotShared, provider.CodeNothing,
		provider.CodeCaptureNotFound, provider.CodeCaptureExpired,
	} {
		want = append(want, "`"+string(code)+"`")
	}
	for _, words := range want {
		if !strings.Contains(string(text), words) {
			t.Errorf("the documentation has no %s", words)
		}
	}
}

// That of the gateway has what it adds.
func TestGatewayDocumentation(t *testing.T) {
	text, err := os.ReadFile("../docs/gateway.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{
		"`" + string(CodeNoBrowser) + "`", "`" + string(CodeNothingShared) + "`", "`" + string(errHostDied.Code) + "`", "`" + string(errHostStuck.Code) + "`",
		"`" + elementsOf(current) + "`", "`" + elementsOf("INSTANCE") + "`", HTTPPath,
		fmt.Sprintf("after %d of them", guessBurst), fmt.Sprintf("more than %d requests a second, after %d", requestRate, requestBurst),
		fmt.Sprintf("head slower than %v, a body slower than %v", plainTime(headerPatience), plainTime(bodyPatience)),
		fmt.Sprintf("more than %d clients", maxSessions), fmt.Sprintf("most %d connections", maxConnections),
	} {
		if !strings.Contains(string(text), words) {
			t.Errorf("docs/gateway.md has no %s", words)
		}
	}
}

// plainTime says a time as the documentation does.
func plainTime(d time.Duration) string { return fmt.Sprintf("%d s", int(d.Seconds())) }
