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

// standsOut tells which pixels differ from what is around them, by the mean of a
// square of them.
func standsOut(img image.Image, part image.Rectangle) []bool {
	w, h := part.Dx(), part.Dy()
	gray := make([]int32, w*h)
	sums := make([]int64, (w+1)*(h+1))
	for y := range h {
		var row int64
		for x := range w {
			r, g, b, _ := img.At(part.Min.X+x, part.Min.Y+y).RGBA()
			v := int32((299*r + 587*g + 114*b) / 1000 >> 8)
			gray[y*w+x] = v
			row += int64(v)
			sums[(y+1)*(w+1)+x+1] = sums[y*(w+1)+x+1] + row
		}
	}
	const around = 24
	out := make([]bool, w*h)
	for y := range h {
		y0, y1 := max(0, y-around), min(h, y+around+1)
		for x := range w {
			x0, x1 := max(0, x-around), min(w, x+around+1)
			sum := sums[y1*(w+1)+x1] - sums[y0*(w+1)+x1] - sums[y1*(w+1)+x0] + sums[y0*(w+1)+x0]
			mean := int32(sum / int64((x1-x0)*(y1-y0)))
			out[y*w+x] = math.Abs(float64(gray[y*w+x]-mean)) > inkStep
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
