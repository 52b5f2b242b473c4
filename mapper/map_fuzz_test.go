package mapper

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/webarea/webarea/elements"
)

// hostileWords are what a page may call things.
var hostileWords = []string{
	"", " ", "word", "two words", "  spaced  ", "a\nb", "\x00", "\u2028", "\ue000\uf8ff", "\u00a0", "\u202eabc\u202c", "\x1b[31mred", "\xff\xfe",
	"hunter22", "say hunter22 aloud", "xhunter22", "hunter22 tulips", "tulips", "correct horse", "correct+horse", "correct%20horse",
	"http", "secret", "[secret]", "pane", "page", "private", "tab", "true", "mixed", "1", "-7", "99999999999999999999",
	"http://fixture/x?q=hunter22", "javascript:alert(1)", "java\tscript:alert(1)", "data:text/plain,x", "no address", ":", "a:",
	"😀😀😀😀😀😀😀😀😀😀", "x\u0301\u0301\u0301", "img", "generic", "heading", "nonsense",
}

var hostileSecrets = []string{"hunter22", "hunter22 tulips", "tulips are red", "correct horse", "http", "secret", "abc", "", "\x00\x00\x00\x00", "😀😀😀😀"}

// choices makes decisions out of bytes, which a fuzzer changes.
type choices struct{ bytes []byte }

func (c *choices) below(n int) int {
	if len(c.bytes) == 0 || n < 2 {
		return 0
	}
	b := int(c.bytes[0])
	c.bytes = c.bytes[1:]
	if n > 256 && len(c.bytes) > 0 {
		b = b<<8 | int(c.bytes[0])
		c.bytes = c.bytes[1:]
	}
	return b % n
}

func (c *choices) yes(oneIn int) bool { return c.below(oneIn) == oneIn-1 }

func (c *choices) words() string {
	s := hostileWords[c.below(len(hostileWords))]
	switch {
	case c.yes(16):
		for len(s) < 1000 && s != "" {
			s += " " + s
		}
	case c.yes(16):
		n := min(c.below(8), len(c.bytes))
		s += string(c.bytes[:n])
	}
	return s
}

func (c *choices) rect() *Rect {
	if c.yes(4) {
		return nil
	}
	at := []float64{0, -10, 10, 1e9, -1e9, 0.5, math.MaxFloat64, 300}
	return &Rect{at[c.below(8)], at[c.below(8)], at[c.below(8)], at[c.below(8)]}
}

// A maker makes readings that keep to what Reading promises (indexes that are
// there, numbers that are unique) and to nothing else.
type maker struct {
	*choices
	documents int
	secrets   []string // of every document
}

func (m *maker) reading() *Reading {
	for range m.below(4) {
		m.secrets = append(m.secrets, hostileSecrets[m.below(len(hostileSecrets))])
	}
	r := &Reading{App: m.words(), OmittedFrames: m.below(3)}
	for w := range m.below(3) + 1 {
		win := &Window{Key: fmt.Sprintf("w%d", w), Title: m.words(), Minimized: m.yes(4), Focused: m.yes(2)}
		for t := range m.below(3) + 1 {
			tab := &Tab{Key: fmt.Sprintf("w%dt%d", w, t), Title: m.words(), URL: m.words(), Active: m.yes(2)}
			if !m.yes(6) {
				tab.Document = m.document(0)
			}
			if m.yes(8) {
				tab.Dialog = &Dialog{Type: "confirm", Message: m.words(), URL: m.words()}
			}
			if m.yes(8) {
				tab.Problem = "page_unresponsive"
			}
			win.Tabs = append(win.Tabs, tab)
		}
		r.Windows = append(r.Windows, win)
	}
	return r
}

func (m *maker) document(depth int) *Document {
	m.documents++
	d := &Document{Key: fmt.Sprintf("d%d", m.documents), Title: m.words(), URL: m.words(), Lang: m.words(), Unread: 1}
	d.Secrets = m.secrets
	way := []int{-1}
	run := 0
	for i := range m.below(60) {
		way = way[:len(way)-m.below(min(len(way), 3))]
		run += m.below(3)
		n := Node{Parent: way[len(way)-1], Serial: int64(i + 1), Run: run, Cut: m.yes(16), Box: m.rect()}
		if m.yes(3) {
			n.IsText, n.Text, n.Pre = true, m.words(), m.yes(4)
			if m.yes(8) {
				n.Serial = 0
			}
			d.Nodes = append(d.Nodes, n)
			continue
		}
		m.element(&n, i, depth)
		d.Nodes = append(d.Nodes, n)
		way = append(way, i)
	}
	m.pointing(d)
	return d
}

