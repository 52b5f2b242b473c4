package oracle

import (
	"net/url"
	"strings"

	"github.com/webarea/webarea/elements"
)

// picture gives the tokens of an image: a Group where something inside it is
// reported.
func (b *builder) picture(n *axNode, r row, sc scope) []token {
	el := b.newElement(n, r, sc)
	el.Title = titled(n.name)
	el.named = el.Title != ""
	inside := b.inside(n, sc.below(el, n))
	el.Children = assemble(inside)
	if len(el.Children) == 0 {
		el.Role = elements.Image
		return place(n, el, nil)
	}
	el.Role = elements.Group
	return b.finish(n, el, inside)
}

// player gives the tokens of a video or audio: what is in it are its controls.
// The name that the browser itself gives it is no title.
func (b *builder) player(n *axNode, r row) []token {
	el := b.newElement(n, r, scope{})
	el.URL = address(b.resolve(source(n.dom, b.frame.doc.nodes)))
	return b.finish(n, el, nil)
}

// source is the address that a player plays, as the page wrote it. Chrome's
// tree does not tell; of several the first is taken.
func source(d *domNode, nodes []*domNode) string {
	if d == nil || d.attr("src") != "" {
		return d.attr("src")
	}
	for _, n := range nodes {
		if n.tag == "source" && n.parent == d {
			return n.attr("src")
		}
	}
	return ""
}

func (b *builder) resolve(ref string) string {
	base, err := url.Parse(b.frame.doc.base)
	if ref == "" || err != nil {
		return ""
	}
	to, err := base.Parse(ref)
	if err != nil {
		return ""
	}
	return to.String()
}

// embedded gives the tokens of what may hold a document of its own.
func (b *builder) embedded(n *axNode, r row, sc scope) []token {
	inner := b.frame.inner[n.backend]
	switch {
	case n.role == roleIframePresented && inner == nil:
		return wrap(n, nil)
	case n.role == roleIframePresented:
		of := newBuilder(b.roles, inner)
		holder := &Element{Role: elements.Document, Children: nil}
		if inner.root != nil {
			holder.Children = assemble(of.inside(inner.root, sc))
		}
		of.hideSecrets(holder)
		return flatten(holder.Children)
	case inner != nil:
		return []token{{kind: wall, el: newBuilder(b.roles, inner).document(n)}}
	case n.role == roleIframe:
		el := b.newElement(n, r, sc)
		el.URL = address(b.resolve(n.dom.attr("src")))
		return []token{{kind: wall, el: el}}
	}
	el := b.newElement(n, r, sc)
	ref := n.dom.attr("data")
	if n.role == roleEmbeddedObject {
		ref = n.dom.attr("src")
	}
	el.URL = address(b.resolve(ref))
	inside := b.inside(n, sc.below(el, n))
	el.Children = assemble(inside)
	return b.finish(n, el, inside)
}

// flatten gives elements as tokens, each a block of its own.
func flatten(all []*Element) []token {
	tokens := []token{{kind: edge}}
	for _, el := range all {
		if el.anonymous() && len(el.Children) == 0 {
			tokens = append(tokens, token{kind: word, text: el.Text}, token{kind: edge})
			continue
		}
		tokens = append(tokens, token{kind: wall, el: el})
	}
	return append(tokens, token{kind: edge})
}

// address is a URL as an answer says it.
func address(u string) string {
	scheme, _, _ := strings.Cut(strings.TrimSpace(u), ":")
	switch strings.ToLower(scheme) {
	case "javascript", "data":
		return ""
	}
	return u
}
