package elements

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func yes(v bool) *bool { return &v }

func TestEncode(t *testing.T) {
	cases := []struct {
		name string
		root *Element
		want string
	}{
		{"nothing empty", &Element{
			ID: "a", Role: Application, Content: []Block{}, Children: []*Element{nil}, Attributes: map[string]any{},
		}, `{"id":"a","role":"Application"}`},
		{"every field", &Element{
			ID: "a", Role: Group, Subrole: "s", Title: "t", URL: "u:v", Selected: true, Focused: true, Visible: yes(false), Hovered: true,
			Content:    []Block{TextBlock("")},
			Attributes: map[string]any{"b": 1, "a": []any{nil, true, "x", 1.5, json.Number("12345678901234567890")}},
			Children:   []*Element{{ID: "b", Role: Row}, {ID: "c", Role: Row}},
		}, `{"id":"a","role":"Group","subrole":"s","title":"t","content":[{"type":"text","text":""}],"url":"u:v",` +
			`"selected":true,"focused":true,"visible":false,"hovered":true,"attributes":{"a":[null,true,"x",1.5,12345678901234567890],"b":1},` +
			`"children":[{"id":"b","role":"Row"},{"id":"c","role":"Row"}]}`},
		{"every block", &Element{ID: "a", Role: Group, Content: []Block{
			ImageBlock([]byte{0, 1}, "image/png"),
			{Type: AudioType, Data: []byte{2}, MIMEType: "audio/ogg"},
			LinkBlock("a:b", "n"),
			{Type: ResourceLinkType, URI: "a:b", Name: "n", Title: "t", Description: "d", MIMEType: "a/b", Size: 7, Icons: []any{map[string]any{"src": "i:j"}}},
			{Type: ResourceType, Resource: &Resource{URI: "a:b"}},
			{Type: ResourceType, Resource: &Resource{URI: "a:b", MIMEType: "a/b", Blob: []byte{}, Meta: map[string]any{"k": 1}}},
			{Type: TextType, Text: "x", Annotations: map[string]any{"priority": 1}, Meta: map[string]any{"k": 2}},
		}}, `{"id":"a","role":"Group","content":[{"type":"image","data":"AAE=","mimeType":"image/png"},` +
			`{"type":"audio","data":"Ag==","mimeType":"audio/ogg"},{"type":"resource_link","uri":"a:b","name":"n"},` +
			`{"type":"resource_link","uri":"a:b","name":"n","title":"t","description":"d","mimeType":"a/b","size":7,"icons":[{"src":"i:j"}]},` +
			`{"type":"resource","resource":{"uri":"a:b","text":""}},` +
			`{"type":"resource","resource":{"uri":"a:b","mimeType":"a/b","blob":"","_meta":{"k":1}}},` +
			`{"type":"text","text":"x","annotations":{"priority":1},"_meta":{"k":2}}]}`},
		{"hostile words", &Element{
			ID: "a", Role: Group, Title: "<b>&\"\\\x00\x1b\x7f\u009b\u2028\xff\xed\xa0\x80é\U0001F600",
			Attributes: map[string]any{"k\n": struct{ S string }{"<\u009b\u2029"}},
		}, `{"id":"a","role":"Group","title":"<b>&\"\\\u0000\u001b\u007f\u009b\u2028` + "\uFFFD\uFFFD\uFFFD\uFFFDé\U0001F600" + `","attributes":{"k\n":{"S":"\u003c\u009b\u2029"}}}`},
		{"shapes of a tree", &Element{ID: "a", Role: Group, Children: []*Element{
			{ID: "b", Role: Group, Children: []*Element{{ID: "c", Role: Group, Children: []*Element{{ID: "d", Role: Group}}}}},
			nil,
			{ID: "e", Role: Group, Children: []*Element{nil, {ID: "f", Role: Group}}},
		}}, `{"id":"a","role":"Group","children":[{"id":"b","role":"Group","children":[{"id":"c","role":"Group","children":[{"id":"d","role":"Group"}]}]},` +
			`{"id":"e","role":"Group","children":[{"id":"f","role":"Group"}]}]}`},
	}
	for _, c := range cases {
		want := `{"protocol":"0.2.0","instance":"i","root":` + c.want + "}\n"
		var b bytes.Buffer
		if err := Encode(&b, &Answer{Version, "i", c.root}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := b.String(); got != want {
			t.Errorf("%s\ngot:  %swant: %s", c.name, got, want)
		}
		if !json.Valid(b.Bytes()) {
			t.Errorf("%s: got what is no JSON: %s", c.name, b.String())
		}
		std, err := json.Marshal(Answer{Version, "i", c.root})
		if err != nil || !json.Valid(std) {
			t.Errorf("%s: json.Marshal got %s, %v", c.name, std, err)
		}
		for _, part := range []any{c.root, *c.root, c.root.Content} {
			one, err := json.Marshal(part)
			if err != nil || !bytes.Contains(std, one) && len(c.root.Content) > 0 {
				t.Errorf("%s: json.Marshal of %T\ngot:  %s, %v\nwant a part of: %s", c.name, part, one, err, std)
			}
		}
		var blocks []Block
		if one, err := json.Marshal(c.root.Content); err != nil || json.Unmarshal(one, &blocks) != nil || len(blocks) != len(c.root.Content) {
			t.Errorf("%s: json.Unmarshal of the blocks got %v, want %v", c.name, blocks, c.root.Content)
		}
	}
}

type failingWriter struct{ after int }

var errDisk = errors.New("disk full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.after -= len(p); w.after < 0 {
		return 0, errDisk
	}
	return len(p), nil
}

