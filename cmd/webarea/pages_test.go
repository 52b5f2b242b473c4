//go:build unix

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// form is a page with something for every act.
const form = `<!doctype html><html lang=en><title>Orders</title>
<main><h1 id=top>Your order</h1>
<p id=note>We bake on <b>Monday</b> and <a href="/days">other days</a>.</p>
<form><label>Name <input id=name value="Ada"></label></form>
<table id=list><tr><th>Loaf<th>Pieces<tr><td>Rye<td>2<tr><td>Spelt<td>1</table>
<div style="height:3000px"></div>
<p id=end>The end of the list.</p></main>
<script>addEventListener("click", () => document.title = "clicked", true)</script>`

// files are the pages that the tests name by their path.
var files = map[string]string{
	"form.html":        form,
	"a page, 100%.htm": `<title>Odd name</title><p>Found it.`,
	"secret.html":      `<title>In</title><label>Password <input type=password value="correct horse"></label>`,
	"loop.html":        `<title>Loop</title><p>before<script>for(;;);</script>`,
	"late.html":        `<title>Here</title><p id=never>It is here.`,
	"later.html":       `<title>Later</title><p>words</p><script>setTimeout(() => alert("Late."), 300)</script>`,
	"alert.html":       `<title>Shop</title><p>words</p><script>alert("The shop is closed.\nCome back on Monday.")</script><p>more`,
}

// pages returns a folder with the files.
func pages(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, html := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(html), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// serve serves pages over HTTP until the test ends, and returns the address.
func serve(t *testing.T) string {
	t.Helper()
	return serveAlso(t, "/also", http.NotFound)
}

// serveAlso is serve with one more page.
func serveAlso(t *testing.T, path string, handler http.HandlerFunc) string {
	t.Helper()
	ended := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc(path, handler)
	html := func(path string, status int, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(status)
			io.WriteString(w, body)
		})
	}
	html("/{$}", http.StatusOK, form)
	html("/slow", http.StatusOK, `<title>Slow</title><p>The words are here.</p><img src="/never" alt="">`)
	html("/late", http.StatusOK, `<title>Late</title><script>setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<p id=late>Now it is here.</p>"), 300)</script><p>Wait.`)
	html("/", http.StatusNotFound, `<title>Not here</title><p>There is no such page.`)
	mux.HandleFunc("/empty", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNotFound) })
	mux.HandleFunc("/download", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", "attachment")
		io.WriteString(w, "bytes")
	})
	mux.HandleFunc("/never", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-ended:
		}
	})
	address := serveHandler(t, mux)
	t.Cleanup(func() { close(ended) })
	return address
}

// serveHandler serves until the test ends, and returns the address.
func serveHandler(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL
}

// nothingListens returns an address on which nothing listens.
func nothingListens(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	return server.URL
}
