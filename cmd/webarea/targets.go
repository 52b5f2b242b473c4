package main

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/webarea/webarea/visit"
)

// stdinTarget is the target that stands for the HTML on standard input.
const stdinTarget = "-"

// maxStdin is the most that is read of it, in bytes: many times the largest page
// that is any use, and less than a browser takes in one message.
const maxStdin = 64 << 20

// scheme matches what an address begins with. One letter and a colon is a drive.
var scheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+):`)

// place makes of a target what is to be opened. html is what standard input had.
// The error is a *visit.Error.
func place(target string, html []byte) (visit.Place, error) {
	if target == stdinTarget {
		return visit.Place{HTML: html}, nil
	}
	begins := scheme.FindStringSubmatch(target)
	if begins == nil || exists(target) {
		return fileAt(target)
	}
	switch strings.ToLower(begins[1]) {
	case "http", "https":
		return webPage(target)
	case "file":
		return fileURL(target)
	}
	return visit.Place{}, visit.Failure(visit.CodeBadTarget, nil,
		"only files are opened, and what begins with http://, https:// or file://%s; HTML can be given on standard input, with -", onTheWeb(target))
}

var (
	// hostAndPort and host match what is meant as an address, but lacks its scheme.
	hostAndPort = regexp.MustCompile(`^[^/:]+:[0-9]+(/|$)`)
	host        = regexp.MustCompile(`^[\w-]+(\.[\w-]+)+(/|$)`)

	// webFile matches what is more likely the name of a file than of a host.
	webFile = regexp.MustCompile(`(?i)\.x?html?$`)
)

// onTheWeb is the hint for a target that may be meant as an address.
func onTheWeb(target string) string {
	switch {
	case hostAndPort.MatchString(target):
		return "; for a page on a server, write http://" + target
	case host.MatchString(target) && !webFile.MatchString(target):
		return "; for a page on the web, write https://" + target
	}
	return ""
}

func webPage(target string) (visit.Place, error) {
	address, err := url.Parse(target)
	if err != nil || address.Host == "" {
		return visit.Place{}, visit.Failure(visit.CodeBadTarget, err, "this is not an address: it must look like https://example.com/page")
	}
	return visit.Place{Address: target}, nil
}

// fileURL checks the file that an address leads to, and leaves the address as it
// is, with its query and fragment.
func fileURL(target string) (visit.Place, error) {
	address, err := url.Parse(target)
	if err != nil || address.Path == "" {
		return visit.Place{}, visit.Failure(visit.CodeBadTarget, err, "this is not the address of a file: it must look like file:///home/me/page.html")
	}
	path := filepath.FromSlash(address.Path)
	if drive := strings.TrimPrefix(path, string(filepath.Separator)); filepath.VolumeName(drive) != "" {
		path = drive
	}
	if err := checkFile(path); err != nil {
		return visit.Place{}, err
	}
	return visit.Place{Address: target}, nil
}

func fileAt(path string) (visit.Place, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return visit.Place{}, visit.Failure(visit.CodeUnreadable, err, "the file cannot be found: %v", err)
	}
	if err := checkFile(whole); err != nil {
		if err.Code == visit.CodeNotFound {
			err.Message += onTheWeb(path)
		}
		return visit.Place{}, err
	}
	slashed := filepath.ToSlash(whole)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return visit.Place{Address: (&url.URL{Scheme: "file", Path: slashed}).String()}, nil
}

// checkFile finds out now what a browser would only tell by an error page.
func checkFile(path string) *visit.Error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return visit.Failure(visit.CodeNotFound, err, "there is no such file")
	case err != nil:
		return visit.Failure(visit.CodeUnreadable, err, "the file cannot be read: %v", err)
	case info.IsDir():
		return visit.Failure(visit.CodeUnreadable, nil, "this is a folder: name a file in it")
	case !info.Mode().IsRegular():
		return visit.Failure(visit.CodeUnreadable, nil, "this is no ordinary file: give what it has on standard input, with -")
	}
	file, err := os.Open(path)
	if err != nil {
		return visit.Failure(visit.CodeUnreadable, err, "the file cannot be read: %v", err)
	}
	file.Close()
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// checkTargets finds what makes a list of targets none.
func checkTargets(targets []string) error {
	if len(targets) == 0 {
		return errors.New("name at least one target: a file, an address, or - for HTML on standard input")
	}
	stdin := 0
	for _, t := range targets {
		if t == "" {
			return errors.New("a target is empty: name a file, an address, or - for HTML on standard input")
		}
		if t == stdinTarget {
			stdin++
		}
	}
	if stdin > 1 {
		return errors.New("- can be named only once: standard input has one page")
	}
	return nil
}

// readPage reads the page on standard input.
func readPage(stdin io.Reader) ([]byte, error) {
	html, err := readAtMost(stdin, maxStdin, "the page")
	if err != nil {
		return nil, visit.Failure(visit.CodeUnreadable, err, "%v", err)
	}
	return html, nil
}
