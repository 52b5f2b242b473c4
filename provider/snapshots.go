package provider

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/mapper"
	"github.com/webarea/webarea/tree"
)

// maxSnapshots bounds how many tabs have one: far more than a person shares.
const maxSnapshots = 500

// A snapshot is what the tokens of a tab's last published state name.
type snapshot struct {
	id     string
	tab    string // its key
	main   string // the key of its main document
	tokens []string
}

// snapshots has the newest of each tab.
type snapshots struct {
	mu    sync.Mutex
	byTab map[string]*snapshot
}

// newSnapshotID gives s and 8 hexadecimal digits.
func newSnapshotID() string {
	var raw [4]byte
	_, _ = rand.Read(raw[:]) // it never fails: crypto/rand ends the program instead
	return "s" + hex.EncodeToString(raw[:])
}

func token(id string, index int) string { return id + ":" + strconv.Itoa(index) }

// publish makes the rows of a state the snapshot of its tab.
func (p *Provider) publish(at *spotted, seen *seen, s *State) {
	f := s.told
	snap := &snapshot{id: newSnapshotID(), tab: at.tab.key(), main: seen.reading.Documents[0].Key}
	indices := tree.Indices(f.rows)
	for i := range f.rows {
		if indices[i] < 0 {
			continue
		}
		snap.tokens = append(snap.tokens, f.details[i].key)
		f.details[i].id = p.ids.id(f.details[i].holder)
	}
	p.ids.forget(p.lives)
	s.SnapshotID = snap.id
	p.snapshots.mu.Lock()
	defer p.snapshots.mu.Unlock()
	if old := p.snapshots.byTab[snap.tab]; old != nil {
		s.Invalidated = []string{old.id}
	}
	if p.snapshots.byTab == nil || len(p.snapshots.byTab) >= maxSnapshots {
		p.snapshots.byTab = map[string]*snapshot{}
	}
	p.snapshots.byTab[snap.tab] = snap
}

// drop forgets the snapshot of a tab.
func (s *snapshots) drop(tab string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byTab, tab)
}

// named gives the key of the element that a token names in the tab's document of now;
// false where the snapshot is not the newest, or its document has gone.
func (s *snapshots) named(tab, main, token string) (string, bool) {
	id, number, _ := strings.Cut(token, ":")
	index, err := strconv.Atoi(number)
	s.mu.Lock()
	defer s.mu.Unlock()
	snap := s.byTab[tab]
	if err != nil || snap == nil || snap.id != id || snap.main != main || index < 0 || index >= len(snap.tokens) || strconv.Itoa(index) != number {
		return "", false
	}
	return snap.tokens[index], true
}

// index gives the index that an element has in the tab's newest snapshot; -1: it has
// none.
func (s *snapshots) index(tab, main, key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	snap := s.byTab[tab]
	if snap == nil || snap.main != main || key == "" {
		return -1
	}
	return slices.Index(snap.tokens, key)
}

func redactorFor(r *cdp.Reading) *mapper.Redactor { return mapper.NewRedactor(secretsOf(r)) }

func redactorOf(secrets []string) *mapper.Redactor { return mapper.NewRedactor(secrets) }
