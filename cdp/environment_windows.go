package cdp

const shortFolder = ""

// fitsSocket tells that the browser makes no socket among its temporary files here.
func fitsSocket(string) bool { return true }

// environment has the variables that keep the browser's files in its home.
func environment(_ LaunchOptions, h *home) []string {
	return []string{"TMP=" + h.temp(), "TEMP=" + h.temp()}
}
