package provider

import (
	"errors"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/cdp"
)

const fieldsPage = `<!doctype html><title>Fields</title><main><input aria-label=Name value=Ada required><input aria-label=Full value="" readonly aria-invalid=true>
<input type=range aria-label=Loud min=0 max=10 value=4><input type=number aria-label=Count value=7><input type=checkbox aria-label=Gift checked><input type=radio aria-label=One>
<button aria-pressed=mixed>Bold</button><button aria-haspopup=menu aria-expanded=false>More</button><button disabled>Later</button><select aria-label=Size><option>Small<option selected>Large</select>
<a href="/x?q=1" aria-roledescription=crumb title="Where to">Home</a><div role=tablist aria-label=Tabs><div role=tab tabindex=0 aria-selected=true>First</div></div>
<div tabindex=0 style="height:40px;overflow:auto" aria-label=Box><p style="height:400px">Long</p></div><textarea aria-label=Notes>Two
lines</textarea></main>`

// TestRows has, of each kind of thing that a person can act on, what a row says of it.
func TestRows(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, fieldsPage))
	d.do(t, `document.querySelector("input").focus()`)
	s := d.state(t, StateQuery{Tree: true})
	var got []string
	for _, e := range s.Elements {
		states := ""
		if e.States != nil {
			states = strings.NewReplacer(`"`, "", "true", "t", "false", "f").Replace(said(t, e.States))
		}
		above := -1
		if e.ParentIndex != nil {
			above = *e.ParentIndex
		}
		got = append(got, fmt.Sprintf("%s %q=%q %s %v in %d", e.Role, e.Label, e.Value, states, e.Actions, above))
		if e.Token != fmt.Sprintf("%s:%d", s.SnapshotID, e.Index) || e.ElementID == "" || e.Depth < 1 || e.Role != "option" && e.Frame == nil {
			t.Errorf("got %+v, want a token, an id, a depth and a frame", e)
		}
		if e.Label == "Home" && (!strings.HasSuffix(e.URL, "/x?q=1") || e.Subrole != "crumb" || e.Description != "Where to") {
			t.Errorf("a link: got %q, %q, %q", e.URL, e.Subrole, e.Description)
		}
	}
	want := strings.Split(strings.TrimSpace(rowsWanted), "\n")
	if diff := firstDifference(want, got); diff != "" {
		t.Errorf("%s\nall: %s", diff, strings.Join(got, "\n"))
	}
}

const rowsWanted = `
textbox "Name"="Ada" {focused:t,required:t} [set_value focus] in -1
textbox "Full"="" {invalid:t,readonly:t} [focus] in -1
slider "Loud"="4"  [set_value focus] in -1
spinbutton "Count"="7"  [set_value focus] in -1
checkbox "Gift"="true" {checked:t} [toggle focus] in -1
radio "One"="false" {checked:f} [select focus] in -1
button "Bold"="" {pressed:mixed} [toggle focus] in -1
button "More"="" {expanded:f} [press expand show_menu focus] in -1
combobox "Size"="Large" {expanded:f} [select expand focus] in -1
option "Small"=""  [select focus] in 8
option "Large"="" {selected:t} [select focus] in 8
link "Home"=""  [press focus] in -1
tab "First"="" {selected:t} [select focus] in -1
generic "Box"=""  [focus scroll] in -1
textbox "Notes"="Two lines"  [set_value focus] in -1
`

// What has the focus is told with what it is in, however far from the screen it is.
func TestFocusFirst(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, largePage(300)+`<section aria-label=End><input aria-label=Last></section>`))
	d.do(t, `document.querySelector("[aria-label=Last]").focus({preventScroll: true})`)
	if s := d.state(t, StateQuery{Tree: true, MaxElements: 100}); !strings.Contains(s.Markdown, `textbox "Last"`) || !strings.Contains(s.Markdown, `"Edit 0"`) || s.Visited > 100 {
		t.Errorf("got %d nodes, without what has the focus or what is on screen\n%s", s.Visited, s.Markdown)
	}
	if s := d.state(t, StateQuery{Tree: true, MaxElements: 100, InOrder: true}); strings.Contains(s.Markdown, `textbox "Last"`) {
		t.Errorf("in the order of the document: got what is last\n%s", s.Markdown)
	}
}

