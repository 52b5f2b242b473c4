package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webarea/webarea/provider"
)

// TestWindowArguments has, of each argument, values that are taken and values that are
// refused.
func TestWindowArguments(t *testing.T) {
	window := map[string]string{"pid": "1", "window_id": "2"}
	verify := map[string]string{"pid": "1", "window_id": "2", "expect": "[{}]"}
	parse := map[string]string{"capture_id": `"c"`}
	none := map[string]string{}
	for _, c := range []struct {
		tool          *tool
		base          map[string]string
		name          string
		takes, refuse []string
	}{
		{&getAccessibilityTree, none, "session", []string{`"a"`}, []string{`1`}},
		{&getWindowState, window, "pid", []string{`1`, `4000000`}, []string{`0`, `"1"`, `1.5`}},
		{&getWindowState, window, "window_id", []string{`0`, `-1`, `99`}, []string{`"1"`, `1.5`, `null`}},
		{&getWindowState, window, "tab_id", []string{`"abc1"`}, []string{`1`}},
		{&getWindowState, window, "session", []string{`"a"`}, []string{`true`}},
		{&getWindowState, window, "capture_mode", []string{`"ax"`, `"som"`, `"anything"`}, []string{`1`}},
		{&getWindowState, window, "include_accessibility_tree", []string{`true`, `false`}, []string{`"true"`, `1`}},
		{&getWindowState, window, "include_screenshot", []string{`true`, `false`}, []string{`"no"`}},
		{&getWindowState, window, "max_depth", []string{`1`, `25`, `100000`}, []string{`0`, `-1`, `"1"`}},
		{&getWindowState, window, "max_elements", []string{`1`, `2000`, `1000000`}, []string{`0`, `1.5`}},
		{&getWindowState, window, "max_dimension", []string{`1`, `10000`}, []string{`0`}},
		{&getWindowState, window, "max_image_dimension", []string{`0`, `1`, `10000`}, []string{`-1`}},
		{&getWindowState, window, "order", []string{`"screen"`, `"document"`}, []string{`"depth"`, `1`}},
		{&getWindowState, window, "query", []string{`""`, `"x"`}, []string{`1`}},
		{&getWindowState, window, "screenshot_out_file", []string{`"/x.png"`}, []string{`1`}},
		{&getWindowState, window, "timeout_ms", []string{`100`, `120000`}, []string{`99`, `120001`}},
		{&verifyState, verify, "pid", []string{`1`}, []string{`0`}},
		{&verifyState, verify, "tab_id", []string{`"a"`}, []string{`1`}},
		{&verifyState, verify, "session", []string{`"a"`}, []string{`1`}},
		{&verifyState, verify, "include_screenshot", []string{`true`, `false`}, []string{`1`}},
		{&verifyState, verify, "stable_samples", []string{`1`, `5`}, []string{`0`, `6`}},
		{&verifyState, verify, "timeout_ms", []string{`0`, `10000`}, []string{`-1`, `10001`}},
		{&verifyState, verify, "expect", []string{
			`[{}]`, `[{},{},{},{},{},{},{},{}]`, `[{"window":{"exists":true,"bounds":{"x":0,"y":0,"width":1,"height":1,"tolerance_px":100},"load_state":"loading"}}]`,
			`[{"element":{"selector":{"role":"link"},"checked":"mixed"}}]`, `[{"element":{"selector":{},"checked":true,"count":0}}]`, `[{"text_selection":{"equals":""}}]`,
		}, []string{
			`[]`, `[{},{},{},{},{},{},{},{},{}]`, `{}`, `[{"page":{}}]`, `[{"window":{"visible":true}}]`, `[{"window":{"load_state":"interactive"}}]`,
			`[{"window":{"bounds":{"x":0,"y":0,"width":1,"height":1,"tolerance_px":101}}}]`, `[{"window":{"bounds":{"x":0}}}]`, `[{"element":{"exists":true}}]`,
			`[{"element":{"selector":{"css":"a"}}}]`, `[{"element":{"selector":{},"checked":"yes"}}]`, `[{"element":{"selector":{},"count":-1}}]`, `[{"text_selection":{"within":"x"}}]`,
		}},
		{&parseVisualRegions, parse, "capture_id", []string{`"c"`}, []string{`1`}},
		{&parseVisualRegions, parse, "session", []string{`"a"`}, []string{`1`}},
		{&parseVisualRegions, parse, "options", []string{
			`{}`, `{"kinds":["text"]}`, `{"kinds":["text","icon"],"max_regions":1,"min_confidence":0}`, `{"min_confidence":1}`,
		}, []string{
			`{"kinds":["image"]}`, `{"max_regions":0}`, `{"min_confidence":-0.1}`, `{"min_confidence":1.1}`, `{"other":1}`, `[]`,
		}},
	} {
		for _, take := range []bool{true, false} {
			values := c.takes
			if !take {
				values = c.refuse
			}
			for _, value := range values {
				arguments := map[string]json.RawMessage{}
				for name, v := range c.base {
					arguments[name] = json.RawMessage(v)
				}
				arguments[c.name] = json.RawMessage(value)
				text, err := json.Marshal(arguments)
				if err != nil {
					t.Fatal(err)
				}
				_, err = c.tool.input.complete(text)
				var told *provider.Error
				if take && err != nil || !take && (!errors.As(err, &told) || told.Code != provider.CodeInvalid) {
					t.Errorf("%s with %s %s: got %v", c.tool.name, c.name, value, err)
				}
			}
		}
	}
	for _, tool := range []*tool{&getAccessibilityTree, &getWindowState, &verifyState, &parseVisualRegions} {
		_, err := tool.input.complete([]byte(`{"pid":1,"window_id":2,"capture_id":"c","expect":[{}],"delivery_mode":"foreground"}`))
		if err == nil || !strings.Contains(err.Error(), "delivery_mode") {
			t.Errorf("%s: an argument that there is not: got %v, want its name", tool.name, err)
		}
	}
	for _, missing := range []struct {
		tool *tool
		text string
	}{{&getWindowState, `{"pid":1}`}, {&getWindowState, `{"window_id":1}`}, {&verifyState, `{"pid":1,"window_id":1}`}, {&parseVisualRegions, `{}`}} {
		if _, err := missing.tool.input.complete([]byte(missing.text)); err == nil {
			t.Errorf("%s %s: it was taken", missing.tool.name, missing.text)
		}
	}
}

