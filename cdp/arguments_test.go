package cdp

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestArguments(t *testing.T) {
	h := &home{dir: "home"}
	profile := "--user-data-dir=" + filepath.Join("home", "p")
	tests := []struct {
		name      string
		opts      LaunchOptions
		has, not  []string
		last      string
		countOnce string
	}{
		{"headless", LaunchOptions{}, []string{profile, "--headless=new", "--disable-quic", "--screen-info={1920x1080}"}, []string{"--window-size"}, "--no-startup-window", disableFeatures},
		{"on the desktop", LaunchOptions{Headful: true, URL: "https://example.org/"}, []string{profile}, []string{"--headless", "--screen-info", "--no-startup-window"}, "https://example.org/", disableFeatures},
		{"with a size", LaunchOptions{Width: 2000, Height: 500}, []string{"--window-size=2000,500", "--screen-info={2000x1080}"}, nil, "--no-startup-window", "--window-size"},
		{"with rules for hosts", LaunchOptions{HostRules: "MAP * ~NOTFOUND"}, []string{"--host-resolver-rules=MAP * ~NOTFOUND"}, nil, "--no-startup-window", "--host-resolver-rules"},
		{"with extensions", LaunchOptions{Extensions: []string{"a", "b"}}, []string{"--load-extension=a,b"}, []string{"--disable-extensions"}, "--no-startup-window", disableFeatures},
		{"without extensions", LaunchOptions{}, []string{"--disable-extensions"}, []string{"--load-extension"}, "--no-startup-window", disableFeatures},
		{"with other switches", LaunchOptions{Args: []string{"--x", "--disable-features=A,B"}}, []string{"--x"}, []string{"--disable-features=A,B,,"}, "--no-startup-window", disableFeatures},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			args := arguments(test.opts, h)
			for _, want := range test.has {
				if !slices.Contains(args, want) {
					t.Errorf("got %q\nwant %s among them", args, want)
				}
			}
			begins := func(prefix string) (count int) {
				for _, arg := range args {
					if strings.HasPrefix(arg, prefix) {
						count++
					}
				}
				return count
			}
			for _, unwanted := range test.not {
				if begins(unwanted) > 0 {
					t.Errorf("got %q\nwant none that begins with %s", args, unwanted)
				}
			}
			if n := begins(test.countOnce); n != 1 {
				t.Errorf("got %q\nwant one that begins with %s, not %d", args, test.countOnce, n)
			}
			if got := args[len(args)-1]; got != test.last {
				t.Errorf("the last is %s, want %s", got, test.last)
			}
		})
	}
}

func TestConfinedTo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are neither snaps nor flatpaks on Windows")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, folder := range []string{"snap/chromium/common", ".var/app/org.chromium.Chromium/cache"} {
		if err := os.MkdirAll(filepath.Join(home, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ program, want string }{
		{"/usr/bin/chromium", ""},
		{"/snap/bin/chromium", filepath.Join(home, "snap/chromium/common")},
		{"/snap/bin/other", ""},
		{"/var/lib/flatpak/exports/bin/org.chromium.Chromium", filepath.Join(home, ".var/app/org.chromium.Chromium/cache")},
	}
	for _, test := range tests {
		if got := confinedTo(test.program); got != test.want {
			t.Errorf("%s is confined to %q, want %q", test.program, got, test.want)
		}
	}
}

func TestKeptProfile(t *testing.T) {
	h := &home{dir: "home", kept: "mine"}
	if args := arguments(LaunchOptions{}, h); !slices.Contains(args, "--user-data-dir=mine") {
		t.Errorf("got %q\nwant the profile that is kept", args)
	}
}
