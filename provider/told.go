package provider

import (
	"crypto/sha256"
	"net/url"

	"github.com/webarea/webarea/elements"
)

// told is what was last said of a tab's page, with its secrets taken out, and what
// it was said of: digests, since the title and address themselves may hold a secret.
type told struct {
	title, url     string
	ofTitle, ofURL [sha256.Size]byte
}

// remember notes what an answer says of the tabs that were read for it.
func (p *Provider) remember(root *elements.Element, states []*tabState) {
	a := elements.Answer{Root: root}
	for _, s := range states {
		if s.reading == nil {
			continue
		}
		e := a.Find(p.ids.id(s.tab.key()))
		if e == nil {
			continue
		}
		now := told{title: e.Title, ofTitle: sha256.Sum256([]byte(s.title)), ofURL: sha256.Sum256([]byte(s.url))}
		for _, c := range e.Children {
			if c.Role == elements.Document {
				now.url = c.URL
				break
			}
		}
		s.tab.mu.Lock()
		s.tab.told = &now
		s.tab.mu.Unlock()
	}
}

// disguise gives what may be said of a page that cannot be read, and whose secrets
// are not known: what was said of it before, if it is still so; else only where it
// is from.
func (t *Tab) disguise(title, address string) (string, string) {
	t.mu.Lock()
	was := t.told
	t.mu.Unlock()
	var sayTitle, sayURL string
	if was != nil && was.ofTitle == sha256.Sum256([]byte(title)) {
		sayTitle = was.title
	}
	if was != nil && was.ofURL == sha256.Sum256([]byte(address)) {
		return sayTitle, was.url
	}
	if u, err := url.Parse(address); err == nil {
		u.User, u.RawQuery, u.Fragment, u.ForceQuery = nil, "", "", false
		sayURL = u.String()
	}
	return sayTitle, sayURL
}

// key names the tab.
func (t *Tab) key() string {
	if t.name != "" {
		return "t:" + t.name
	}
	return "t:" + string(t.Page.Target)
}
