package cdp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// countTimers has our world count what it asks to be called back for later.
const countTimers = `(() => {
	globalThis.later = {};
	for (const name of ["setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback"]) {
		const real = globalThis[name];
		globalThis[name] = (...args) => { later[name] = (later[name] || 0) + 1; return real.apply(globalThis, args); };
	}
	const clear = globalThis.clearInterval;
	globalThis.clearInterval = (id) => { later.setInterval--; clear(id); };
})()`

// inWorld evaluates an expression in our world of a page.
func inWorld(t *testing.T, ctx context.Context, p *Page, expression string, result any) {
	t.Helper()
	inWorldNamed(t, ctx, p, worldName, expression, result)
}

func inWorldNamed(t *testing.T, ctx context.Context, p *Page, name, expression string, result any) {
	t.Helper()
	var tree page.GetFrameTreeResult
	if err := p.Session.Call(ctx, page.CommandGetFrameTree, nil, &tree); err != nil {
		t.Fatal(err)
	}
	var made struct {
		ID runtime.ExecutionContextID `json:"executionContextId"`
	}
	if err := p.Session.Call(ctx, page.CommandCreateIsolatedWorld, map[string]any{"frameId": tree.FrameTree.Frame.ID, "worldName": name}, &made); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Result struct {
			Value jsonv2.Value `json:"value"`
		} `json:"result"`
		Exception any `json:"exceptionDetails"`
	}
	if err := p.Session.Call(ctx, runtime.CommandEvaluate, map[string]any{"expression": expression, "contextId": made.ID, "returnByValue": true, "awaitPromise": true}, &got); err != nil {
		t.Fatal(err)
	}
	if got.Exception != nil {
		t.Fatalf("evaluating %s in our world: %v", expression, got.Exception)
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(got.Result.Value, result); err != nil {
		t.Fatalf("evaluating %s in our world gave %s: %v", expression, got.Result.Value, err)
	}
}

