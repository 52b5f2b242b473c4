package visit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// onlyLoopback keeps the test browser from reaching anything but this machine.
const onlyLoopback = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"

// visitor launches a browser that ends with the test.
func visitor(t *testing.T) (*Visitor, *cdp.Browser) {
	t.Helper()
	b, err := cdp.Launch(context.Background(), cdp.LaunchOptions{HostRules: onlyLoopback})
	if err != nil {
		t.Fatalf("launching a browser: %v", err)
	}
	p := provider.New("Chromium")
	t.Cleanup(func() {
		p.Close()
		if err := b.Close(); err != nil {
			t.Errorf("closing the browser: %v", err)
		}
	})
	return &Visitor{Conn: b.Conn, Provider: p, Ours: true}, b
}

// usual are options whose timeout is longer than any visit takes on a busy machine.
func usual(acts Acts) Options {
	return Options{Width: 1280, Height: 800, Scale: 1, Acts: acts, Timeout: time.Minute}
}

// targets lists the tabs that are open.
func targets(t *testing.T, v *Visitor) []*target.Info {
	t.Helper()
	var got target.GetTargetsResult
	if err := v.Conn.Browser().Call(context.Background(), target.CommandGetTargets, nil, &got); err != nil {
		t.Fatal(err)
	}
	var tabs []*target.Info
	for _, info := range got.TargetInfos {
		if info.Type == "page" {
			tabs = append(tabs, info)
		}
	}
	return tabs
}

// whenTitled waits in another goroutine for the tab with the title, attaches to it
// and hands it over.
func whenTitled(t *testing.T, v *Visitor, title string, do func(s *cdp.Session)) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			for _, info := range targets(t, v) {
				if info.Title != title {
					continue
				}
				var at target.AttachToTargetResult
				err := v.Conn.Browser().Call(context.Background(), target.CommandAttachToTarget, map[string]any{"targetId": info.TargetID, "flatten": true}, &at)
				if err != nil {
					t.Errorf("attaching to the tab: %v", err)
					return
				}
				do(v.Conn.Session(at.SessionID))
				return
			}
		}
		t.Errorf("no tab has the title %q", title)
	}()
	return done
}

func TestVisit(t *testing.T) {
	v, _ := visitor(t)
	r, err := v.Visit(context.Background(), Place{HTML: []byte(`<title>Notes</title><p>some words</p>`)}, usual(Acts{SelectText: "some"}))
	if err != nil {
		t.Fatal(err)
	}
	selected := ""
	for e := range r.Answer.All() {
		if e.Selected {
			selected = e.Content[0].Text
		}
	}
	if selected != "some" || len(r.Notes) > 0 {
		t.Errorf("got %q selected and the notes %v, want %q and none", selected, r.Notes, "some")
	}
	expectNoTab(t, v)
}

func expectNoTab(t *testing.T, v *Visitor) {
	t.Helper()
	expectTabs(t, v, 0)
}

// expectTabs waits until so many tabs are open.
func expectTabs(t *testing.T, v *Visitor, want int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); len(targets(t, v)) != want; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("got the tabs %v, want %d", targets(t, v), want)
			return
		}
	}
}

// anyID matches what an answer says of ids.
var anyID = regexp.MustCompile(`"id": *"[^"]*",?`)

