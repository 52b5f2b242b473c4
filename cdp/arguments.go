package cdp

import (
	"fmt"
	"strings"
)

// quiet are the switches that keep a browser from doing anything but showing
// pages: no traffic of its own, no questions, nothing kept elsewhere.
var quiet = []string{
	"--no-first-run",
	"--no-default-browser-check",
	"--no-pings",
	"--no-service-autorun",
	"--disable-background-networking",
	"--disable-breakpad",
	"--disable-client-side-phishing-detection",
	"--disable-component-extensions-with-background-pages",
	"--disable-component-update",
	"--disable-crash-reporter",
	"--disable-default-apps",
	"--disable-domain-reliability",
	"--disable-field-trial-config",
	"--disable-quic",
	"--disable-search-engine-choice-screen",
	"--disable-sync",
	"--metrics-recording-only",
	"--mute-audio",
	"--password-store=basic",
	"--use-mock-keychain",
	// What still asks for updates and accounts asks a port that the browser
	// refuses to connect to.
	"--component-updater=url-source=" + nowhere,
	"--gaia-url=" + nowhere,
}

const nowhere = "https://127.0.0.1:9/"

// steady are the switches that make a page behave alike whether or not its
// window is in front, and let a script that opens a window open it.
var steady = []string{
	"--disable-back-forward-cache",
	"--disable-background-timer-throttling",
	"--disable-backgrounding-occluded-windows",
	"--disable-hang-monitor",
	"--disable-infobars",
	"--disable-popup-blocking",
	"--disable-prompt-on-repost",
	"--disable-renderer-backgrounding",
}

// unwanted are features, on by default, that fetch things, ask questions, or
// start processes for parts of the window that nobody uses.
var unwanted = []string{
	"AutofillServerCommunication",
	"CertificateTransparencyComponentUpdater",
	"DialMediaRouteProvider",
	"InterestFeedContentSuggestions",
	"MediaRouter",
	"NetworkTimeServiceQuerying",
	"OptimizationGuideModelDownloading",
	"OptimizationHints",
	"Translate",
	"WebUIOmniboxAimPopup",
	"WebUIOmniboxPopup",
}

// The size of the screen that a headless browser imagines, in CSS pixels: the most
// common one. Its own is smaller than most windows.
const (
	screenWidth  = 1920
	screenHeight = 1080
)

func arguments(opts LaunchOptions, h *home) []string {
	args := []string{"--user-data-dir=" + h.profile()}
	args = append(args, quiet...)
	args = append(args, steady...)
	extra, features := splitFeatures(opts.Args)
	if len(opts.Extensions) > 0 {
		args = append(args, "--load-extension="+strings.Join(opts.Extensions, ","))
		features = append(features, loadSwitchOff)
	} else {
		args = append(args, "--disable-extensions")
	}
	args = append(args, disableFeatures+strings.Join(append(features, unwanted...), ","))
	if !opts.Headful {
		width, height := max(opts.Width, screenWidth), max(opts.Height, screenHeight)
		args = append(args, "--headless=new", fmt.Sprintf("--screen-info={%dx%d}", width, height))
	}
	if asRoot() {
		args = append(args, "--no-sandbox")
	}
	if opts.Width > 0 && opts.Height > 0 {
		args = append(args, fmt.Sprintf("--window-size=%d,%d", opts.Width, opts.Height))
	}
	if opts.HostRules != "" {
		args = append(args, "--host-resolver-rules="+opts.HostRules)
	}
	args = append(args, extra...)
	if opts.URL == "" {
		return append(args, "--no-startup-window")
	}
	return append(args, opts.URL)
}

// loadSwitchOff is the feature by which some builds of Chrome ignore
// --load-extension.
const loadSwitchOff = "DisableLoadExtensionCommandLineSwitch"

const disableFeatures = "--disable-features="

// splitFeatures takes the features that are to be disabled out of the switches: of
// several lists a browser heeds the last only, so ours must be part of it.
func splitFeatures(args []string) (others, features []string) {
	for _, arg := range args {
		if list, ok := strings.CutPrefix(arg, disableFeatures); ok {
			features = append(features, list)
		} else {
			others = append(others, arg)
		}
	}
	return others, features
}
