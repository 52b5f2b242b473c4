package testpages

import (
	"bytes"
	"fmt"
	"image"
	"slices"
	"testing"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// wantedPicture is a content block that is not text, as a case file has it. A
// picture is compared by its format and size, since its bytes are the browser's
// affair; a link by where it leads to.
type wantedPicture struct {
	Type          elements.BlockType
	MIMEType      string
	Width, Height int    // of an image, pixels
	Name          string // of a link
	Of            string // what of the element a link leads to: image, text
}

func (w wantedPicture) String() string {
	if w.Type == elements.ImageType {
		return fmt.Sprintf("%s %s, %d × %d", w.Type, w.MIMEType, w.Width, w.Height)
	}
	return fmt.Sprintf("%s %q to its %s", w.Type, w.Name, w.Of)
}

// checkPictures asks for pictures, and compares what is sent beside words.
func (f *fixture) checkPictures(t *testing.T, page *Page) {
	t.Helper()
	for _, scope := range []cdp.Scope{Pointing, Visible, WholePage} {
		a, err := page.ask(provider.Query{Scope: scope, Pictures: true, Links: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range elements.Validate(*a) {
			t.Errorf("the answer with pictures in %s scope breaks a rule: %s", scope, v)
		}
		names, left := namesIn(a.Root), len(f.Pictures)
		for e := range a.All() {
			want, has := f.Pictures[names[e.ID]]
			if has {
				left--
			}
			if got := pictureBlocks(t, a, e); !slices.Equal(got, want) {
				t.Errorf("what %s scope sends of %s beside its words\n got: %v\nwant: %v", scope, names[e.ID], got, want)
			}
		}
		if left != 0 {
			t.Errorf("%s scope has not all of the elements with pictures:\n%s", scope, Format(a.Root))
		}
	}
}

// pictureBlocks gives the blocks of an element that are not text as a case file has
// them.
func pictureBlocks(t *testing.T, a *elements.Answer, e *elements.Element) (out []wantedPicture) {
	t.Helper()
	for _, b := range e.Content {
		w := wantedPicture{Type: b.Type, MIMEType: b.MIMEType, Name: b.Name}
		switch b.Type {
		case elements.TextType:
			continue
		case elements.ImageType:
			size, format, err := image.DecodeConfig(bytes.NewReader(b.Data))
			if err != nil || "image/"+format != b.MIMEType {
				t.Errorf("a picture of type %s is %s: %v", b.MIMEType, format, err)
			}
			w.Width, w.Height = size.Width, size.Height
		case elements.ResourceLinkType:
			for _, part := range []string{"image", "text"} {
				if b.URI == fmt.Sprintf("webarea://%s/elements/%s/%s", a.Instance, e.ID, part) {
					w.Of = part
				}
			}
		}
		out = append(out, w)
	}
	return out
}