func (m *maker) element(n *Node, i, depth int) {
	n.Tag, n.Role, n.Own().RoleWord = "div", m.below(220)-2, m.words()
	n.Name, n.Own().Word, n.Own().Subrole, n.Own().Lang, n.Own().Author = m.words(), m.words(), m.words(), m.words(), m.words()
	n.Own().Value, n.URL, n.Own().Marker, n.Own().Row, n.Own().Col = m.words(), m.words(), m.words(), m.words(), m.words()
	n.Own().Checked, n.Own().Level = m.words(), m.below(9)
	flags := m.below(65536)
	for bit, f := range []*bool{&n.Named, &n.Leaf, &n.Inline, &n.Selected, &n.Field, &n.Editor, &n.Multi, &n.Secret,
		&n.Private, &n.Popover, &n.Tainted, &n.Bare} {
		// Most are rare, or nearly everything would be private or a leaf.
		*f = flags>>bit&1 == 1 && m.yes(3)
	}
	if m.yes(3) {
		n.Own().Expanded = []string{"true", "false"}[m.below(2)]
	}
	if m.yes(3) {
		n.Own().InputType = []string{"text", "password", "number", "textarea"}[m.below(4)]
	}
	for range m.below(3) {
		n.Own().Related = append(n.Own().Related, Relation{Name: []string{"controls", "details", "owns", "for", "labelledby", "flowto"}[m.below(6)], Serial: int64(m.below(60)), ID: m.words()})
	}
	if m.yes(10) && depth < 3 && m.documents < 8 {
		n.Role = []int{roleIframe, roleIframePresentational, roleEmbeddedObject, rolePluginObject}[m.below(4)]
		n.Own().Frame, n.Own().FrameBox = m.document(depth+1), m.rect()
	}
}

// pointing has the user point at something that is there.
func (m *maker) pointing(d *Document) {
	at := func() int { return m.below(len(d.Nodes)+1) - 1 }
	frame := func() *Document {
		for i := range d.Nodes {
			if d.Nodes[i].Own().Frame != nil && m.yes(2) {
				return d.Nodes[i].Own().Frame
			}
		}
		return nil
	}
	if m.yes(2) {
		d.Focus = &Focus{Node: at(), Descendant: at(), Frame: frame()}
	}
	if m.yes(2) {
		d.Hover = &Hover{Node: at(), Piece: at(), Frame: frame(), At: float64(m.below(100))}
	}
	if m.yes(2) {
		d.Selection = &Selection{Key: fmt.Sprint(m.below(100)), Text: m.words(), Node: at(), From: at(), To: at(), Cut: m.yes(4), Total: m.below(2000)}
	}
	if m.yes(4) {
		n := at()
		d.Target = &n
	}
}

func (m *maker) options() Options {
	o := Options{Scope: Scope(m.below(4))}
	if m.yes(2) {
		o.Target = []string{"app", "w0", "w0t0", "d1", fmt.Sprintf("d1#%d", m.below(60))}[m.below(5)]
	}
	if m.yes(3) {
		o.MaxElements = m.below(40)
	}
	if m.yes(3) {
		o.MaxDepth = m.below(12)
	}
	if m.yes(3) {
		o.MaxText = m.below(60)
	}
	return o
}

// FuzzMap holds that every reading gives an answer that is valid, is within its
// budgets and tells no secret.
func FuzzMap(f *testing.F) {
	seed := rand.NewChaCha8([32]byte{})
	for range 300 {
		b := make([]byte, 4000)
		_, _ = seed.Read(b)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m := &maker{choices: &choices{b}}
		o := m.options()
		r := m.reading()
		root := mapped(t, r, o)
		holdsBudgets(t, root, o)
		holdsSecrets(t, root, m.secrets)
	})
}

func holdsBudgets(t *testing.T, root *elements.Element, o Options) {
	count, deepest, text := 0, 0, 0
	root.Walk(func(e, _ *elements.Element, depth int) bool {
		count++
		deepest = max(deepest, depth)
		for _, c := range e.Content {
			text += len(c.Text)
			if !utf8.ValidString(c.Text) {
				t.Errorf("a text is cut within a character: %q", c.Text)
			}
		}
		return true
	})
	if o.MaxElements > 0 && o.Scope != One && count > o.MaxElements {
		t.Errorf("%d elements, at most %d were asked for", count, o.MaxElements)
	}
	// Of one element the depth is counted from it.
	if o.MaxDepth > 0 && o.Scope != One && deepest > o.MaxDepth {
		t.Errorf("%d levels below the Application, at most %d were asked for", deepest, o.MaxDepth)
	}
	// A secret is taken out last, and its mark may be longer than it was.
	if grown := len(secretMark); o.MaxText > 0 && text > o.MaxText*grown {
		t.Errorf("%d bytes of text, at most %d were asked for", text, o.MaxText)
	}
}

// holdsSecrets looks for the secrets in all that is said of documents and in them.
func holdsSecrets(t *testing.T, root *elements.Element, secrets []string) {
	root.Walk(func(e, _ *elements.Element, depth int) bool {
		if depth < 3 {
			return true
		}
		if depth == 3 && e.Role != elements.Document {
			// A dialog may be all that is known of its tab.
			return false
		}
		for _, said := range sayings(t, e) {
			said = strings.ReplaceAll(said, secretMark, "—")
			for _, secret := range secrets {
				if utf8.RuneCountInString(secret) >= 4 && hasWord(said, secret) {
					t.Errorf("the secret %q is told by a %s: %q", secret, e.Role, said)
				}
			}
		}
		return true
	})
}

// sayings are all the words and addresses of an element.
func sayings(t *testing.T, e *elements.Element) []string {
	t.Helper()
	attributes, err := json.Marshal(e.Attributes)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{e.Title, e.Subrole, e.URL, string(attributes)}
	for _, c := range e.Content {
		list = append(list, c.Text)
	}
	return list
}

// hasWord says whether s has the word v, whose ends are letters or digits, with
// neither before nor after it.
func hasWord(s, v string) bool {
	for i := range s {
		if !strings.HasPrefix(s[i:], v) {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(v):])
		if !unicode.In(before, unicode.L, unicode.Nd) && !unicode.In(after, unicode.L, unicode.Nd) {
			return true
		}
	}
	return false
}
