package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/visit"
)

// A browser is the one that a command works with: launched when it is first
// needed, or attached to, and again should it have ended, so that one page that
// brings it down costs no more than its own answer.
type browser struct {
	path    string // which to launch, as for cdp.Find
	headful bool   // it shows its windows on the desktop
	attach  string // the address of one that runs, instead
	notice  func(string)

	conn     *cdp.Conn
	launched *cdp.Browser
	name     string // what the browser is called, once there is one
	noticed  bool
	// broken is why there is none: what could not be started once cannot be again.
	broken error
}

// ours tells whether it is launched by us.
func (b *browser) ours() bool { return b.attach == "" }

// connect returns a connection that lives. The error is a *visit.Error.
func (b *browser) connect(ctx context.Context) (*cdp.Conn, error) {
	if b.conn != nil && b.conn.Err() == nil {
		return b.conn, nil
	}
	if b.broken != nil {
		return nil, b.broken
	}
	if err := b.close(); err != nil {
		b.notice(err.Error())
	}
	start := b.launch
	if !b.ours() {
		start = b.attachTo
	}
	if err := start(ctx); err != nil {
		b.broken = visit.Failure(visit.CodeNoBrowser, err, "%v", err)
		return nil, b.broken
	}
	b.noticed = true
	if b.name == "" {
		b.name = b.app(ctx)
	}
	return b.conn, nil
}

// giveUp has no more done with a browser, for a reason.
func (b *browser) giveUp(why error) {
	b.broken = visit.Failure(visit.CodeNoBrowser, why, "%s does not answer any more: %v", b.attach, why)
	if err := b.close(); err != nil {
		b.notice(err.Error())
	}
}

func (b *browser) launch(ctx context.Context) error {
	launched, err := cdp.Launch(ctx, cdp.LaunchOptions{Path: b.path, Headful: b.headful})
	if err != nil {
		return err
	}
	b.launched, b.conn = launched, launched.Conn
	for _, n := range launched.Notices {
		if !b.noticed {
			b.notice(n)
		}
	}
	return nil
}

func (b *browser) attachTo(ctx context.Context) error {
	conn, err := cdp.Attach(ctx, b.attach)
	if err != nil {
		return err
	}
	if conn.RootIsPage() {
		return errors.Join(fmt.Errorf("%s is one page, in which no other can be opened: give the browser's address instead", b.attach), conn.Close())
	}
	b.conn = conn
	if !b.noticed {
		b.notice("attached to " + b.attach + ": each target is opened in a tab of its own, which is read and closed; no other tab is looked at")
	}
	return nil
}

// close ends a browser that we launched, and leaves another.
func (b *browser) close() error {
	var err error
	switch {
	case b.launched != nil:
		err = b.launched.Close()
	case b.conn != nil:
		err = b.conn.Close()
	}
	b.launched, b.conn = nil, nil
	return err
}

// apps are the names of browsers by what is in the name of their program, or in
// what they say they are.
var apps = []struct{ mark, name string }{
	{"chromium", "Chromium"},
	{"edg", "Microsoft Edge"},
	{"brave", "Brave"},
	{"vivaldi", "Vivaldi"},
	{"google-chrome", "Google Chrome"},
	{"google chrome", "Google Chrome"},
	{"opera", "Opera"},
	{"opr/", "Opera"},
}

// app returns the name of the browser. Where neither its program nor its own words
// tell more, it is Chrome: Chromium says that it is.
func (b *browser) app(ctx context.Context) string {
	var version struct {
		Agent string `json:"userAgent"`
	}
	if b.launched != nil {
		version.Agent = filepath.Base(b.launched.Path)
	} else if b.conn.Browser().Call(ctx, "Browser.getVersion", nil, &version) != nil {
		version.Agent = ""
	}
	said := strings.ToLower(version.Agent)
	for _, a := range apps {
		if strings.Contains(said, a.mark) {
			return a.name
		}
	}
	return "Chrome"
}
