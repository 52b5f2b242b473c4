package testpages

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/provider"
)

// atOnce is how long it may take to tell that the browser has died.
const atOnce = 2 * time.Second

// TestBrowserDies kills a browser in the middle of a read: the read ends at once
// and says why, and nothing of the browser is left.
func TestBrowserDies(t *testing.T) {
	// What a browser leaves is found where it is put.
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	s, err := newSite(folder(files("page.html", `<!doctype html><script>addEventListener('load', () => { let h = ''; for (let i = 0; i < 8000; i++) h += '<p>p' + i; document.body.innerHTML = h })</script><body>`)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.close() })
	for i, after := range []time.Duration{100 * time.Millisecond, 0, 20 * time.Millisecond, 300 * time.Millisecond} {
		t.Run(after.String(), func(t *testing.T) {
			share(t, i)
			b, err := cdp.Launch(t.Context(), cdp.LaunchOptions{HostRules: loopbackOnly, Args: []string{"--proxy-server=" + s.proxy}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = b.Close() })
			ctx, cancel := context.WithTimeout(t.Context(), defaultTimeout)
			defer cancel()
			p := shareNew(ctx, t, b)
			if _, err := p.Elements(ctx, provider.Query{Scope: WholePage}); err != nil {
				t.Fatalf("reading before the browser dies: %v", err)
			}

			type outcome struct {
				err error
				at  time.Time
			}
			ended := make(chan outcome, 1)
			go func() {
				for {
					if _, err := p.Elements(ctx, provider.Query{Scope: WholePage}); err != nil {
						ended <- outcome{err, time.Now()}
						return
					}
				}
			}()
			// Each is another moment of a read, or of the time between two.
			time.Sleep(after)
			killed := time.Now()
			if err := kill(b.PID); err != nil {
				t.Fatal(err)
			}
			got := <-ended
			if took := got.at.Sub(killed); took > atOnce {
				t.Errorf("the read ended %v after the browser", took)
			}
			var failure *provider.Error
			if !errors.As(got.err, &failure) || failure.Code != provider.CodeBrowserGone || !errors.Is(got.err, cdp.ErrBrowserGone) {
				t.Errorf("the read ended with\n got: %v\nwant: code %s", got.err, provider.CodeBrowserGone)
			}
			if _, err := p.Elements(ctx, provider.Query{}); !errors.Is(err, cdp.ErrBrowserGone) {
				t.Errorf("the next read\n got: %v\nwant: %v", err, cdp.ErrBrowserGone)
			}
			p.Close()
			if err := b.Close(); err != nil {
				t.Errorf("closing what is left: %v", err)
			}
			if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
				t.Errorf("files are left: %q", left)
			}
			if left := processesOf(t, temp); len(left) > 0 {
				t.Errorf("processes are left: %q", left)
			}
		})
	}
}

// shareNew opens page.html in a new tab and shares it with a new provider.
func shareNew(ctx context.Context, t *testing.T, b *cdp.Browser) *provider.Provider {
	t.Helper()
	tab, err := cdproto.Call(ctx, b.Conn.Browser(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	p := provider.New(appName)
	t.Cleanup(p.Close)
	shared, err := p.Share(ctx, b.Conn, tab.TargetID)
	if err != nil {
		t.Fatal(err)
	}
	page := &Page{t: t, timeout: defaultTimeout, session: shared.Page.Session}
	if err := page.load("page.html"); err != nil {
		t.Fatal(err)
	}
	return p
}

func kill(pid int) error {
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return process.Kill()
}

// processesOf finds the processes whose command line names a folder.
func processesOf(t *testing.T, folder string) []string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Logf("processes are looked for on Linux only")
		return nil
	}
	var found []string
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range lines {
		line, err := os.ReadFile(file)
		if err == nil && bytes.Contains(line, []byte(folder)) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			found = append(found, strconv.Itoa(pid)+" "+string(bytes.ReplaceAll(line, []byte{0}, []byte(" "))))
		}
	}
	return found
}

// TestTabDies reads a tab whose renderer has died, and again when it was loaded anew.
func TestTabDies(t *testing.T) {
	t.Parallel()
	p := openHTML(t, `<p>Words<iframe src="http://other-site/inner.html"></iframe>`)
	before := p.Elements(WholePage)
	crash(p)
	for _, scope := range []cdp.Scope{Pointing, Visible, WholePage} {
		a := p.Elements(scope)
		checkOutline(t, a)
		if got := problem(a); got != "tab_crashed" {
			t.Errorf("in %s scope the problem of a dead tab\n got: %s\nwant: tab_crashed", scope, got)
		}
	}
	if err := p.load("page.html"); err != nil {
		t.Fatalf("loading the page again: %v", err)
	}
	a := p.Elements(WholePage)
	if problem(a) != "" || !says(a, "Words") {
		t.Errorf("after it was loaded again:\n%s", Format(a.Root))
	}
	if tabOf(a).ID != tabOf(before).ID {
		t.Errorf("the tab has another id than before it died")
	}
}

// deadPatience is well below what a read gives a frame that may still answer.
const deadPatience = 5 * time.Second

// TestFrameDies reads a page of which one frame's renderer has died.
func TestFrameDies(t *testing.T) {
	t.Parallel()
	files := files("page.html", `<p>Words<iframe title=Dead src="http://other-site/inner.html"></iframe><iframe srcdoc="<p>Alive"></iframe><p>More`, "inner.html", "<p>Inside")
	p := Open(t, "page.html", Files(files))
	if a := p.Elements(WholePage); !says(a, "Inside") {
		t.Fatalf("the frame is not read:\n%s", Format(a.Root))
	}
	attached, cancel := p.session.Subscribe(target.AttachedToTarget.Method)
	defer cancel()
	flat := true
	_, err := cdproto.Call(t.Context(), p.session, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, Flatten: &flat})
	if err != nil {
		t.Fatal(err)
	}
	var frame target.EventAttachedToTarget
	if err := jsonv2.Unmarshal(<-attached, &frame); err != nil {
		t.Fatal(err)
	}
	p.session.Conn().Session(frame.SessionID).Go(t.Context(), "Page.crash", nil)
	for {
		begun := time.Now()
		a := p.Elements(WholePage)
		took := time.Since(begun)
		checkOutline(t, a)
		for _, words := range []string{"Words", "More", "Alive"} {
			if !says(a, words) {
				t.Fatalf("the page around a dead frame does not say %s:\n%s", words, Format(a.Root))
			}
		}
		if says(a, "Inside") {
			continue
		}
		if took > deadPatience {
			t.Errorf("a read took %v, for a frame that is known to be dead", took)
		}
		return
	}
}
