package mcp

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"
)

// listing is a request that is answered.
const listing = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`

// What is not sent by a client that has the token is refused, in whichever way it is
// sent; a client is not.
func TestHTTPRefuses(t *testing.T) {
	s := serveHTTP(t, serverWith().HTTP(httpOptions()))
	_, port, _ := net.SplitHostPort(s.address)
	long := strings.Repeat(" ", maxLine+1)
	for _, c := range []struct {
		what    string
		method  string
		path    string
		headers map[string]string
		body    io.Reader
		want    int
	}{
		{"a client", "POST", "/mcp", nil, nil, 200},
		{"a client by name", "POST", "/mcp", map[string]string{"Host": "localhost:" + port}, nil, 200},
		{"a page of the server's own", "POST", "/mcp", map[string]string{"Origin": "http://" + s.address, "Sec-Fetch-Site": "same-origin"}, nil, 200},
		{"a token with a small scheme", "POST", "/mcp", map[string]string{"Authorization": "bearer " + testToken}, nil, 200},

		{"no token", "POST", "/mcp", map[string]string{"Authorization": ""}, nil, 401},
		{"a wrong token", "POST", "/mcp", map[string]string{"Authorization": "Bearer correct-horse"}, nil, 401},
		{"a longer token", "POST", "/mcp", map[string]string{"Authorization": "Bearer " + testToken + "x"}, nil, 401},
		{"another scheme", "POST", "/mcp", map[string]string{"Authorization": "Basic " + testToken}, nil, 401},
		{"a token in the address", "POST", "/mcp?token=" + testToken + "&access_token=" + testToken, map[string]string{"Authorization": ""}, nil, 401},
		{"a stream without token", "GET", "/mcp", map[string]string{"Authorization": ""}, nil, 401},
		{"an end without token", "DELETE", "/mcp", map[string]string{"Authorization": ""}, nil, 401},

		{"a foreign host", "POST", "/mcp", map[string]string{"Host": "evil.example"}, nil, 403},
		{"a foreign host with the port", "POST", "/mcp", map[string]string{"Host": "evil.example:" + port}, nil, 403},
		{"a host that begins alike", "POST", "/mcp", map[string]string{"Host": "localhost.evil.example:" + port}, nil, 403},
		{"another address", "POST", "/mcp", map[string]string{"Host": "192.0.2.1:" + port}, nil, 403},

		{"a foreign page", "POST", "/mcp", map[string]string{"Origin": "https://evil.example"}, nil, 403},
		{"a page of no place", "POST", "/mcp", map[string]string{"Origin": "null"}, nil, 403},
		{"a page of another port", "POST", "/mcp", map[string]string{"Origin": "http://127.0.0.1:1"}, nil, 403},
		{"a page by another name", "POST", "/mcp", map[string]string{"Origin": "http://localhost:" + port}, nil, 403},
		{"a page of another scheme", "POST", "/mcp", map[string]string{"Origin": "https://" + s.address}, nil, 403},
		{"a page that reads a stream", "GET", "/mcp", map[string]string{"Origin": "https://evil.example"}, nil, 403},
		{"a page that asks first", "OPTIONS", "/mcp", map[string]string{"Origin": "https://evil.example", "Access-Control-Request-Method": "POST", "Authorization": ""}, nil, 403},
		{"a page that hides where it is", "POST", "/mcp", map[string]string{"Sec-Fetch-Site": "cross-site"}, nil, 403},
		{"a page of a neighbour", "POST", "/mcp", map[string]string{"Sec-Fetch-Site": "same-site"}, nil, 403},

		{"a body too long", "POST", "/mcp", nil, strings.NewReader(long), 413},
		{"a body too long, in pieces", "POST", "/mcp", nil, struct{ io.Reader }{strings.NewReader(long)}, 413},
		{"another path", "POST", "/", nil, nil, 404},
		{"another type", "POST", "/mcp", map[string]string{"Content-Type": "text/plain"}, nil, 415},
		{"another method", "PUT", "/mcp", nil, nil, 405},
	} {
		t.Run(c.what, func(t *testing.T) {
			headers := modern("tools/list")
			for name, value := range c.headers {
				headers[name] = value
			}
			body := c.body
			if body == nil && c.method == "POST" {
				body = strings.NewReader(listing)
			}
			site := *s
			site.t = t
			got, words := site.send(c.method, c.path, body, headers)
			if got != c.want || strings.Contains(words, testToken) {
				t.Errorf("got %d %s, want %d", got, words, c.want)
			}
			if got == 200 && !strings.Contains(words, "get_elements") {
				t.Errorf("got %s, want the tools", words)
			}
		})
	}
}

// Who guesses tokens is slowed down, and slows down nobody who has the right one.
func TestHTTPGuesses(t *testing.T) {
	g := newGate(httpOptions(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "through") }))
	g.guesses = rate.NewLimiter(0, 3)
	for i, c := range []struct {
		token string
		want  int
	}{{"a", 401}, {"b", 401}, {testToken, 200}, {"c", 401}, {"d", 429}, {testToken, 200}, {"e", 429}} {
		if got := through(g, c.token); got != c.want {
			t.Errorf("%d, %s: got %d, want %d", i, c.token, got, c.want)
		}
	}
}

// Who asks faster than anybody reads is slowed down.
func TestHTTPRate(t *testing.T) {
	g := newGate(httpOptions(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "through") }))
	g.requests = rate.NewLimiter(0, 2)
	for i, want := range []int{200, 200, 429, 429} {
		if got := through(g, testToken); got != want {
			t.Errorf("%d: got %d, want %d", i, got, want)
		}
	}
	if got := newGate(httpOptions(), nil).requests.Burst(); got != requestBurst {
		t.Errorf("got a burst of %d, want %d", got, requestBurst)
	}
}

func through(g *gate, token string) int {
	r := httptest.NewRequest("POST", "http://localhost/mcp", strings.NewReader("{}"))
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return w.Code
}

// Who sends slowly on purpose, at whichever point, is given up soon, and however many
// do, others are answered.
func TestHTTPSlow(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it takes as long as a request may take to come")
	}
	s := serveHTTP(t, serverWith().HTTP(httpOptions()))
	head := "POST /mcp HTTP/1.1\r\nHost: " + s.address + "\r\nContent-Type: application/json\r\n"
	shows := head + "Authorization: Bearer " + testToken + "\r\n"
	var all sync.WaitGroup
	for _, c := range []struct{ what, begin, more string }{
		{"says nothing", "", ""},
		{"a head without end", head, "X: y\r\n"},
		{"a line without end", "POST /mcp HTTP/1.1\r\nX: ", "y"},
		{"a body without end", shows + "Content-Length: 1000\r\n\r\n{", " "},
		{"pieces without end", shows + "Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"},
		{"a body without end, and no token", head + "Content-Length: 1000\r\n\r\n{", " "},
	} {
		all.Go(func() {
			conn, err := net.Dial("tcp", s.address)
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			gone := make(chan struct{})
			go func() {
				defer close(gone)
				_, _ = io.Copy(io.Discard, bufio.NewReader(conn))
			}()
			_, _ = io.WriteString(conn, c.begin)
			drip := time.NewTicker(200 * time.Millisecond)
			defer drip.Stop()
			for late := time.After(headerPatience + bodyPatience + patience); ; {
				select {
				case <-drip.C:
					_, _ = io.WriteString(conn, c.more)
				case <-gone:
					return
				case <-late:
					t.Errorf("%s: it is still listened to", c.what)
					return
				}
			}
		})
	}
	var crowd []net.Conn
	for range maxConnections {
		conn, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		crowd = append(crowd, conn)
	}
	if got, words := s.post(listing, modern("tools/list")); got != 200 {
		t.Errorf("among %d that say nothing: got %d %s", len(crowd), got, words)
	}
	for _, conn := range crowd {
		conn.Close()
	}
	all.Wait()
}
