package testpages

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"time"
)

// The two origins that pages are served under. They are two sites to a browser,
// which puts a frame of the one in a page of the other into its own process.
const (
	origin      = "http://fixture"
	otherOrigin = "http://other-site"
)

// otherSite is what stands for the other origin in HTML files.
const otherSite = "{{other-site}}"

// A site is an HTTP proxy on loopback that answers for the two origins from one
// file system, and for nobody else. As each page has a proxy of its own, the
// addresses in answers are the same in every run and for every folder.
type site struct {
	server *http.Server
	proxy  string // where it listens, host:port
	done   chan struct{}
}

// newSite serves until close.
func newSite(content http.Handler) (*site, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serving pages: %w", err)
	}
	s := &site{
		server: &http.Server{Handler: onlyOurs(content), ReadHeaderTimeout: time.Minute},
		proxy:  listener.Addr().String(),
		done:   make(chan struct{}),
	}
	go func() {
		defer close(s.done)
		// It always ends with http.ErrServerClosed, or with a listener that is
		// no use any more; either way no page gets anything from here on.
		_ = s.server.Serve(listener)
	}()
	return s, nil
}

func (s *site) close() error {
	err := s.server.Close()
	<-s.done
	return err
}

// onlyOurs refuses what is asked of other hosts.
func onlyOurs(content http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked := "http://" + r.Host; r.Method == http.MethodConnect || asked != origin && asked != otherOrigin {
			http.Error(w, r.Host+" is out of the reach of pages under test", http.StatusBadGateway)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		content.ServeHTTP(w, r)
	})
}

// folder serves files as they are, but for HTML, in which it puts the address of
// the other origin.
func folder(files fs.FS) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if !strings.HasSuffix(name, ".html") {
			server.ServeHTTP(w, r)
			return
		}
		page, err := fs.ReadFile(files, name)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
			http.NotFound(w, r)
			return
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		other := otherOrigin
		if "http://"+r.Host == otherOrigin {
			other = origin
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(bytes.ReplaceAll(page, []byte(otherSite), []byte(other)))
	})
}
