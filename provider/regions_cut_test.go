package provider

import (
	"strings"
	"testing"
	"time"
)

// TestRegionsCut looks at words of which only a part is seen: a line that goes on beyond its
// box, with dots and without, and fields of several lines. A letter is 10 px wide, and the
// dots are.
func TestRegionsCut(t *testing.T) {
	b := launched(t)
	for name, c := range map[string]struct{ page, want string }{
		"dots":           {`<p style="width:125px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">Alpha beta gamma delta epsilon zeta eta theta</p>`, "Alpha beta…"},
		"dots, unneeded": {`<p style="width:125px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">Alpha beta</p>`, "Alpha beta"},
		"no dots":        {`<p style="width:122px;overflow:hidden;white-space:nowrap">Alpha beta gamma delta epsilon zeta eta theta</p>`, "Alpha beta g"},
		"scrolled":       {`<p id=p style="width:100px;overflow:hidden;white-space:nowrap">Alpha beta gamma delta</p><script>p.scrollLeft = 60</script>`, "beta gamma"},
		"against it":     {`<p dir=rtl style="width:125px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">Alpha beta gamma delta epsilon</p>`, "…lta epsilon"},
		"in an element":  {`<p style="width:125px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis"><b>Alpha</b> beta gamma delta epsilon</p>`, "Alpha beta…"},
		"two lines":      {"<textarea rows=4 cols=20>First line\nSecond line</textarea>", "First line Second line"},
		"scrolled lines": {"<textarea rows=2 cols=20>First\nSecond\nThird\nFourth\nFifth\nSixth</textarea>", ""},
		"a list":         {`<select size=3><option>Red<option>Green<option>Blue</select>`, "Red|Green|Blue"},
		"a longer list":  {`<select size=2><option>Red<option>Green<option>Blue<option>White</select>`, "Red|Green"},
		"groups":         {`<select size=4><optgroup label=Warm><option>Red</optgroup><option>Blue</select>`, "Warm|Red|Blue"},
	} {
		t.Run(name, func(t *testing.T) {
			d := opened(t, b, served(t, `<!doctype html><meta charset=utf-8><title>R</title><style>*{font:16.6667px "Liberation Mono",monospace}body{margin:8px}</style>`+c.page))
			s := d.state(t, StateQuery{Picture: true, Timeout: 5 * time.Second})
			r, err := d.p.Regions(t.Context(), RegionQuery{Capture: s.CaptureID})
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, g := range r.Regions {
				if g.Kind == RegionText && g.Text != nil {
					texts = append(texts, *g.Text)
				}
			}
			if got := strings.Join(texts, "|"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
