package provider

import (
	"crypto/rand"
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

// ids names things: one id for as long as the thing lives, never given out again
// in this run (section 5.4). What things are is in their keys, which never leave.
type ids struct {
	prefix string

	mu   sync.Mutex
	last uint64
	byID map[string]string
	ids  map[string]string
}

func newIDs(prefix string) *ids {
	return &ids{prefix: prefix, byID: map[string]string{}, ids: map[string]string{}}
}

// MintedBy tells whether an id is of the run with that instance, as far as the two
// say it themselves.
func MintedBy(instance, id string) bool {
	return len(instance) > prefixLength && strings.HasPrefix(id, instance[:prefixLength])
}

// id gives the id of a key, minted where it is new.
func (s *ids) id(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id, ok := s.ids[key]; ok {
		return id
	}
	s.last++
	id := s.prefix + strconv.FormatUint(s.last, 36)
	s.ids[key] = id
	s.byID[id] = key
	return id
}

// key gives what an id names.
func (s *ids) key(id string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.byID[id]
	return k, ok
}

// manyKeys is from how many keys on those of documents that have gone are
// forgotten: some tens of megabytes.
const manyKeys = 200_000

// forget drops the keys of documents that are no longer there, once there are
// many. Their ids are never given out again; asked about, they are gone.
func (s *ids) forget(lives func(key string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ids) < manyKeys {
		return
	}
	for k, id := range s.ids {
		if !lives(k) {
			delete(s.ids, k)
			delete(s.byID, id)
		}
	}
}

// minted tells whether an id was given out in this run.
func (s *ids) minted(id string) bool {
	rest, ok := strings.CutPrefix(id, s.prefix)
	if !ok {
		return false
	}
	n, err := strconv.ParseUint(rest, 36, 64)
	s.mu.Lock()
	defer s.mu.Unlock()
	return err == nil && n > 0 && n <= s.last && strconv.FormatUint(n, 36) == rest
}
