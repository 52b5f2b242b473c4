package main

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A value is a flag that is checked as it is read, before anything is started. Its
// errors say what the flag must look like.
type value[T any] struct {
	to    *T
	kind  string // what stands for it in the usage
	shown string // its default, as it would be written
	parse func(string) (T, error)
}

// Set implements pflag.Value.
func (v *value[T]) Set(text string) error {
	parsed, err := v.parse(text)
	if err != nil {
		return err
	}
	*v.to, v.shown = parsed, text
	return nil
}

// String implements pflag.Value.
func (v *value[T]) String() string { return v.shown }

// Type implements pflag.Value.
func (v *value[T]) Type() string { return v.kind }

// A list is a flag that may be given several times.
type list[T any] struct {
	to    *[]T
	kind  string // what stands for it in the usage
	parse func(string) (T, error)
}

// Set implements pflag.Value.
func (l *list[T]) Set(text string) error {
	parsed, err := l.parse(text)
	if err != nil {
		return err
	}
	*l.to = append(*l.to, parsed)
	return nil
}

// String implements pflag.Value.
func (l *list[T]) String() string { return "" }

// Type implements pflag.Value.
func (l *list[T]) Type() string { return l.kind }

const (
	// maxJobs bounds the browsers that are launched, each of which takes some hundred
	// megabytes.
	maxJobs = 64

	// maxSide is the longest side of a viewport, CSS px: beyond it browsers begin
	// to refuse or to draw nothing.
	maxSide = 10_000

	// minScale and maxScale bound the device pixels of a CSS pixel: no screen has
	// fewer or more.
	minScale, maxScale = 0.1, 10
)

// A size is that of a viewport, CSS px.
type size struct{ width, height int }

func parseSize(text string) (size, error) {
	width, height, _ := strings.Cut(text, "x")
	w, errW := strconv.Atoi(width)
	h, errH := strconv.Atoi(height)
	if errW != nil || errH != nil || w < 1 || h < 1 || w > maxSide || h > maxSide {
		return size{}, fmt.Errorf("must be width and height in CSS pixels from 1 to %d, such as 1280x800", maxSide)
	}
	return size{w, h}, nil
}

func parseScale(text string) (float64, error) {
	scale, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(scale) || scale < minScale || scale > maxScale {
		return 0, fmt.Errorf("must be a number from %v to %v, such as 1.5", minScale, maxScale)
	}
	return scale, nil
}

func parseLimit(text string) (int, error) {
	limit, err := strconv.Atoi(text)
	if err != nil || limit < 1 {
		return 0, errors.New("must be a whole number from 1 on; without the flag there is no limit")
	}
	return limit, nil
}

func parseJobs(text string) (int, error) {
	jobs, err := strconv.Atoi(text)
	if err != nil || jobs < 0 || jobs > maxJobs {
		return 0, fmt.Errorf("must be a whole number from 0 to %d; 0 is one for each processor", maxJobs)
	}
	return jobs, nil
}

func parseTimeout(text string) (time.Duration, error) {
	timeout, err := time.ParseDuration(text)
	if err != nil || timeout <= 0 {
		return 0, errors.New("must be more than no time, and have a unit, such as 30s or 1m30s")
	}
	return timeout, nil
}

// parseWords takes anything that says something; what is the example in the error.
func parseWords(what string) func(string) (string, error) {
	return func(text string) (string, error) {
		if strings.TrimSpace(text) == "" {
			return "", errors.New("must not be empty: give " + what)
		}
		return text, nil
	}
}

func oneOf(words ...string) func(string) (string, error) {
	return func(text string) (string, error) {
		if !slices.Contains(words, text) {
			return "", errors.New("must be " + strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1])
		}
		return text, nil
	}
}

// A wait is what is waited for: a match of a selector, or a time.
type wait struct {
	css  string
	time time.Duration
}

// beginsNoSelector matches what is meant as a time, or is nothing.
var beginsNoSelector = regexp.MustCompile(`^([0-9+]|-[0-9.]|$)`)

func parseWait(text string) (wait, error) {
	text = strings.TrimSpace(text)
	if d, err := time.ParseDuration(text); err == nil {
		if d <= 0 {
			return wait{}, errors.New("must be more than no time, such as 500ms")
		}
		return wait{time: d}, nil
	}
	if beginsNoSelector.MatchString(text) {
		return wait{}, errors.New(`must be a CSS selector, such as "#done", or a time with its unit, such as 500ms`)
	}
	return wait{css: text}, nil
}

// parseBrowserAddress takes the address of a browser to attach to, in the forms
// that cdp.Attach knows, but not that of a page.
func parseBrowserAddress(text string) (string, error) {
	const like = "such as http://127.0.0.1:9222 or ws://127.0.0.1:9222/devtools/browser/…"
	address, err := url.Parse(text)
	if err != nil || address.Host == "" || !slices.Contains([]string{"http", "https", "ws", "wss"}, address.Scheme) {
		return "", errors.New("must be the address of a browser's debugging port, " + like)
	}
	if strings.HasPrefix(address.Path, "/devtools/page/") {
		return "", errors.New("is the address of one page, in which no other can be opened: give the browser's, " + like)
	}
	return text, nil
}
