package provider

import (
	"testing"
	"time"
)

// never is how often a page is looked at by itself where only its events count.
const never = time.Hour

// noticedPage has something for each kind of change.
const noticedPage = `<!doctype html><title>Before</title><p id=p>Some words</p><button id=b disabled>Send</button>
<input id=n aria-label=Name value=Ada><input id=k type=checkbox aria-label=Gift><details id=d><summary>More</summary>in</details>
<div id=host></div><iframe id=f srcdoc="<button>Inside</button>"></iframe>`

// TestVerifyNotices has predicates that become true, and nothing but the page's events
// to tell that they did.
func TestVerifyNotices(t *testing.T) {
	b := launched(t)
	address := served(t, noticedPage)
	for what, c := range map[string]struct{ change, expect string }{
		"text":             {`p.textContent = "Other words"`, `{"element":{"selector":{"role":"text","label_contains":"Other words"},"exists":true}}`},
		"attribute":        {`b.disabled = false`, `{"element":{"selector":{"role":"button","label_contains":"Send"},"enabled":true}}`},
		"value":            {`n.value = "Bob"`, `{"element":{"selector":{"label_contains":"Name"},"value_equals":"Bob"}}`},
		"checked":          {`k.checked = true`, `{"element":{"selector":{"label_contains":"Gift"},"checked":true}}`},
		"focus":            {`n.focus()`, `{"element":{"selector":{"role":"textbox","label_contains":"Name"},"focused":true}}`},
		"selection":        {`getSelection().selectAllChildren(p)`, `{"text_selection":{"equals":"Some words"}}`},
		"expanded":         {`d.open = true`, `{"element":{"selector":{"label_contains":"More"},"expanded":true}}`},
		"addition":         {`document.body.append(Object.assign(document.createElement("button"), {textContent: "New"}))`, `{"element":{"selector":{"label_contains":"New"},"exists":true}}`},
		"removal":          {`b.remove()`, `{"element":{"selector":{"label_contains":"Send"},"exists":false}}`},
		"in a shadow root": {`host.attachShadow({mode: "open"}).innerHTML = "<button>Shade</button>"; host.title = "x"`, `{"element":{"selector":{"label_contains":"Shade"},"exists":true}}`},
		"in a frame":       {`f.contentDocument.querySelector("button").textContent = "Changed"`, `{"element":{"selector":{"label_contains":"Changed"},"exists":true}}`},
		"title":            {`document.title = "After"`, `{"window":{"title_contains":"After"}}`},
		"navigation":       {`location.href = "/next"`, `{"window":{"url_contains":"/next","load_state":"complete"}}`},
		"its words":        {`location.href = "/next"`, `{"element":{"selector":{"role":"text","label_contains":"/next"},"exists":true}}`},
		"within a document": {`history.pushState(null, "", "/within")`,
			`{"window":{"url_contains":"/within"}}`},
	} {
		t.Run(what, func(t *testing.T) {
			d := opened(t, b, address)
			d.do(t, `setTimeout(() => { `+c.change+`; }, 800); 0`)
			v := d.verify(t, "["+c.expect+"]", VerifyQuery{Stable: 1, Sent: true, Timeout: 10 * time.Second, every: never})
			if v.Status != Satisfied {
				t.Errorf("%s: got %s after %d samples, %+v; want it noticed", c.change, v.Status, v.Samples, v.Predicates)
			}
			t.Logf("%d samples, %d ms", v.Samples, v.ElapsedMS)
		})
	}
}