func TestEncodeFails(t *testing.T) {
	deep := []any{}
	for range 1000 {
		deep = []any{deep}
	}
	for name, bad := range map[string]any{"NaN": math.NaN(), "a function": func() {}, "a number that is none": json.Number("x"), "a value too deep": deep} {
		a := &Answer{Version, "i", &Element{ID: "a", Role: Application, Attributes: map[string]any{"k": bad}}}
		if out, err := Marshal(a); err == nil {
			t.Errorf("%s: got %s, want an error", name, out)
		}
	}
	wide := &Element{ID: "a", Role: Application}
	for i := range 100_000 {
		wide.Children = append(wide.Children, &Element{ID: fmt.Sprint(i), Role: Row})
	}
	w := &failingWriter{after: 200_000}
	if err := Encode(w, &Answer{Version, "i", wide}); !errors.Is(err, errDisk) {
		t.Errorf("got %v, want %v", err, errDisk)
	}
	if w.after < -3*flushAt {
		t.Errorf("got %d bytes offered after the writer failed, want at most one piece", -w.after)
	}
}

func TestEncodeDeepTree(t *testing.T) {
	root := &Element{ID: "r", Role: Application}
	last := root
	const n = 200_000
	for range n {
		last.Children = []*Element{{ID: "e", Role: Group}}
		last = last.Children[0]
	}
	got, err := Marshal(&Answer{Version, "i", root})
	if err != nil {
		t.Fatal(err)
	}
	if ends := strings.Repeat("]}", 3) + "}"; !bytes.HasSuffix(got, []byte(ends)) || bytes.Count(got, []byte("[")) != n {
		t.Errorf("got %d bytes with %d lists ending %s, want %d lists ending %s", len(got), bytes.Count(got, []byte("[")), got[len(got)-8:], n, ends)
	}
}

func TestDecodeGivesBackWhatWasEncoded(t *testing.T) {
	for _, file := range []string{"testdata/notes.json", "testdata/drawing.json"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, err := Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		text, err := Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		var second Answer
		if err := json.Unmarshal(text, &second); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, &second); diff != "" {
			t.Errorf("%s: the answer changed on its way (-first +second):\n%s", file, diff)
		}
		var was, is any
		if err := errors.Join(json.Unmarshal(data, &was), json.Unmarshal(text, &is)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(was, is); diff != "" {
			t.Errorf("%s: its JSON says something else (-file +encoded):\n%s", file, diff)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, n := range []int{2_000, 200_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			root := &Element{ID: "r", Role: Application}
			for i := range n {
				root.Children = append(root.Children, &Element{ID: fmt.Sprint(i), Role: Text, Content: []Block{TextBlock("some words of a page")}})
			}
			a := &Answer{Version, "i", root}
			for b.Loop() {
				if _, err := Marshal(a); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
		})
	}
}
