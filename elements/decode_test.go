package elements

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecodeAsAReceiver(t *testing.T) {
	cases := []struct {
		name, root string
		want       *Element
	}{
		{"an unknown role is Group", `{"id":"a","role":"Lens","subrole":"s"}`, &Element{ID: "a", Role: Group, Subrole: "s"}},
		{"no role stays none", `{"id":"a"}`, &Element{ID: "a"}},
		{"unknown fields are passed over", `{"x":[{"y":[1,{}]}],"id":"a","role":"Row","z":null}`, &Element{ID: "a", Role: Row}},
		{"names are told apart by case", `{"ID":"b","id":"a","Role":"x","role":"Row"}`, &Element{ID: "a", Role: Row}},
		{"null is nothing", `{"id":"a","role":"Row","title":null,"content":null,"children":[null],"visible":null,"focused":null,"attributes":null}`, &Element{ID: "a", Role: Row}},
		{"what is empty is nothing", `{"id":"a","role":"Row","content":[],"children":[],"attributes":{},"selected":false}`, &Element{ID: "a", Role: Row}},
		{"visible keeps both values", `{"id":"a","role":"Row","visible":false,"children":[{"id":"b","role":"Cell","visible":true}]}`,
			&Element{ID: "a", Role: Row, Visible: yes(false), Children: []*Element{{ID: "b", Role: Cell, Visible: yes(true)}}}},
		{"numbers lose no digit", `{"id":"a","role":"Row","attributes":{"n":12345678901234567890}}`,
			&Element{ID: "a", Role: Row, Attributes: map[string]any{"n": json.Number("12345678901234567890")}}},
		{"lone surrogates", `{"id":"a","role":"Row","title":"\ud800x\udc00"}`, &Element{ID: "a", Role: Row, Title: "\uFFFDx\uFFFD"}},
		{"what is not UTF-8", "{\"id\":\"a\",\"role\":\"Row\",\"title\":\"\xed\xa0\x80\"}", &Element{ID: "a", Role: Row, Title: "\uFFFD\uFFFD\uFFFD"}},
	}
	for _, c := range cases {
		got, err := Decode(strings.NewReader(`{"protocol":"0.2.0","instance":"i","later":1,"root":` + c.root + `}`))
		if err != nil {
			t.Errorf("%s: got error %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(&Answer{Version, "i", c.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		var e Element
		if err := json.Unmarshal([]byte(c.root), &e); err != nil {
			t.Errorf("%s: json.Unmarshal of the element: %v", c.name, err)
		} else if diff := cmp.Diff(c.want, &e); diff != "" {
			t.Errorf("%s: json.Unmarshal of the element (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestDecodeSaysWhatItCannotRead(t *testing.T) {
	cases := []struct{ text, want string }{
		{``, `elements: decode answer: /: at byte 0: the JSON ends too early`},
		{`{"root":{"id":`, `elements: decode answer: /root/id: at byte 14: the JSON ends too early`},
		{`[]`, `elements: decode answer: /: is a list where an object belongs`},
		{`{"root":{"id":7}}`, `elements: decode answer: /root/id: is a number where a string belongs`},
		{`{"root":{"children":[{},{"selected":"x"}]}}`, `elements: decode answer: /root/children/1/selected: is a string where true belongs`},
		{`{"root":{"content":[{"data":"?"}]}}`, `elements: decode answer: /root/content/0/data: is not base64: illegal base64 data at input byte 0`},
		{`{} {}`, `elements: decode answer: /: at byte 4: more follows the answer`},
	}
	for _, c := range cases {
		a, err := Decode(strings.NewReader(c.text))
		if err == nil {
			t.Errorf("Decode(%s)\ngot:  %+v\nwant: %s", c.text, a, c.want)
		} else if err.Error() != c.want {
			t.Errorf("Decode(%s)\ngot:  %v\nwant: %s", c.text, err, c.want)
		}
	}
}

var fuzzSeeds = []string{
	``, `{}`, `[`, `{"root":{"children":[{"children":[{}]}]}}`, `{"root":{"content":[{"type":"image","data":"AAAA"}]}}`,
	`{"protocol":"0.2.0","instance":"i","root":{"id":"a","role":"Application","attributes":{"related":[{"id":"b"}],"n":1e999}}}`,
	`{"root":{"title":"\ud800","url":"\u009b","attributes":{"\u2028":[{"a":[]}]}}}`,
	"{\"root\":{\"title\":\"\xff\"}}",
}

func addSeeds(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s))
	}
	for _, c := range ruleCases {
		f.Add([]byte(wholeAnswer(c.bad)))
		f.Add([]byte(wholeAnswer(c.good)))
	}
}

func FuzzDecode(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Decode(strings.NewReader(string(data)))
		if err != nil {
			return
		}
		text, err := Marshal(a)
		if err != nil {
			t.Fatalf("Decode took %q, Marshal did not: %v", data, err)
		}
		if !json.Valid(text) {
			t.Fatalf("Marshal of %q is no JSON: %s", data, text)
		}
		if a.Root == nil {
			return
		}
		b, err := Decode(strings.NewReader(string(text)))
		if err != nil {
			t.Fatalf("Decode does not take its own %s: %v", text, err)
		}
		if again, err := Marshal(b); err != nil || string(again) != string(text) {
			t.Fatalf("changed on its way\nwas: %s\nis:  %s, %v", text, again, err)
		}
		if got := lines(Validate(*a)); len(got) == 0 {
			if got := lines(ValidateJSON(text)); len(got) != 0 {
				t.Fatalf("Validate accepts %s, ValidateJSON says:\n%s", text, got)
			}
		}
	})
}

func FuzzValidateJSON(f *testing.F) {
	addSeeds(f)
	s := resolveSchema(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		got := ValidateJSON(data)
		for _, v := range got {
			if strings.ContainsAny(v.String(), "\n\r\x1b") || v.Path == "" || v.Rule == "" || v.Message == "" {
				t.Fatalf("ValidateJSON(%q): got %q, want one plain line", data, v)
			}
		}
		if len(got) > 0 {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("ValidateJSON accepts %q, which is no JSON", data)
		}
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			return // A number too large for the schema's reader.
		}
		if err := s.Validate(v); err != nil {
			t.Fatalf("ValidateJSON accepts %q, the schema does not: %v", data, err)
		}
	})
}
