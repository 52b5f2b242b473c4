package testpages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
)

// A fixture is a page with what is done to it and what must be answered, as
// fixtures/README.md says.
type fixture struct {
	name    string
	Doc     string
	Setup   []map[string]string
	Answers map[cdp.Scope]*wanted
	// Pictures are what answers send of elements when they are asked for pictures, by
	// the name of the element as in related. Not nil: and of no other.
	Pictures map[string][]wantedPicture
}

// wanted is an element of an answer as a case file has it, by its own list of
// fields so that a slip of the pen in one is found.
type wanted struct {
	Role       elements.Role
	Subrole    string
	Title      string
	Content    []wantedBlock
	URL        string
	Selected   bool
	Focused    bool
	Visible    *bool
	Hovered    bool
	Children   []*wanted
	Attributes map[string]any
}

type wantedBlock struct {
	Type elements.BlockType
	Text string
}

// fixtures reads all of them.
func fixtures(t *testing.T) []*fixture {
	t.Helper()
	files, err := filepath.Glob("fixtures/*.case.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("finding the fixtures: %d found, %v", len(files), err)
	}
	var all []*fixture
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f := &fixture{name: strings.TrimSuffix(filepath.Base(file), ".case.json")}
		in := json.NewDecoder(bytes.NewReader(text))
		in.DisallowUnknownFields()
		if err := in.Decode(f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for scope, want := range f.Answers {
			if scope != WholePage && scope != Visible && scope != Pointing {
				t.Fatalf("%s: there is no scope %q", file, scope)
			}
			if err := want.check(); err != nil {
				t.Fatalf("%s: %s scope: %v", file, scope, err)
			}
		}
		all = append(all, f)
	}
	return all
}

func (w *wanted) check() error {
	if !w.Role.Known() {
		return fmt.Errorf("there is no role %q", w.Role)
	}
	for _, b := range w.Content {
		if b.Type != elements.TextType {
			return fmt.Errorf("a content block of type %q, which is not compared", b.Type)
		}
	}
	for _, child := range w.Children {
		if err := child.check(); err != nil {
			return err
		}
	}
	return nil
}

func (w *wanted) element() *elements.Element {
	e := &elements.Element{
		Role: w.Role, Subrole: w.Subrole, Title: w.Title, URL: w.URL,
		Selected: w.Selected, Focused: w.Focused, Visible: w.Visible, Hovered: w.Hovered,
		Attributes: maps.Clone(w.Attributes),
	}
	for _, b := range w.Content {
		e.Content = append(e.Content, elements.TextBlock(b.Text))
	}
	for _, child := range w.Children {
		e.Children = append(e.Children, child.element())
	}
	return e
}

// setUp does what a fixture says, the acts after a window was opened in that.
func (f *fixture) setUp(p *Page) {
	p.t.Helper()
	at := p
	for _, act := range f.Setup {
		switch {
		case act["window"] != "":
			at = p.Beside(act["window"])
		case act["popup"] != "":
			at = p.Popup(act["popup"])
		default:
			f.act(at, act)
		}
	}
}

// act does one thing of a fixture's setup.
func (f *fixture) act(p *Page, act map[string]string) {
	p.t.Helper()
	acts := map[string]func(string){
		"eval": p.Eval, "wait": p.Wait, "scroll_to": p.ScrollTo, "focus": p.Focus,
		"select": p.Select, "hover": p.Hover, "select_text": p.SelectText,
	}
	for name, with := range act {
		if acts[name] == nil || len(act) != 1 {
			p.t.Fatalf("%v is no act", act)
		}
		acts[name](with)
	}
}

// differences compares an answer with what the fixture wants, of the page or of the
// whole app, and shows how they differ, if they do.
func (w *wanted) differences(a *elements.Answer) string {
	at := a.Root
	if w.Role != elements.Application {
		tab := tabOf(a)
		if tab == nil || len(tab.Children) != 1 {
			return "there is no tab with one child:\n" + Format(a.Root)
		}
		at = tab.Children[0]
	}
	names := namesIn(a.Root)
	want := w.element()
	got := comparable(at, want, names)
	return diff(lines(settled(want), names), lines(got, names))
}

// settled is what a fixture wants without the attributes that must not be there.
func settled(want *elements.Element) *elements.Element {
	e := *want
	e.Attributes = maps.Clone(want.Attributes)
	maps.DeleteFunc(e.Attributes, func(_ string, v any) bool { return v == nil })
	e.Children = nil
	for _, child := range want.Children {
		e.Children = append(e.Children, settled(child))
	}
	return &e
}

