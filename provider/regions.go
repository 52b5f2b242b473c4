package provider

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/webarea/webarea/cdp"
)

// The kinds of regions, and where one is known from.
const (
	RegionText = "text"
	RegionIcon = "icon"

	SourceLayout = "layout"
	SourcePixels = "pixels"
)

// regionSchema names the form of an answer about regions.
const regionSchema = "webarea.visual_regions.v1"

// A RegionQuery asks what there is to see on a capture.
type RegionQuery struct {
	Capture       string
	Kinds         []string // empty: all
	MaxRegions    int      // 0: no bound
	MinConfidence float64
}

// Regions are what there is to see on a capture.
type Regions struct {
	Schema    string         `json:"schema"`
	Capture   RegionCapture  `json:"capture"`
	Regions   []Region       `json:"regions"`
	Total     int            `json:"total"`
	Truncated bool           `json:"truncated"`
	Timing    map[string]int `json:"timing"` // ms
	Warnings  []string       `json:"warnings"`
}

// A RegionCapture says which picture the regions are of.
type RegionCapture struct {
	ID         string    `json:"capture_id"`
	SHA256     string    `json:"sha256"`
	Width      int       `json:"width"`
	Height     int       `json:"height"`
	CapturedAt time.Time `json:"captured_at"`
	WindowID   int64     `json:"window_id"`
	TabID      string    `json:"tab_id"`
}

// A Region is a line of text, or a picture or sign. Its bounds are whole pixels of the
// capture, half-open, and inside it.
type Region struct {
	ID           string     `json:"id"`
	Kind         string     `json:"kind"`
	Bounds       PixelsRect `json:"bounds"`
	Text         *string    `json:"text,omitempty"`
	Label        string     `json:"label,omitempty"`
	Confidence   float64    `json:"confidence"`
	Source       string     `json:"source"`
	Interactive  bool       `json:"interactive"`
	ElementID    string     `json:"element_id,omitempty"`
	ParentID     string     `json:"parent_id,omitempty"`
	ReadingOrder int        `json:"reading_order"`
}

// A PixelsRect is a rectangle of whole pixels.
type PixelsRect struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// pixelTime bounds looking for words in pixels.
const pixelTime = 8 * time.Second

// Regions tells what there is to see on a capture, always the same. The error is an
// *Error.
func (p *Provider) Regions(ctx context.Context, q RegionQuery) (*Regions, error) {
	begun := time.Now()
	c, err := p.captures.get(q.Capture)
	if err != nil {
		return nil, err
	}
	out := &Regions{Schema: regionSchema, Regions: []Region{}, Warnings: []string{}, Timing: map[string]int{},
		Capture: RegionCapture{c.id, c.sum, c.width, c.height, c.at.UTC(), c.window, c.tabID}}
	r := &regioning{c: c, p: p}
	if img, err := png.Decode(bytes.NewReader(c.png)); err == nil {
		r.img = img
	}
	r.fromLayout()
	out.Timing["layout_ms"] = int(time.Since(begun).Milliseconds())
	pixels := time.Now()
	ctx, cancel := context.WithTimeout(ctx, pixelTime)
	defer cancel()
	if len(q.Kinds) == 0 || slices.Contains(q.Kinds, RegionText) {
		r.fromPixels(ctx)
	}
	out.Timing["pixels_ms"] = int(time.Since(pixels).Milliseconds())
	out.Warnings = append(out.Warnings, r.warnings...)
	for i := range r.regions {
		r.regions[i].ID, r.regions[i].ReadingOrder = "r"+strconv.Itoa(i), i
		if parent := r.parents[i]; parent >= 0 {
			r.regions[i].ParentID = "r" + strconv.Itoa(parent)
		}
	}
	for _, region := range r.regions {
		if len(q.Kinds) > 0 && !slices.Contains(q.Kinds, region.Kind) || region.Confidence < q.MinConfidence {
			continue
		}
		out.Total++
		if q.MaxRegions == 0 || len(out.Regions) < q.MaxRegions {
			out.Regions = append(out.Regions, region)
		}
	}
	out.Truncated = len(out.Regions) < out.Total
	return out, nil
}

// regioning is an answer while it is made.
type regioning struct {
	c        *capture
	p        *Provider
	img      image.Image // nil: the picture cannot be decoded
	regions  []Region
	parents  []int // of each region, the one that it is in; -1: none
	painted  []int // the regions whose pixels may have words
	warnings []string
}

func (r *regioning) add(region Region, parent int) int {
	r.regions = append(r.regions, region)
	r.parents = append(r.parents, parent)
	return len(r.regions) - 1
}

// bounds brings a rectangle of the viewport to the picture; false where nothing of it
// is in there.
func (r *regioning) bounds(rect cdp.Rect) (PixelsRect, bool) {
	const most = 0.01 // of a pixel is an error of calculation
	c := r.c
	x, y := (rect.X-c.from.X)*c.scale, (rect.Y-c.from.Y)*c.scale
	box := image.Rect(int(math.Floor(x+most)), int(math.Floor(y+most)), int(math.Ceil(x+rect.Width*c.scale-most)), int(math.Ceil(y+rect.Height*c.scale-most))).
		Intersect(image.Rect(0, 0, c.width, c.height))
	return PixelsRect{box.Min.X, box.Min.Y, box.Dx(), box.Dy()}, !box.Empty()
}

