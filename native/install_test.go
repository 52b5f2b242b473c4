package native

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInstall(t *testing.T) {
	home := t.TempDir()
	data, folder := filepath.Join(home, "data"), filepath.Join(home, "ours")
	at, err := Plan("chromium", data, folder)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := at.Install("/opt/webarea"); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(data, "NativeMessagingHosts", "com.webarea.host.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	if origins, _ := json.Marshal(m["allowed_origins"]); m["name"] != "com.webarea.host" || m["path"] != "/opt/webarea" || m["type"] != "stdio" || string(origins) != `["`+Origin+`"]` {
		t.Errorf("got %s, want a host for our extension alone", text)
	}
	count := 0
	if err := eachFile(func(name string, want []byte) error {
		count++
		got, err := os.ReadFile(filepath.Join(folder, name))
		if len(got) == 0 || string(got) != string(want) {
			t.Errorf("%s was not unpacked as it is", name)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(folder, scriptFile)); err != nil {
		t.Errorf("the script for pages is not there: %v", err)
	}
	if hidden, _ := filepath.Glob(filepath.Join(folder, ".*")); count < 10 || len(hidden) > 0 {
		t.Errorf("%d files are unpacked, and there are %v", count, hidden)
	}

	kept := filepath.Join(folder, "icons", "mine.txt")
	if err := os.WriteFile(kept, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		if found, err := at.Uninstall(); err != nil || found != want {
			t.Errorf("got %v, %v, want %v", found, err, want)
		}
		if want {
			if _, err := os.Stat(kept); err != nil {
				t.Errorf("a file that is not ours was taken away: %v", err)
			}
			os.Remove(kept)
			os.Remove(filepath.Dir(kept))
			os.Remove(folder)
		}
	}
	left, _ := filepath.Glob(filepath.Join(home, "*", "*"))
	if len(left) > 0 {
		t.Errorf("there are %v left", left)
	}
}

func TestInstallRefuses(t *testing.T) {
	tests := []struct{ name, file, text, want string }{
		{"other things", "notes.txt", "mine", "has other things in it"},
		{"another extension", "manifest.json", `{"key":"another"}`, "has another extension in it"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			home := t.TempDir()
			if err := os.WriteFile(filepath.Join(home, test.file), []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			at, err := Plan("chromium", filepath.Join(home, "data"), home)
			if err != nil {
				t.Fatal(err)
			}
			if err := at.Install("/opt/webarea"); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("installing: got %v, want %q", err, test.want)
			}
			if _, err := os.Stat(at.Manifest); err == nil {
				t.Error("the host was registered all the same")
			}
			if _, err := at.Uninstall(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("uninstalling: got %v, want %q", err, test.want)
			}
			if text, _ := os.ReadFile(filepath.Join(home, test.file)); string(text) != test.text {
				t.Error("what was there is changed")
			}
		})
	}
}
