package main

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/webarea/webarea/cdp"
)

// shareFlags say which browser's tabs are shared.
type shareFlags struct {
	launch  launchFlag
	attach  string
	browser string
	headful bool
}

// register adds the flags to the command.
func (f *shareFlags) register(command *cobra.Command) {
	flags := command.Flags()
	flags.SortFlags = false
	f.launch.flags = flags
	flags.Var(&f.launch, "launch", "share all tabs of a browser of its own, launched at the first question, with this page (a file or an address) if one is named")
	flags.Lookup("launch").NoOptDefVal = bare
	flags.Var(&value[string]{&f.attach, "URL", "", parseShared}, "attach", "share all tabs of a browser that runs: http://host:port of its debugging port, or its ws:// or wss:// address; or one page, by its ws:// address")
	flags.Var(&value[string]{&f.browser, "PATH", "", parseBrowser}, "browser", "the browser to launch (default $"+cdp.BrowserVariable+", else the first one found)")
	flags.BoolVar(&f.headful, "headful", false, "show the windows of the browser that is launched on the desktop")
}

// open makes the share that the flags say.
func (f *shareFlags) open(notice func(string)) (*share, error) {
	switch {
	case f.launch.given && f.attach != "":
		return nil, errors.New("--launch and --attach do not go together: launch a browser, or attach to one")
	case !f.launch.given && f.attach == "":
		return nil, errors.New("say what is asked about: give --launch, --launch URL or --attach URL, or none of these flags for the tabs that are shared with the extension")
	case f.attach != "" && f.browser != "":
		return nil, errors.New("--attach and --browser do not go together: attach to a browser, or have one launched")
	case f.attach != "" && f.headful:
		return nil, errHeadfulAttach
	}
	var first string
	if f.launch.page == stdinTarget {
		return nil, errors.New("--launch cannot take a page from standard input: name a file or an address")
	}
	if f.launch.page != "" {
		place, err := place(f.launch.page, nil)
		if err != nil {
			return nil, errors.New("--launch " + f.launch.page + ": " + err.Error())
		}
		first = place.Address
	}
	s := newShare(f.browser, f.attach, first, notice)
	s.headful = f.headful
	return s, nil
}

// errHeadfulAttach tells of flags that do not go together.
var errHeadfulAttach = errors.New("--attach and --headful do not go together: a browser that runs shows its windows or does not")

// bare stands for a --launch without anything after an equals sign. No page can be
// called so: it is no address, and no file has a NUL in its name.
const bare = "\x00"

// A launchFlag is --launch, --launch=PAGE or --launch PAGE. Of the last, the flag
// package takes PAGE for an argument.
type launchFlag struct {
	flags *pflag.FlagSet
	given bool
	page  string
	at    int // how many arguments came before it, where it was bare; else -1
}

// Set implements pflag.Value.
func (l *launchFlag) Set(text string) error {
	l.given, l.page, l.at = true, text, -1
	if text == bare {
		l.page, l.at = "", l.flags.NArg()
		return nil
	}
	if text == "" {
		return errors.New("must not be empty: name a file or an address, or leave out the equals sign")
	}
	return nil
}

// String implements pflag.Value.
func (l *launchFlag) String() string { return l.page }

// Type implements pflag.Value.
func (l *launchFlag) Type() string { return "[URL]" }

// take takes the page out of the arguments that it was put among. isOther tells of
// one that it is something else.
func (l *launchFlag) take(args []string, isOther func(string) bool) []string {
	if !l.given || l.at < 0 || l.at >= len(args) || isOther(args[l.at]) {
		return args
	}
	l.page = args[l.at]
	return slices.Delete(slices.Clone(args), l.at, l.at+1)
}

// parseShared takes the address of a browser or of a page to attach to, in the forms
// that cdp.Attach knows.
func parseShared(text string) (string, error) {
	address, err := url.Parse(text)
	if err != nil || address.Host == "" || !slices.Contains([]string{"http", "https", "ws", "wss"}, address.Scheme) {
		return "", errors.New("must be the address of a browser's debugging port or of one of its pages, such as http://127.0.0.1:9222 or ws://127.0.0.1:9222/devtools/page/…")
	}
	return text, nil
}

func isPageAddress(address string) bool {
	parsed, err := url.Parse(address)
	return err == nil && strings.HasPrefix(parsed.Path, "/devtools/page/")
}
