package main

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/provider"
	"github.com/webarea/webarea/visit"
)

var (
	scopes = []string{string(cdp.ScopePointing), string(cdp.ScopeVisible), string(cdp.ScopePage)}
	images = []string{"none", thumbnails}
)

// thumbnails is the word for small pictures.
const thumbnails = "thumbnail"

// snapshotFlags are the flags of a snapshot, each checked as it is read.
type snapshotFlags struct {
	scope, images         string
	elements, depth, text int
	viewport              size
	scale                 float64
	timeout               time.Duration
	wait                  wait
	eval, scrollTo, focus string
	contents, words       string
	hover                 string
	asJSON, asOutline     bool
	jobs                  int
	attach                []string
	browser               string
	headful               bool
}

// register adds the flags to the command, with their defaults.
func (f *snapshotFlags) register(command *cobra.Command) {
	*f = snapshotFlags{
		scope: scopes[0], images: images[1],
		viewport: size{1280, 800}, scale: 1, timeout: 30 * time.Second,
		jobs: 1,
	}
	flags := command.Flags()
	flags.SortFlags = false
	css := parseWords("a CSS selector")
	flags.Var(&value[string]{&f.scope, "SCOPE", f.scope, oneOf(scopes...)}, "scope", "how much is answered: pointing (what is selected, focused, hovered), visible (what is on screen too), page (all of it)")
	flags.Var(&value[int]{&f.elements, "N", "", parseLimit}, "max-elements", "answer with at most so many elements (default no limit)")
	flags.Var(&value[int]{&f.depth, "N", "", parseLimit}, "max-depth", "answer with at most so many levels below the Application (default no limit)")
	flags.Var(&value[int]{&f.text, "BYTES", "", parseLimit}, "max-text", "answer with at most so many bytes of text blocks, UTF-8 (default no limit)")
	flags.Var(&value[string]{&f.images, "KIND", f.images, oneOf(images...)}, "images", "pictures of what is selected, focused or hovered: none or thumbnail")
	flags.Var(&value[wait]{&f.wait, "CSS|TIME", "", parseWait}, "wait", "wait until something matches, or for a time such as 500ms")
	flags.Var(&value[string]{&f.eval, "JS", "", parseWords("some JavaScript")}, "eval", "run JavaScript in the page's own world; a promise is awaited")
	flags.Var(&value[string]{&f.scrollTo, "CSS", "", css}, "scroll-to", "scroll to what matches")
	flags.Var(&value[string]{&f.focus, "CSS", "", css}, "focus", "focus what matches, as by the keyboard")
	flags.Var(&value[string]{&f.contents, "CSS", "", css}, "select", "select what is in what matches")
	flags.Var(&value[string]{&f.words, "WORDS", "", parseWords("the words to select")}, "select-text", "select the first such words that are drawn")
	flags.Var(&value[string]{&f.hover, "CSS", "", css}, "hover", "move the mouse to the middle of what is drawn of what matches")
	flags.Var(&value[size]{&f.viewport, "WxH", "1280x800", parseSize}, "viewport", "size of the viewport, CSS pixels")
	flags.Var(&value[float64]{&f.scale, "N", strconv.FormatFloat(f.scale, 'g', -1, 64), parseScale}, "scale", "device pixels in a CSS pixel")
	flags.Var(&value[time.Duration]{&f.timeout, "TIME", "30s", parseTimeout}, "timeout", "the most that one target may take, once there is a browser")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON (the default where standard output is no terminal)")
	flags.BoolVar(&f.asOutline, "outline", false, "print an outline (the default on a terminal)")
	flags.Var(&value[int]{&f.jobs, "N", strconv.Itoa(f.jobs), parseJobs}, "jobs", "visit so many targets at once, each in a browser of its own; 0 is one for each processor")
	flags.Var(&list[string]{&f.attach, "URL", parseBrowserAddress}, "attach", "use a browser that runs: http://host:port of its debugging port, or its ws:// or wss:// address; given several times, the targets are spread over them")
	flags.Var(&value[string]{&f.browser, "PATH", "", parseBrowser}, "browser", "the browser to launch (default $"+cdp.BrowserVariable+", else the first one found)")
	flags.BoolVar(&f.headful, "headful", false, "show the windows of the browser that is launched on the desktop")
	complete(command, "scope", scopes)
	complete(command, "images", images)
}

// complete has a shell offer the words for a flag.
func complete(command *cobra.Command, flag string, words []string) {
	err := command.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(fmt.Sprintf("completing --%s: %v", flag, err))
	}
}

func parseBrowser(text string) (string, error) {
	if text == "" {
		return "", errors.New("must not be empty: give the path of a browser")
	}
	if _, err := cdp.Find(text); err != nil {
		return "", fmt.Errorf("%w; give the path of a Chrome or Chromium", err)
	}
	return text, nil
}

// check finds flags that do not go together.
func (f *snapshotFlags) check() error {
	switch {
	case f.asJSON && f.asOutline:
		return errors.New("--json and --outline do not go together: leave one out")
	case f.contents != "" && f.words != "":
		return errors.New("--select and --select-text do not go together: there is one selection, leave one out")
	case len(f.attach) > 0 && f.browser != "":
		return errors.New("--attach and --browser do not go together: attach to a browser, or have one launched")
	case len(f.attach) > 0 && f.headful:
		return errHeadfulAttach
	case len(f.attach) > 0 && f.jobs != 1:
		return errors.New("--attach and --jobs do not go together: one target at a time is opened in each browser that is attached to, so name as many as there are to be at once")
	case f.headful && f.jobs != 1:
		return errors.New("--headful and --jobs do not go together: only one window on a desktop has the focus")
	case f.wait.time >= f.timeout:
		return fmt.Errorf("--wait %v leaves no time to read in --timeout %v: wait less, or allow more time", f.wait.time, f.timeout)
	}
	return nil
}

// browsers gives those that targets are visited in, none of which is there yet: no more
// than there are targets.
func (f *snapshotFlags) browsers(targets int, notice func(string)) []*browser {
	var all []*browser
	for _, address := range f.attach {
		all = append(all, &browser{attach: address, notice: notice})
	}
	if len(all) > 0 {
		return all
	}
	jobs := f.jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	for i := range min(jobs, targets) {
		// What there is to say of one, there is of all.
		all = append(all, &browser{path: f.browser, headful: f.headful, notice: notice, noticed: i > 0})
	}
	return all
}

// options says the flags in the words of a visit.
func (f *snapshotFlags) options() visit.Options {
	return visit.Options{
		Width: f.viewport.width, Height: f.viewport.height, Scale: f.scale,
		Acts: visit.Acts{
			WaitFor: f.wait.css, Wait: f.wait.time,
			Eval: f.eval, ScrollTo: f.scrollTo, Focus: f.focus,
			Select: f.contents, SelectText: f.words, Hover: f.hover,
		},
		Query: provider.Query{
			Scope: cdp.Scope(f.scope), MaxElements: f.elements, MaxDepth: f.depth, MaxText: f.text,
			Pictures: f.images == thumbnails,
		},
		Timeout: f.timeout,
	}
}