// comparable is an element without the attributes that its counterpart in a
// fixture does not name. An element without a counterpart keeps none.
func comparable(got, want *elements.Element, names map[string]string) *elements.Element {
	e := *got
	e.Attributes = maps.Clone(got.Attributes)
	maps.DeleteFunc(e.Attributes, func(name string, _ any) bool {
		if want == nil {
			return true
		}
		_, named := want.Attributes[name]
		return !named
	})
	e.Children = nil
	counterparts := align(got, want, names)
	for i, child := range got.Children {
		e.Children = append(e.Children, comparable(child, counterparts[i], names))
	}
	return &e
}

// align finds the counterpart of each child: one that says the same, and of those
// that have none in the same place, in order.
func align(got, want *elements.Element, names map[string]string) []*elements.Element {
	out := make([]*elements.Element, len(got.Children))
	if want == nil {
		return out
	}
	say := func(list []*elements.Element) []string {
		var said []string
		for _, e := range list {
			bare := *e
			bare.Attributes = nil
			said = append(said, line(&bare, names))
		}
		return said
	}
	i, j, waiting := 0, 0, []*elements.Element(nil)
	for _, edit := range compare(say(want.Children), say(got.Children)) {
		switch edit.kind {
		case '-':
			waiting = append(waiting, want.Children[i])
			i++
		case '+':
			if len(waiting) > 0 {
				out[j], waiting = waiting[0], waiting[1:]
			}
			j++
		default:
			out[j] = want.Children[i]
			i, j = i+1, j+1
			waiting = nil
		}
	}
	return out
}

// TestFixtureComparison proves that the comparison finds what it must, since all
// fixtures rest on it.
func TestFixtureComparison(t *testing.T) {
	hidden := false
	document := func(change func(*elements.Element)) *elements.Answer {
		text := &elements.Element{ID: "t", Role: elements.Text, Content: []elements.Block{elements.TextBlock("Bread")}, Attributes: map[string]any{"level": json.Number("2"), "more": "x"}}
		change(text)
		return &elements.Answer{Root: &elements.Element{ID: "a", Role: elements.Application, Children: []*elements.Element{
			{ID: "w", Role: elements.Window, Children: []*elements.Element{
				{ID: "b", Role: elements.Window, Subrole: "tab", Children: []*elements.Element{
					{ID: "d", Role: elements.Document, Children: []*elements.Element{text}},
				}},
			}},
		}}}
	}
	want := &wanted{Role: elements.Document, Children: []*wanted{{
		Role: elements.Text, Content: []wantedBlock{{elements.TextType, "Bread"}}, Attributes: map[string]any{"level": 2.0, "author": nil},
	}}}
	for _, test := range []struct {
		name   string
		change func(*elements.Element)
		want   []string // lines of the diff that begin with - or +
	}{
		{"the same", func(*elements.Element) {}, nil},
		{"an attribute not named", func(e *elements.Element) { e.Attributes["other"] = 1 }, nil},
		{"an attribute that must not be there", func(e *elements.Element) { e.Attributes["author"] = "Ada" },
			[]string{`-   Text level=2: "Bread"`, `+   Text author="Ada" level=2: "Bread"`}},
		{"another attribute", func(e *elements.Element) { e.Attributes["level"] = 3 },
			[]string{`-   Text level=2: "Bread"`, `+   Text level=3: "Bread"`}},
		{"no attribute", func(e *elements.Element) { e.Attributes = nil },
			[]string{`-   Text level=2: "Bread"`, `+   Text: "Bread"`}},
		{"a state", func(e *elements.Element) { e.Visible = &hidden },
			[]string{`-   Text level=2: "Bread"`, `+   Text hidden level=2: "Bread"`}},
		{"words", func(e *elements.Element) { e.Content[0].Text = "Bread " },
			[]string{`-   Text level=2: "Bread"`, `+   Text level=2: "Bread "`}},
		{"a child", func(e *elements.Element) { e.Children = []*elements.Element{{Role: elements.Link, URL: "http://x/"}} },
			[]string{`+     Link <http://x/>`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			text := want.differences(document(test.change))
			for _, line := range split(text) {
				if strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
					got = append(got, line)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("the difference\n got: %q\nwant: %q", got, test.want)
			}
		})
	}
}
