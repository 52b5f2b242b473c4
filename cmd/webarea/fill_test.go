package main

import "testing"

func TestFill(t *testing.T) {
	first, err := decodeAnswer([]byte(`{"id":"a1","windows":[{"pid":12345678901234567,"title":"say \"hi\"\u003c\n","on":true,"none":null}],"0":"zero"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want, wrong string }{
		{text: `{}`, want: `{}`},
		{text: `{"id":"${1.id}"}`, want: `{"id":"a1"}`},
		{text: `{"pid":${1.windows.0.pid}}`, want: `{"pid":12345678901234567}`},
		{text: `{"a":${1.windows.0.on},"b":${1.windows.0.none}}`, want: `{"a":true,"b":null}`},
		{text: `{"all":${1.windows.0}}`, want: `{"all":{"none":null,"on":true,"pid":12345678901234567,"title":"say \"hi\"<\n"}}`},
		{text: `{"id":"${1.id}-${1.0}"}`, want: `{"id":"a1-zero"}`},
		// What a page says cannot end the string that it is put in.
		{text: `{"title":"${1.windows.0.title}"}`, want: `{"title":"say \"hi\"<\n"}`},
		{text: `{"id":"${1.windows.1.pid}"}`, wrong: `${1.windows.1.pid}: the answer has no "1" there`},
		{text: `{"id":"${1.windows.-1.pid}"}`, wrong: `${1.windows.-1.pid}: the answer has no "-1" there`},
		{text: `{"id":"${1.id.x}"}`, wrong: `${1.id.x}: the answer has no "x" there`},
		{text: `{"id":${1.id}}`, wrong: `the arguments are not an object in JSON: {"id":a1}`},
	} {
		got, err := fill(c.text, []any{first})
		if c.wrong != "" {
			if err == nil || err.Error() != c.wrong {
				t.Errorf("%s: got %v, want %s", c.text, err, c.wrong)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", c.text, got, err, c.want)
		}
	}
}
