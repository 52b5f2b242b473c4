package cdp

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// WorldScript is our script, for who brings it into a page by other means than the
// protocol: into an isolated world, once for each document.
func WorldScript() string { return worldScript() }

// A ScriptPage is a page that the protocol does not lead to, read through our script
// alone: its main document, as plain HTML tells it. What the accessibility tree would
// settle is said to be unasked; frames are left out.
type ScriptPage struct {
	// Name is part of the document's key: no two pages may share it. It has no slash.
	Name string

	// Call has a function of our script called in the main document, and gives what it
	// returned as JSON.
	Call func(ctx context.Context, function string, argument any) ([]byte, error)
}

// Read takes one reading; see Page.Read.
func (p *ScriptPage) Read(ctx context.Context, opts ReadOptions) (*Reading, error) {
	o := opts.script()
	o["grid"] = true
	if document, ok := strings.CutPrefix(opts.Document, p.prefix()); ok && opts.Target > 0 {
		o["target"], o["document"] = opts.Target, document
	}
	raw, err := p.Call(ctx, "alone", o)
	if err != nil {
		return nil, fmt.Errorf("reading the page: %w", err)
	}
	var got struct {
		Key   string `json:"key"`
		Facts string `json:"facts"`
	}
	if err := jsonv2.Unmarshal(mendText(raw), &got, tolerant); err != nil {
		return nil, fmt.Errorf("decoding what our script said: %w", err)
	}
	d := &Document{Frame: "main", Key: p.prefix() + got.Key}
	if err := decodeFacts(got.Facts, &d.Facts); err != nil {
		return nil, fmt.Errorf("decoding what our script said: %w", err)
	}
	d.URL = d.Facts.URL
	for i := range d.Facts.Records {
		if d.Facts.Records[i].Ask != nil {
			d.Facts.Unasked++
		}
	}
	d.Facts.settleTables()
	return &Reading{Documents: []*Document{d}, Trips: 1}, nil
}

// prefix begins the keys of the page's documents.
func (p *ScriptPage) prefix() string { return p.Name + "/" }
