package oracle

import (
	"strings"
	"testing"

	"github.com/webarea/webarea/elements"
)

// expectedPage is a page with one of everything that is compared apart.
func expectedPage() *Expected {
	link := &Element{Role: elements.Link, Text: "the plan", URL: "http://x/plan"}
	return &Expected{Document: &Element{Role: elements.Document, Title: "T", URL: "http://x/", Children: []*Element{
		{Role: elements.Heading, Text: "Plans"},
		{Role: elements.Text, Text: "Read the plan today", Children: []*Element{link}},
		{Role: elements.List, Children: []*Element{
			{Role: elements.Row, Title: "First"},
			{Role: elements.Row, Title: "Second"},
		}},
		{Role: elements.Text, Text: "Last words"},
	}}}
}

func text(words string, children ...*elements.Element) *elements.Element {
	return &elements.Element{Role: elements.Text, Content: []elements.Block{elements.TextBlock(words)}, Children: children}
}

// answeredPage is an answer that says all of expectedPage.
func answeredPage() *elements.Element {
	link := text("the plan")
	link.Role, link.URL = elements.Link, "http://x/plan"
	heading := text("Plans")
	heading.Role = elements.Heading
	return &elements.Element{Role: elements.Document, Title: "T", URL: "http://x/", Children: []*elements.Element{
		heading,
		text("Read the plan  today", link),
		{Role: elements.List, Children: []*elements.Element{
			{Role: elements.Row, Title: "First"},
			{Role: elements.Row, Title: "Second"},
		}},
		text("Last words"),
	}}
}

func TestCompare(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*elements.Element)
		want   string
	}{
		{"all is said", func(*elements.Element) {}, ""},
		{"where a run ends is not compared", func(d *elements.Element) {
			link := d.Children[1].Children[0]
			d.Children = append([]*elements.Element{d.Children[0], text("Read"), link, text("today")}, d.Children[2:]...)
		}, ""},
		{"a selection says words again", func(d *elements.Element) {
			selected := text("today")
			selected.Selected = true
			d.Children[1].Children = append(d.Children[1].Children, selected)
		}, ""},
		{"a lost word", func(d *elements.Element) { d.Children[3].Content[0].Text = "Last" },
			`Document "T": words
    want …"today\nFirst\nSecond\nLast words"
    got  …"today\nFirst\nSecond\nLast"`},
		{"a word said twice", func(d *elements.Element) { d.Children[3].Content[0].Text = "Last words words" },
			`Document "T": words
    want …"First\nSecond\nLast words"
    got  …"First\nSecond\nLast words words"`},
		{"a word in the wrong place", func(d *elements.Element) {
			d.Children[1].Content[0].Text = "Read the plan"
			d.Children[3].Content[0].Text = "today Last words"
		}, `Document "T": words
    want "Plans\nRead the plan today\nFirst\nSecond\nLast words"
    got  "Plans\nRead the plan\nFirst\nSecond\ntoday Last words"`},
		{"a title", func(d *elements.Element) { d.Children[2].Children[1].Title = "Third" },
			`Document "T" > List > Row "Second": title
    want "Second"
    got  "Third"`},
		{"a url", func(d *elements.Element) { d.Children[1].Children[0].URL = "http://x/" },
			`Document "T" > Link "the plan": url
    want "http://x/plan"
    got  "http://x/"`},
		{"a role", func(d *elements.Element) { d.Children[2].Role = elements.Table },
			`Document "T" > List: role
    want List
    got  Table`},
		{"an element too few", func(d *elements.Element) { d.Children[2].Children = d.Children[2].Children[1:] },
			`Document "T" > List: missing
    want Row "First"
    got  nothing`},
		{"an element too many", func(d *elements.Element) {
			d.Children = append(d.Children, &elements.Element{Role: elements.Image, Title: "new"})
		}, `Document "T": unexpected
    want nothing
    got  Image "new"`},
		{"another parent", func(d *elements.Element) {
			list := d.Children[2]
			d.Children = append(d.Children[:3:3], append(list.Children[1:], d.Children[3])...)
			list.Children = list.Children[:1]
		}, `Document "T" > List: missing
    want Row "Second"
    got  nothing
Document "T": unexpected
    want nothing
    got  Row "Second"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer := answeredPage()
			test.change(answer)
			var lines []string
			for _, d := range CompareDocument(expectedPage(), answer) {
				lines = append(lines, d.String())
			}
			if got := strings.Join(lines, "\n"); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

func TestCompareFindsThePage(t *testing.T) {
	answer := &elements.Answer{Root: &elements.Element{Role: elements.Application, Children: []*elements.Element{
		{Role: elements.Window, Children: []*elements.Element{{Role: elements.Window, Subrole: "tab", Children: []*elements.Element{answeredPage()}}}},
	}}}
	if got := Compare(expectedPage(), answer); len(got) != 0 {
		t.Errorf("got %v, want no differences", got)
	}
	answer.Root.Children = nil
	if got := Compare(expectedPage(), answer); len(got) != 1 || got[0].What != "missing" {
		t.Errorf("without a Document: got %v, want that it is missing", got)
	}
}

func TestSecretNames(t *testing.T) {
	for name, want := range map[string]bool{
		"userPin": true, "user_pin": true, "PIN": true, "api_key": true, "APIKey": true, "card-CVC": true, "Card number": true,
		"Security code": true, "token2": true, "opinion_pinned": false, "spinner": false, "key": false, "": false,
	} {
		if got := saysSecret(name); got != want {
			t.Errorf("%q says that it is secret: got %v, want %v", name, got, want)
		}
	}
}

func TestHideIn(t *testing.T) {
	const secret = "tulip"
	for text, want := range map[string]string{
		"tulip, tulips, a tulip": "[secret], tulips, a [secret]",
		"/reset?with=tulip":      "/reset?with=[secret]",
		"twotulip":               "twotulip",
	} {
		if got := hideIn(text, secret); got != want {
			t.Errorf("%q without %q: got %q, want %q", text, secret, got, want)
		}
	}
}
