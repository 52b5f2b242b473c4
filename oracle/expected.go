package oracle

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
)

// An Expected is what a page-scope answer must hold of one page.
type Expected struct {
	// Document is the page's own element.
	Document *Element
}

// An Element is one expected element. States and attributes are not expected.
type Element struct {
	Role     elements.Role
	Subrole  string
	Title    string
	URL      string
	Text     string // the words of its own text block
	Children []*Element

	// named says that the page gave the title, and not the element's words.
	named bool
	// field says that it is a field to type in: its words are its own value and
	// none of its surroundings.
	field bool
	// kept says that it has a state, and so stays even with nothing to say.
	kept bool
}

// Expect reads a page as raw as Chrome gives it and returns what an answer in
// page scope must hold. id is the page's target. It leaves the page, and other
// sessions on it, as they were.
func Expect(ctx context.Context, conn *cdp.Conn, id target.ID) (*Expected, error) {
	roles, err := parseTable(tableTSV)
	if err != nil {
		return nil, err
	}
	main, err := read(ctx, conn, id)
	if err != nil {
		return nil, fmt.Errorf("reading the page for the oracle: %w", err)
	}
	return &Expected{Document: newBuilder(roles, main).document(nil)}, nil
}

// String prints one element a line, indented, as role, subrole, title, words
// and url.
func (e *Expected) String() string {
	var b strings.Builder
	e.Document.print(&b, 0)
	return b.String()
}

func (e *Element) print(b *strings.Builder, depth int) {
	fmt.Fprintf(b, "%s%s\n", strings.Repeat("  ", depth), e.line())
	for _, kid := range e.Children {
		kid.print(b, depth+1)
	}
}

func (e *Element) line() string {
	line := string(e.Role)
	if e.Subrole != "" {
		line += "/" + e.Subrole
	}
	if e.Title != "" {
		line += fmt.Sprintf(" %q", e.Title)
	}
	if e.Text != "" {
		line += fmt.Sprintf(" = %q", e.Text)
	}
	if e.URL != "" {
		line += " <" + e.URL + ">"
	}
	return line
}

// plain says whether the element is a run of words and nothing else.
func (e *Element) plain() bool {
	return e.anonymous() && len(e.Children) == 0
}

// anonymous says whether the element is a run that nothing else is said of.
func (e *Element) anonymous() bool {
	return e.Role == elements.Text && e.Subrole == "" && e.Title == "" && e.URL == "" && e.Text != "" && !e.field && !e.kept
}

// words are all words of the element, those of what is inside it included.
func (e *Element) words() string {
	if e.Role.IsText() {
		if e.field {
			return ""
		}
		return e.Text
	}
	var all []string
	if isEntry(e.Role) && e.Title != "" && !e.named {
		all = append(all, e.Title)
	}
	for _, kid := range e.Children {
		if w := kid.words(); w != "" {
			all = append(all, w)
		}
	}
	return strings.Join(all, "\n")
}

func isEntry(r elements.Role) bool { return r == elements.Row || r == elements.Cell }
