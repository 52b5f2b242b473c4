//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// windowPage is a page with a button that becomes another.
func windowPage(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "window.html")
	html := `<!doctype html><title>Shop</title><button id=b>Pay</button><script>setTimeout(() => { b.textContent = "Paid" }, 500)</script>`
	if err := os.WriteFile(name, []byte(html), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestWatch(t *testing.T) {
	t.Parallel()
	page := windowPage(t)
	for expect, want := range map[string]struct {
		code int
		says string
	}{
		`[{"element":{"selector":{"role":"button","label_contains":"paid"},"exists":true}},{"window":{"title_contains":"shop"}}]`: {0, `"status":"satisfied"`},
		`[{"element":{"selector":{"role":"button","label_contains":"refund"},"exists":true}}]`:                                    {1, `"status":"unsatisfied"`},
		`[{}]`:                                   {3, `"unknown_reason":"invalid_predicate"`},
		`[{"element":{"selector":{"css":"b"}}}]`: {1, `"code":"invalid"`},
	} {
		r := webarea(t, "watch", "--expect", expect, "--timeout", "5s", "--launch", page)
		r.expectCode(t, want.code)
		if !strings.Contains(r.stdout, want.says) || strings.Count(r.stdout, "\n") != 1 {
			t.Errorf("%s: got %v\nwant one line with %s", expect, r, want.says)
		}
	}
}

func TestWatchUsage(t *testing.T) {
	for args, want := range map[string]string{
		"watch --launch":                          "--expect",
		"watch --expect {} --launch":              "1 to 8 predicates",
		"watch --expect [] --launch":              "1 to 8 predicates",
		"watch --expect [{}] --headful":           "say what is asked about",
		"watch --expect [{}] --timeout 11s":       "0s to 10s",
		"watch --expect [{}] --stable 6":          "1 to 5",
		"watch --expect [{}] --window x":          "window_id",
		"watch --expect [{}] --launch page other": "one argument too many",
	} {
		r := webarea(t, strings.Fields(args)...)
		r.expectCode(t, exitUsage)
		if !strings.Contains(r.stderr, want) {
			t.Errorf("%s: got %v\nwant %q", args, r, want)
		}
	}
}

// The window state tools one after another, with what each answered.
func TestCallWindow(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	file := filepath.Join(folder, "shop.png")
	const window = `"pid":${1.browsers.0.pid},"window_id":${1.windows.0.window_id}`
	r := webarea(t, "call", "get_accessibility_tree",
		"--then", "get_window_state", `{`+window+`,"screenshot_out_file":"`+file+`"}`,
		"--then", "parse_visual_regions", `{"capture_id":"${2.capture_id}","options":{"kinds":["text"]}}`,
		"--then", "verify_state", `{`+window+`,"expect":[{"element":{"selector":{"element_token":"${2.elements.0.element_token}"},"exists":true}}]}`,
		"--then", "locate", `{"id":"${2.elements.0.element_id}"}`, "--launch", windowPage(t))
	all := r.printed(t, 0, 5)
	if all[1]["screenshot_file_path"] != file || all[1]["elements_complete"] != true || all[3]["status"] != "satisfied" {
		t.Errorf("got %v", r)
	}
	regions, _ := all[2]["regions"].([]any)
	if len(regions) != 1 || !strings.HasPrefix(regions[0].(map[string]any)["text"].(string), "Pa") {
		t.Errorf("got the regions %v", regions)
	}
	if data, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("the picture was not written: %v", err)
	}
}