// TestQuietInPages holds what our script does in a page that nobody asks about: nothing
// where nothing changes, and little where something always does.
func TestQuietInPages(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><title>Quiet</title><input id=field value=words><p id=par>Words</p><ul id=list><li>One</ul><div><template shadowrootmode=open><p>In</template></div>`)
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 6*patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), server.URL+"/")
	read := func() {
		t.Helper()
		for _, scope := range []Scope{ScopePointing, ScopePage, ScopeRows} {
			if _, err := p.Read(ctx, ReadOptions{Scope: scope}); err != nil {
				t.Fatal(err)
			}
		}
	}
	timers := func() (later map[string]int, seconds float64) {
		t.Helper()
		var got struct {
			Later map[string]int
			Since float64
		}
		inWorld(t, ctx, p, "({later, since: performance.now() / 1000 - begun})", &got)
		return got.Later, got.Since
	}
	read()
	inWorld(t, ctx, p, countTimers, nil)
	begin := func() {
		t.Helper()
		inWorld(t, ctx, p, "later = {}; globalThis.begun = performance.now() / 1000; 0", nil)
	}

	begin()
	read()
	inPage(t, ctx, p.Session, `await new Promise((done) => setTimeout(done, 3000))`)
	if later, seconds := timers(); len(later) > 1 || float64(later["setTimeout"]) > 1+seconds/30 {
		t.Errorf("in a page in which nothing changes our script asked to be called back %v in %.0f s, want each half minute at most", later, seconds)
	}

	// Who waits for a page to stay as it is has its fields looked at meanwhile.
	begin()
	if _, err := p.Read(ctx, ReadOptions{Scope: ScopeRows, Stirs: true}); err != nil {
		t.Fatal(err)
	}
	if later, _ := timers(); later["setInterval"] != 1 {
		t.Errorf("while a page is waited for our script has asked to be called back %v, want one interval", later)
	}
	p.EndStirs(ctx)
	if !eventually(func() bool { later, _ := timers(); return later["setInterval"] == 0 }) {
		t.Error("the fields are looked at still when nobody waits for the page any more")
	}

	read()
	begin()
	inPage(t, ctx, p.Session, `await new Promise((done) => {
		let n = 0
		const tick = () => { list.append(document.createElement("li")); list.firstChild.remove(); par.textContent = n; field.title = n; n++ < 300 ? requestAnimationFrame(tick) : done() }
		tick()
	})`)
	later, seconds := timers()
	if later["setTimeout"] == 0 {
		t.Errorf("in a page that changed for %.1f s our script did not look at all", seconds)
	}
	if looks := later["setTimeout"]; float64(looks) > seconds+2 || later["requestIdleCallback"] > looks || later["setInterval"]+later["requestAnimationFrame"] > 0 {
		t.Errorf("in a page that changed 300 times in %.1f s our script asked to be called back %v, want a look a second at most", seconds, later)
	}
}

// TestMarksAreLetGo has the time come at which a page that nobody reads is watched no
// longer: what changes from then on is in the next reading all the same.
func TestMarksAreLetGo(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><title>Marks</title><ul role=listbox aria-label=List><li role=option id=one>One<li role=option id=two>Two</ul><div id=box></div>`)
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 6*patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), server.URL+"/")
	// The clock of this world is ours: what it asks to be called back for is kept, and that
	// its observers end is counted.
	const clocked = "clocked"
	inWorldNamed(t, ctx, p, clocked, `(() => {
		globalThis.callbacks = []; globalThis.ahead = 0; globalThis.ended = 0
		globalThis.setTimeout = (f) => { callbacks.push(f); return 0 }
		const now = performance.now.bind(performance)
		performance.now = () => now() + ahead
		const end = MutationObserver.prototype.disconnect
		MutationObserver.prototype.disconnect = function () { ended++; end.call(this) }
	})()`, nil)
	kept := scriptPage(t, p.Session, clocked)
	same := func(when string) {
		t.Helper()
		for _, scope := range []Scope{ScopePointing, ScopePage} {
			want, err := scriptPage(t, p.Session, fmt.Sprint(when, scope)).Read(ctx, ReadOptions{Scope: scope})
			if err != nil {
				t.Fatal(err)
			}
			got, err := kept.Read(ctx, ReadOptions{Scope: scope})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := sayings(t, got.Documents[0]), sayings(t, want.Documents[0]); got != want {
				t.Errorf("%s, %s scope: got\n%s\nwant\n%s", when, scope, got, want)
			}
		}
	}
	fire := func(ahead int) (again, ended int) {
		t.Helper()
		var got [2]int
		inWorldNamed(t, ctx, p, clocked, fmt.Sprintf(`(() => { ahead += %d; ended = 0; const all = callbacks; callbacks = []; for (const f of all) f(); return [callbacks.length, ended] })()`, ahead), &got)
		return got[0], got[1]
	}
	same("at first")
	if again, ended := fire(20_000); again != 1 || ended != 0 {
		t.Errorf("20 s after the last reading %d observers ended and %d callbacks are asked for, want the page watched still", ended, again)
	}
	if again, ended := fire(20_000); again != 0 || ended != 1 {
		t.Errorf("40 s after the last reading %d observers ended and %d callbacks are asked for, want the page watched no longer", ended, again)
	}
	inPage(t, ctx, p.Session, `one.setAttribute("aria-selected", "true"); box.innerHTML = "<input aria-label=Field value=words>"`)
	same("changed while nobody watched")
	inPage(t, ctx, p.Session, `one.removeAttribute("aria-selected"); two.setAttribute("aria-selected", "true"); box.firstChild.type = "password"`)
	same("changed while it is watched again")
}

