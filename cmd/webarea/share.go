package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/provider"
	"github.com/webarea/webarea/visit"
)

const (
	// loadPatience bounds the loading of the first page of a browser that we launch,
	// so that with the launch it stays inside what agents wait for a first answer.
	loadPatience = 15 * time.Second

	// A launched browser's first viewport, CSS px.
	shareWidth, shareHeight = 1280, 800
)

// A share is a browser whose tabs are shared with whoever asks: launched, or attached
// to, at the first question, and again at the next should it have ended. Its methods
// may be called from any goroutine.
type share struct {
	program string // the browser to launch, as for cdp.Find
	headful bool   // it shows its windows on the desktop
	attach  string // the address of one that runs, instead
	first   string // the address of the page that a launched one begins with
	notice  func(string)

	provider *provider.Provider

	// turn holds a token while somebody brings the browser up or takes it down; the
	// fields below belong to the holder.
	turn     chan struct{}
	conn     *cdp.Conn
	launched *cdp.Browser
	follower *follower
	tab      *driver.Tab // the first of a launched browser
	loaded   bool        // what is to be there at first is
}

func newShare(program, attach, first string, notice func(string)) *share {
	s := &share{program: program, attach: attach, first: first, notice: notice, turn: make(chan struct{}, 1)}
	s.provider = provider.New("Chrome")
	return s
}

// says is what is shared, for the person who started us.
func (s *share) says() string {
	switch {
	case s.attach == "" && s.first == "":
		return "shared: all tabs of a browser that is launched at the first question"
	case s.attach == "":
		return "shared: all tabs of a browser that is launched at the first question, with " + s.first
	case isPageAddress(s.attach):
		return "shared: the page at " + s.attach
	}
	return "shared: all tabs of the browser at " + s.attach
}

// ready returns once the tabs can be asked about. The error is a *provider.Error.
func (s *share) ready(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if s.loaded && s.conn.Err() == nil {
		return nil
	}
	if s.conn != nil && s.conn.Err() != nil {
		if err := s.end(); err != nil {
			s.notice(err.Error())
		}
	}
	if s.conn == nil {
		if err := s.connect(ctx); err != nil {
			return &provider.Error{Code: provider.Code(visit.CodeNoBrowser), Message: err.Error(), Mend: "ask again once there is one"}
		}
	}
	if err := s.open(ctx); err != nil {
		return &provider.Error{Code: provider.Code(visit.CodeLoad), Message: err.Error(), Mend: "ask again to have it tried again"}
	}
	s.loaded = true
	return nil
}

// connect launches the browser or attaches to it, and shares its tabs.
func (s *share) connect(ctx context.Context) error {
	var err error
	if s.attach != "" {
		s.conn, err = cdp.Attach(ctx, s.attach)
	} else if s.launched, err = cdp.Launch(ctx, cdp.LaunchOptions{Path: s.program, Headful: s.headful}); err == nil {
		s.conn = s.launched.Conn
		for _, n := range s.launched.Notices {
			s.notice(n)
		}
	}
	if err != nil {
		return err
	}
	s.provider.SetApp((&browser{conn: s.conn, launched: s.launched}).app(ctx))
	if s.follower, err = follow(ctx, s.provider, s.conn); err != nil {
		return errors.Join(err, s.end())
	}
	return nil
}

// open opens the first page of a browser that we launched. A page that could not be
// loaded is loaded anew.
func (s *share) open(ctx context.Context) error {
	if s.launched == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, loadPatience)
	defer cancel()
	if s.tab == nil {
		tab, err := driver.Open(ctx, s.conn, driver.Options{Width: shareWidth, Height: shareHeight, Window: true})
		if err != nil {
			return err
		}
		s.tab = &tab
		// Before its page comes, so that nothing of it is missed.
		if err := s.follower.share(ctx, tab.Target); err != nil {
			return err
		}
	}
	if s.first == "" {
		return nil
	}
	return driver.Load(ctx, s.tab.Session, s.first)
}

// close ends the browser if it is ours, and leaves another as it is.
func (s *share) close() error {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	err := s.end()
	s.provider.Close()
	return err
}

func (s *share) end() error {
	if s.follower != nil {
		s.follower.close()
	}
	var err error
	switch {
	case s.launched != nil:
		err = s.launched.Close()
	case s.conn != nil:
		err = s.conn.Close()
	}
	s.conn, s.launched, s.follower, s.tab, s.loaded = nil, nil, nil, nil, false
	if err != nil {
		return fmt.Errorf("ending the browser: %w", err)
	}
	return nil
}
