package extension_test

import (
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webarea/webarea/cdp"
)

// doctor gives what the doctor finds of an installation, by check, as "state: what".
func (e *installation) doctor(args ...string) map[string]string {
	e.t.Helper()
	args = append([]string{"doctor", "--json", "--browser", "chromium", "--user-data-dir", e.options.profile, "--extension-dir", filepath.Join(e.run, "extension")}, args...)
	out, err := exec.CommandContext(e.ctx, e.program, args...).Output()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		e.t.Fatal(err)
	}
	var got struct {
		Well     bool
		Findings []struct{ Check, State, What string }
	}
	if err := json.Unmarshal(out, &got); err != nil || got.Well != (ended == nil) {
		e.t.Fatalf("got %s (%v), want findings by which it ends", out, ended)
	}
	found := map[string]string{}
	for _, f := range got.Findings {
		found[f.Check] = f.State + ": " + f.What
	}
	return found
}

// expect compares how checks end.
func expect(t *testing.T, got map[string]string, want map[string]string) {
	t.Helper()
	for check, begins := range want {
		if !strings.HasPrefix(got[check], begins) {
			t.Errorf("%s: got %q, want %q", check, got[check], begins)
		}
	}
}

// The doctor follows the way of an answer through a real browser to a shared tab.
func TestDoctorEndToEnd(t *testing.T) {
	e := install(t, rigOptions{})
	page := e.open("/one")
	agent := e.agent()
	expect(t, e.doctor(), map[string]string{
		"extension": "ok: ", "manifest": "ok: ", "folder": "ok: ", "sockets": "ok: 1 of", "host": "ok: ", "connected": "ok: ",
		"shared": "wrong: No tab is shared", "read": "unchecked: no tab is shared",
	})
	page.share()
	if !eventually(func() bool { return strings.Contains(e.elements(agent, object{}), "Page /one") }) {
		t.Fatal("the shared tab is not read")
	}
	expect(t, e.doctor(), map[string]string{"connected": "ok: ", "shared": "ok: 1 tab", "read": "ok: 1 tab in "})

	out, err := exec.CommandContext(e.ctx, e.program, "status").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"Shared tabs\n    \"Page /one\"\n", "Agents\n    Test agent 1.2\n", " webarea doctor: get_elements pointing, ok, "} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the status: got %s\nwant %q", out, want)
		}
	}
}

// A browser that runs without the extension is told from one that does not run.
func TestDoctorWithoutExtension(t *testing.T) {
	whole(t)
	e := install(t, rigOptions{})
	if !eventually(func() bool { return len(e.sockets()) == 1 }) {
		t.Fatal("the browser started no host")
	}
	if err := e.browser.Close(); err != nil {
		t.Fatal(err)
	}
	if !eventually(func() bool { return len(e.sockets()) == 0 }) {
		t.Fatal("the host outlives its browser")
	}
	expect(t, e.doctor(), map[string]string{"host": "ok: ", "connected": "unchecked: no browser", "shared": "unchecked: "})
	other, err := cdp.Launch(e.ctx, cdp.LaunchOptions{Profile: e.options.profile, HostRules: nowhere, URL: e.site.URL + "/start"})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	expect(t, e.doctor(), map[string]string{"connected": "wrong: The browser runs, but no extension in it has started its host"})
}