// TestKeep visits pages in one window that is kept, and in one of their own: the answers are
// the same but for ids, also after a page whose renderer dies and one that opens another,
// and of all tabs only the empty one stays.
func TestKeep(t *testing.T) {
	o := usual(Acts{Focus: "a", SelectText: "some"})
	o.Query.Scope = provider.Page
	pages := []string{
		`<title>Notes</title><h1>Size</h1><p>some words</p><a href=/x>Link</a><p id=size></p><script>size.textContent = [innerWidth, innerHeight, devicePixelRatio, document.visibilityState]</script>`,
		`<title>Long</title><p>some more</p><a href=/y>Other</a><div style="height:9000px"></div><p>End</p>`,
	}
	read := func(v *Visitor, html string) string {
		t.Helper()
		r, err := v.Visit(context.Background(), Place{HTML: []byte(html)}, o)
		if err != nil {
			t.Fatal(err)
		}
		said, err := json.MarshalIndent(r.Answer.Root, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return anyID.ReplaceAllString(string(said), "")
	}
	own, _ := visitor(t)
	var want []string
	for _, html := range pages {
		want = append(want, read(own, html))
	}
	kept, _ := visitor(t)
	for round := range 2 {
		kept.Keep(context.Background(), o)
		for i, html := range pages {
			if got := read(kept, html); got != want[i] {
				t.Errorf("round %d: in a window that is kept\n%s\nin one of its own\n%s", round, got, want[i])
			}
		}
		done := whenTitled(t, kept, "Falls", func(s *cdp.Session) { s.Go(context.Background(), page.CommandCrash, nil) })
		_, err := kept.Visit(context.Background(), Place{HTML: []byte(`<title>Falls</title>`)}, usual(Acts{WaitFor: "#never"}))
		<-done
		if err != nil {
			t.Fatal(err)
		}
	}
	expectTabs(t, kept, 1)
}

// TestCrash has the page's renderer die while it is waited for.
func TestCrash(t *testing.T) {
	v, _ := visitor(t)
	done := whenTitled(t, v, "Falls", func(s *cdp.Session) {
		// It never answers: there is nobody left to.
		s.Go(context.Background(), page.CommandCrash, nil)
	})
	r, err := v.Visit(context.Background(), Place{HTML: []byte(`<title>Falls</title>`)}, usual(Acts{WaitFor: "#never"}))
	<-done
	if err != nil {
		t.Fatal(err)
	}
	if violations := elements.Validate(*r.Answer); len(violations) > 0 {
		t.Errorf("the answer is not valid: %v", violations)
	}
	said, _ := json.Marshal(r.Answer)
	if !strings.Contains(string(said), provider.ProblemCrashed) || len(r.Notes) != 1 {
		t.Errorf("got %s and the notes %v\nwant %s and a note", said, r.Notes, provider.ProblemCrashed)
	}
	expectNoTab(t, v)
}

// TestBrowserDies kills the browser in the middle of a visit.
func TestBrowserDies(t *testing.T) {
	v, b := visitor(t)
	var killed time.Time
	done := whenTitled(t, v, "Ends", func(*cdp.Session) {
		killed = time.Now()
		process, err := os.FindProcess(b.PID)
		if err == nil {
			err = process.Kill()
		}
		if err != nil {
			t.Errorf("killing the browser: %v", err)
		}
	})
	_, err := v.Visit(context.Background(), Place{HTML: []byte(`<title>Ends</title>`)}, usual(Acts{WaitFor: "#never"}))
	ended := time.Now()
	<-done
	expectCode(t, err, CodeBrowserGone)
	// At once, on however busy a machine: not when the time is over.
	if took := ended.Sub(killed); took > usual(Acts{}).Timeout/2 {
		t.Errorf("the error came %v after the end of the browser", took)
	}
}

func TestInterrupted(t *testing.T) {
	v, _ := visitor(t)
	ctx, cancel := context.WithCancel(context.Background())
	done := whenTitled(t, v, "Stops", func(*cdp.Session) { cancel() })
	_, err := v.Visit(ctx, Place{HTML: []byte(`<title>Stops</title>`)}, usual(Acts{Wait: 50 * time.Second}))
	<-done
	expectCode(t, err, CodeInterrupted)
	expectNoTab(t, v)

	_, err = v.Visit(ctx, Place{HTML: []byte(`<title>Stops</title>`)}, usual(Acts{}))
	expectCode(t, err, CodeInterrupted)
	expectNoTab(t, v)
}

func expectCode(t *testing.T, err error, want Code) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Code != want || e.Message == "" {
		t.Errorf("got the error %s, want the code %s", describe(err), want)
	}
}

func describe(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return fmt.Sprintf("%s: %s", e.Code, e.Message)
	}
	return fmt.Sprint(err)
}

// TestReached tells of visits that end without an answer how far they had come.
func TestReached(t *testing.T) {
	v, _ := visitor(t)
	tests := []struct {
		name  string
		acts  Acts
		place Place
		want  Reached
	}{
		{"no such server", Acts{Eval: "1"}, Place{Address: "http://nowhere.invalid/"}, ReachedPage},
		{"a wait alone", Acts{WaitFor: "#never", Eval: "1"}, Place{HTML: []byte("<p>words")}, ReachedPage},
		{"a script that throws", Acts{Eval: "throw 1"}, Place{HTML: []byte("<p>words")}, ReachedActs},
		{"nothing to hover", Acts{Hover: "#never"}, Place{HTML: []byte("<p>words")}, ReachedActs},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := usual(test.acts)
			if test.acts.WaitFor != "" {
				// This one ends by the time, whose length does not matter.
				o.Timeout = 5 * time.Second
			}
			_, err := v.Visit(context.Background(), test.place, o)
			var e *Error
			if !errors.As(err, &e) || e.Reached != test.want {
				t.Errorf("got %s, reached %v, want %v", describe(err), reachedOf(err), test.want)
			}
		})
	}
	v.Conn.Close()
	if _, err := v.Visit(context.Background(), Place{HTML: []byte("<p>words")}, usual(Acts{Eval: "1"})); reachedOf(err) != ReachedNothing {
		t.Errorf("without a browser: got %s, reached %v, want %v", describe(err), reachedOf(err), ReachedNothing)
	}
}

func reachedOf(err error) Reached {
	var e *Error
	if !errors.As(err, &e) {
		return -1
	}
	return e.Reached
}
