package provider

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/oracle"
)

// stateTime is how long a test gives a walk: a busy machine takes longer than a person
// waits.
const stateTime = 20 * time.Second

// A desktop is a browser with one shared tab.
type desktop struct {
	p      *Provider
	tab    driver.Tab
	at     WindowAddress
	browse *cdp.Browser
}

// opened opens a page in a tab of its own and shares it.
func opened(t *testing.T, b *cdp.Browser, address string) *desktop {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tab, err := driver.Open(ctx, b.Conn, driver.Options{Width: 1280, Height: 800, Window: true})
	if err != nil {
		t.Fatal(err)
	}
	d := &desktop{p: New("Chromium"), tab: tab, browse: b}
	t.Cleanup(func() {
		d.p.Close()
		_ = tab.Close(context.Background())
	})
	if _, err := d.p.Share(ctx, b.Conn, tab.Target); err != nil {
		t.Fatal(err)
	}
	if err := driver.Load(ctx, tab.Session, address); err != nil {
		t.Fatal(err)
	}
	desk, err := d.p.Desk(ctx)
	if err != nil || len(desk.Windows) != 1 {
		t.Fatalf("got %+v, %v; want one window", desk, err)
	}
	d.at = WindowAddress{PID: desk.Windows[0].PID, Window: desk.Windows[0].WindowID}
	return d
}

