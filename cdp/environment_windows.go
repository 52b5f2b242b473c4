package cdp

// environment has the variables that keep the browser's files in its home.
func environment(_ LaunchOptions, h *home) []string {
	return []string{"TMP=" + h.temp(), "TEMP=" + h.temp()}
}
