package main

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestBarLine(t *testing.T) {
	begun := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		width, done, failed, all int
		want                     string
	}{
		{100, 0, 0, 8, strings.Repeat("░", 40) + " 0/8"},
		{100, 2, 0, 8, strings.Repeat("█", 10) + strings.Repeat("░", 30) + " 2/8, 30s left"},
		{100, 8, 1, 8, strings.Repeat("█", 40) + " 8/8, 1 failed"},
		{40, 2, 1, 8, strings.Repeat("█", 3) + strings.Repeat("░", 12) + " 2/8, 1 failed, 30s left"},
		{30, 2, 1, 8, "2/8, 1 failed, 30s left"},
		{12, 2, 1, 8, "2/8, 1 fai"},
		{1, 2, 1, 8, ""},
	}
	for _, test := range tests {
		b := &bar{full: "█", empty: "░", all: test.all, done: test.done, failed: test.failed, begun: begun, now: func() time.Time { return begun.Add(10 * time.Second) }}
		got, columns := b.line(test.width)
		if got != test.want || columns != utf8.RuneCountInString(got) || columns >= test.width {
			t.Errorf("%d of %d at %d columns: got %q as %d columns, want %q", test.done, test.all, test.width, got, columns, test.want)
		}
	}
}

// A screen is what a terminal shows that only goes on, back to the begin of its line,
// and to the next line.
type screen struct {
	lines []string
	line  []rune
	at    int
	width int // columns; what comes after them is on the next line
}

func (s *screen) Write(p []byte) (int, error) {
	for _, r := range string(p) {
		switch {
		case r == '\r':
			s.at = 0
			continue
		case r == '\n' || s.at == s.width:
			s.lines, s.line, s.at = append(s.lines, strings.TrimRight(string(s.line), " ")), nil, 0
			if r == '\n' {
				continue
			}
		}
		if s.at == len(s.line) {
			s.line = append(s.line, ' ')
		}
		s.line[s.at] = r
		s.at++
	}
	return len(p), nil
}

// narrow makes it narrower: lines are cut. The last column is let go too, which a bar
// does not use, and so would not blank.
func (s *screen) narrow(width int) {
	s.width = width
	if len(s.line) >= width {
		s.line = s.line[:width-1]
	}
	s.at = min(s.at, len(s.line))
}

func (s *screen) shown() string {
	return strings.Join(append(s.lines, strings.TrimRight(string(s.line), " ")), "\n")
}

// TestBar writes beside a bar on a screen, which gets narrower.
func TestBar(t *testing.T) {
	s := &screen{width: 60}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	b := &bar{to: s, full: "#", empty: "-", all: 4, begun: now, now: func() time.Time { return now }, width: func() int { return s.width }}
	say := func(line string) {
		t.Helper()
		failed := errors.New("as written")
		if err := b.aside(func() error { s.Write([]byte(line + "\n")); return failed }); !errors.Is(err, failed) {
			t.Errorf("got the error %v, want that of the writing", err)
		}
	}
	expect := func(want string) {
		t.Helper()
		if got := s.shown(); got != want {
			t.Errorf("the screen shows\n%s\nwant\n%s", got, want)
		}
	}
	b.advance(false)
	expect("##########------------------------------ 1/4, 0s left")
	say("a line")
	expect("a line\n##########------------------------------ 1/4, 0s left")
	s.narrow(30)
	say("b")
	b.advance(true)
	expect("a line\nb\n2/4, 1 failed, 0s left")
	b.advance(false)
	say("c")
	b.advance(false)
	b.end()
	expect("a line\nb\nc\n")
	b.advance(false)
	say("d")
	expect("a line\nb\nc\nd\n")
}

func TestNoBar(t *testing.T) {
	b := newBar(&strings.Builder{}, 3)
	b.advance(true)
	said := false
	if err := b.aside(func() error { said = true; return nil }); err != nil || !said || b != nil {
		t.Errorf("got the bar %v and the error %v, written: %v; want none, none and that it is written", b, err, said)
	}
	b.end()
}

func TestUTF8(t *testing.T) {
	for _, test := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, false},
		{map[string]string{"LANG": "de_DE.UTF-8"}, true},
		{map[string]string{"LC_CTYPE": "en_US.utf8", "LANG": "C"}, true},
		{map[string]string{"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, false},
		{map[string]string{"LANG": "de_DE.ISO-8859-1"}, false},
	} {
		if got := isUTF8(func(name string) string { return test.env[name] }); got != test.want {
			t.Errorf("%v: got %v, want %v", test.env, got, test.want)
		}
	}
}
