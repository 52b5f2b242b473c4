package elements

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// A ruleCase breaks one rule in one place, and then keeps it. What starts with
// an exclamation mark is a whole answer, the rest are children of a root.
type ruleCase struct {
	rule Rule
	bad  string
	at   string
	good string
	// shape says that Decode mends or refuses it, so that only ValidateJSON
	// can tell; schema that the JSON Schema must refuse it too.
	shape, schema bool
}

func wholeAnswer(s string) string {
	if whole, ok := strings.CutPrefix(s, "!"); ok {
		return whole
	}
	return `{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","children":[` + s + `]}}`
}

func element(more string) string { return `{"id":"e","role":"Group"` + more + `}` }

func content(blocks string) string { return element(`,"content":[` + blocks + `]`) }

func nested(n int) string {
	return strings.Repeat(`{"id":"e","role":"Group","children":[`, n) + strings.Repeat(`]}`, n)
}

const (
	noRoot = `!{"protocol":"0.2.0","instance":"i"}`
	plainA = `{"id":"a","role":"Group"}`
)

var ruleCases = []ruleCase{
	{rule: RuleJSON, bad: `!{"protocol":"0.2.0",`, at: "/", good: plainA, shape: true},
	{rule: RuleJSON, bad: "!\"\xff\"", at: "/", good: plainA, shape: true},
	{rule: RuleJSON, bad: element(`,"title":"a" "b"`), at: "/root/children/0", good: element(`,"title":"a"`), shape: true},
	{rule: RuleJSON, bad: "!" + wholeAnswer(plainA) + "x", at: "/", good: "!" + wholeAnswer(plainA) + " \n", shape: true},

	{rule: RuleDuplicate, bad: element(`,"title":"a","title":"b"`), at: "/root/children/0/title", good: element(`,"title":"a"`), shape: true},
	{rule: RuleDuplicate, bad: element(`,"attributes":{"x":{"y/z":1,"y/z":1}}`), at: "/root/children/0/attributes/x/y~1z", good: element(`,"attributes":{"x":{"y":1,"z":1}}`), shape: true},

	{rule: RuleDepth, bad: element(`,"attributes":{"x":` + strings.Repeat("[", 151) + strings.Repeat("]", 151) + `}`), at: "/root/children/0/attributes/x" + strings.Repeat("/0", 150), good: element(`,"attributes":{"x":` + strings.Repeat("[", 150) + strings.Repeat("]", 150) + `}`), shape: true},

	{rule: RuleType, bad: `!7`, at: "/", good: plainA, shape: true, schema: true},
	{rule: RuleType, bad: `![]`, at: "/", good: plainA, shape: true, schema: true},
	{rule: RuleType, bad: `!{"protocol":2,"instance":"i","root":{"id":"a","role":"Application"}}`, at: "/protocol", good: plainA, shape: true, schema: true},
	{rule: RuleType, bad: `!{"protocol":"0.2.0","instance":"i","root":[]}`, at: "/root", good: plainA, shape: true, schema: true},
	{rule: RuleType, bad: `{"id":7,"role":"Group"}`, at: "/root/children/0/id", good: `{"id":"7","role":"Group"}`, shape: true, schema: true},
	{rule: RuleType, bad: `{"id":"e","role":null}`, at: "/root/children/0/role", good: element(""), shape: true, schema: true},
	{rule: RuleType, bad: element(`,"subrole":["x"]`), at: "/root/children/0/subrole", good: element(`,"subrole":"x"`), shape: true, schema: true},
	{rule: RuleType, bad: element(`,"title":null`), at: "/root/children/0/title", good: element(``), shape: true, schema: true},
	{rule: RuleType, bad: element(`,"url":{}`), at: "/root/children/0/url", good: element(`,"url":"a:b"`), shape: true, schema: true},
	{rule: RuleType, bad: element(`,"selected":"true"`), at: "/root/children/0/selected", good: element(`,"selected":true`), shape: true, schema: true},
	{rule: RuleType, bad: element(`,"visible":1`), at: "/root/children/0/visible", good: element(`,"visible":false`), shape: true, schema: true},
	{rule: RuleType, bad: element(`,"content":{}`), at: "/root/children/0/content", good: content(`{"type":"text","text":""}`), shape: true, schema: true},
	{rule: RuleType, bad: element(`,"children":{}`), at: "/root/children/0/children", good: element(`,"children":[` + plainA + `]`), shape: true, schema: true},
	{rule: RuleType, bad: plainA + `,"x"`, at: "/root/children/1", good: plainA, shape: true, schema: true},
	{rule: RuleType, bad: element(`,"attributes":[1]`), at: "/root/children/0/attributes", good: element(`,"attributes":{"a":[1]}`), shape: true, schema: true},

	{rule: RuleField, bad: element(`,"focussed":true`), at: "/root/children/0/focussed", good: element(`,"attributes":{"focussed":true}`), shape: true, schema: true},
	{rule: RuleField, bad: `!{"protocol":"0.2.0","instance":"i","pid":{"a":[1]},"root":{"id":"a","role":"Application"}}`, at: "/pid", good: plainA, shape: true, schema: true},

	{rule: RuleRequired, bad: noRoot, at: "/root", good: plainA, schema: true},
	{rule: RuleRequired, bad: `!{"protocol":"0.2.0","root":{"id":"a","role":"Application"}}`, at: "/instance", good: plainA, schema: true},
	{rule: RuleRequired, bad: `!{"instance":"i","root":{"id":"a","role":"Application"}}`, at: "/protocol", good: plainA, schema: true},
	{rule: RuleRequired, bad: `{"role":"Group"}`, at: "/root/children/0/id", good: element(""), schema: true},
	{rule: RuleRequired, bad: `{"id":"e"}`, at: "/root/children/0/role", good: element(""), schema: true},

	{rule: RuleProtocol, bad: `!{"protocol":"0.1.0","instance":"i","root":{"id":"a","role":"Application"}}`, at: "/protocol", good: plainA, schema: true},

	{rule: RuleIDForm, bad: `{"id":"a b","role":"Group"}`, at: "/root/children/0/id", good: `{"id":"a_b-C3","role":"Group"}`, schema: true},
	{rule: RuleIDForm, bad: `{"id":"é","role":"Group"}`, at: "/root/children/0/id", good: element(""), schema: true},
	{rule: RuleIDForm, bad: `{"id":"` + strings.Repeat("x", 129) + `","role":"Group"}`, at: "/root/children/0/id", good: `{"id":"` + strings.Repeat("x", 128) + `","role":"Group"}`, schema: true},

	{rule: RuleIDUnique, bad: element(`,"children":[` + element("") + `]`), at: "/root/children/0/children/0/id", good: element(`,"children":[` + plainA + `]`)},
	{rule: RuleIDUnique, bad: `{"id":"app","role":"Group"}`, at: "/root/children/0/id", good: `{"id":"App","role":"Group"}`},

	{rule: RuleTitle, bad: element(`,"title":"two\nlines"`), at: "/root/children/0/title", good: element(`,"title":"one\tline"`), schema: true},
	{rule: RuleTitle, bad: element(`,"title":"two\u2028lines"`), at: "/root/children/0/title", good: element(`,"title":"one line é"`), schema: true},
	{rule: RuleTitle, bad: element(`,"title":"\u001b[2J"`), at: "/root/children/0/title", good: element(`,"title":"[2J"`), schema: true},
	{rule: RuleTitle, bad: element(`,"title":" "`), at: "/root/children/0/title", good: element(`,"title":" ."`)},
	{rule: RuleTitle, bad: element(`,"title":""`), at: "/root/children/0/title", good: element(""), shape: true, schema: true},

	{rule: RuleURL, bad: element(`,"url":"notes/today"`), at: "/root/children/0/url", good: element(`,"url":"notes:today"`), schema: true},
	{rule: RuleURL, bad: element(`,"url":"https://a.example/\n"`), at: "/root/children/0/url", good: element(`,"url":"https://a.example/é b"`), schema: true},
	{rule: RuleURL, bad: element(`,"url":"3d:x"`), at: "/root/children/0/url", good: element(`,"url":"x-3d+a.b:x"`), schema: true},
	{rule: RuleURL, bad: element(`,"url":""`), at: "/root/children/0/url", good: element(""), shape: true, schema: true},

	{rule: RuleEmptyList, bad: element(`,"children":[]`), at: "/root/children/0/children", good: element(""), shape: true, schema: true},
	{rule: RuleEmptyList, bad: content(``), at: "/root/children/0/content", good: element(""), shape: true, schema: true},
	{rule: RuleEmptyList, bad: element(`,"attributes":{"related":[]}`), at: "/root/children/0/attributes/related", good: element(`,"attributes":{"other":[]}`), schema: true},

	{rule: RuleRole, bad: `{"id":"e","role":"Button"}`, at: "/root/children/0/role", good: element(`,"subrole":"Button"`), shape: true, schema: true},
	{rule: RuleRole, bad: `{"id":"e","role":"group"}`, at: "/root/children/0/role", good: element(""), shape: true, schema: true},

	{rule: RuleRoot, bad: `!{"protocol":"0.2.0","instance":"i","root":{"id":"a","role":"Window"}}`, at: "/root/role", good: plainA, schema: true},
	{rule: RuleOneApplication, bad: `{"id":"e","role":"Application"}`, at: "/root/children/0/role", good: `{"id":"e","role":"Window"}`, schema: true},

	{rule: RuleStateFalse, bad: element(`,"selected":false`), at: "/root/children/0/selected", good: element(`,"selected":true`), shape: true, schema: true},
	{rule: RuleStateFalse, bad: element(`,"focused":false`), at: "/root/children/0/focused", good: element(`,"focused":true`), shape: true, schema: true},
	{rule: RuleStateFalse, bad: element(`,"hovered":false`), at: "/root/children/0/hovered", good: element(`,"hovered":true`), shape: true, schema: true},

	{rule: RuleVisible, bad: element(`,"visible":true`), at: "/root/children/0/visible", good: element(`,"visible":false`)},
	{rule: RuleVisible, bad: element(`,"visible":false,"children":[{"id":"a","role":"Group","visible":false}]`), at: "/root/children/0/children/0/visible", good: element(`,"visible":false,"children":[{"id":"a","role":"Group","visible":true}]`)},
	{rule: RuleVisible, bad: element(`,"visible":false,"children":[{"id":"a","role":"Group","children":[{"id":"b","role":"Group","visible":false}]}]`), at: "/root/children/0/children/0/children/0/visible", good: element(`,"visible":false,"children":[{"id":"a","role":"Group","children":[{"id":"b","role":"Group","visible":true}]}]`)},
	{rule: RuleVisible, bad: `!{"protocol":"0.2.0","instance":"i","root":{"id":"a","role":"Application","visible":true}}`, at: "/root/visible", good: `!{"protocol":"0.2.0","instance":"i","root":{"id":"a","role":"Application","visible":false}}`},

	{rule: RuleFocusGap, bad: element(`,"children":[{"id":"a","role":"Group","focused":true}]`), at: "/root/children/0/children/0/focused", good: element(`,"focused":true,"children":[{"id":"a","role":"Group","focused":true}]`)},
	{rule: RuleFocusGap, bad: element(`,"focused":true,"children":[{"id":"a","role":"Group","children":[{"id":"b","role":"Group","focused":true}]}]`), at: "/root/children/0/children/0/children/0/focused", good: element(`,"focused":true`)},
	{rule: RuleFocusSiblings, bad: element(`,"focused":true`) + `,{"id":"a","role":"Group"},{"id":"b","role":"Group","focused":true}`, at: "/root/children/2/focused", good: element(`,"focused":true`) + `,` + plainA},
	{rule: RuleFocusSiblings, bad: `!{"protocol":"0.2.0","instance":"i","root":{"id":"r","role":"Application","focused":true,"children":[` + element(`,"focused":true`) + `,{"id":"b","role":"Group","focused":true}]}}`, at: "/root/children/1/focused", good: `!{"protocol":"0.2.0","instance":"i","root":{"id":"r","role":"Application","focused":true,"children":[` + element(`,"focused":true`) + `]}}`},

	{rule: RuleOneHover, bad: element(`,"hovered":true,"children":[{"id":"a","role":"Group","hovered":true}]`), at: "/root/children/0/children/0/hovered", good: element(`,"children":[{"id":"a","role":"Group","hovered":true}]`)},

	{rule: RuleSelectedText, bad: `{"id":"e","role":"Text","selected":true}`, at: "/root/children/0/content", good: `{"id":"e","role":"Text"}`, schema: true},
	{rule: RuleSelectedText, bad: `{"id":"e","role":"Text","selected":true,"content":[{"type":"text","text":""}]}`, at: "/root/children/0/content", good: `{"id":"e","role":"Text","selected":true,"content":[{"type":"text","text":" "}]}`, schema: true},
	{rule: RuleSelectedText, bad: `{"id":"e","role":"Heading","selected":true,"content":[{"type":"text","text":"x"}]}`, at: "/root/children/0/selected", good: `{"id":"e","role":"Heading","content":[{"type":"text","text":"x"}]}`, schema: true},
	{rule: RuleSelectedText, bad: `{"id":"e","role":"Link","selected":true}`, at: "/root/children/0/selected", good: `{"id":"e","role":"Link"}`, schema: true},
	{rule: RuleSelectedText, bad: `{"id":"e","role":"Row","selected":true,"content":[{"type":"text","text":"x"}]}`, at: "/root/children/0/selected", good: `{"id":"e","role":"Row","selected":true,"title":"x"}`, schema: true},

	{rule: RuleTextContent, bad: `{"id":"e","role":"Text","content":[{"type":"resource_link","uri":"a:b","name":"n"}]}`, at: "/root/children/0/content", good: `{"id":"e","role":"Text","content":[{"type":"text","text":"x"},{"type":"resource_link","uri":"a:b","name":"n"}]}`, schema: true},

	{rule: RuleBlockType, bad: content(`{"type":"video","text":"x"}`), at: "/root/children/0/content/0/type", good: content(`{"type":"text","text":"x"}`), schema: true},
	{rule: RuleBlockType, bad: content(`{"text":"x"}`), at: "/root/children/0/content/0/type", good: content(`{"text":"x","type":"text"}`), schema: true},

	{rule: RuleBlockField, bad: content(`"x"`), at: "/root/children/0/content/0", good: content(`{"type":"text","text":"x"}`), shape: true, schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"text"}`), at: "/root/children/0/content/0/text", good: content(`{"type":"text","text":""}`), shape: true, schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"text","text":7}`), at: "/root/children/0/content/0/text", good: content(`{"type":"text","text":"7"}`), shape: true, schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"image","mimeType":"image/png"}`), at: "/root/children/0/content/0/data", good: content(`{"type":"image","data":"AAAA","mimeType":"image/png"}`), schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"image","data":"AAAA"}`), at: "/root/children/0/content/0/mimeType", good: content(`{"type":"image","data":"AAA=","mimeType":"image/png"}`), schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"audio","data":"AAAA"}`), at: "/root/children/0/content/0/mimeType", good: content(`{"type":"audio","data":"AA==","mimeType":"audio/ogg"}`), schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"audio","data":"","mimeType":"audio/ogg"}`), at: "/root/children/0/content/0/data", good: content(`{"type":"audio","data":"AAAA","mimeType":"audio/ogg"}`), schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"resource_link","name":"n"}`), at: "/root/children/0/content/0/uri", good: content(`{"type":"resource_link","uri":"a:b","name":"n"}`), schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"resource_link","uri":"a:b"}`), at: "/root/children/0/content/0/name", good: content(`{"type":"resource_link","uri":"a:b","name":"n","title":"t","description":"d","mimeType":"a/b","icons":[{"src":"a:b"}]}`), schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"resource_link","uri":"a:b","name":"n","size":-1}`), at: "/root/children/0/content/0/size", good: content(`{"type":"resource_link","uri":"a:b","name":"n","size":1}`), shape: true, schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"resource_link","uri":"a:b","name":"n","size":"1"}`), at: "/root/children/0/content/0/size", good: content(`{"type":"resource_link","uri":"a:b","name":"n","size":0}`), shape: true, schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"resource_link","uri":"a:b","name":"n","icons":[{}]}`), at: "/root/children/0/content/0/icons/0", good: content(`{"type":"resource_link","uri":"a:b","name":"n"}`), schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"resource"}`), at: "/root/children/0/content/0/resource", good: content(`{"type":"resource","resource":{"uri":"a:b","text":""}}`), schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"resource","resource":{"text":"x"}}`), at: "/root/children/0/content/0/resource/uri", good: content(`{"type":"resource","resource":{"uri":"a:b","blob":"AAAA"}}`), schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"resource","resource":{"uri":"a:b"}}`), at: "/root/children/0/content/0/resource/text", good: content(`{"type":"resource","resource":{"uri":"a:b","text":"x"}}`), shape: true, schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"resource","resource":{"uri":"a:b","text":"x","blob":"AAAA"}}`), at: "/root/children/0/content/0/resource/text", good: content(`{"type":"resource","resource":{"uri":"a:b","blob":""}}`), shape: true, schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"text","text":"x","annotations":{"audience":["me"]}}`), at: "/root/children/0/content/0/annotations/audience", good: content(`{"type":"text","text":"x","annotations":{"audience":["user","assistant"]}}`), schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"text","text":"x","annotations":{"priority":2}}`), at: "/root/children/0/content/0/annotations/priority", good: content(`{"type":"text","text":"x","annotations":{"priority":0.5}}`), schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"text","text":"x","annotations":{"lastModified":3}}`), at: "/root/children/0/content/0/annotations/lastModified", good: content(`{"type":"text","text":"x","annotations":{"lastModified":"2026-01-02"}}`), schema: true},
	{rule: RuleBlockField, bad: content(`{"type":"text","text":"x","_meta":[1]}`), at: "/root/children/0/content/0/_meta", good: content(`{"type":"text","text":"x","_meta":{"a/b":1}}`), shape: true, schema: true},

	{rule: RuleBlockData, bad: content(`{"type":"image","data":"a-b_","mimeType":"image/png"}`), at: "/root/children/0/content/0/data", good: content(`{"type":"image","data":"a+b/","mimeType":"image/png"}`), shape: true, schema: true},
	{rule: RuleBlockData, bad: content(`{"type":"resource","resource":{"uri":"a:b","blob":"AAA"}}`), at: "/root/children/0/content/0/resource/blob", good: content(`{"type":"resource","resource":{"uri":"a:b","blob":"AAA="}}`), shape: true, schema: true},

	{rule: RuleAuthor, bad: element(`,"attributes":{"author":["Ines"]}`), at: "/root/children/0/attributes/author", good: element(`,"attributes":{"author":"Ines"}`), schema: true},

	{rule: RuleRelated, bad: element(`,"attributes":{"related":"a"}`), at: "/root/children/0/attributes/related", good: element(`,"attributes":{"related":[{"relation":"blocks","id":"a"}]}`), schema: true},
	{rule: RuleRelated, bad: element(`,"attributes":{"related":["a"]}`), at: "/root/children/0/attributes/related/0", good: element(`,"attributes":{"related":[{"relation":"blocks","url":"a:b"}]}`), schema: true},
	{rule: RuleRelated, bad: element(`,"attributes":{"related":[{"id":"a"}]}`), at: "/root/children/0/attributes/related/0", good: element(`,"attributes":{"related":[{"rel":"blocks","to":"a"}]}`), schema: true},
	{rule: RuleRelated, bad: element(`,"attributes":{"related":[{"relation":"blocks","id":"e"}]}`), at: "/root/children/0/attributes/related/0/id", good: element(`,"attributes":{"related":[{"relation":"blocks","id":"E"}]}`)},
	{rule: RuleRelated, bad: element(`,"attributes":{"related":[{"relation":"blocks","on":"x","id":"a b"}]}`), at: "/root/children/0/attributes/related/0/id", good: element(`,"attributes":{"related":[{"relation":"blocks","id":"a-b"}]}`), schema: true},
	{rule: RuleRelated, bad: element(`,"attributes":{"related":[{"relation":"see","on":"x","url":"there"}]}`), at: "/root/children/0/attributes/related/0/url", good: element(`,"attributes":{"related":[{"relation":"see","url":"a:there"}]}`), schema: true},
}

