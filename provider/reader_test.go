package provider

import (
	"fmt"
	"strings"
	"testing"
)

// paintedPage has words that only pixels tell: on a canvas dark and light, and in a picture.
const paintedPage = `<!doctype html><meta charset=utf-8><title>P</title><body style="margin:8px"><canvas id=c width=600 height=200></canvas><br><img id=i alt="A sign">
<script>const x = c.getContext("2d"); x.fillStyle = "#fff"; x.fillRect(0, 0, 600, 200); x.fillStyle = "#000"; x.font = "20px sans-serif";
x.fillText("Painted letters", 10, 35); x.font = "italic 28px serif"; x.fillText("Total due 1234 euro", 10, 90);
x.fillStyle = "#036"; x.fillRect(0, 120, 600, 80); x.fillStyle = "#fff"; x.font = "bold 24px sans-serif"; x.fillText("Light on dark", 20, 170);
const y = document.createElement("canvas"); y.width = 300; y.height = 60; const z = y.getContext("2d"); z.fillStyle = "#ffe"; z.fillRect(0, 0, 300, 60);
z.fillStyle = "#420"; z.font = "22px sans-serif"; z.fillText("Closed on Monday", 12, 38); i.src = y.toDataURL()</script>`

// TestReader reads what is painted, where there is a program that can.
func TestReader(t *testing.T) {
	if _, reads := findReader(); !reads {
		t.Skip("there is no tesseract on this machine to read words in pictures")
	}
	b := launched(t)
	d := opened(t, b, served(t, paintedPage))
	s := d.state(t, StateQuery{Picture: true})
	r, err := d.p.Regions(t.Context(), RegionQuery{Capture: s.CaptureID})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range r.Regions {
		if g.Source != SourcePixels {
			continue
		}
		t.Logf("%q, %.2f, %v", *g.Text, g.Confidence, g.Bounds)
		if g.Confidence <= inkConfidence || g.Confidence > 1 || g.ParentID == "" {
			t.Errorf("%q: got confidence %v, parent %q; want it surer than a line without words, and in its picture", *g.Text, g.Confidence, g.ParentID)
		}
		got = append(got, *g.Text)
	}
	if got, want := strings.Join(got, "|"), "Painted letters|Total due 1234 euro|Light on dark|Closed on Monday"; got != want {
		t.Errorf("what is read\n got: %s\nwant: %s", got, want)
	}
	if strings.Contains(fmt.Sprint(r.Warnings), "ocr_unavailable") {
		t.Errorf("got the warnings %v, though words were read", r.Warnings)
	}
	sure, err := d.p.Regions(t.Context(), RegionQuery{Capture: s.CaptureID, MinConfidence: 1})
	if err != nil || sure.Total >= r.Total {
		t.Errorf("what is sure: got %+v, %v; want less than %d", sure, err, r.Total)
	}
}

// Where there is no such program, lines are told without their words, and why.
func TestNoReader(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, paintedPage))
	s := d.state(t, StateQuery{Picture: true})
	t.Setenv("PATH", t.TempDir())
	r, err := d.p.Regions(t.Context(), RegionQuery{Capture: s.CaptureID})
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, g := range r.Regions {
		if g.Source != SourcePixels {
			continue
		}
		lines++
		if *g.Text != "" || g.Confidence != inkConfidence || g.Bounds.Width < 80 || g.Bounds.Height < 8 || g.Bounds.Height > 60 {
			t.Errorf("got %q, %v, %+v; want a line without words", *g.Text, g.Confidence, g.Bounds)
		}
	}
	if lines != 4 || !strings.Contains(fmt.Sprint(r.Warnings), "ocr_unavailable") {
		t.Errorf("got %d lines, warnings %v; want 4, and why they have no words", lines, r.Warnings)
	}
}
