package doctor

import (
	"context"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/webarea/webarea/cdp"
)

// oldest is the first version of Chrome in which the extension runs, as its manifest
// says.
const oldest = 125

// majorVersion finds the version in what a browser says of itself.
var majorVersion = regexp.MustCompile(`\b(\d+)\.\d+\.\d+\.\d+\b`)

func lookAtBrowser(ctx context.Context, _ *examination) result {
	path, err := cdp.Find("")
	if err != nil {
		return wrong("none", "%v", err)
	}
	if runtime.GOOS == "windows" {
		return ok("%s (there browsers do not say their version)", path)
	}
	says, err := exec.CommandContext(ctx, path, "--version").Output()
	found := majorVersion.FindSubmatch(says)
	if err != nil || found == nil {
		return wrong("dumb", "%s says %.100q (%v)", path, says, err)
	}
	says = []byte(strings.TrimSpace(string(says)))
	if major, err := strconv.Atoi(string(found[1])); err != nil || major < oldest {
		return wrong("old", "%s is %s, and %d is needed", path, says, oldest)
	}
	return ok("%s, %s", says, path)
}
