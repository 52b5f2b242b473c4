package elements

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Decode reads one answer. It reads as a receiver should: a role that is none
// of the thirteen becomes Group (5.2), fields it does not know are passed
// over, null is nothing, and a rule of the protocol that is broken is left to
// [Validate]. It fails on what is not JSON, on a field of the wrong type, and
// on an answer deeper than [MaxDepth]. Time and memory are linear in what r
// gives; whoever does not trust r bounds it.
func Decode(r io.Reader) (*Answer, error) {
	var a Answer
	in := newReader(r, asReceiver)
	in.answer(&a)
	if in.err == nil {
		in.end()
	}
	if in.err != nil {
		return nil, fmt.Errorf("elements: decode answer: %w", in.err)
	}
	return &a, nil
}

// UnmarshalJSON is [Decode] for encoding/json.
func (a *Answer) UnmarshalJSON(data []byte) error {
	got, err := Decode(bytes.NewReader(data))
	if err != nil {
		return err
	}
	*a = *got
	return nil
}

// UnmarshalJSON reads an element and everything under it as [Decode] does.
func (e *Element) UnmarshalJSON(data []byte) error {
	in := newReader(bytes.NewReader(data), asReceiver)
	got := in.element(in.token(), 1)
	if in.err != nil {
		return fmt.Errorf("elements: decode element: %w", in.err)
	}
	if got != nil {
		*e = *got
	}
	return nil
}

// A manner is how a reader takes what is wrong.
type manner int

const (
	// asReceiver reads on where a receiver can, and stops where it cannot.
	asReceiver manner = iota
	// asJudge notes all that is wrong.
	asJudge
)

// reader reads an answer token by token, so that it sees what a struct no
// longer shows: names said twice, empty lists, states sent as false.
type reader struct {
	dec    *json.Decoder
	manner manner
	// found is what is wrong, kept by a judge.
	found findings
	// settled are the places that already have their violation; what the
	// struct says of them is made up.
	settled map[place]bool
	// here is the element being read and block the index of its content
	// block, -1 outside content.
	here  *Element
	block int
	// err is why reading stopped.
	err error
}

func newReader(r io.Reader, m manner) *reader {
	dec := json.NewDecoder(r)
	dec.UseNumber()
	return &reader{dec: dec, manner: m, settled: map[place]bool{}, block: -1}
}

var errEnough = errors.New("enough violations")

// wrong notes a violation that a receiver can live with.
func (r *reader) wrong(rule Rule, format string, args ...any) {
	if r.manner == asReceiver || r.err != nil {
		return
	}
	r.found.add(rule, format, args...)
	if r.found.full() {
		r.err = errEnough
	}
}

// bad notes a violation that a receiver cannot read over. The place named is
// settled: the struct cannot say what was sent there.
func (r *reader) bad(name string, rule Rule, format string, args ...any) {
	if r.err != nil {
		return
	}
	if r.manner == asReceiver {
		r.err = fmt.Errorf("%s: %s", r.found.at, fmt.Sprintf(format, args...))
		return
	}
	r.settle(name)
	r.wrong(rule, format, args...)
}

func (r *reader) settle(name string) { r.settled[place{r.here, r.block, name}] = true }

// broken ends the reading: from here on there is no telling what is what.
func (r *reader) broken(err error) {
	if r.err != nil {
		return
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the JSON ends too early")
	}
	at := r.dec.InputOffset()
	if r.manner == asJudge {
		r.found.add(RuleJSON, "at byte %d: %s", at, plain(err.Error(), maxShown))
	}
	r.err = fmt.Errorf("%s: at byte %d: %w", r.found.at, at, err)
}

func (r *reader) tooDeep(what string, most int) {
	if r.err == nil {
		r.found.add(RuleDepth, "more than %d %s deep", most, what)
		r.err = fmt.Errorf("%s: more than %d %s deep", r.found.at, most, what)
	}
}

// token returns the next token, nil if there is none; err says why.
func (r *reader) token() json.Token {
	if r.err != nil {
		return nil
	}
	t, err := r.dec.Token()
	if err != nil {
		r.broken(err)
		return nil
	}
	return t
}

func (r *reader) more() bool { return r.err == nil && r.dec.More() }

func (r *reader) end() {
	if _, err := r.dec.Token(); err != io.EOF {
		r.broken(errors.New("more follows the answer"))
	}
}

// kind names a token for a person.
func kind(t json.Token) string {
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return "an object"
		}
		return "a list"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	}
	return "null"
}

// mistyped notes a value of the wrong type and passes over it.
func (r *reader) mistyped(name string, t json.Token, want string) {
	if r.err != nil {
		return
	}
	switch {
	case t == nil && r.manner == asReceiver:
	case r.block >= 0:
		r.bad(name, RuleBlockField, "is %s where %s belongs", kind(t), want)
	default:
		r.bad(name, RuleType, "is %s where %s belongs", kind(t), want)
	}
	r.value(t, 0)
}

