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
	"--disable-extensions",
	"--disable-field-trial-config",
	"--disable-quic",
	"--disable-search-engine-choice-screen",
	"--disable-sync",
	"--metrics-recording-only",
	"--mute-audio",
	"--password-store=basic",
	"--use-mock-keychain",
}

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

// unwanted are features, on by default, that fetch things or ask questions.
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
}

func arguments(opts LaunchOptions, h *home) []string {
	args := []string{"--user-data-dir=" + h.profile()}
	args = append(args, quiet...)
	args = append(args, steady...)
	args = append(args, "--disable-features="+strings.Join(unwanted, ","))
	if !opts.Headful {
		args = append(args, "--headless=new")
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
	args = append(args, opts.Args...)
	url := opts.URL
	if url == "" {
		url = "about:blank"
	}
	return append(args, url)
}
