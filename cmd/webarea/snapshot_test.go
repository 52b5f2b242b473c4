//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webarea/webarea/elements"
)

func TestActs(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string // as pointed has it
	}{
		{"nothing", nil, `focused Document "Orders"`},
		{"focus", []string{"--focus", "#name"}, `focused Text "Name" "Ada"`},
		{"select", []string{"--select", "#note"}, `focused Document "Orders"` + "\n" + `selected Text "We bake on Monday and other days."`},
		{"select text", []string{"--select-text", "bake on Monday"}, `focused Document "Orders"` + "\n" + `selected Text "bake on Monday"`},
		{"hover", []string{"--hover", "#note a"}, `focused Document "Orders"` + "\n" + `hovered Link "other days"`},
		{"all", []string{"--eval", "document.querySelector('#top').textContent = 'Evaluated'", "--scroll-to", "#end", "--focus", "#name", "--select-text", "end of the list", "--hover", "#end"},
			`focused Text "Name" "Ada"` + "\n" + `hovered Text "The end of the list."` + "\n" + `selected Text "end of the list"`},
		{"a promise", []string{"--eval", "new Promise(done => setTimeout(() => { document.title = 'Kept'; done() }, 200))"}, `focused Document "Kept"`},
		{"a wait for a time", []string{"--wait", "300ms"}, `focused Document "Orders"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := webarea(t, append(append([]string{"snapshot"}, test.args...), "form.html")...)
			a := r.answer(t)
			if got := pointed(a); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s\n%s", got, test.want, r.stdout)
			}
		})
	}
}

func TestWaitForWhatComesLater(t *testing.T) {
	t.Parallel()
	a := webarea(t, "snapshot", "--wait", "#late", "--scope", "page", serve(t)+"/late").answer(t)
	if !strings.Contains(words(a), "Now it is here.") {
		t.Errorf("got the words:\n%s\nwant: Now it is here.", words(a))
	}
}

func TestScopesAndLimits(t *testing.T) {
	t.Parallel()
	// One run each, since a limit holds for all of its targets.
	count := func(args ...string) (n, deepest, text int, a *elements.Answer) {
		a = webarea(t, append(append([]string{"snapshot"}, args...), "form.html")...).answer(t)
		a.Root.Walk(func(e, _ *elements.Element, depth int) bool {
			n++
			deepest = max(deepest, depth)
			for _, b := range e.Content {
				text += len(b.Text)
			}
			return true
		})
		return n, deepest, text, a
	}
	pointing, _, _, a := count()
	if strings.Contains(words(a), "Rye") {
		t.Errorf("pointing has what nobody points at:\n%s", words(a))
	}
	visible, _, _, a := count("--scope", "visible")
	if s := words(a); !strings.Contains(s, "Rye") || strings.Contains(s, "The end") {
		t.Errorf("visible is not what is on screen:\n%s", s)
	}
	page, depth, text, a := count("--scope", "page")
	if s := words(a); !strings.Contains(s, "Rye") || !strings.Contains(s, "The end") {
		t.Errorf("page is not all of it:\n%s", s)
	}
	if pointing >= visible || visible >= page {
		t.Errorf("got %d, %d and %d elements in the scopes pointing, visible and page: each must have more than the one before", pointing, visible, page)
	}
	for _, limit := range []struct {
		flag, value string
		whole       int
	}{{"--max-elements", "6", page}, {"--max-depth", "3", depth}, {"--max-text", "20", text}} {
		n, deepest, text, a := count("--scope", "page", limit.flag, limit.value)
		got := map[string]int{"--max-elements": n, "--max-depth": deepest, "--max-text": text}[limit.flag]
		want := map[string]int{"--max-elements": 6, "--max-depth": 3, "--max-text": 20}[limit.flag]
		if got > want || got >= limit.whole {
			t.Errorf("%s %s: got %d, without it %d", limit.flag, limit.value, got, limit.whole)
		}
		if len(a.Root.Attributes) == 0 {
			t.Errorf("%s %s: the root does not say what was left out", limit.flag, limit.value)
		}
	}
}

func TestViewportAndScale(t *testing.T) {
	t.Parallel()
	const measure = "document.title = [innerWidth, innerHeight, devicePixelRatio].join(' ')"
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "1280 800 1"},
		{[]string{"--viewport", "640x480", "--scale", "1.5"}, "640 480 1.5"},
		{[]string{"--viewport", "2400x1700"}, "2400 1700 1"},
	} {
		a := webarea(t, append(append([]string{"snapshot", "--eval", measure}, test.args...), "form.html")...).answer(t)
		if got, want := pointed(a), `focused Document "`+test.want+`"`; got != want {
			t.Errorf("%v: got %s, want %s", test.args, got, want)
		}
	}
}

// TestPicturesAtScale has pictures in the pixels of the screen that is emulated.
func TestPicturesAtScale(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "drawing.html")
	if err := os.WriteFile(page, []byte(strings.NewReplacer("800", "120", "400", "60").Replace(drawing)), 0o600); err != nil {
		t.Fatal(err)
	}
	for scale, width := range map[string]int{"1": 120, "1.5": 180, "2": 240, "3": 360} {
		a := webarea(t, "snapshot", "--viewport", "640x480", "--scale", scale, page).answer(t)
		chart := find(t, a, "chart", func(e *elements.Element) bool { return e.Title == "Chart" })
		if len(chart.Content) != 1 {
			t.Fatalf("at scale %s: got %v, want a picture", scale, chart.Content)
		}
		checkPicture(t, chart.Content[0].Data, strings.TrimPrefix(chart.Content[0].MIMEType, "image/"), width, width/2)
	}
}

func TestImages(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		want int
	}{{nil, 1}, {[]string{"--images", "thumbnail"}, 1}, {[]string{"--images", "none"}, 0}} {
		args := append([]string{"snapshot", "--hover", "svg"}, test.args...)
		a := webareaWith(t, `<!doctype html><svg role=img aria-label=Square width=90 height=90><rect width=90 height=90 fill=teal></svg>`, append(args, "-")...).answer(t)
		got := 0
		for e := range a.All() {
			for _, b := range e.Content {
				if b.Type == elements.ImageType && len(b.Data) > 0 {
					got++
				}
			}
		}
		if got != test.want {
			t.Errorf("%v: got %d pictures, want %d", test.args, got, test.want)
		}
	}
}

func TestStandardInput(t *testing.T) {
	t.Parallel()
	a := webareaWith(t, "\ufeff<!doctype html><title>Grüße</title><h1>Straße</h1><script>document.body.append('run')</script>", "snapshot", "--scope", "page", "-").answer(t)
	for _, want := range []string{"Grüße", "Straße", "run"} {
		if !strings.Contains(words(a), want) {
			t.Errorf("got the words:\n%s\nwant: %s", words(a), want)
		}
	}
	webareaWith(t, "", "snapshot", "-").answer(t)
}

func TestOutline(t *testing.T) {
	t.Parallel()
	r := webarea(t, "snapshot", "--outline", "--select-text", "Monday", "form.html")
	r.expectCode(t, 0)
	first, _, _ := strings.Cut(r.stdout, "\n")
	if !strings.Contains(first, "untrusted page content") || !strings.Contains(r.stdout, "Monday") || strings.Contains(r.stdout, `"role"`) {
		t.Errorf("got %v\nwant an outline with Monday", r)
	}
	if again := webarea(t, "snapshot", "--outline", "form.html"); strings.HasPrefix(again.stdout, first) {
		t.Errorf("two outlines have the same mark: %s", first)
	}
}

func TestSlowPagesAreRead(t *testing.T) {
	t.Parallel()
	// It never loads. The one answer is due 5 s after its document came, the other
	// when time is short.
	for _, timeout := range []string{"30s", "6s"} {
		a := webarea(t, "snapshot", "--timeout", timeout, "--scope", "page", serve(t)+"/slow").answer(t)
		if !strings.Contains(words(a), "The words are here.") {
			t.Errorf("--timeout %s: got the words:\n%s", timeout, words(a))
		}
	}
}
