package doctor

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/webarea/webarea/native"
)

// maxNamed is how many files are named where many are at fault.
const maxNamed = 3

func lookAtExtension(_ context.Context, x *examination) result {
	dir := x.place.Extension
	own, err := native.ExtensionVersion()
	if err != nil {
		return unchecked("this program does not tell the version of its extension: %v", err)
	}
	found, err := native.LookAtExtension(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wrong("missing", "%s", dir)
	case err != nil:
		return wrong("foreign", "%v", err)
	case found.Version != own:
		return wrong("version", "%s there, %s here", found.Version, own)
	case len(found.Damaged) > 0:
		named := found.Damaged[:min(len(found.Damaged), maxNamed)]
		if len(named) < len(found.Damaged) {
			named = append(named[:len(named):len(named)], "and others")
		}
		return wrong("damaged", "%s in %s", strings.Join(named, ", "), dir)
	}
	return ok("%s, %s", own, dir)
}