func (d *desktop) state(t *testing.T, q StateQuery) *State {
	t.Helper()
	q.WindowAddress = d.at
	if q.Timeout == 0 {
		q.Timeout = stateTime
	}
	s, err := d.p.State(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestIndexedRows holds the indexed rows of all pages at hand against an oracle.
func TestIndexedRows(t *testing.T) {
	b := launched(t)
	for _, dir := range []string{"../testpages/fixtures", "../../shared/pages"} {
		files, _ := filepath.Glob(dir + "/*.html")
		if len(files) == 0 {
			t.Logf("%s: no pages there, not looked at", dir)
			continue
		}
		server := httptest.NewServer(http.FileServer(http.Dir(dir)))
		t.Cleanup(server.Close)
		for i, file := range files {
			if testing.Short() && i%6 != 0 {
				continue
			}
			name := filepath.Base(file)
			t.Run(name, func(t *testing.T) { compareIndexed(t, b, server.URL+"/"+name) })
		}
	}
}

func compareIndexed(t *testing.T, b *cdp.Browser, address string) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	d := opened(t, b, address)
	s := d.state(t, StateQuery{Tree: true})
	if s.Degraded == DegradedEmpty {
		expectEmpty(t, ctx, d)
		return
	}
	if s.Degraded != "" {
		t.Fatalf("degraded: %s %s", s.Degraded, s.Detail)
	}
	if !s.Complete {
		t.Logf("not complete: %s %s %v", s.Reason, s.Detail, s.Unreachable)
	}
	if s.Truncated {
		t.Errorf("truncated: %s", s.Reason)
	}
	want, err := oracle.ExpectIndexed(ctx, b.Conn, d.tab.Target)
	if err != nil {
		t.Fatal(err)
	}
	var lines, expected []string
	for i, e := range s.Elements {
		name := e.Label
		if i < len(want) && want[i].Secret {
			name = want[i].Name
		}
		lines = append(lines, fmt.Sprintf("%s %q", e.Role, name))
	}
	for _, w := range want {
		expected = append(expected, w.String())
	}
	t.Logf("%d rows in %d ms, %d bytes", len(lines), s.ElapsedMS, len(s.Markdown))
	if diff := firstDifference(expected, lines); diff != "" {
		t.Errorf("%d rows, want %d\n%s", len(lines), len(expected), diff)
	}
	if again := d.state(t, StateQuery{Tree: true}); again.Markdown != s.Markdown {
		t.Errorf("read twice, the rows differ:\n%s", firstDifference(strings.Split(s.Markdown, "\n"), strings.Split(again.Markdown, "\n")))
	}
	hitRows(t, ctx, d, s)
	for _, e := range s.Elements {
		if want := fmt.Sprintf("- [%d] %s", e.Index, e.Role); !strings.Contains(s.Markdown, want) {
			t.Errorf("the markdown has no line %s", want)
		}
	}
}

// ownControls are the browser's, with parts of their own.
var ownControls = setOf("Date DateTime InputTime Video Audio")

// hitRows looks, for each row that says it is seen, whether what Chrome finds in the
// middle of its frame is in it.
func hitRows(t *testing.T, ctx context.Context, d *desktop, s *State) {
	t.Helper()
	session := d.tab.Session
	if err := session.Call(ctx, "DOM.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := session.Call(ctx, "Accessibility.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	tried, hidden, missed := 0, 0, 0
	for _, e := range s.Elements {
		if e.HiddenBy != "" {
			hidden++
		}
		if !e.Visible || e.HiddenBy != "" || e.Frame == nil {
			continue
		}
		tried++
		if tried > 150 {
			break
		}
		x, y := e.Frame.X+e.Frame.W/2, e.Frame.Y+e.Frame.H/2
		if found := chainAt(ctx, session, x, y, false) + chainAt(ctx, session, x, y, true); !strings.Contains(found, fmt.Sprintf("\n%s %q\n", e.Role, e.Label)) && !strings.Contains(found, "\nIframe ") {
			if e.ParentIndex != nil && ownControls[s.Elements[*e.ParentIndex].Role] {
				// Chrome does not tell what of its own control the innermost part there is in.
				continue
			}
			missed++
			if missed <= 3 {
				t.Logf("missed %d %s %q %v: found %.300s", e.Index, e.Role, e.Label, *e.Frame, found)
			}
		}
	}
	t.Logf("%d frames hit-tested, %d missed, %d say covered or clipped", tried, missed, hidden)
	if missed*20 > tried {
		t.Errorf("%d of %d frames do not lead to their element", missed, tried)
	}
}

// chainAt gives what is at a point and around it, a line each; parts are those of the
// browser's own controls.
func chainAt(ctx context.Context, s *cdp.Session, x, y float64, parts bool) string {
	var at struct {
		Backend int64 `json:"backendNodeId"`
	}
	if err := s.Call(ctx, "DOM.getNodeForLocation", map[string]any{"x": int(x), "y": int(y), "includeUserAgentShadowDOM": parts}, &at); err != nil {
		return err.Error()
	}
	type value struct {
		Value string `json:"value"`
	}
	var chain struct {
		Nodes []struct {
			Role value `json:"role"`
			Name value `json:"name"`
		} `json:"nodes"`
	}
	if err := s.Call(ctx, "Accessibility.getAXNodeAndAncestors", map[string]any{"backendNodeId": at.Backend}, &chain); err != nil {
		return err.Error()
	}
	var b strings.Builder
	b.WriteString("\n")
	for _, n := range chain.Nodes {
		fmt.Fprintf(&b, "%s %q\n", n.Role.Value, strings.Join(strings.Fields(n.Name.Value), " "))
	}
	return b.String()
}

// firstDifference shows where two lists part.
func firstDifference(want, got []string) string {
	for i := range max(len(want), len(got)) {
		var w, g string
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			from := max(0, i-2)
			return fmt.Sprintf("at %d: want\n  %s\ngot\n  %s", i, strings.Join(want[min(from, len(want)):min(i+4, len(want))], "\n  "), strings.Join(got[min(from, len(got)):min(i+4, len(got))], "\n  "))
		}
	}
	return ""
}

// An axString is a word of the browser's own tree.
type axString struct {
	Value string `json:"value"`
}

// expectEmpty has the browser's own tree hold nothing either but its root.
func expectEmpty(t *testing.T, ctx context.Context, d *desktop) {
	t.Helper()
	var tree struct {
		Nodes []struct {
			Ignored bool     `json:"ignored"`
			Role    axString `json:"role"`
			Name    axString `json:"name"`
		} `json:"nodes"`
	}
	for _, c := range []struct {
		method string
		into   any
	}{{"Accessibility.enable", nil}, {"Accessibility.getFullAXTree", &tree}} {
		if err := d.tab.Session.Call(ctx, c.method, nil, c.into); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range tree.Nodes {
		if !n.Ignored && n.Role.Value != "RootWebArea" {
			t.Errorf("the page is said to be empty, but the browser has the %s %q", n.Role.Value, n.Name.Value)
		}
	}
	if len(tree.Nodes) == 0 {
		t.Error("the browser gives no tree")
	}
}

// launched gives a browser that ends with the test.
func launched(t *testing.T) *cdp.Browser {
	t.Helper()
	b, err := cdp.Launch(t.Context(), cdp.LaunchOptions{HostRules: "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}
