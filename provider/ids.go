package provider

import (
	"cmp"
	"crypto/rand"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// alphabet is of what instances and ids are made: letters and digits that every
// place an id travels through leaves alone (section 5.4).
const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

// prefixLength is how many characters of an id tell the run: enough that the few
// hosts of one person do not share one, few enough to cost an agent little. They are
// the first of the run's instance, so that an id alone finds its host.
const prefixLength = 4

// mint gives n random characters.
func mint(n int) string {
	raw := make([]byte, n)
	_, _ = rand.Read(raw) // it never fails: crypto/rand ends the program instead
	var b strings.Builder
	for i, r := range raw {
		set := alphabet
		if i == 0 {
			set = alphabet[:26]
		}
		b.WriteByte(set[int(r)%len(set)])
	}
	return b.String()
}

// maxNamed is of how many things the ids are known, some tens of bytes each. A page
// may put new elements in the place of old ones for as long as it is open, so that
// beyond it those are forgotten that no answer told of and nobody asked about for
// longest, until keptNamed are left: so many answers lie between them and now that
// hardly anybody has them still. Their ids are not given out again; asked about, they
// are gone, and a thing that is there all the same gets another.
const (
	maxNamed  = 200_000
	keptNamed = 100_000
)

// ids names things: one id for as long as the thing lives, never given out again
// in this run (section 5.4). What things are is in their keys, which never leave. A
// key is that of a document, "#" and a number, with a t before it for a text; or it
// is anything else.
type ids struct {
	prefix    string
	max, kept int // maxNamed and keptNamed

	mu     sync.Mutex
	last   uint64              // the number of the last id
	turn   uint32              // counts answers
	nodes  map[string]*numbers // by the documents' keys
	others map[string]name     // by their keys
	things map[uint64]thing    // by the numbers of their ids
}

// numbers are the names of what is in a document.
type numbers struct {
	document string
	names    map[nodeNumber]name
}

// A nodeNumber is the number of an element in its document, or of a text, doubled, and
// 1 for a text.
type nodeNumber uint64

// A name is the number of an id, and the turn in which it was last used.
type name struct {
	number uint64
	turn   uint32
}

// A thing is what an id names: a node, or what has a key of its own.
type thing struct {
	in  *numbers // nil: it has a key of its own
	at  nodeNumber
	key string
}

func newIDs(prefix string) *ids {
	return &ids{prefix: prefix, max: maxNamed, kept: keptNamed, nodes: map[string]*numbers{}, others: map[string]name{}, things: map[uint64]thing{}}
}

// MintedBy tells whether an id is of the run with that instance, as far as the two
// say it themselves.
func MintedBy(instance, id string) bool {
	return len(instance) > prefixLength && strings.HasPrefix(id, instance[:prefixLength])
}

// id gives the id of a key, minted where it is new.
func (s *ids) id(key string) string {
	document, at, isNode := nodeIn(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !isNode {
		n, ok := s.others[key]
		if !ok {
			n.number = s.mint(thing{key: key})
		}
		s.others[key] = name{n.number, s.turn}
		return s.write(n.number)
	}
	in := s.nodes[document]
	if in == nil {
		in = &numbers{strings.Clone(document), map[nodeNumber]name{}}
		s.nodes[in.document] = in
	}
	n, ok := in.names[at]
	if !ok {
		n.number = s.mint(thing{in: in, at: at})
	}
	if !ok || n.turn != s.turn {
		in.names[at] = name{n.number, s.turn}
	}
	return s.write(n.number)
}

func (s *ids) mint(t thing) uint64 {
	s.last++
	s.things[s.last] = t
	return s.last
}

func (s *ids) write(number uint64) string { return s.prefix + strconv.FormatUint(number, 36) }

// key gives what an id names.
func (s *ids) key(id string) (string, bool) {
	number, ok := s.number(id)
	if !ok {
		return "", false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.things[number]
	switch {
	case !ok:
		return "", false
	case t.in == nil:
		s.others[t.key] = name{number, s.turn}
		return t.key, true
	}
	t.in.names[t.at] = name{number, s.turn}
	return t.in.document + "#" + t.at.String(), true
}

// nodeIn takes a key of a node apart.
func nodeIn(key string) (document string, at nodeNumber, ok bool) {
	document, of, ok := strings.Cut(key, "#")
	number, isText := strings.CutPrefix(of, "t")
	n, err := strconv.ParseUint(number, 10, 63)
	if at = nodeNumber(n << 1); isText {
		at++
	}
	// What is written otherwise than numbers are is another key.
	return document, at, ok && err == nil && (number[0] != '0' || len(number) == 1)
}

// String writes it as it is in keys.
func (n nodeNumber) String() string {
	number := strconv.FormatUint(uint64(n>>1), 10)
	if n&1 != 0 {
		return "t" + number
	}
	return number
}

// forget ends a turn, and once there are too many forgets what is in documents that
// are not there, and then what was not used for longest. Nothing that was used since the
// last turn goes.
func (s *ids) forget(lives func(key string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.turn
	s.turn++
	if len(s.things) <= s.max {
		return
	}
	for document := range s.nodes {
		if !lives(document) {
			delete(s.nodes, document)
		}
	}
	for key := range s.others {
		if !lives(key) {
			delete(s.others, key)
		}
	}
	s.shrink(now)
	// What is deleted from a map leaves its room behind.
	s.things = make(map[uint64]thing, len(s.things)/2)
	for key, n := range s.others {
		s.things[n.number] = thing{key: key}
	}
	for _, in := range s.nodes {
		for at, n := range in.names {
			s.things[n.number] = thing{in: in, at: at}
		}
	}
}

// shrink leaves as many things in documents as are kept: those that were used last.
// Tabs, windows and the documents themselves are few.
func (s *ids) shrink(now uint32) {
	var all []name
	for _, in := range s.nodes {
		for _, n := range in.names {
			all = append(all, n)
		}
	}
	for key, n := range s.others {
		if strings.Contains(key, "#") {
			all = append(all, n)
		}
	}
	over := len(all) - s.kept
	if over <= 0 {
		return
	}
	slices.SortFunc(all, before)
	first := all[over]
	for key, n := range s.others {
		if strings.Contains(key, "#") && n.turn != now && before(n, first) < 0 {
			delete(s.others, key)
		}
	}
	for document, in := range s.nodes {
		left := map[nodeNumber]name{}
		for at, n := range in.names {
			if n.turn == now || before(n, first) >= 0 {
				left[at] = n
			}
		}
		if in.names = left; len(left) == 0 {
			delete(s.nodes, document)
		}
	}
}

// before sorts names by when they were last used, then by when they were given.
func before(a, b name) int {
	return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(a.number, b.number))
}

// minted tells whether an id was given out in this run.
func (s *ids) minted(id string) bool {
	n, ok := s.number(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	return ok && n > 0 && n <= s.last
}

// number reads the number of an id of this run.
func (s *ids) number(id string) (uint64, bool) {
	rest, ok := strings.CutPrefix(id, s.prefix)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(rest, 36, 64)
	return n, err == nil && strconv.FormatUint(n, 36) == rest
}
