package driver

import (
	"context"
	"fmt"
	"net/http"
	"unicode/utf8"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/fetch"

	"github.com/webarea/webarea/cdp"
)

// HTMLAddress is the address of a page loaded by SetHTML.
const HTMLAddress = "http://stdin.localhost/"

// SetHTML loads a page that has no address, given as its HTML, and returns as
// Load does.
//
// The page is a document like one from a server: it is answered to a request for
// HTMLAddress that never leaves the browser. So there is no limit on its size, as
// a data: URL has; it is parsed while it arrives, its scripts run at their place,
// DOMContentLoaded and load come when they should, unlike with a document that is
// written into another; it has an origin that counts as secure, and storage; a
// relative address leads to a 404 from us and not to some server or file; and
// since nothing listens anywhere, it works in a browser on another machine. A
// declaration of its encoding counts where it is not valid UTF-8.
//
// stop ends the serving, after which the page cannot load itself again. It must
// be called before the next SetHTML on the session.
func SetHTML(ctx context.Context, s *cdp.Session, html []byte) (stop func(), err error) {
	stopServing := s.On("Fetch.requestPaused", func(params jsonv2.Value) { serve(s, params, html) })
	stop = func() {
		stopServing()
		s.Go(context.Background(), fetch.CommandDisable, nil)
	}
	_, err = cdproto.Call(ctx, s, fetch.Enable, fetch.EnableParams{
		Patterns: []*fetch.RequestPattern{{URLPattern: HTMLAddress + "*"}},
	})
	if err != nil {
		stop()
		return nil, fmt.Errorf("loading the HTML: %w", err)
	}
	if err := navigate(ctx, s, HTMLAddress); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// serve answers one request of the page. It runs where events are received, so it
// waits for nothing.
func serve(s *cdp.Session, params jsonv2.Value, html []byte) {
	var event struct {
		ID      fetch.RequestID `json:"requestId"`
		Request struct {
			URL string `json:"url"`
		} `json:"request"`
	}
	if jsonv2.Unmarshal(params, &event, jsonv2.AllowInvalidUTF8(true)) != nil {
		return
	}
	kind := "text/html"
	if utf8.Valid(html) {
		kind += "; charset=utf-8"
	}
	answer := fetch.FulfillRequestParams{
		RequestID:       event.ID,
		ResponseCode:    http.StatusOK,
		ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: kind}},
		Body:            html,
	}
	if event.Request.URL != HTMLAddress {
		answer.ResponseCode, answer.ResponseHeaders, answer.Body = http.StatusNotFound, nil, nil
	}
	s.Go(context.Background(), fetch.CommandFulfillRequest, answer)
}