func lines(vs []Violation) string {
	var b strings.Builder
	for _, v := range vs {
		fmt.Fprintln(&b, v)
	}
	return b.String()
}

func TestRules(t *testing.T) {
	for _, c := range ruleCases {
		t.Run(string(c.rule), func(t *testing.T) {
			bad, good := wholeAnswer(c.bad), wholeAnswer(c.good)
			if got := lines(ValidateJSON([]byte(good))); got != "" {
				t.Errorf("ValidateJSON(%s)\ngot:\n%swant: nothing", good, got)
			}
			want := c.at + ": " + string(c.rule) + ": "
			got := ValidateJSON([]byte(bad))
			if len(got) != 1 || !strings.HasPrefix(got[0].String(), want) {
				t.Errorf("ValidateJSON(%s)\ngot:\n%swant one violation: %s…", bad, lines(got), want)
			}
			if c.shape {
				return
			}
			a, err := Decode(strings.NewReader(bad))
			if err != nil {
				t.Fatalf("Decode(%s): %v, want an answer", bad, err)
			}
			if got, want := lines(Validate(*a)), lines(got); got != want {
				t.Errorf("Validate of the decoded %s\ngot:\n%swant, as of its JSON:\n%s", bad, got, want)
			}
		})
	}
}

// TestEveryRuleHasACase reads the rules from the source, so that none is added
// without a case.
func TestEveryRuleHasACase(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "rule.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	covered := map[string]bool{}
	for _, c := range ruleCases {
		covered[string(c.rule)] = true
	}
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if name, ok := spec.Type.(*ast.Ident); !ok || name.Name != "Rule" {
			return true
		}
		n++
		word := strings.Trim(spec.Values[0].(*ast.BasicLit).Value, `"`)
		if !covered[word] {
			t.Errorf("%s (%s) has no case in ruleCases", spec.Names[0], word)
		}
		if doc := spec.Doc.Text(); !strings.HasPrefix(doc, spec.Names[0].Name+": ") {
			t.Errorf("%s: doc comment got %q, want it to state the rule", spec.Names[0], doc)
		}
		return true
	})
	if n == 0 {
		t.Error("found no rules in rule.go")
	}
}

