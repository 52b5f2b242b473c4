//go:build unix

package main

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webarea/webarea/visit"
)

func TestTargetsThatAreRead(t *testing.T) {
	t.Parallel()
	dir, web := pages(t), serve(t)
	odd := filepath.Join(dir, "a page, 100%.htm")
	address := (&url.URL{Scheme: "file", Path: odd}).String()
	tests := []struct{ target, url, words string }{
		{"form.html", "", "Rye"},
		{"./form.html", "", "Rye"},
		{"a page, 100%.htm", "", "Found it."},
		{odd, address, "Found it."},
		{address, address, "Found it."},
		{address + "?a=1#b", address + "?a=1#b", "Found it."},
		{web + "/", web + "/", "Rye"},
		{web + "/nothing", web + "/nothing", "There is no such page."},
		// A server's error that has no page of its own is shown by the browser's.
		{web + "/empty", "", ""},
	}
	args := []string{"snapshot", "--scope", "page"}
	for _, test := range tests {
		args = append(args, test.target)
	}
	r := webarea(t, args...)
	r.expectCode(t, 0)
	lines := r.lines(t)
	if len(lines) != len(tests) {
		t.Fatalf("got %d lines for %d targets: %v", len(lines), len(tests), r)
	}
	for i, test := range tests {
		a := decode(t, lines[i].Answer)
		if !strings.Contains(words(a), test.words) {
			t.Errorf("%s: got the words:\n%s\nwant: %s", test.target, words(a), test.words)
		}
		found := test.url == ""
		for e := range a.All() {
			found = found || e.URL == test.url
		}
		if !found {
			t.Errorf("%s: no Document has the url %s", test.target, test.url)
		}
	}
}

func TestTargetsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		target string
		code   visit.Code
		want   string
	}{
		{"missing.html", visit.CodeNotFound, "no such file"},
		{"example.com", visit.CodeNotFound, "write https://example.com"},
		{"example.com/a", visit.CodeNotFound, "write https://example.com/a"},
		{"file:///does/not/exist.html", visit.CodeNotFound, "no such file"},
		{"localhost:8080/a", visit.CodeBadTarget, "write http://localhost:8080/a"},
		{".", visit.CodeUnreadable, "folder"},
		{os.DevNull, visit.CodeUnreadable, "standard input"},
		{"ftp://example.com/", visit.CodeBadTarget, "https://"},
		{"javascript:alert(1)", visit.CodeBadTarget, "https://"},
		{"data:text/html,x", visit.CodeBadTarget, "standard input"},
		{"https:example.com", visit.CodeBadTarget, "https://example.com/page"},
		{"http://", visit.CodeBadTarget, "https://example.com/page"},
	} {
		// No browser is started for them.
		c := command(t, "snapshot", test.target)
		c.Env = append(c.Env, "WEBAREA_BROWSER=/does/not/exist")
		finish(t, c).expectError(t, exitFailed, test.target, ": "+string(test.code)+": ", test.want)
	}
}

func TestPagesThatDoNotLoad(t *testing.T) {
	t.Parallel()
	web := serve(t)
	for _, test := range []struct {
		target, timeout string
		code            visit.Code
		want            string
	}{
		{nothingListens(t), "1m", visit.CodeLoad, "ERR_CONNECTION_REFUSED"},
		{"http://nowhere.invalid/", "1m", visit.CodeLoad, "ERR_NAME_NOT_RESOLVED"},
		{web + "/download", "1m", visit.CodeLoad, ""},
		{web + "/never", "3s", visit.CodeTimeout, "3s"},
	} {
		webarea(t, "snapshot", "--timeout", test.timeout, test.target).expectError(t, exitFailed, ": "+string(test.code)+": ", test.want)
	}
}

func TestActsThatFail(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		code visit.Code
		want string
	}{
		{[]string{"--wait", "#never", "--timeout", "3s"}, visit.CodeTimeout, "wait #never was not done within 3s"},
		{[]string{"--eval", "nobody.knows"}, visit.CodeEval, "nobody is not defined"},
		{[]string{"--eval", "Promise.reject(new Error('no luck'))"}, visit.CodeEval, "no luck"},
		{[]string{"--eval", "new Promise(() => {})", "--timeout", "3s"}, visit.CodeTimeout, "eval"},
		{[]string{"--focus", "#nobody"}, visit.CodeAct, `focus "#nobody"`},
		{[]string{"--focus", "##"}, visit.CodeAct, "not a valid CSS selector"},
		{[]string{"--scroll-to", "#nobody"}, visit.CodeAct, `"#nobody"`},
		{[]string{"--select", "#nobody"}, visit.CodeAct, `select "#nobody"`},
		{[]string{"--select-text", "words that are not there"}, visit.CodeAct, "words that are not there"},
		{[]string{"--hover", "#nobody"}, visit.CodeAct, `hover "#nobody"`},
	} {
		r := webarea(t, append(append([]string{"snapshot"}, test.args...), "form.html")...)
		r.expectError(t, exitFailed, "form.html: "+string(test.code)+": ", test.want)
	}
}

func TestNoSecretInAnError(t *testing.T) {
	t.Parallel()
	for _, script := range []string{
		"throw new Error('it is ' + document.querySelector('input').value)",
		"Promise.reject(document.querySelector('input').value)",
	} {
		r := webarea(t, "snapshot", "--eval", script, "secret.html")
		r.expectError(t, exitFailed, string(visit.CodeEval))
		if strings.Contains(r.stderr, "correct horse") {
			t.Errorf("an error tells a password: %v", r)
		}
	}
}
