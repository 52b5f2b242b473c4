package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/webarea/webarea/native"
)

func lookAtFolder(_ context.Context, x *examination) result {
	dir, err := native.LookAtRunDir()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ok("%s will be made by the first host", dir)
	case errors.Is(err, native.ErrOthersEnter):
		return wrong("open", "%s: %v", dir, err)
	case err != nil:
		return wrong("unusable", "%s: %v", dir, err)
	}
	x.folder = dir
	return ok("%s", dir)
}

func closeFolder(context.Context, *examination) error {
	dir, err := native.LookAtRunDir()
	if !errors.Is(err, native.ErrOthersEnter) {
		return err
	}
	return os.Chmod(dir, 0o700)
}

func lookAtSockets(ctx context.Context, x *examination) result {
	if x.folder == "" {
		return unchecked("there is no folder of sockets")
	}
	live, stale, err := native.Sockets(ctx, x.folder)
	if err != nil {
		return unchecked("%v", err)
	}
	if len(stale) > 0 {
		var names []string
		for _, path := range stale {
			names = append(names, filepath.Base(path))
		}
		return wrong("stale", "%s in %s", strings.Join(names, ", "), x.folder)
	}
	return ok("%d of running hosts", len(live))
}

func sweep(ctx context.Context, x *examination) error { return native.Sweep(ctx, x.folder) }
