package cdp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/google/go-cmp/cmp"
)

// TestViewOfRows holds what a reading of rows says its page was seen through to what the
// page says that is asked for that alone, each time after something has changed it.
func TestViewOfRows(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<!DOCTYPE html><meta name=viewport content="width=device-width"><h1>Long</h1><p style="height:3000px;width:4000px">`))
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), server.URL)
	call := func(method string, params map[string]any) func() error {
		return func() error { return p.Session.Call(ctx, method, params, nil) }
	}
	script := func(s string) func() error { return func() error { inPage(t, ctx, p.Session, s); return nil } }
	changes := []struct {
		name  string
		make  func() error
		isNow func(*Viewport) bool
	}{
		{"as it came", script(`0`), func(v *Viewport) bool { return v.Zoom == 1 && v.Scale == 1 && v.ScrollY == 0 }},
		{"scrolled", script(`scrollTo(30, 700)`), func(v *Viewport) bool { return v.ScrollX == 30 && v.ScrollY == 700 }},
		{"a denser screen", call(emulation.CommandSetDeviceMetricsOverride, map[string]any{"width": 700, "height": 500, "deviceScaleFactor": 2, "mobile": false}),
			func(v *Viewport) bool { return v.Width == 700 && v.Ratio == 2 }},
		{"pinched", call(emulation.CommandSetPageScaleFactor, map[string]any{"pageScaleFactor": 2}), func(v *Viewport) bool { return v.Scale == 2 }},
		{"as before", call(emulation.CommandClearDeviceMetricsOverride, nil), func(v *Viewport) bool { return v.Ratio == 1 }},
	}
	for _, c := range changes {
		if err := c.make(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		r, err := p.Read(ctx, ReadOptions{Scope: ScopeRows, View: true})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		want, err := p.View(ctx)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if d := cmp.Diff(r.View, want); d != "" || !c.isNow(want) {
			t.Errorf("%s: the reading says - and the page +\n%s%+v", c.name, d, want)
		}
	}
	r, err := p.Read(ctx, ReadOptions{Scope: ScopeRows})
	if err != nil || r.View != nil {
		t.Errorf("got %+v, %v of a reading that was not asked for that", r.View, err)
	}
}