func TestDepth(t *testing.T) {
	fits := nested(MaxDepth - 1)
	for _, v := range ValidateJSON([]byte(wholeAnswer(fits))) {
		if v.Rule == RuleDepth {
			t.Errorf("%d elements deep: got %s, want no word about depth", MaxDepth, v.Rule)
		}
	}
	for _, more := range []int{MaxDepth, 100_000} {
		deep := wholeAnswer(nested(more))
		got := ValidateJSON([]byte(deep))
		if len(got) == 0 || got[len(got)-1].Rule != RuleDepth {
			t.Errorf("%d elements deep: got %d violations, want the last to be %s", more+1, len(got), RuleDepth)
		}
		if _, err := Decode(strings.NewReader(deep)); err == nil {
			t.Errorf("Decode, %d elements deep: got an answer, want an error", more+1)
		}
	}
	root := &Element{ID: "app", Role: Application}
	last := root
	for i := range 100_000 {
		next := &Element{ID: fmt.Sprint("e", i), Role: Group}
		last.Children = []*Element{next}
		last = next
	}
	got := Validate(Answer{Version, "i", root})
	if len(got) != 1 || got[0].Rule != RuleDepth {
		t.Errorf("Validate: got %d violations, want %s alone", len(got), RuleDepth)
	}
}

