package provider

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/webarea/webarea/driver"
)

// served serves one page of HTML.
func served(t *testing.T, html string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path != "/" {
			_, _ = w.Write([]byte("<!doctype html><title>Other</title><p>" + r.URL.Path))
			return
		}
		_, _ = w.Write([]byte(html))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

func (d *desktop) do(t *testing.T, script string) {
	t.Helper()
	if err := driver.Eval(t.Context(), d.tab.Session, script); err != nil {
		t.Fatal(err)
	}
}

func expectation(t *testing.T, text string) []Predicate {
	t.Helper()
	var list []Predicate
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return list
}

func (d *desktop) verify(t *testing.T, expect string, q VerifyQuery) *Verdict {
	t.Helper()
	q.WindowAddress, q.Expect = d.at, expectation(t, expect)
	v, err := d.p.Verify(t.Context(), q)
	if err != nil {
		t.Fatalf("%s: %v", expect, err)
	}
	return v
}

const verifyPage = `<!doctype html><title>Order form</title>
<label>Name <input id=name value="Ada"></label><input type=password aria-label=Key value=hunter22>
<input type=checkbox id=c aria-label=Gift checked><button id=b>Send</button><button disabled>Later</button><button aria-pressed=false>Bold</button>
<select aria-label=Size><option>Small<option selected>Large</select><details><summary>More</summary>in</details>
<a href=/x>Help</a><a href=/y>Help</a><p id=p>Some words here</p><div style="height:3000px"></div><button>Below</button>`

func TestVerify(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, verifyPage))
	d.do(t, `getSelection().selectAllChildren(p); document.getElementById("name").focus(); getSelection().selectAllChildren(p)`)
	for expect, want := range map[string]string{
		`{"element":{"selector":{"role":"button","label_contains":"SEND"}, "exists":true}}`:         "satisfied",
		`{"element":{"selector":{"role":"button","label_contains":"send"}, "exists":false}}`:        "unsatisfied",
		`{"element":{"selector":{"label_contains":"nowhere"}, "exists":true}}`:                      "unsatisfied",
		`{"element":{"selector":{"label_contains":"nowhere"}, "exists":false}}`:                     "satisfied",
		`{"element":{"selector":{"role":"link"}, "count":2}}`:                                       "satisfied",
		`{"element":{"selector":{"role":"link"}, "count":1}}`:                                       "unsatisfied",
		`{"element":{"selector":{"role":"link"}, "enabled":true}}`:                                  "unknown multi_match",
		`{"element":{"selector":{"label_contains":"Name","role":"textbox"}, "value_equals":"Ada"}}`: "satisfied",
		`{"element":{"selector":{"label_contains":"Name","role":"textbox"}, "value_equals":"Bob"}}`: "unsatisfied",
		`{"element":{"selector":{"label_contains":"Name"}, "value_equals":"Ada"}}`:                  "satisfied",
		`{"element":{"selector":{"label_contains":"some words"}, "exists":false}}`:                  "unsatisfied",
		`{"element":{"selector":{"label_contains":"Key"}, "value_equals":"hunter22"}}`:              "unknown unsupported_predicate",
		`{"element":{"selector":{"label_contains":"Send"}, "value_equals":"x"}}`:                    "unknown unsupported_predicate",
		`{"element":{"selector":{"label_contains":"Gift"}, "checked":true}}`:                        "satisfied",
		`{"element":{"selector":{"label_contains":"Gift"}, "checked":"mixed"}}`:                     "unsatisfied",
		`{"element":{"selector":{"label_contains":"Send"}, "checked":true}}`:                        "unknown unsupported_predicate",
		`{"element":{"selector":{"label_contains":"Later"}, "enabled":false}}`:                      "satisfied",
		`{"element":{"selector":{"label_contains":"Later"}, "enabled":true}}`:                       "unsatisfied",
		`{"element":{"selector":{"label_contains":"Bold"}, "pressed":false}}`:                       "satisfied",
		`{"element":{"selector":{"label_contains":"Bold"}, "pressed":true}}`:                        "unsatisfied",
		`{"element":{"selector":{"label_contains":"Gift"}, "pressed":true}}`:                        "unknown unsupported_predicate",
		`{"element":{"selector":{"label_contains":"Large"}, "selected":true}}`:                      "satisfied",
		`{"element":{"selector":{"label_contains":"Small"}, "selected":true}}`:                      "unsatisfied",
		`{"element":{"selector":{"label_contains":"Gift"}, "selected":true}}`:                       "unknown unsupported_predicate",
		`{"element":{"selector":{"label_contains":"More"}, "expanded":false}}`:                      "satisfied",
		`{"element":{"selector":{"label_contains":"More"}, "expanded":true}}`:                       "unsatisfied",
		`{"element":{"selector":{"label_contains":"Gift"}, "expanded":true}}`:                       "unknown unsupported_predicate",
		`{"element":{"selector":{"label_contains":"Send"}, "focused":false}}`:                       "satisfied",
		`{"element":{"selector":{"label_contains":"Below"}, "visible":false}}`:                      "satisfied",
		`{"element":{"selector":{"label_contains":"Send"}, "visible":true}}`:                        "satisfied",
		`{"element":{"selector":{"role":"document"}, "text_contains":"some WORDS"}}`:                "satisfied",
		`{"element":{"selector":{"role":"document"}, "text_contains":"other words"}}`:               "unsatisfied",
		`{"element":{"selector":{"element_id":"zzzz9"}, "exists":true}}`:                            "unknown observation_unavailable",
		`{"element":{"selector":{"element_token":"s00000000:0"}, "exists":true}}`:                   "unknown observation_unavailable",
		`{"element":{"selector":{}, "exists":true}}`:                                                "unknown invalid_predicate",
		`{}`: "unknown invalid_predicate",
		`{"window":{"exists":true},"element":{"selector":{"role":"link"},"count":2}}`: "unknown invalid_predicate",
		`{"window":{"exists":true}}`:            "satisfied",
		`{"window":{"exists":false}}`:           "unsatisfied",
		`{"window":{"title_contains":"ORDER"}}`: "satisfied",
		`{"window":{"title_contains":"else"}}`:  "unsatisfied",
		`{"window":{"load_state":"complete","url_contains":"127.0.0.1","tab_active":true}}`: "satisfied",
		`{"window":{"load_state":"loading"}}`:                                               "unsatisfied",
		`{"window":{"url_equals":"http://elsewhere.example/"}}`:                             "unsatisfied",
		`{"window":{"bounds":{"x":10,"y":10,"width":1280,"height":887}}}`:                   "satisfied",
		`{"window":{"bounds":{"x":10,"y":10,"width":1290,"height":887}}}`:                   "unsatisfied",
		`{"window":{"bounds":{"x":10,"y":10,"width":1290,"height":887,"tolerance_px":10}}}`: "satisfied",
		`{"text_selection":{"equals":"Some words here"}}`:                                   "satisfied",
		`{"text_selection":{"contains":"WORDS"}}`:                                           "satisfied",
		`{"text_selection":{"contains":"nothing of it"}}`:                                   "unsatisfied",
		`{"text_selection":{}}`:                                                             "unknown invalid_predicate",
	} {
		v := d.verify(t, "["+expect+"]", VerifyQuery{Stable: 2})
		got := v.Status
		if v.Predicates[0].Reason != "" {
			got += " " + v.Predicates[0].Reason
		}
		if got != want {
			t.Errorf("%s: got %s, want %s; observed %v", expect, got, want, v.Predicates[0].Observed)
		}
		if _, err := json.Marshal(v); err != nil {
			t.Error(err)
		}
	}

	before := d.state(t, StateQuery{Tree: true})
	var field *StateElement
	for i := range before.Elements {
		if before.Elements[i].Label == "Name" {
			field = &before.Elements[i]
		}
	}
	for _, named := range []string{
		fmt.Sprintf(`[{"element":{"selector":{"element_token":%q},"value_equals":"Ada"}}]`, field.Token),
		fmt.Sprintf(`[{"element":{"selector":{"element_id":%q},"value_equals":"Ada"}}]`, field.ElementID),
	} {
		if v := d.verify(t, named, VerifyQuery{Stable: 1}); v.Status != Satisfied {
			t.Errorf("%s: got %+v", named, v)
		}
	}
	if after := d.state(t, StateQuery{Tree: true}); fmt.Sprint(after.Invalidated) != "["+before.SnapshotID+"]" {
		t.Errorf("verifying published a snapshot: got %v invalidated, want %s", after.Invalidated, before.SnapshotID)
	}
}