func TestWindowDefaults(t *testing.T) {
	complete, err := getWindowState.input.complete([]byte(`{"pid":1,"window_id":2}`))
	if err != nil {
		t.Fatal(err)
	}
	in := decode[getWindowStateArguments](t, string(complete))
	if in.PID != 1 || in.Window != 2 || in.MaxDepth != 25 || in.MaxElements != 2000 || in.TimeoutMS != 1000 || !in.Tree || !in.Picture || in.Order != "screen" || in.edge() != 1568 {
		t.Errorf("got %+v", in)
	}
	zero, large, small := 0, 3000, 500
	for _, c := range []struct {
		image *int
		most  int
		want  int
	}{{nil, 0, 1568}, {&zero, 0, 0}, {&large, 0, 3000}, {&small, 0, 500}, {nil, 100, 100}, {nil, 4000, 1568}, {&zero, 200, 200}, {&large, 200, 200}, {&small, 600, 500}} {
		if got := (getWindowStateArguments{MaxImageDimension: c.image, MaxDimension: c.most}).edge(); got != c.want {
			t.Errorf("max_image_dimension %v and max_dimension %d: got %d, want %d", c.image, c.most, got, c.want)
		}
	}
	if complete, err = verifyState.input.complete([]byte(`{"pid":1,"window_id":2,"expect":[{}]}`)); err != nil {
		t.Fatal(err)
	}
	if v := decode[verifyStateArguments](t, string(complete)); v.TimeoutMS != 5000 || v.Stable != nil || v.Picture {
		t.Errorf("got %+v", v)
	}
}

func TestPictureFile(t *testing.T) {
	home := t.TempDir()
	if resolved, err := filepath.EvalSymlinks(home); err == nil {
		home = resolved
	}
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	png := append([]byte(nil), append(pngHead, "rest"...)...)
	for name, data := range map[string][]byte{"old.png": png, "text.png": []byte("text"), "short.png": {1}} {
		if err := os.WriteFile(filepath.Join(home, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(home, "folder.png"), 0o700); err != nil {
		t.Fatal(err)
	}
	linked := os.Symlink(filepath.Join(home, "old.png"), filepath.Join(home, "link.png")) == nil && os.Symlink(home, filepath.Join(home, "away")) == nil
	for path, want := range map[string]string{
		"~/new.png": "", "~/old.png": "", filepath.Join(home, "other.PNG"): "",
		"~/new.jpg": ".png", "~/text.png": "no PNG", "~/short.png": "no PNG", "~/folder.png": "no file", "~/nowhere/x.png": "no folder",
		"~/link.png": "no file", "~/away/x.png": "no folder",
	} {
		if !linked && (strings.Contains(path, "link") || strings.Contains(path, "away")) {
			continue
		}
		whole, err := files(true).check(path)
		if want == "" {
			if err == nil {
				err = writePNG(whole, png)
			}
			if err != nil {
				t.Errorf("%s: got %v", path, err)
			} else if got, _ := os.ReadFile(whole); !bytes.Equal(got, png) {
				t.Errorf("%s: got %q", path, got)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
	left, _ := filepath.Glob(filepath.Join(home, ".webarea-*"))
	if len(left) > 0 {
		t.Errorf("it left %v behind", left)
	}
	var told *provider.Error
	if _, err := files(false).check("~/new.png"); !errors.As(err, &told) || told.Code != CodeNotHere {
		t.Errorf("where no files are written: got %v", err)
	}
}

// A session is a label in the log, on one line, and nothing else.
func TestSessionLabel(t *testing.T) {
	var log bytes.Buffer
	p := provider.New("Chromium")
	defer p.Close()
	s := New(Options{Provider: p, Log: slog.New(slog.NewTextHandler(&log, nil))})
	r, err := s.Call(context.Background(), "get_accessibility_tree", []byte(`{"session":"my\nlabel"}`))
	if err != nil || r.Failed || string(r.Structured) != `{"browsers":[],"windows":[]}` {
		t.Errorf("got %+v, %v", r, err)
	}
	if got := log.String(); !strings.Contains(got, `session="my label"`) || strings.Count(got, "\n") != 1 {
		t.Errorf("got the log %q", got)
	}
	for tool, arguments := range map[string]string{
		"get_window_state": `{"pid":1,"window_id":1}`, "parse_visual_regions": `{"capture_id":"x"}`,
		"verify_state": `{"pid":1,"window_id":1,"expect":[{"window":{"exists":true}}],"timeout_ms":0}`,
	} {
		r, err := s.Call(context.Background(), tool, []byte(arguments))
		if err != nil {
			t.Errorf("%s: %v", tool, err)
			continue
		}
		if want := map[string]string{"get_window_state": "window_id_not_found", "parse_visual_regions": "capture_not_found", "verify_state": `"status":"unsatisfied"`}[tool]; !strings.Contains(fmt.Sprint(string(r.Structured)), want) {
			t.Errorf("%s: got %s, want %s", tool, r.Structured, want)
		}
	}
}