func TestValidateOfWhatNoJSONSays(t *testing.T) {
	loop := &Element{ID: "loop", Role: Group}
	loop.Children = []*Element{loop, loop}
	nameless := &Element{Role: Group}
	nameless.Children = []*Element{nameless, nameless}
	cases := []struct {
		name  string
		child *Element
		want  string
	}{
		{"an unknown role", &Element{ID: "e", Role: "Gadget"}, `/root/children/0/role: role-word: "Gadget" is none of the thirteen roles`},
		{"nil", nil, `/root/children/0: type: is nil where an element belongs`},
		{"an element inside itself", loop, `/root/children/0/children/0/id: id-unique: "loop" is another element's too
/root/children/0/children/1/id: id-unique: "loop" is another element's too`},
		{"lists as Go writes them", &Element{ID: "e", Role: Group, Attributes: map[string]any{"related": []map[string]any{{"relation": "r", "id": "e"}}}},
			`/root/children/0/attributes/related/0/id: related: is the element's own`},
		{"an empty list of children", &Element{ID: "e", Role: Group, Children: []*Element{}, Content: []Block{}}, ``},
	}
	for _, c := range cases {
		a := Answer{Version, "i", &Element{ID: "app", Role: Application, Children: []*Element{c.child}}}
		if got := strings.TrimSpace(lines(Validate(a))); got != c.want {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
	got := Validate(Answer{Version, "i", &Element{ID: "app", Role: Application, Children: []*Element{nameless}}})
	if len(got) != MaxViolations {
		t.Errorf("a nameless element inside itself: got %d violations, want %d", len(got), MaxViolations)
	}
}

func TestViolationsAreBoundedAndPlain(t *testing.T) {
	many := wholeAnswer(strings.TrimSuffix(strings.Repeat(`{"id":"!"},`, 5000), ","))
	if got := ValidateJSON([]byte(many)); len(got) != MaxViolations {
		t.Errorf("got %d violations, want %d", len(got), MaxViolations)
	}
	name := `\n\u001b[31m` + strings.Repeat("n", 1_000_000)
	got := ValidateJSON([]byte(wholeAnswer(element(`,"` + name + `":1`))))
	if len(got) != 1 {
		t.Fatalf("got:\n%swant one violation", lines(got))
	}
	line := got[0].String()
	if len(line) > 200 || strings.ContainsAny(line, "\n\x1b") {
		t.Errorf("got %d bytes %.100q…, want one short plain line", len(line), line)
	}
}

func TestViolationsComeInOrderOfTheTree(t *testing.T) {
	bad := wholeAnswer(`{"id":"a","role":"Group","title":"\n","children":[{"id":"b","role":"Knob"}]},{"id":"c","role":"Text","selected":true,"focused":false},{"id":"d d","role":"Row","children":[]}`)
	want := []string{
		"/root/children/0/title: title-line",
		"/root/children/0/children/0/role: role-word",
		"/root/children/1/focused: state-false",
		"/root/children/1/content: selected-text",
		"/root/children/2/children: empty-list",
		"/root/children/2/id: id-form",
	}
	var got []string
	for _, v := range ValidateJSON([]byte(bad)) {
		got = append(got, v.Path+": "+string(v.Rule))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
