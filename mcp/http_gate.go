package mcp

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

const (
	// bodyPatience is how long the body of a request may take to come.
	bodyPatience = 10 * time.Second

	// requestRate is how many requests a second are answered, and requestBurst how many
	// at once after a pause: more than agents ask that read what comes back.
	requestRate  = 100
	requestBurst = 400

	// guessRate and guessBurst are the same for those without the right token.
	guessRate  = 1
	guessBurst = 20
)

// A gate lets through to a handler what its clients send, and nobody else's.
type gate struct {
	next     http.Handler
	isOwn    func(string) bool
	token    [sha256.Size]byte
	requests *rate.Limiter
	guesses  *rate.Limiter
}

func newGate(o HTTPOptions, next http.Handler) *gate {
	return &gate{
		next: next, isOwn: o.IsOwn, token: sha256.Sum256([]byte(o.Token)),
		requests: rate.NewLimiter(requestRate, requestBurst),
		guesses:  rate.NewLimiter(guessRate, guessBurst),
	}
}

// A refused is a request that is not let through.
type refused struct {
	status int
	words  string
}

// checks are what a request is held to, in this order.
var checks = []func(*gate, *http.Request) *refused{
	(*gate).checkHost, (*gate).checkOrigin, (*gate).checkToken, (*gate).checkRate, (*gate).checkLength,
}

// ServeHTTP implements http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	deadlines := http.NewResponseController(w)
	// Also what is refused has a body, which is read to its end or given up.
	_ = deadlines.SetReadDeadline(time.Now().Add(bodyPatience))
	for _, check := range checks {
		if no := check(g, r); no != nil {
			no.write(w)
			return
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLine))
	if err != nil {
		unread(err).write(w)
		return
	}
	// What answers may take as long as it does; the client's going is noticed.
	_ = deadlines.SetReadDeadline(time.Time{})
	r.Body = io.NopCloser(bytes.NewReader(body))
	g.next.ServeHTTP(&patientWriter{w, deadlines}, r)
}

func (no *refused) write(w http.ResponseWriter) {
	h := w.Header()
	switch no.status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case http.StatusTooManyRequests:
		h.Set("Retry-After", "1")
	}
	// Nobody reads more from who is refused.
	h.Set("Connection", "close")
	http.Error(w, no.words, no.status)
}

// unread says why a body could not be read.
func unread(err error) *refused {
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return errBodyTooLong
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &refused{http.StatusRequestTimeout, "the request did not come in time"}
	}
	return &refused{http.StatusBadRequest, "the request broke off"}
}

var errBodyTooLong = &refused{http.StatusRequestEntityTooLarge, "the request is longer than 1 MB"}

// checkHost refuses what a name leads here that is not ours: a page's own, say, that
// its owner lets point at this machine.
func (g *gate) checkHost(r *http.Request) *refused {
	if !g.isOwn(hostOf(r.Host)) {
		return &refused{http.StatusForbidden, "this server is not called by that name"}
	}
	return nil
}

// hostOf gives a host without its port.
func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

// checkOrigin refuses what a page of another place has a browser send.
func (g *gate) checkOrigin(r *http.Request) *refused {
	no := &refused{http.StatusForbidden, "pages of other places are not answered"}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return no
	}
	own := "http://" + r.Host
	if r.TLS != nil {
		own = "https://" + r.Host
	}
	for _, origin := range r.Header.Values("Origin") {
		if !strings.EqualFold(origin, own) {
			return no
		}
	}
	return nil
}

// checkToken refuses who does not show the token.
func (g *gate) checkToken(r *http.Request) *refused {
	scheme, shown, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(shown)))
	if strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1 {
		return nil
	}
	if !g.guesses.Allow() {
		return &refused{http.StatusTooManyRequests, "too many wrong tokens: wait"}
	}
	return &refused{http.StatusUnauthorized, "the token is missing or wrong: send Authorization: Bearer TOKEN"}
}

func (g *gate) checkRate(*http.Request) *refused {
	if !g.requests.Allow() {
		return &refused{http.StatusTooManyRequests, "too many requests: wait"}
	}
	return nil
}

func (g *gate) checkLength(r *http.Request) *refused {
	if r.ContentLength > maxLine {
		return errBodyTooLong
	}
	return nil
}
