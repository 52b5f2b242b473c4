package driver

import (
	"fmt"
	"testing"
)

func TestOpen(t *testing.T) {
	tests := []struct {
		opts   Options
		script string
		want   string
	}{
		{Options{Width: 1280, Height: 800, Window: true}, "[innerWidth, innerHeight, devicePixelRatio, document.visibilityState]", "[1280 800 1 visible]"},
		{Options{Width: 400, Height: 300, Window: true}, "[innerWidth, innerHeight]", "[400 300]"},
		{Options{Width: 2500, Height: 2000, Window: true}, "[innerWidth, innerHeight]", "[2500 2000]"},
		{Options{Width: 1280, Height: 800}, "[innerWidth, innerHeight, devicePixelRatio]", "[1280 800 1]"},
		{Options{Width: 640, Height: 480, Scale: 2, Window: true}, "[innerWidth, innerHeight, devicePixelRatio]", "[640 480 2]"},
		{Options{Width: 640, Height: 480, Scale: 1.5}, "[innerWidth, innerHeight, devicePixelRatio]", "[640 480 1.5]"},
		{Options{Width: 640, Height: 480, Background: true}, "[innerWidth, innerHeight, document.visibilityState, document.hasFocus()]", "[640 480 hidden false]"},
		{Options{Scale: 2, Window: true}, "[devicePixelRatio, innerWidth > 0]", "[2 true]"},
		{Options{Width: 1280, Height: 800, Window: true}, "outerWidth >= innerWidth && outerHeight >= innerHeight && screen.width >= outerWidth", "true"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%+v", test.opts), func(t *testing.T) {
			if test.opts.Background {
				// It needs something to be behind of.
				open(t, Options{Window: true})
			}
			tab := open(t, test.opts)
			expect(t, tab, test.script, test.want)
			// It stays so when a page comes.
			if _, err := SetHTML(limit(t), tab.Session, []byte("<p>x")); err != nil {
				t.Fatal(err)
			}
			expect(t, tab, test.script, test.want)
		})
	}
}

func TestTabsAtOnce(t *testing.T) {
	first, second := show(t, "<input id=a>"), show(t, "<input id=b>")
	for css, tab := range map[string]Tab{"#a": first, "#b": second} {
		if err := Focus(limit(t), tab.Session, css); err != nil {
			t.Error(err)
		}
	}
	for _, tab := range []Tab{first, second} {
		expect(t, tab, "[document.visibilityState, document.activeElement.matches(':focus-visible')]", "[visible true]")
	}
}
