package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/mapper"
)

var record = flag.Bool("record", false, "record the readings in mapper/testdata anew, from the pages of testpages/fixtures")

const (
	fixtures   = "../testpages/fixtures"
	recordings = "../mapper/testdata"
)

// TestRecord writes what a browser says of each fixture to where the tests of
// package mapper find it, so that those need no browser. It compares nothing: the
// same fixtures are compared with a browser in package testpages.
func TestRecord(t *testing.T) {
	if !*record {
		t.Skip("it only writes files, when given -record")
	}
	r := newRecorder(t)
	cases, err := filepath.Glob(filepath.Join(fixtures, "*.case.json"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("there are no fixtures in %s: %v", fixtures, err)
	}
	for _, file := range cases {
		name := strings.TrimSuffix(filepath.Base(file), ".case.json")
		t.Run(name, func(t *testing.T) { r.fixture(t, name) })
	}
	for name, scene := range scenes {
		t.Run(name, func(t *testing.T) { r.scene(t, name, scene) })
	}
}

// A recorder has a browser whose pages see the fixtures, and nothing else, under
// the two origins that the fixtures name.
type recorder struct{ browser *cdp.Browser }

func newRecorder(t *testing.T) *recorder {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(servePage), ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	b, err := cdp.Launch(t.Context(), cdp.LaunchOptions{
		HostRules: "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
		Args:      []string{"--proxy-server=" + listener.Addr().String(), "--proxy-bypass-list=<-loopback>"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return &recorder{browser: b}
}

// servePage is a proxy that knows the fixtures' two hosts.
func servePage(w http.ResponseWriter, q *http.Request) {
	other := map[string]string{"fixture": "http://other-site", "other-site": "http://fixture"}[q.Host]
	if other == "" {
		http.Error(w, "no such host", http.StatusBadGateway)
		return
	}
	if !strings.HasSuffix(q.URL.Path, ".html") {
		http.FileServer(http.Dir(fixtures)).ServeHTTP(w, q)
		return
	}
	page, err := os.ReadFile(filepath.Join(fixtures, filepath.Base(q.URL.Path)))
	if err != nil {
		http.NotFound(w, q)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(bytes.ReplaceAll(page, []byte("{{other-site}}"), []byte(other)))
}

// stepTimeout bounds one step: a busy small machine takes seconds for what
// otherwise takes milliseconds.
const stepTimeout = 60 * time.Second

// open opens a page of the fixtures in a tab that is shared from the start.
func (r *recorder) open(ctx context.Context, t *testing.T, p *Provider, page string, o driver.Options) *Tab {
	t.Helper()
	o.Width, o.Height, o.Scale = 1280, 800, 1
	at, err := driver.Open(ctx, r.browser.Conn, o)
	if err != nil {
		t.Fatal(err)
	}
	tab := r.share(ctx, t, p, at)
	if err := driver.Load(ctx, tab.session, "http://fixture/"+page); err != nil {
		t.Fatal(err)
	}
	return tab
}

// opened shares the window that a page has opened.
func (r *recorder) opened(ctx context.Context, t *testing.T, p *Provider, by *Tab, page string) *Tab {
	t.Helper()
	at, err := driver.Opened(ctx, r.browser.Conn, by.Page.Target, "http://fixture/"+page)
	if err != nil {
		t.Fatal(err)
	}
	return r.share(ctx, t, p, at)
}

// share shares a tab, and has it closed at the end.
func (r *recorder) share(ctx context.Context, t *testing.T, p *Provider, at driver.Tab) *Tab {
	t.Helper()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), stepTimeout)
		defer cancel()
		if err := at.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	tab, err := p.Share(ctx, r.browser.Conn, at.Target)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// reading takes what an answer to the query would be made of.
func (p *Provider) reading(ctx context.Context, q Query) (*mapper.Reading, error) {
	opts, _, err := p.plan(ctx, q)
	if err != nil {
		return nil, err
	}
	var states []*tabState
	for _, t := range p.shared() {
		s := t.read(ctx, opts)
		if s.err != nil {
			return nil, s.err
		}
		states = append(states, s)
	}
	return p.assemble(states), nil
}

// An act is one step of a fixture's setup.
type act map[string]string

var acts = map[string]func(context.Context, *cdp.Session, string) error{
	"eval": driver.Eval, "wait": driver.WaitFor, "scroll_to": driver.ScrollTo, "focus": driver.Focus,
	"select": driver.Select, "select_text": driver.SelectText, "hover": driver.Hover,
}

func perform(ctx context.Context, tab *Tab, list ...act) error {
	for _, a := range list {
		for name, what := range a {
			do := acts[name]
			if do == nil {
				return fmt.Errorf("there is no act %q", name)
			}
			if err := do(ctx, tab.session, what); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *recorder) fixture(t *testing.T, name string) {
	ctx, cancel := context.WithTimeout(t.Context(), stepTimeout)
	defer cancel()
	raw, err := os.ReadFile(filepath.Join(fixtures, name+".case.json"))
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Setup   []act
		Answers map[string]json.RawMessage
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	p := New("Chromium")
	t.Cleanup(p.Close)
	tab := r.open(ctx, t, p, name+".html", driver.Options{Window: true})
	for _, a := range c.Setup {
		switch {
		case a["window"] != "":
			tab = r.open(ctx, t, p, a["window"], driver.Options{Window: true})
		case a["popup"] != "":
			tab = r.opened(ctx, t, p, tab, a["popup"])
		default:
			if err := perform(ctx, tab, a); err != nil {
				t.Fatal(err)
			}
		}
	}
	out := map[string]*mapper.Reading{}
	for _, scope := range recordedScopes {
		if c.Answers[scope] == nil {
			continue
		}
		if out[scope], err = p.reading(ctx, Query{Scope: cdp.Scope(scope)}); err != nil {
			t.Fatal(err)
		}
	}
	save(t, name, out)
}

// recordedScopes are in the order in which they are read and written.
var recordedScopes = []string{"page", "visible", "pointing", "one"}

// save writes the readings, one node a line, without what is empty.
func save(t *testing.T, name string, readings map[string]*mapper.Reading) {
	t.Helper()
	var b bytes.Buffer
	for _, scope := range recordedScopes {
		r := readings[scope]
		if r == nil {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		} else {
			b.WriteByte('{')
		}
		fmt.Fprintf(&b, "\n%q: ", scope)
		settle(r)
		if err := write(&b, reflect.ValueOf(r)); err != nil {
			t.Fatal(err)
		}
	}
	b.WriteString("\n}\n")
	file := filepath.Join(recordings, name+".reading.json")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d bytes", file, b.Len())
}

// settle gives every thing the same name in every recording, and has a document's
// focus and hover name the document of a frame by its key alone, as the node that
// holds the frame has it whole.
func settle(r *mapper.Reading) {
	var documents []*mapper.Document
	var visit func(d *mapper.Document)
	visit = func(d *mapper.Document) {
		documents = append(documents, d)
		d.Key = fmt.Sprintf("d%d", len(documents))
		for i := range d.Nodes {
			if in := d.Nodes[i].More().Frame; in != nil {
				visit(in)
			}
		}
	}
	for i, w := range r.Windows {
		w.Key = fmt.Sprintf("w%d", i+1)
		for j, t := range w.Tabs {
			t.Key = fmt.Sprintf("w%dt%d", i+1, j+1)
			if t.Document != nil {
				visit(t.Document)
			}
		}
	}
	var moments []float64
	for _, d := range documents {
		if d.Hover != nil {
			moments = append(moments, d.Hover.At)
		}
	}
	slices.Sort(moments)
	moments = slices.Compact(moments)
	for _, d := range documents {
		if d.Focus != nil && d.Focus.Frame != nil {
			d.Focus.Frame = &mapper.Document{Key: d.Focus.Frame.Key}
		}
		if d.Hover != nil {
			d.Hover.At = float64(1 + slices.Index(moments, d.Hover.At))
			if d.Hover.Frame != nil {
				d.Hover.Frame = &mapper.Document{Key: d.Hover.Frame.Key}
			}
		}
	}
}

// write writes a value as JSON without the fields that are zero.
func write(b *bytes.Buffer, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		return write(b, v.Elem())
	case reflect.Struct:
		b.WriteByte('{')
		first := true
		for i := range v.NumField() {
			if v.Field(i).IsZero() || v.Field(i).Kind() == reflect.Slice && v.Field(i).Len() == 0 {
				continue
			}
			if !first {
				b.WriteByte(',')
			}
			first = false
			fmt.Fprintf(b, "%q:", v.Type().Field(i).Name)
			if err := write(b, v.Field(i)); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		return nil
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(',')
			}
			if v.Type().Elem() == reflect.TypeFor[mapper.Node]() {
				b.WriteByte('\n')
			}
			if err := write(b, v.Index(i)); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64, reflect.String:
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v.Interface()); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1)
		return nil
	}
	return errors.New("a reading holds a " + v.Type().String() + ", which is not recorded yet")
}
