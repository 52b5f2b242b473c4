//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/webarea/webarea/elements"
)

// drawing is a page with a drawing that has the focus.
const drawing = `<!doctype html><title>Drawing</title><main>
<canvas id=c style="position:absolute;left:100px;top:60px" width=800 height=400 role=img aria-label=Chart tabindex=0></canvas></main>
<script>const x = c.getContext("2d"); x.fillStyle = "red"; x.fillRect(0, 0, 800, 400); c.focus()</script>`

// What is pointed at and is a picture comes with a thumbnail, for the agent to see,
// and leads to the whole.
func TestMCPThumbnails(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "drawing.html")
	if err := os.WriteFile(page, []byte(drawing), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "--launch", page)
	r := s.call("get_elements", `{}`)
	chart := find(t, r.answer(t), "chart", func(e *elements.Element) bool { return e.Title == "Chart" })
	if len(chart.Content) != 2 || chart.Content[0].Type != elements.ImageType || chart.Content[1].Type != elements.ResourceLinkType {
		t.Fatalf("got %+v, want a picture and a link", chart.Content)
	}
	if len(r.Content) != 2 || r.Content[0].Type != "text" || r.Content[1].Type != "image" {
		t.Fatalf("got %d blocks, want a text and an image", len(r.Content))
	}
	seen := r.Content[1]
	if !bytes.Equal(seen.Data, chart.Content[0].Data) || seen.MIMEType != chart.Content[0].MIMEType {
		t.Error("the image is not that of the structured answer")
	}
	checkPicture(t, seen.Data, seen.MIMEType[len("image/"):], 512, 256)
	whole := s.read(chart.Content[1].URI)
	if len(whole) != 1 || whole[0].MIMEType != "image/png" {
		t.Fatalf("got %d contents, want a PNG", len(whole))
	}
	checkPicture(t, whole[0].Blob, "png", 800, 400)

	for _, e := range s.call("get_elements", `{"images":"none"}`).Content[1:] {
		t.Errorf("without pictures: got a block of type %s", e.Type)
	}
}
