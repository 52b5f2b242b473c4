package provider

import (
	"cmp"
	"image"
	"math"
	"slices"
)

// inkConfidence is how sure a line of text is that was found by its look alone.
const inkConfidence = 0.5

// What counts as a letter, and as a line of them, in pixels.
const (
	minLetter  = 5  // high
	maxLetter  = 90 // high
	minLetters = 3  // in a line
	inkStep    = 40 // of 255, between a letter and what is behind it
	maxInkSide = 4096
)

// inkLines finds lines of text in a part of a picture, from the top down: connected
// spots that stand out, of like height, side by side.
func inkLines(img image.Image, part image.Rectangle) []image.Rectangle {
	part = part.Intersect(img.Bounds())
	if part.Dx() < 4*minLetter || part.Dy() < minLetter || part.Dx() > maxInkSide || part.Dy() > maxInkSide {
		return nil
	}
	spots := inkSpots(standsOut(img, part), part)
	slices.SortFunc(spots, func(a, b image.Rectangle) int {
		return cmp.Or(cmp.Compare(a.Min.X, b.Min.X), cmp.Compare(a.Min.Y, b.Min.Y))
	})
	var lines []image.Rectangle
	used := make([]bool, len(spots))
	for i := range spots {
		if used[i] {
			continue
		}
		line, letters := spots[i], 1
		used[i] = true
		members := []int{i}
		for k := i + 1; k < len(spots); k++ {
			s := spots[k]
			if used[k] || s.Min.X-line.Max.X > line.Dy()*3/2 {
				continue
			}
			shared := min(s.Max.Y, line.Max.Y) - max(s.Min.Y, line.Min.Y)
			if shared*2 < min(s.Dy(), line.Dy()) || s.Dy() > 2*line.Dy() || line.Dy() > 3*s.Dy() && s.Dy() > minLetter {
				continue
			}
			used[k] = true
			members = append(members, k)
			line = line.Union(s)
			letters++
		}
		if letters < minLetters || line.Dx() < 2*line.Dy() || line.Dy() > maxLetter {
			for _, k := range members[1:] {
				used[k] = false
			}
			continue
		}
		lines = append(lines, line)
	}
	slices.SortFunc(lines, func(a, b image.Rectangle) int {
		return cmp.Or(cmp.Compare(a.Min.Y, b.Min.Y), cmp.Compare(a.Min.X, b.Min.X))
	})
	return lines
}

// standsOut tells which pixels differ from what is behind them: the most common shade
// around.
func standsOut(img image.Image, part image.Rectangle) []bool {
	const tile, shades = 32, 16
	w, h := part.Dx(), part.Dy()
	gray := make([]uint8, w*h)
	for y := range h {
		for x := range w {
			r, g, b, _ := img.At(part.Min.X+x, part.Min.Y+y).RGBA()
			gray[y*w+x] = uint8((299*r + 587*g + 114*b) / 1000 >> 8)
		}
	}
	out := make([]bool, w*h)
	for top := 0; top < h; top += tile {
		for left := 0; left < w; left += tile {
			var count, sum [shades]int
			for y := max(0, top-tile); y < min(h, top+2*tile); y++ {
				for x := max(0, left-tile); x < min(w, left+2*tile); x++ {
					v := int(gray[y*w+x])
					count[v*shades/256]++
					sum[v*shades/256] += v
				}
			}
			most := 0
			for i, n := range count {
				if n > count[most] {
					most = i
				}
			}
			behind := sum[most] / max(1, count[most])
			for y := top; y < min(h, top+tile); y++ {
				for x := left; x < min(w, left+tile); x++ {
					out[y*w+x] = math.Abs(float64(int(gray[y*w+x])-behind)) > inkStep
				}
			}
		}
	}
	return out
}

// inkSpots gives the boxes of connected pixels that can be letters.
func inkSpots(ink []bool, part image.Rectangle) []image.Rectangle {
	w, h := part.Dx(), part.Dy()
	var spots []image.Rectangle
	var stack []int
	for start := range ink {
		if !ink[start] {
			continue
		}
		ink[start] = false
		stack = append(stack[:0], start)
		box, n := image.Rect(w, h, 0, 0), 0
		box.Min, box.Max = image.Pt(w, h), image.Pt(0, 0)
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			x, y := at%w, at/w
			n++
			box.Min.X, box.Min.Y = min(box.Min.X, x), min(box.Min.Y, y)
			box.Max.X, box.Max.Y = max(box.Max.X, x+1), max(box.Max.Y, y+1)
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					nx, ny := x+dx, y+dy
					if nx >= 0 && ny >= 0 && nx < w && ny < h && ink[ny*w+nx] {
						ink[ny*w+nx] = false
						stack = append(stack, ny*w+nx)
					}
				}
			}
		}
		if box.Dy() >= minLetter && box.Dy() <= maxLetter && box.Dx() <= 3*maxLetter && n >= minLetter {
			spots = append(spots, box.Add(part.Min))
		}
	}
	return spots
}
