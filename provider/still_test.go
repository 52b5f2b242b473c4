package provider

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// TestVerifyStill has a page read as often as it changes, and not as often as it is
// looked at.
func TestVerifyStill(t *testing.T) {
	b := launched(t)
	const there = `[{"element":{"selector":{"role":"button","label_contains":"Send"},"exists":true}}]`
	t.Run("nothing changes", func(t *testing.T) {
		d := opened(t, b, served(t, verifyPage))
		v := d.verify(t, there, VerifyQuery{Stable: 5, Sent: true, Timeout: 10 * time.Second, life: never})
		// A page that is kept from running is read again.
		if v.Status != Satisfied || v.Samples < 5 || v.reads >= v.Samples {
			t.Errorf("got %s after %d samples, for which the page was read %d times; want it read less often", v.Status, v.Samples, v.reads)
		}
		t.Logf("%d samples, %d of them read", v.Samples, v.reads)
	})
	t.Run("something else changes", func(t *testing.T) {
		d := opened(t, b, served(t, verifyPage))
		d.do(t, `setInterval(() => { p.firstChild.data = String(Math.random()) }, 50); 0`)
		if v := d.verify(t, there, VerifyQuery{Stable: 3, Sent: true, Timeout: 10 * time.Second}); v.Status != Satisfied || v.reads < 3 {
			t.Errorf("got %s after %d samples, %d of them read; want it satisfied, and read each time", v.Status, v.Samples, v.reads)
		}
	})
	// What only a custom element's internals have leaves no trace: it is seen once the
	// reading is too old.
	t.Run("a change without a trace", func(t *testing.T) {
		d := opened(t, b, served(t, `<!doctype html><title>T</title><x-tick tabindex=0 aria-label=Gift></x-tick><script>
			customElements.define("x-tick", class extends HTMLElement { constructor() { super(); this.i = this.attachInternals(); this.i.role = "checkbox"; this.i.ariaChecked = "false" } })</script>`))
		d.do(t, `setTimeout(() => { document.querySelector("x-tick").i.ariaChecked = "true" }, 600); 0`)
		v := d.verify(t, `[{"element":{"selector":{"label_contains":"Gift"},"checked":true}}]`, VerifyQuery{Stable: 1, Sent: true, Timeout: 10 * readingLife})
		if v.Status != Satisfied {
			t.Errorf("got %s after %d samples, %d of them read, %+v; want it satisfied", v.Status, v.Samples, v.reads, v.Predicates)
		}
	})
}

// TestVerifyTogether has several wait for a page at once: what flickers is stable for
// none of them, and what holds is for all.
func TestVerifyTogether(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, verifyPage))
	d.do(t, `const b = document.getElementById("b"); setInterval(() => { b.textContent = b.textContent === "Sent" ? "Send" : "Sent"; }, 50); 0`)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			label, want, limit := "Sent", Unknown, 3*time.Second
			if i%2 == 1 {
				label, want, limit = "Later", Satisfied, 10*time.Second
			}
			expect := fmt.Sprintf(`[{"element":{"selector":{"role":"button","label_contains":%q},"exists":true}}]`, label)
			v, err := d.p.Verify(t.Context(), VerifyQuery{WindowAddress: d.at, Expect: expectation(t, expect), Stable: 2, Timeout: limit})
			if err != nil || (v.Status == Satisfied) != (want == Satisfied) {
				t.Errorf("%s: got %+v, %v; want it %s", label, v, err, want)
			}
		})
	}
	all.Wait()
}