// TestSecretsOfRootsThatCame has a root come with a password field after a page was
// read, and the field be one for text again before it is read the next time, without
// anybody touching it.
func TestSecretsOfRootsThatCame(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><title>Roots</title><div id=box></div>`)
	}))
	t.Cleanup(server.Close)
	b := launchForPages(t)
	for name, c := range map[string]struct{ before, root string }{
		"in a small page": {``, `box`},
		"in a large page": {`box.innerHTML = "<p><b>1</b><i>2</i></p>".repeat(5000) + "<div id=at></div>"`, `at`},
		"in a root":       {`box.attachShadow({mode: "open"}).innerHTML = "<div></div>"`, `box.shadowRoot.firstChild`},
		"restless":        {`setInterval(() => { document.body.append(document.createElement("p")); document.querySelector("p").remove() })`, `box`},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 6*patience)
			defer cancel()
			p := openForTest(t, ctx, b, server.URL+"/")
			inPage(t, ctx, p.Session, c.before)
			// How long it takes until the page is looked at depends on how busy the machine is:
			// it is given ever more time.
			for wait := 2000; ; wait *= 2 {
				if _, err := p.Read(ctx, ReadOptions{Scope: ScopePointing}); err != nil {
					t.Fatal(err)
				}
				inPage(t, ctx, p.Session, fmt.Sprintf(`const host = document.createElement("div"), root = host.attachShadow({mode: "open"})
					root.innerHTML = "<input type=password value=quartzwren aria-label=Field>"
					%s.append(host)
					await new Promise((done) => setTimeout(done, %d))
					root.firstChild.type = "text"`, c.root, wait))
				r, err := p.Read(ctx, ReadOptions{Scope: ScopePage})
				if err != nil {
					t.Fatal(err)
				}
				if len(r.Documents[0].Facts.Secrets) > 0 {
					break
				}
				if wait > 20_000 {
					t.Fatalf("after %d ms the field is not known to have held a password", wait)
				}
				inPage(t, ctx, p.Session, c.root+".lastChild.remove()")
			}
		})
	}
}

// TestObserversAreCalledSeldom has a page change at every frame what our observers watch,
// after it was read and before: of all the changes between two readings an observer is told
// once, or of the first hundreds where it follows them, and of roots that may have come as
// often again at each look. What no reading depends on nobody is told of.
func TestObserversAreCalledSeldom(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!DOCTYPE html><title>Busy</title><table id=table><tr><td>One<td>Two</table>`)
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 6*patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), server.URL+"/")
	const counted = "counted"
	inWorldNamed(t, ctx, p, counted, `(() => {
		globalThis.told = []
		globalThis.MutationObserver = class extends MutationObserver {
			constructor(f) { const i = told.push(0) - 1; super((...args) => { told[i]++; f(...args) }) }
		}
	})()`, nil)
	page := scriptPage(t, p.Session, counted)
	for _, c := range []struct {
		name, change string
		most         func(looks int) int // of calls, by how often the page may have been looked at meanwhile
	}{
		{"attributes that mean nothing", `table.rows[0].cells[0].setAttribute("data-n", n)`, func(int) int { return 0 }},
		{"text", `table.rows[0].cells[0].firstChild.data = n`, func(int) int { return 0 }},
		{"attributes that mean something", `table.setAttribute("role", n % 2 ? "table" : "grid")`, func(int) int { return 1 }},
		{"rows", `for (let i = 0; i < 60; i++) { table.insertRow().insertCell().textContent = n; table.deleteRow(1) }`, func(looks int) int { return 2*looks + 4 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := page.Read(ctx, ReadOptions{Scope: ScopePage}); err != nil {
				t.Fatal(err)
			}
			inWorldNamed(t, ctx, p, counted, "told.fill(0); globalThis.begun = performance.now(); 0", nil)
			inPage(t, ctx, p.Session, `await new Promise((done) => {
				let n = 0
				const tick = () => { `+c.change+`; n++ < 200 ? requestAnimationFrame(tick) : done() }
				tick()
			})`)
			var got struct {
				Told []int
				Ms   float64
			}
			inWorldNamed(t, ctx, p, counted, "({told, ms: performance.now() - begun})", &got)
			sum := 0
			for _, n := range got.Told {
				sum += n
			}
			if most := c.most(1 + int(got.Ms/1000)); len(got.Told) == 0 || sum > most {
				t.Errorf("of 200 changes our observers %v were told %d times in %.0f ms, want %d at most", got.Told, sum, got.Ms, most)
			}
		})
	}
}