// A page with nothing in it, and one that is still coming, are told as such.
func TestStateOfPages(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, ""))
	if s := d.state(t, StateQuery{Tree: true}); s.Degraded != DegradedEmpty || len(s.Elements) > 0 {
		t.Errorf("an empty page: got %+v", s)
	}
	let := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>Slow</title><button>Here</button>" + strings.Repeat("<!-- -->", 1000)))
		w.(http.Flusher).Flush()
		<-let
	}))
	defer slow.Close()
	defer close(let)
	if err := d.tab.Session.Call(t.Context(), "Page.navigate", map[string]any{"url": slow.URL}, nil); err != nil {
		t.Fatal(err)
	}
	if v := d.verify(t, `[{"element":{"selector":{"label_contains":"Here"},"exists":true}},{"window":{"load_state":"loading"}}]`, VerifyQuery{Stable: 1, Sent: true, Timeout: 10 * time.Second}); v.Status != Satisfied {
		t.Errorf("a page that is coming, and what is there of it: got %+v", v)
	}
	if s := d.state(t, StateQuery{Tree: true}); s.Detail != DetailLoading || s.Complete || !strings.Contains(s.Markdown, `button "Here"`) {
		t.Errorf("a page that is coming: got %q, complete %v\n%s", s.Detail, s.Complete, s.Markdown)
	}
	if v := d.verify(t, `[{"element":{"selector":{"label_contains":"nowhere"},"exists":false}}]`, VerifyQuery{Stable: 1}); v.Status != Unknown {
		t.Errorf("absence in a page that is coming: got %+v", v)
	}
}