func TestVerifyWaits(t *testing.T) {
	b := launched(t)
	address := served(t, verifyPage)
	const send = `[{"element":{"selector":{"role":"button","label_contains":"Sent"},"exists":true}}]`

	t.Run("an event", func(t *testing.T) {
		d := opened(t, b, address)
		d.do(t, `setTimeout(() => { b.textContent = "Sent"; }, 700); 0`)
		v := d.verify(t, send, VerifyQuery{Stable: 2, Timeout: 10 * time.Second})
		if v.Status != Satisfied || !v.Stable || v.Samples < 3 {
			t.Errorf("got %+v, want satisfied and stable after some samples", v)
		}
	})
	t.Run("samples", func(t *testing.T) {
		d := opened(t, b, address)
		const there = `[{"element":{"selector":{"role":"button","label_contains":"Send"},"exists":true}}]`
		if v := d.verify(t, there, VerifyQuery{Stable: 3, Sent: true}); v.Status != Unknown || v.Predicates[0].Reason != UnknownUnstable || v.Samples != 1 {
			t.Errorf("one sample where three were asked for: got %+v", v)
		}
		if v := d.verify(t, there, VerifyQuery{Stable: 2}); v.Status != Satisfied || !v.Stable || v.Samples != 1 {
			t.Errorf("one sample: got %+v", v)
		}
		if v := d.verify(t, there, VerifyQuery{Stable: 5, Sent: true, Timeout: 10 * time.Second}); v.Status != Satisfied || v.Samples < 5 {
			t.Errorf("five samples: got %+v", v)
		}
	})
	for what, flip := range map[string]string{
		"text":     `const b = document.getElementById("b"); b.textContent = b.textContent === "Sent" ? "Send" : "Sent"`,
		"absence":  `const b = document.getElementById("b"); b.textContent = b.textContent === "Sent" ? "Send" : "Sent"`,
		"presence": `s.isConnected ? s.remove() : document.body.prepend(s)`,
		"value":    `const n = document.getElementById("name"); n.value = n.value === "Ada" ? "Bob" : "Ada"`,
	} {
		t.Run("a flickering "+what, func(t *testing.T) {
			expect := send
			if what == "absence" || what == "presence" {
				expect = `[{"element":{"selector":{"role":"button","label_contains":"Sent"},"exists":false}}]`
			}
			if what == "value" {
				expect = `[{"element":{"selector":{"role":"textbox","label_contains":"Name"},"value_equals":"Ada"}}]`
			}
			// A page of which the machine does not run for longer than samples are apart does
			// stay the same.
			for longest := math.Inf(1); longest >= float64(wake.Milliseconds()); {
				d := opened(t, b, address)
				d.do(t, `s = Object.assign(document.createElement("button"), {textContent: "Sent"}); longest = 0; last = performance.now();
					(function flip() { { `+flip+` } const now = performance.now(); longest = Math.max(longest, now - last); last = now; setTimeout(flip, 50) })()`)
				v := d.verify(t, expect, VerifyQuery{Stable: 2, Timeout: 3 * time.Second})
				if !v.Stable && v.Status != Satisfied {
					return
				}
				if err := driver.Value(t.Context(), d.tab.Session, "Math.max(longest, performance.now() - last)", &longest); err != nil {
					t.Fatal(err)
				}
				if longest < float64(wake.Milliseconds()) {
					t.Errorf("got %+v, want never stable: the page changed every %.0f ms at the latest", v, longest)
				}
			}
		})
	}
	t.Run("a navigation", func(t *testing.T) {
		d := opened(t, b, address)
		d.do(t, `setTimeout(() => { location.href = "/next"; }, 300); 0`)
		if v := d.verify(t, `[{"window":{"title_contains":"Other","load_state":"complete"}},{"element":{"selector":{"label_contains":"Send"},"exists":false}}]`,
			VerifyQuery{Stable: 2, Timeout: 10 * time.Second}); v.Status != Satisfied {
			t.Errorf("got %+v, want satisfied", v)
		}
	})
	t.Run("a dialog", func(t *testing.T) {
		d := opened(t, b, address)
		d.state(t, StateQuery{Tree: true})
		d.do(t, `setTimeout(() => alert("Stop"), 200); 0`)
		v := d.verify(t, send, VerifyQuery{Stable: 2, Timeout: 1500 * time.Millisecond})
		if v.Status != Unknown || v.Predicates[0].Reason != UnknownUnobserved {
			t.Errorf("got %+v, want unknown", v)
		}
		s := d.state(t, StateQuery{Tree: true, Picture: true, Timeout: time.Second})
		if s.Detail != ProblemDialog || s.Dialog == nil || s.Dialog.Text != "Stop" || len(s.Elements) != 0 || s.SnapshotID != "" || s.Viewport == nil {
			t.Errorf("got %+v, want the dialog and no tree", s)
		}
		_ = d.tab.Session.Call(t.Context(), "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil)
	})
	t.Run("a tab that closes", func(t *testing.T) {
		d := opened(t, b, address)
		closing := time.AfterFunc(300*time.Millisecond, func() { _ = d.tab.Close(t.Context()) })
		defer closing.Stop()
		v := d.verify(t, send, VerifyQuery{Stable: 2, Timeout: 5 * time.Second})
		if v.Status != Unknown || v.Predicates[0].Reason != UnknownMissing {
			t.Errorf("got %+v, want target_missing", v)
		}
		if v := d.verify(t, `[{"window":{"exists":false}}]`, VerifyQuery{Stable: 1}); v.Status != Satisfied {
			t.Errorf("a window that has gone: got %+v", v)
		}
	})
	t.Run("a frame out of reach", func(t *testing.T) {
		d := opened(t, b, served(t, `<!doctype html><title>F</title><button>A</button><iframe id=f srcdoc="<button>In</button>"></iframe>`))
		const absent = `[{"element":{"selector":{"label_contains":"nowhere"},"exists":false}}]`
		if v := d.verify(t, absent, VerifyQuery{Stable: 1}); v.Status != Satisfied {
			t.Errorf("every frame read: got %+v", v)
		}
	})
}
