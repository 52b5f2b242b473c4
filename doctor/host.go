package doctor

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/webarea/webarea/native"
)

// endPatience is how long a host may take to end once its browser hangs up.
const endPatience = 5 * time.Second

// lookAtHost starts the host as a browser does: the program that the manifest names,
// with the extension's origin, in the program's folder, and frames on its standard
// input and output.
func lookAtHost(ctx context.Context, x *examination) result {
	m, err := x.readManifest()
	if err != nil {
		return unchecked("there is no manifest to go by")
	}
	if x.place.Sandboxed {
		return unchecked("the browser starts it in a sandbox of its own")
	}
	if !filepath.IsAbs(m.Path) && runtime.GOOS != "windows" {
		return wrong("start", "%q is no absolute path, so browsers refuse it", m.Path)
	}
	version, err := native.ExtensionVersion()
	if err != nil {
		return unchecked("this program does not tell the version of its extension: %v", err)
	}
	begun := time.Now()
	welcome, started, err := greet(ctx, m.Path, version)
	switch {
	case !started:
		return wrong("start", "%v", err)
	case err != nil:
		return wrong("silent", "%s: %v", m.Path, err)
	case welcome.Version != x.Version:
		return wrong("version", "%s is %s, this is %s", m.Path, welcome.Version, x.Version)
	}
	return ok("%s answered in %d ms", welcome.Version, time.Since(begun).Milliseconds())
}

// greet starts a host, greets it, and ends it. started is false where it could not
// even be started.
func greet(ctx context.Context, program, version string) (w native.Welcome, started bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	args := []string{native.Origin}
	if runtime.GOOS == "windows" {
		args = append(args, "--parent-window=0")
	}
	c := exec.CommandContext(ctx, program, args...)
	c.Dir = filepath.Dir(program)
	c.WaitDelay = endPatience
	in, err := c.StdinPipe()
	if err != nil {
		return w, false, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return w, false, err
	}
	if err := c.Start(); err != nil {
		return w, false, err
	}
	w, err = native.Greet(in, out, version)
	if ctx.Err() != nil {
		err = errors.New("it says nothing")
	}
	_ = in.Close() // one that has gone has closed it
	late := time.AfterFunc(endPatience, cancel)
	defer late.Stop()
	ended := c.Wait()
	if err == nil && ended != nil {
		err = ended
	}
	return w, true, err
}
