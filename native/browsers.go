package native

import (
	"path/filepath"
	"slices"
	"strings"
)

// A browserKind is what there is to know of a browser.
type browserKind struct {
	name, title string
	// page is its own page of extensions.
	page string
	// linux, darwin and windows are its folders of user data, one for each way that it
	// comes. On Linux and macOS it looks for hosts in them.
	linux, darwin, windows []string
	// keys are those of the registry that it looks for hosts below, its own first.
	keys []string
}

const (
	chromeKey   = `Software\Google\Chrome\NativeMessagingHosts`
	chromiumKey = `Software\Chromium\NativeMessagingHosts`
)

// The places that several have in common. A flatpak keeps its settings below
// .var/app/ID/config; a snap below snap/NAME, where Chromium's sets another folder of
// user data than the usual one.
const (
	flatpakPlace = ".var/app/"
	snapPlace    = "snap/"
)

// browsers follow Chrome's page on native messaging and Microsoft's for Edge for
// folders and keys; Chromium's for what the others inherit: Brave, Vivaldi, Opera and
// Arc read Chrome's key on Windows, Opera also Chrome's folder on Linux.
var browsers = []browserKind{
	{
		name: "chrome", title: "Google Chrome", page: "chrome://extensions",
		linux:   []string{"{config}/google-chrome", ".var/app/com.google.Chrome/config/google-chrome"},
		darwin:  []string{"{support}/Google/Chrome"},
		windows: []string{"{local}/Google/Chrome/User Data"}, keys: []string{chromeKey},
	},
	{
		name: "chromium", title: "Chromium", page: "chrome://extensions",
		linux:   []string{"{config}/chromium", "snap/chromium/common/chromium", ".var/app/org.chromium.Chromium/config/chromium"},
		darwin:  []string{"{support}/Chromium"},
		windows: []string{"{local}/Chromium/User Data"}, keys: []string{chromiumKey, chromeKey},
	},
	{
		name: "edge", title: "Microsoft Edge", page: "edge://extensions",
		linux:   []string{"{config}/microsoft-edge", ".var/app/com.microsoft.Edge/config/microsoft-edge"},
		darwin:  []string{"{support}/Microsoft Edge"},
		windows: []string{"{local}/Microsoft/Edge/User Data"}, keys: []string{`Software\Microsoft\Edge\NativeMessagingHosts`},
	},
	{
		name: "brave", title: "Brave", page: "brave://extensions",
		linux: []string{
			"{config}/BraveSoftware/Brave-Browser", "snap/brave/current/.config/BraveSoftware/Brave-Browser",
			".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser",
		},
		darwin:  []string{"{support}/BraveSoftware/Brave-Browser"},
		windows: []string{"{local}/BraveSoftware/Brave-Browser/User Data"}, keys: []string{chromeKey},
	},
	{
		name: "vivaldi", title: "Vivaldi", page: "vivaldi://extensions",
		linux:   []string{"{config}/vivaldi", "snap/vivaldi/current/.config/vivaldi", ".var/app/com.vivaldi.Vivaldi/config/vivaldi"},
		darwin:  []string{"{support}/Vivaldi"},
		windows: []string{"{local}/Vivaldi/User Data"}, keys: []string{chromeKey},
	},
	{
		name: "opera", title: "Opera", page: "opera://extensions",
		linux:   []string{"{config}/opera", "snap/opera/current/.config/opera", ".var/app/com.opera.Opera/config/opera"},
		darwin:  []string{"{support}/com.operasoftware.Opera"},
		windows: []string{"{roaming}/Opera Software/Opera Stable"}, keys: []string{chromeKey},
	},
	{
		name: "arc", title: "Arc", page: "arc://extensions",
		darwin:  []string{"{support}/Arc/User Data"},
		windows: []string{"{local}/Packages/TheBrowserCompany.Arc_ttt1ap7aakyb4/LocalCache/Local/Arc/User Data"}, keys: []string{chromeKey},
	},
}

// operaReads is the folder beside its own in which Opera looks for hosts on Linux.
var operaReads = map[string]string{
	"{config}/opera":                        "{config}/google-chrome",
	"snap/opera/current/.config/opera":      "snap/opera/current/.config/google-chrome",
	".var/app/com.opera.Opera/config/opera": ".var/app/com.opera.Opera/config/google-chrome",
}

// Browsers are the names of the browsers that the host can be registered with.
func Browsers() []string {
	var names []string
	for _, b := range browsers {
		names = append(names, b.name)
	}
	return names
}

func findBrowser(name string) browserKind {
	at := slices.IndexFunc(browsers, func(b browserKind) bool { return b.name == name })
	if at < 0 {
		return browserKind{}
	}
	return browsers[at]
}

// A Place is where one browser, as it came to the machine, looks for hosts.
type Place struct {
	// Browser is its name, Title what people call it, and Page its page of extensions.
	Browser, Title, Page string
	// UserData is its folder of user data, by which it is known to be there.
	UserData string
	// Manifests are the files by which it finds the host.
	Manifests []string
	// Keys are those of the registry that say where the first of them is.
	Keys []string
	// Flatpak is the id of the flatpak that it is; "" where it is none.
	Flatpak string
	// Snap is whether it is a snap.
	Snap bool
	// Found is whether it is there.
	Found bool
}

// Places are the ways that a browser comes to such a system, the usual one first; none
// where it is not made for it.
func (s System) Places(name string) []Place {
	b := findBrowser(name)
	var places []Place
	for _, at := range map[string][]string{"linux": b.linux, "darwin": b.darwin, "windows": b.windows}[s.OS] {
		p := Place{Browser: b.name, Title: b.title, Page: b.page, UserData: s.Path(at), Found: s.Exists(at), Snap: strings.HasPrefix(at, snapPlace)}
		if below, ok := strings.CutPrefix(at, flatpakPlace); ok {
			p.Flatpak, _, _ = strings.Cut(below, "/")
		}
		if s.OS == "windows" {
			p.Manifests = []string{s.registered()}
			p.Keys = b.registryKeys()
		} else {
			p.Manifests = []string{manifestIn(p.UserData)}
			if also, ok := operaReads[at]; ok {
				p.Manifests = append(p.Manifests, manifestIn(s.Path(also)))
			}
		}
		places = append(places, p)
	}
	return places
}

// registered is the manifest that the registry names. It is one for all browsers, since
// several look below the same key.
func (s System) registered() string { return manifestIn(s.Data) }

// PlaceAt is the place of a browser that keeps its users' data in a folder of its own.
// Windows' browsers look for hosts in the registry all the same.
func (s System) PlaceAt(name, userDataDir string) Place {
	b := findBrowser(name)
	p := Place{Browser: b.name, Title: b.title, Page: b.page, UserData: userDataDir, Manifests: []string{manifestIn(userDataDir)}}
	if s.OS == "windows" {
		p.Manifests = []string{s.registered()}
		p.Keys = b.registryKeys()
	}
	return p
}

func (b browserKind) registryKeys() []string {
	var keys []string
	for _, key := range b.keys {
		keys = append(keys, key+`\`+HostName)
	}
	return keys
}

func manifestIn(userDataDir string) string {
	return filepath.Join(userDataDir, hostsFolder, HostName+".json")
}
