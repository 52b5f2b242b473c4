package driver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"

	"github.com/webarea/webarea/cdp"
)

// LoadPatience is how long after its document was committed a page counts as
// loaded, even though its load event has not come: pages with one slow picture
// or an endless script are as readable then as they ever get.
const LoadPatience = 5 * time.Second

// A LoadError is a page that could not be loaded.
type LoadError struct {
	URL    string
	Reason string // in the browser's words, such as net::ERR_NAME_NOT_RESOLVED
}

// Error names the page and the reason.
func (e *LoadError) Error() string { return fmt.Sprintf("loading %s: %s", e.URL, e.Reason) }

// Load loads a page by its address, or by the path of a file, and returns when
// its load event has come, LoadPatience after its document was committed, or when
// it opens a dialog, whichever is first. A page that sends the browser on to
// another before it has loaded is not yet loaded. An answer of the server that is
// an HTTP error is a page like any other; no answer is a *LoadError.
func Load(ctx context.Context, s *cdp.Session, place string) error {
	address, err := Address(place)
	if err != nil {
		return err
	}
	return navigate(ctx, s, address)
}

// isAddress matches what begins with a scheme, which has more than one letter so
// that a drive is none.
var isAddress = regexp.MustCompile(`^(?i)([a-z][a-z0-9+.-]+://|(about|data|blob|view-source|javascript):)`)

// Address makes a URL of what a person names a page by: a URL is left as it is,
// anything else is the path of a file that must exist.
func Address(place string) (string, error) {
	if isAddress.MatchString(place) {
		return place, nil
	}
	path, err := filepath.Abs(place)
	if err != nil {
		return "", fmt.Errorf("finding %s: %w", place, err)
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("there is no file %s (an address needs its scheme, as in https://%s): %w", place, place, err)
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String(), nil
}

func navigate(ctx context.Context, s *cdp.Session, address string) error {
	// A page that we stop waiting for gets no place kept for its answer.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := watchLoading(s)
	defer l.stop()
	s.Go(ctx, page.CommandEnable, nil)
	s.Go(ctx, page.CommandSetLifecycleEventsEnabled, page.SetLifecycleEventsEnabledParams{Enabled: true})
	started := s.Go(ctx, page.CommandNavigate, page.NavigateParams{URL: address})

	select {
	case <-started.Done():
	case <-l.opened:
		return nil
	}
	var answer page.NavigateResult
	if err := started.Wait(ctx, &answer); err != nil {
		return fmt.Errorf("loading %s: %w", address, err)
	}
	switch {
	case answer.IsDownload:
		return &LoadError{URL: address, Reason: "it is a download, not a page"}
	case answer.ErrorText != "" && answer.ErrorText != errorPage:
		return &LoadError{URL: address, Reason: answer.ErrorText}
	case answer.LoaderID == "":
		// The address differs from the page's own in its fragment only.
		return nil
	}
	l.commit(answer.LoaderID)
	return l.wait(ctx, s, address)
}

// errorPage is what the browser says of an HTTP error without a body, in whose
// place it shows a page of its own.
const errorPage = "net::ERR_HTTP_RESPONSE_CODE_FAILURE"

var errCrashed = errors.New("the page crashed")

// A loading follows what the main frame of a session has committed and loaded.
type loading struct {
	stop    func()
	opened  <-chan struct{} // closed when a dialog opens
	crashed chan struct{}
	changed chan struct{} // has a token when the rest may have changed

	mu      sync.Mutex
	current cdproto.LoaderID // of the document committed last
	loaded  map[cdproto.LoaderID]bool
}

func watchLoading(s *cdp.Session) *loading {
	l := &loading{
		crashed: make(chan struct{}),
		changed: make(chan struct{}, 1),
		loaded:  map[cdproto.LoaderID]bool{},
	}
	opened, stopDialog := onDialog(s)
	l.opened = opened
	var once sync.Once
	stops := []func(){
		stopDialog,
		s.On("Inspector.targetCrashed", func(jsonv2.Value) { once.Do(func() { close(l.crashed) }) }),
		s.On("Page.frameNavigated", l.navigated),
		s.On("Page.lifecycleEvent", l.lived),
	}
	l.stop = func() {
		for _, stop := range stops {
			stop()
		}
	}
	return l
}

func (l *loading) navigated(params jsonv2.Value) {
	var event struct {
		Frame struct {
			Parent cdproto.FrameID  `json:"parentId"`
			Loader cdproto.LoaderID `json:"loaderId"`
		} `json:"frame"`
	}
	if jsonv2.Unmarshal(params, &event, jsonv2.AllowInvalidUTF8(true)) == nil && event.Frame.Parent == "" {
		l.commit(event.Frame.Loader)
	}
}

func (l *loading) lived(params jsonv2.Value) {
	var event page.EventLifecycleEvent
	if jsonv2.Unmarshal(params, &event) != nil || event.Name != "load" {
		return
	}
	l.mu.Lock()
	l.loaded[event.LoaderID] = true
	l.mu.Unlock()
	l.change()
}

func (l *loading) commit(id cdproto.LoaderID) {
	l.mu.Lock()
	l.current = id
	l.mu.Unlock()
	l.change()
}

func (l *loading) change() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

func (l *loading) state() (current cdproto.LoaderID, loaded bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current, l.loaded[l.current]
}

// wait returns when the document that is current has loaded, or was for
// LoadPatience.
func (l *loading) wait(ctx context.Context, s *cdp.Session, address string) error {
	patience := time.NewTimer(LoadPatience)
	defer patience.Stop()
	waitingFor, loaded := l.state()
	for !loaded {
		select {
		case <-l.changed:
		case <-l.opened:
			return nil
		case <-patience.C:
			return nil
		case <-l.crashed:
			return fmt.Errorf("loading %s: %w", address, errCrashed)
		case <-s.Detached():
			return fmt.Errorf("loading %s: %w", address, cdp.ErrTargetGone)
		case <-ctx.Done():
			return fmt.Errorf("loading %s: it did not load in time: %w", address, context.Cause(ctx))
		}
		var current cdproto.LoaderID
		if current, loaded = l.state(); current != waitingFor {
			waitingFor = current
			patience.Reset(LoadPatience)
		}
	}
	return nil
}