// isBlank tells whether nothing at all is to be seen in a rectangle of the viewport:
// words that are there lie under something, or have its color.
func (r *regioning) isBlank(rect cdp.Rect) bool {
	const alike = 2 // of 255, from which nobody tells two colors apart
	box, ok := r.bounds(rect)
	if !ok || r.img == nil {
		return false
	}
	// What stands around touches the edge.
	in := image.Rect(box.X, box.Y, box.X+box.Width, box.Y+box.Height)
	if in.Dx() > 4 && in.Dy() > 4 {
		in = in.Inset(1)
	}
	first := color.NRGBAModel.Convert(r.img.At(in.Min.X, in.Min.Y)).(color.NRGBA)
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= alike }
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			c := color.NRGBAModel.Convert(r.img.At(x, y)).(color.NRGBA)
			if !near(c.R, first.R) || !near(c.G, first.G) || !near(c.B, first.B) {
				return false
			}
		}
	}
	return true
}

// fromLayout makes regions of what was laid out.
func (r *regioning) fromLayout() {
	l := r.c.layout
	if l == nil {
		r.warnings = append(r.warnings, "layout_unavailable: the page did not tell what it shows")
		return
	}
	if l.Full {
		r.warnings = append(r.warnings, "layout_partial: not all of the page told what it shows")
	}
	red := redactorOf(l.Secrets)
	items := slices.DeleteFunc(slices.Clone(l.Items), func(item cdp.LayoutItem) bool {
		// What is secret is painted over, and told as such.
		return item.Kind == cdp.LayoutText && r.isBlank(item.Rect) && red.Words(item.Text, false) == item.Text
	})
	for i := 0; i < len(items); i++ {
		item := items[i]
		text := item.Text
		if item.Kind == cdp.LayoutText {
			for i+1 < len(items) && goesOn(&item, &items[i+1]) {
				i++
				text += between(&item, &items[i], text) + items[i].Text
				item.Rect = around(item.Rect, items[i].Rect)
			}
		}
		box, ok := r.bounds(item.Rect)
		if !ok || item.Kind == cdp.LayoutText && 2*float64(box.Width*box.Height) < item.Rect.Width*item.Rect.Height*r.c.scale*r.c.scale {
			// Half a line is not read: what the picture cuts off is as what the page does.
			continue
		}
		text = strings.Join(strings.Fields(red.Words(text, false)), " ")
		region := Region{Kind: item.Kind, Bounds: box, Confidence: 1, Source: SourceLayout, Interactive: item.Interactive}
		if item.Serial > 0 {
			region.ElementID = r.p.ids.id(elementKey(item.Document, item.Serial))
		}
		if item.Kind == cdp.LayoutText {
			if text == "" {
				continue
			}
			region.Text = &text
		} else {
			region.Label = text
		}
		at := r.add(region, -1)
		if item.Painted {
			r.painted = append(r.painted, at)
		}
	}
}

// maxGap is how far apart the pieces of one line may be, in heights of it.
const maxGap = 2

// goesOn tells whether a piece of text stands in the same line as those before.
func goesOn(line, next *cdp.LayoutItem) bool {
	a, b := line.Rect, next.Rect
	if next.Kind != cdp.LayoutText || next.Run != line.Run || next.Document != line.Document || next.Home != line.Home || line.Turned || next.Turned ||
		next.Interactive != line.Interactive || line.Interactive && next.Serial != line.Serial {
		return false
	}
	shared := min(a.Y+a.Height, b.Y+b.Height) - max(a.Y, b.Y)
	return shared > min(a.Height, b.Height)/2 && gap(a, b) < maxGap*max(a.Height, b.Height)
}

func gap(a, b cdp.Rect) float64 {
	return max(0, max(a.X, b.X)-min(a.X+a.Width, b.X+b.Width))
}

// spaceGap is how wide a gap is at least that parts words, in heights of the line.
const spaceGap = 0.12

// between is what parts two pieces of a line.
func between(line, next *cdp.LayoutItem, said string) string {
	if strings.HasSuffix(said, " ") || strings.HasPrefix(next.Text, " ") {
		return ""
	}
	if gap(line.Rect, next.Rect) > spaceGap*min(line.Rect.Height, next.Rect.Height) {
		return " "
	}
	return ""
}

func around(a, b cdp.Rect) cdp.Rect {
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return cdp.Rect{X: x, Y: y, Width: max(a.X+a.Width, b.X+b.Width) - x, Height: max(a.Y+a.Height, b.Y+b.Height) - y}
}

// fromPixels finds lines of text in what is painted.
func (r *regioning) fromPixels(ctx context.Context) {
	img := r.img
	if len(r.painted) == 0 || img == nil {
		return
	}
	reader, reads := findReader()
	missing, late := false, false
	for _, at := range r.painted {
		if ctx.Err() != nil {
			late = true
			break
		}
		box := r.regions[at].Bounds
		for _, line := range inkLines(img, image.Rect(box.X, box.Y, box.X+box.Width, box.Y+box.Height)) {
			text, confidence := "", inkConfidence
			if !reads {
				missing = true
			} else if words, sure, err := reader.read(ctx, img, line); err == nil && words != "" {
				text, confidence = words, sure
			}
			r.add(Region{Kind: RegionText, Bounds: PixelsRect{line.Min.X, line.Min.Y, line.Dx(), line.Dy()}, Text: &text, Confidence: confidence,
				Source: SourcePixels, Interactive: r.regions[at].Interactive, ElementID: r.regions[at].ElementID}, at)
		}
	}
	if missing {
		r.warnings = append(r.warnings, "ocr_unavailable: text in pictures is told without its words; install tesseract to have them")
	}
	if late {
		r.warnings = append(r.warnings, "pixels_partial: not all pictures could be looked at in time")
	}
}
