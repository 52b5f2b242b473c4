package provider

import "strings"

// maxEnded is how many keys of what is not shared any more are kept: those of some
// thousand tabs. Ids of what is older are told to be gone.
const maxEnded = 20_000

// ended knows what was in tabs whose sharing has ended, by the keys of the tabs and of
// their documents, so that their ids are told to be of what is not shared.
type ended struct{ keys map[string]bool }

// add notes a tab. Only of tabs that their browser tells of does sharing end by
// itself; others have gone.
func (e *ended) add(t *Tab) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.place == nil {
		return
	}
	if e.keys == nil || len(e.keys) > maxEnded {
		e.keys = map[string]bool{}
	}
	e.keys[t.key()] = true
	e.keys[windowKey(t.place.Window)] = true
	for k := range t.keys {
		e.keys[k] = true
	}
}

// holderOf gives the key of the tab, document or window that a key names something in.
func holderOf(key string) string {
	of, _, _ := strings.Cut(key, "#")
	of, _, _ = strings.Cut(of, "!")
	return of
}

// isIn tells whether something of that key is in a shared tab, or is one.
func (p *Provider) isIn(holder string) bool {
	for _, t := range p.shared() {
		t.mu.Lock()
		is := t.keys[holder] || t.key() == holder || t.place != nil && windowKey(t.place.Window) == holder
		t.mu.Unlock()
		if is {
			return true
		}
	}
	return false
}

// lost is the failure of a question about what is not there: because it is not shared
// any more, or because it has gone.
func (p *Provider) lost(id string) *Error {
	key, _ := p.ids.key(id)
	holder := holderOf(key)
	p.mu.Lock()
	ended := p.ended.keys[holder]
	p.mu.Unlock()
	if ended && !p.isIn(holder) {
		return notShared()
	}
	return gone(id)
}

// notShared is the same for every id and every tab, so that it tells of none.
func notShared() *Error {
	return failure(CodeNotShared, nil, "ask for the elements to see what is shared now, or ask the user to share the tab", "that is in no tab that is shared")
}
