package provider

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// named is ids with room for few.
func named(max, kept int) *ids {
	s := newIDs("abcd")
	s.max, s.kept = max, kept
	return s
}

func everything(string) bool { return true }

// TestIDs holds that a thing has one id, that the id names it, and that no other is
// read as it.
func TestIDs(t *testing.T) {
	s := newIDs("abcd")
	seen := map[string]string{}
	for _, key := range []string{
		"t:1.1", "w:7", "L1/9", "L1/9#3", "L1/9#t3", "L1/9#s3.0.3.5", "L1/9#03", "L1/9#-3", "L1/9#+3", "L1/9#", "L1/9#t", "L1/9#tt3", "L1/9#3#4",
		"L1/9#9223372036854775807", "L1/9#9223372036854775808", "L1/9#18446744073709551616", "L2/9#3", "t:1.1!dialog", "#3", "",
	} {
		id := s.id(key)
		if other, taken := seen[id]; taken {
			t.Errorf("%q and %q have the same id %s", key, other, id)
		}
		seen[id] = key
		if again := s.id(key); again != id {
			t.Errorf("%q has the id %s and then %s", key, id, again)
		}
		if got, ok := s.key(id); got != key || !ok {
			t.Errorf("%s names %q, %v; want %q", id, got, ok, key)
		}
	}
	for _, id := range []string{"abcd", "abcd0", "abcd00", "abcd01", "abcd1 ", "abcd-1", "abcd+1", "abcdzzz", "abce1", "ABCD1", ""} {
		if key, ok := s.key(id); ok {
			t.Errorf("%q names %q, want nothing", id, key)
		}
		if s.minted(id) {
			t.Errorf("%q is said to have been given out", id)
		}
	}
}

// TestIDsForgotten has more things named than are known: those go that have gone, then
// those that nobody has used for longest, and their ids never come back.
func TestIDsForgotten(t *testing.T) {
	s := named(100, 50)
	given := map[string]bool{}
	give := func(key string) string {
		id := s.id(key)
		given[id] = true
		return id
	}
	tab, gone, old, asked := give("t:1"), give("G/1#1"), give("L/1#1"), give("L/1#2")
	selection := give("L/1#s1.0.1.5")
	lives := func(key string) bool { return !strings.HasPrefix(key, "G/") }
	for i := range 90 {
		give(fmt.Sprintf("L/1#%d", i+10))
		s.forget(lives)
	}
	for _, id := range []string{tab, gone, old, asked, selection} {
		if _, ok := s.key(id); !ok {
			t.Errorf("%s is forgotten while there is room", id)
		}
	}
	// All of them were used just now. The next turns use but one of them, and bring others.
	for i := range 110 {
		s.key(asked)
		give(fmt.Sprintf("L/1#t%d", i+1000))
		s.forget(lives)
	}
	for what, c := range map[string]struct {
		id   string
		want bool
	}{"the tab": {tab, true}, "what has gone": {gone, false}, "what nobody used": {old, false}, "what was asked about": {asked, true}, "the selection": {selection, false}} {
		key, ok := s.key(c.id)
		if ok != c.want {
			t.Errorf("%s, %s: it is known: %v (%q), want %v", what, c.id, ok, key, c.want)
		}
		if !s.minted(c.id) {
			t.Errorf("%s, %s: it is said never to have been given out", what, c.id)
		}
	}
	for _, key := range []string{"G/1#1", "L/1#1", "L/1#s1.0.1.5"} {
		if id := s.id(key); given[id] {
			t.Errorf("%q has the id %s, which was another's", key, id)
		}
	}
	// One answer may tell of more than are kept: nothing of it goes.
	var all []string
	for i := range 300 {
		all = append(all, s.id(fmt.Sprintf("M/1#%d", i)))
	}
	s.forget(lives)
	for _, id := range all {
		if _, ok := s.key(id); !ok {
			t.Fatalf("%s is forgotten with the answer that gave it", id)
		}
	}
	// Asking has used them once more.
	s.forget(lives)
	s.id("M/1#1000")
	s.forget(lives)
	if n := len(s.things); n > 50+2 {
		t.Errorf("%d things are known after the next answer, want at most the 50 that are kept and 2 that are no nodes", n)
	}
}

// TestIDsStayBounded has a page replace its elements for as long as a page may be open.
func TestIDsStayBounded(t *testing.T) {
	s := newIDs("abcd")
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, next := heap(), 0
	for range 500 {
		for range 1000 {
			next++
			s.id(fmt.Sprintf("0123456789ABCDEF0123456789ABCDEF/7#%d", next))
		}
		s.forget(everything)
	}
	grown := int64(heap()) - int64(before)
	t.Logf("after half a million elements %d are known, in %d KB", len(s.things), grown>>10)
	if most := int64(32 << 20); grown > most {
		t.Errorf("they take %d bytes, want at most %d", grown, most)
	}
	runtime.KeepAlive(s)
}