// Of several windows each has its place, and what is not shared is not told of.
func TestDesk(t *testing.T) {
	p := New("Chromium")
	defer p.Close()
	p.SetBrowser(Browser{PID: 77, Local: true, Name: "Chromium", Version: "156.0"})
	p.Mention("1.1", Place{Window: 5, Order: 3, Index: 1, Problem: ProblemDiscarded, Title: "Behind", URL: "https://a.example/", Bounds: Rect{1, 2, 300, 400}})
	p.Mention("2.1", Place{Window: 6, Order: 9, Active: true, Problem: ProblemRestricted, Title: "Front", URL: "https://b.example/", State: "minimized"})
	going := p.Mention("3.1", Place{Window: 7, Order: 4, Active: true, Problem: ProblemDiscarded, Title: "Going"})
	p.Unshare(going)
	desk, err := p.Desk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range desk.Windows {
		title := "null"
		if w.Title != nil {
			title = *w.Title
		}
		got = append(got, fmt.Sprintf("%d %s z%d focused %v on screen %v, %d tabs, %v", w.WindowID, title, *w.ZIndex, w.Focused, w.OnScreen, len(w.Tabs), w.Bounds))
	}
	want := "5 null z0 focused false on screen true, 1 tabs, &{1 2 300 400}\n6  z1 focused true on screen false, 1 tabs, <nil>"
	if got := strings.Join(got, "\n"); got != want {
		// What nobody looked at is told without its title, which may hold a secret.
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if b := desk.Browsers; len(b) != 1 || b[0].PID != 77 || !b[0].PIDLocal || b[0].Version != "156.0" || b[0].Instance != p.Instance() {
		t.Errorf("got the browsers %+v", b)
	}
	ask := func(window int64, tab string) *Error {
		t.Helper()
		_, err := p.State(t.Context(), StateQuery{WindowAddress: WindowAddress{PID: 77, Window: window, Tab: tab}, Tree: true, Timeout: 100 * time.Millisecond})
		var told *Error
		errors.As(err, &told)
		return told
	}
	front := desk.Windows[1].Tabs[0].TabID
	if e := ask(5, front); e == nil || e.Code != CodeTabNotFound || e.More["window_id"] != int64(6) {
		t.Errorf("a tab of another window: got %+v", e)
	}
	never, gone, active := ask(5, "zzzz1"), ask(5, p.TabID(going)), ask(5, "")
	for _, e := range []*Error{never, gone, active} {
		if e == nil || e.Code != CodeNotShared || e.Error() != never.Error() {
			t.Errorf("got %v, want one wording for what is not shared and what there is not", e)
		}
	}
	if e := ask(7, ""); e == nil || e.Code != CodeWindowNotFound {
		t.Errorf("a window without a shared tab: got %v", e)
	}
}

// A picture that has not the size of the viewport is left out, and the rest is told.
func TestPictureMismatch(t *testing.T) {
	p := New("Chromium")
	defer p.Close()
	for _, c := range []struct {
		wide, high int
		scale      float64
		want       string
	}{{800, 600, 1, ""}, {1600, 1200, 2, ""}, {801, 600, 1, ""}, {800, 700, 1, PictureMismatch}, {1600, 1200, 1, PictureMismatch}, {400, 300, 1, PictureMismatch}} {
		g := &picturing{p: p, tab: p.Mention("1.1", Place{Window: 1}), done: make(chan struct{}), from: cdp.Rect{Width: 800, Height: 600}, view: &cdp.Viewport{Width: 800, Height: 600, Ratio: c.scale, Zoom: 1, Scale: 1}}
		g.shot = &cdp.Picture{Image: image.NewRGBA(image.Rect(0, 0, c.wide, c.high)), Width: c.wide, Height: c.high}
		close(g.done)
		s := &State{Tree: &Tree{}}
		g.into(s)
		got := ""
		if s.PictureError != nil {
			got = s.PictureError.Code
		}
		if got != c.want || (s.Screenshot == nil) != (c.want != "") || s.Tree == nil {
			t.Errorf("%d × %d at %v of 800 × 600: got %q, want %q", c.wide, c.high, c.scale, got, c.want)
		}
	}
}

// The tab that is waited for stays the one that was asked about when its user goes to
// another meanwhile.
func TestVerifyKeepsItsTab(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, verifyPage))
	shared := d.p.shared()[0]
	p := New("Chromium")
	defer p.Close()
	other := p.Mention("2.1", Place{Window: 5, Order: 1, Problem: ProblemDiscarded, Title: "Other"})
	tab := &Tab{Page: shared.Page, name: "1.1", conn: shared.conn, session: shared.session, place: &Place{Window: 5, Active: true, Order: 1}}
	p.mu.Lock()
	p.tabs = []*Tab{tab, other}
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.tabs = nil
		p.mu.Unlock()
	}()
	d.do(t, `setTimeout(() => { b.textContent = "Sent" }, 800); 0`)
	switching := time.AfterFunc(300*time.Millisecond, func() {
		p.SetPlace(tab, Place{Window: 5, Order: 1})
		p.SetPlace(other, Place{Window: 5, Order: 1, Active: true, Problem: ProblemDiscarded, Title: "Other"})
	})
	defer switching.Stop()
	v, err := p.Verify(t.Context(), VerifyQuery{WindowAddress: WindowAddress{PID: d.at.PID, Window: 5}, Stable: 1, Sent: true, Timeout: 10 * time.Second,
		Expect: expectation(t, `[{"element":{"selector":{"role":"button","label_contains":"Sent"},"exists":true}},{"window":{"tab_active":false,"title_contains":"order form"}}]`)})
	if err != nil || v.Status != Satisfied {
		t.Errorf("got %+v, %v; want it satisfied by the tab that was asked about", v, err)
	}
}
