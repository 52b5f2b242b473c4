//go:build unix

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The official inspector finds nothing to warn of over HTTP either, nor of the gateway
// over its standard input and output.
func TestOutsideInspectorOfGateway(t *testing.T) {
	o := outsideTools(t)
	runtime, sockets := runtimeFolder(t)
	state, file := stateFolder(t)
	startTestHost(t, sockets, chosen)
	s := startHTTP(t, []string{runtime, state})
	// The inspector passes few variables on to what it starts.
	stdio := []string{"--cli", "env", runtime, program, "mcp"}
	over := []string{"--cli", s.url, "--transport", "http", "--header", "Authorization: Bearer " + tokenIn(t, file)}
	for _, era := range []string{"legacy", "modern"} {
		for _, way := range [][]string{stdio, over} {
			for _, c := range []struct {
				args  []string
				code  int
				words string
			}{
				{[]string{"--method", "tools/list", "--strict"}, 0, `"name":"capture_element"`},
				{[]string{"--method", "tools/call", "--tool-name", "get_elements"}, 0, `rye flour`},
				{[]string{"--method", "tools/call", "--tool-name", "locate", "--tool-arg", "id=nope1"}, 5, `"unknown_id"`},
				{[]string{"--method", "resources/list"}, 0, `webarea://current/elements`},
				{[]string{"--method", "resources/read", "--uri", "webarea://current/elements"}, 0, `rye flour`},
				{[]string{"--method", "resources/templates/list"}, 0, `webarea://{instance}/elements/{id}/image`},
				{[]string{"--method", "prompts/get", "--prompt-name", "look"}, 0, `rye flour`},
			} {
				args := append(append([]string{}, way...), append([]string{"--protocol-era", era, "--format", "json"}, c.args...)...)
				r := o.run(t, "", inspector, args...)
				if r.code != c.code || !strings.Contains(r.stdout, c.words) {
					t.Errorf("%s %s %v: got %v\nwant exit %d and %s", era, way[1], c.args, r, c.code, c.words)
				}
				for line := range strings.Lines(r.stderr) {
					if !strings.HasPrefix(line, "webarea: ") && c.code == 0 {
						t.Errorf("%s %s %v: the inspector says %s", era, way[1], c.args, line)
					}
				}
			}
		}
	}
}

// Real clients of both eras are told of changes by the gateway too.
func TestOutsideClientsOfGateway(t *testing.T) {
	o := outsideTools(t)
	runtime, sockets := runtimeFolder(t)
	startTestHost(t, sockets, `<!doctype html><title>Ticks</title><p>words</p><script>let n = 0; setInterval(() => document.title = "Ticks " + ++n, 300)</script>`)
	for _, era := range []string{"legacy", "modern"} {
		r := o.run(t, "", era+".mjs", "4", "env", runtime, program, "mcp")
		r.expectCode(t, 0)
		for _, want := range []string{toolsLine, "answered Application\n", "refused true unknown_id\n", "read application/json\n", "prompt 2\n"} {
			if strings.Count(r.stdout, want) != 1 {
				t.Errorf("%s: got %v\nwant once %q", era, r, want)
			}
		}
		if strings.Count(r.stdout, "updated webarea://") < 4 || strings.Contains(r.stdout, "error") {
			t.Errorf("%s: got %v\nwant four notices and no error", era, r)
		}
	}
}

// conformance is the command of the official conformance suite.
const conformance = "@modelcontextprotocol/conformance/dist/index.js"

// The official conformance suite finds nothing but what asks for fixtures of its own,
// by the requirements of both eras at one address.
func TestOutsideConformance(t *testing.T) {
	o := outsideTools(t)
	runtime, sockets := runtimeFolder(t)
	state, file := stateFolder(t)
	startTestHost(t, sockets, chosen)
	for what, args := range map[string][]string{"gateway": nil, "launched": {"--launch", chosenPage(t)}} {
		s := startHTTP(t, []string{runtime, state}, args...)
		a, err := agentOver(t, s.url, tokenIn(t, file), &http.Transport{}, false)
		if err != nil {
			t.Fatal(err)
		}
		// It is not measured how long a browser takes to come up.
		if o := a.ask("get_elements", `{}`); o.answer == nil {
			t.Fatalf("%s: got %v, want an answer", what, o)
		}
		address := shownTo(t, s.url, tokenIn(t, file))
		for _, revision := range []string{"2026-07-28", "2025-11-25"} {
			baseline, err := filepath.Abs(filepath.Join(outsideFiles, "conformance-"+revision+".yml"))
			if err != nil {
				t.Fatal(err)
			}
			// The suite gives some streams up after 2 s, which a busy machine may take: what
			// fails again is not that.
			for again := range 2 {
				checks := t.TempDir()
				r := o.run(t, "", conformance, "server", "--url", address, "--requirements", revision, "--expected-failures", baseline, "-o", checks)
				if r.code == 0 && strings.Contains(r.stdout, "✓ dns-rebinding-protection") {
					break
				}
				_, summary, _ := strings.Cut(r.stdout, "Total: ")
				words := fmt.Sprintf("%s, %s: got exit %d, %s%s%s", what, revision, r.code, summary, r.stderr, unexpected(t, checks, summary))
				if again > 0 {
					t.Error(words)
				} else {
					t.Log(words)
				}
			}
		}
	}
}

// unexpected gives what the suite has noted of the scenarios that should not have
// failed.
func unexpected(t *testing.T, checks, summary string) string {
	t.Helper()
	_, listed, _ := strings.Cut(summary, "Unexpected failures (not in baseline):")
	listed, _, _ = strings.Cut(listed, "\n\n")
	var all strings.Builder
	for line := range strings.Lines(listed) {
		scenario := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "✗"))
		found, err := filepath.Glob(filepath.Join(checks, "server-"+scenario+"-*", "checks.json"))
		if scenario == "" || err != nil {
			continue
		}
		for _, path := range found {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&all, "\n%s: %s", scenario, text)
		}
	}
	return all.String()
}

// shownTo has what the suite sends pass through with the token, which it cannot be
// told of.
func shownTo(t *testing.T, to, token string) string {
	t.Helper()
	at, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewUnstartedServer(nil)
	own := proxy.Listener.Addr().String()
	own, their := own[strings.LastIndex(own, ":"):], ":"+at.Port()
	proxy.Config.Handler = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: at.Scheme, Host: at.Host})
			r.Out.Host = strings.Replace(r.In.Host, own, their, 1)
			if origin := r.In.Header.Get("Origin"); origin != "" {
				r.Out.Header.Set("Origin", strings.Replace(origin, own, their, 1))
			}
			r.Out.Header.Set("Authorization", "Bearer "+token)
		},
		FlushInterval: -1,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, err.Error(), http.StatusBadGateway)
		},
	}
	proxy.Start()
	t.Cleanup(func() {
		proxy.CloseClientConnections()
		proxy.Close()
	})
	return proxy.URL + at.Path
}
