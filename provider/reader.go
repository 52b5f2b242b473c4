package provider

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/image/draw"
)

// A reader is the program that reads words in pictures, where there is one.
type reader struct{ program string }

// findReader looks for Tesseract where programs are found; it is never fetched.
func findReader() (reader, bool) {
	program, err := exec.LookPath("tesseract")
	return reader{program}, err == nil
}

// readTime bounds reading one line.
const readTime = 3 * time.Second

// readScale makes letters large enough to be read.
const readScale = 3

// read reads a line, and tells how sure it is.
func (r reader) read(ctx context.Context, img image.Image, line image.Rectangle) (words string, sure float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	line = line.Inset(-4).Intersect(img.Bounds())
	large := image.NewRGBA(image.Rect(0, 0, line.Dx()*readScale, line.Dy()*readScale))
	draw.CatmullRom.Scale(large, large.Bounds(), img, line, draw.Src, nil)
	var in, out bytes.Buffer
	if err := png.Encode(&in, large); err != nil {
		return "", 0, fmt.Errorf("writing a line to be read: %w", err)
	}
	command := exec.CommandContext(ctx, r.program, "stdin", "stdout", "--psm", "7", "tsv")
	command.Stdin, command.Stdout = &in, &out
	if err := command.Run(); err != nil {
		return "", 0, fmt.Errorf("reading a line: %w", err)
	}
	words, sure = parseReader(out.String())
	return words, sure, nil
}

// parseReader takes the words and the mean of their confidences, 0 to 1.
func parseReader(table string) (words string, sure float64) {
	const columns, confidence, text = 12, 10, 11
	var all []string
	sum := 0.0
	for row := range strings.Lines(table) {
		cells := strings.Split(strings.TrimRight(row, "\r\n"), "\t")
		if len(cells) != columns {
			continue
		}
		of, err := strconv.ParseFloat(cells[confidence], 64)
		if word := strings.TrimSpace(cells[text]); err == nil && of >= 0 && word != "" {
			all = append(all, word)
			sum += of
		}
	}
	if len(all) == 0 {
		return "", 0
	}
	return strings.Join(all, " "), sum / float64(len(all)) / 100
}
