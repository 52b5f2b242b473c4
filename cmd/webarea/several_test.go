//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/webarea/webarea/visit"
)

func TestSeveralTargets(t *testing.T) {
	t.Parallel()
	refused := nothingListens(t)
	targets := []string{"form.html", "missing.html", "-", refused, "a page, 100%.htm"}
	r := webareaWith(t, "<title>From standard input</title>", append([]string{"snapshot"}, targets...)...)
	r.expectCode(t, exitFailed)
	lines := r.lines(t)
	if len(lines) != len(targets) {
		t.Fatalf("got %d lines for %d targets: %v", len(lines), len(targets), r)
	}
	want := []string{`focused Document "Orders"`, string(visit.CodeNotFound), `focused Document "From standard input"`, string(visit.CodeLoad), `focused Document "Odd name"`}
	ids, instances := map[string]bool{}, map[string]bool{}
	for i, l := range lines {
		if l.Target != targets[i] {
			t.Errorf("line %d is about %s, want %s", i, l.Target, targets[i])
		}
		if l.Error != nil {
			if l.Error.Code != want[i] || l.Error.Message == "" {
				t.Errorf("%s: got %+v, want the code %s and a message", l.Target, *l.Error, want[i])
			}
			continue
		}
		a := decode(t, l.Answer)
		instances[a.Instance] = true
		if got := pointed(a); got != want[i] {
			t.Errorf("%s: got %s, want %s", l.Target, got, want[i])
		}
		document := a.Root.Children[0].Children[0].Children[0]
		if ids[document.ID] {
			t.Errorf("%s: the id %s was given out before", l.Target, document.ID)
		}
		ids[document.ID] = true
	}
	if len(instances) != 1 {
		t.Errorf("one run has %d instances", len(instances))
	}
	if strings.Contains(r.stderr, "missing.html") {
		t.Errorf("an error that has its line is told twice: %v", r)
	}
}

func TestSeveralTargetsThatAreGood(t *testing.T) {
	t.Parallel()
	r := webarea(t, "snapshot", "--json", "form.html", "form.html")
	r.expectCode(t, 0)
	if n := len(r.lines(t)); n != 2 {
		t.Errorf("got %d lines, want 2", n)
	}
}

func TestSeveralOutlines(t *testing.T) {
	t.Parallel()
	r := webarea(t, "snapshot", "--outline", "form.html", "missing.html", "a page, 100%.htm")
	r.expectCode(t, exitFailed)
	var outside []string
	mark := ""
	for line := range strings.Lines(r.stdout) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case mark == "" && strings.HasPrefix(line, "==="):
			mark = strings.Fields(line)[1]
		case mark == "":
			outside = append(outside, line)
		case strings.HasPrefix(line, "=== "+strings.TrimSuffix(mark, ":")):
			mark = ""
		}
	}
	want := "--- form.html\n--- missing.html\nerror not_found: there is no such file\n--- a page, 100%.htm"
	if got := strings.Join(outside, "\n"); got != want {
		t.Errorf("outside the boundaries\ngot:\n%s\nwant:\n%s", got, want)
	}
}

func TestNoBrowser(t *testing.T) {
	t.Parallel()
	c := command(t, "snapshot", "form.html", "form.html")
	c.Env = append(c.Env, "WEBAREA_BROWSER=/does/not/exist")
	r := finish(t, c)
	r.expectCode(t, exitFailed)
	for _, l := range r.lines(t) {
		if l.Error == nil || l.Error.Code != string(visit.CodeNoBrowser) || !strings.Contains(l.Error.Message, "WEBAREA_BROWSER") {
			t.Errorf("got %+v, want %s and what to do", l, visit.CodeNoBrowser)
		}
	}
}