// object reads an object, the value of the field called name, whose first
// token is t. For each member it calls take with the member's name and the
// first token of its value, which take must use up. It says whether there was
// an object.
func (r *reader) object(name string, t json.Token, take func(name string, t json.Token)) bool {
	if t != json.Delim('{') {
		r.mistyped(name, t, "an object")
		return false
	}
	seen := map[string]bool{}
	for r.more() {
		member, _ := r.token().(string)
		r.found.at.push(member)
		if seen[member] {
			r.wrong(RuleDuplicate, "is said twice")
		}
		seen[member] = true
		if t := r.token(); r.err == nil {
			take(member, t)
		}
		if r.err == nil {
			r.found.at.pop()
		}
	}
	r.token()
	return r.err == nil
}

// list reads a list as object reads an object, and says how long it was.
func (r *reader) list(name string, t json.Token, take func(i int, t json.Token)) int {
	if t != json.Delim('[') {
		r.mistyped(name, t, "a list")
		return 0
	}
	n := 0
	for ; r.more(); n++ {
		r.found.at.pushIndex(n)
		if t := r.token(); r.err == nil {
			take(n, t)
		}
		if r.err == nil {
			r.found.at.pop()
		}
	}
	r.token()
	return n
}

func (r *reader) string(name string, t json.Token, to *string) {
	if s, ok := t.(string); ok {
		*to = s
		return
	}
	r.mistyped(name, t, "a string")
}

// value reads any value whose first token is t.
func (r *reader) value(t json.Token, depth int) any {
	if depth > maxValueDepth {
		r.tooDeep("levels of objects and lists", maxValueDepth)
		return nil
	}
	switch t {
	case json.Delim('{'):
		m := map[string]any{}
		r.object("", t, func(name string, t json.Token) { m[name] = r.value(t, depth+1) })
		return m
	case json.Delim('['):
		l := []any{}
		r.list("", t, func(_ int, t json.Token) { l = append(l, r.value(t, depth+1)) })
		return l
	}
	return t
}

func (r *reader) answer(a *Answer) {
	r.object("", r.token(), func(name string, t json.Token) {
		switch name {
		case "protocol":
			r.string(name, t, &a.Protocol)
		case "instance":
			r.string(name, t, &a.Instance)
		case "root":
			a.Root = r.element(t, 1)
			if a.Root == nil {
				r.settle(name)
			}
		default:
			r.wrong(RuleField, "is no field of an answer")
			r.value(t, 0)
		}
	})
}

// element reads an element and all under it; depth counts it. It returns nil
// if there was none.
func (r *reader) element(t json.Token, depth int) *Element {
	if depth > MaxDepth {
		r.tooDeep("elements", MaxDepth)
		return nil
	}
	outer := r.here
	defer func() { r.here = outer }()
	e := &Element{}
	r.here = e
	r.found.order++
	if !r.object("", t, func(name string, t json.Token) { r.field(e, name, t, depth) }) {
		return nil
	}
	return e
}

func (r *reader) field(e *Element, name string, t json.Token, depth int) {
	switch name {
	case "id":
		r.string(name, t, &e.ID)
	case "role":
		r.role(t, &e.Role)
	case "subrole":
		r.string(name, t, &e.Subrole)
	case "title":
		r.string(name, t, &e.Title)
		if t == "" {
			r.wrong(RuleTitle, "is empty")
		}
	case "content":
		e.Content = r.content(t)
	case "url":
		r.string(name, t, &e.URL)
		if t == "" {
			r.wrong(RuleURL, "is empty")
		}
	case "selected":
		r.state(name, t, &e.Selected)
	case "focused":
		r.state(name, t, &e.Focused)
	case "hovered":
		r.state(name, t, &e.Hovered)
	case "visible":
		if v, ok := t.(bool); ok {
			e.Visible = &v
		} else {
			r.mistyped(name, t, "true or false")
		}
	case "children":
		n := r.list(name, t, func(_ int, t json.Token) {
			child := r.element(t, depth+1)
			// A judge keeps the place, so that the paths of the others hold.
			if child != nil || r.manner == asJudge {
				e.Children = append(e.Children, child)
			}
		})
		if n == 0 && t == json.Delim('[') {
			r.wrong(RuleEmptyList, "is empty")
		}
	case "attributes":
		r.values(name, t, &e.Attributes)
	default:
		r.wrong(RuleField, "is no field of an element")
		r.value(t, 0)
	}
}

func (r *reader) role(t json.Token, to *Role) {
	var word string
	r.string("role", t, &word)
	if *to = Role(word); word != "" && !to.Known() {
		r.wrong(RuleRole, "%q is none of the thirteen roles", plain(word, maxShown))
		*to = Group
	}
}

func (r *reader) state(name string, t json.Token, to *bool) {
	v, ok := t.(bool)
	if !ok {
		r.mistyped(name, t, "true")
		return
	}
	if *to = v; !v {
		r.wrong(RuleStateFalse, "is sent as false")
	}
}

func (r *reader) values(name string, t json.Token, to *map[string]any) {
	if t != json.Delim('{') {
		r.mistyped(name, t, "an object")
		return
	}
	if m := r.value(t, 0).(map[string]any); len(m) > 0 {
		*to = m
	}
}
