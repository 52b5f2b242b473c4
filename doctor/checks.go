package doctor

import "context"

// A check is one thing that is looked at.
type check struct {
	name        string
	title       string // what is so if all is well
	eachBrowser bool
	look        func(ctx context.Context, x *examination) result
	faults      []fault
}

// A fault is what a check may find.
type fault struct {
	name  string
	wrong string // what is wrong, without a full stop
	mend  string // what is for the user to do
	after string // what is left to do once it was mended by fix
	fix   func(ctx context.Context, x *examination) error
}

// fault gives one by its name.
func (c *check) fault(name string) *fault {
	for i := range c.faults {
		if c.faults[i].name == name {
			return &c.faults[i]
		}
	}
	panic("doctor: the check " + c.name + " has no fault " + name)
}

// fixes is the mend of what the doctor can mend.
const fixes = "Run `webarea doctor --fix`."

// reload is left to do after the extension was unpacked anew.
const reload = "If Webarea is loaded already, click its reload arrow on chrome://extensions."

// checks are all checks, in their order.
var checks = []check{
	{
		name: "browser", title: "There is a browser that the extension runs in", look: lookAtBrowser,
		faults: []fault{
			{name: "none", wrong: "No browser was found", mend: "Install Chrome or Chromium, or name the program in `$WEBAREA_BROWSER`."},
			{name: "dumb", wrong: "The browser does not say its version", mend: "Start it by hand and see what it says; install it anew if it does not start."},
			{name: "old", wrong: "The browser is too old for the extension", mend: "Update the browser."},
		},
	},
	{
		name: "extension", title: "The extension is unpacked, whole, and of this version", eachBrowser: true, look: lookAtExtension,
		faults: []fault{
			{name: "missing", wrong: "The extension is not unpacked", mend: fixes, after: "Load it: on chrome://extensions switch on \"Developer mode\", click \"Load unpacked\" and choose its folder.", fix: install},
			{name: "foreign", wrong: "The folder of the extension has something else in it", mend: "Move that away, or name another folder with `--extension-dir`."},
			{name: "version", wrong: "The unpacked extension is of another version than this program", mend: fixes, after: reload, fix: install},
			{name: "damaged", wrong: "Files of the unpacked extension are missing or changed", mend: fixes, after: reload, fix: install},
		},
	},
	{
		name: "manifest", title: "The browser finds this program as the extension's host", eachBrowser: true, look: lookAtManifest,
		faults: []fault{
			{name: "missing", wrong: "The host is not registered with the browser", mend: fixes, fix: install},
			{name: "broken", wrong: "The host's manifest cannot be read as JSON", mend: fixes, fix: install},
			{name: "name", wrong: "The host's manifest is of another host", mend: fixes, fix: install},
			{name: "program", wrong: "The host's manifest leads to another program than this one", mend: fixes, fix: install},
			{name: "origin", wrong: "The host's manifest does not let in our extension alone", mend: fixes, fix: install},
			{name: "rights", wrong: "The rights of the host's manifest are not right: its user must read it, and nobody else write it", mend: fixes, fix: install},
		},
	},
	{
		name: "folder", title: "The folder of sockets is its user's alone", look: lookAtFolder,
		faults: []fault{
			{name: "open", wrong: "Others may enter the folder of sockets", mend: fixes, fix: closeFolder},
			{name: "unusable", wrong: "The folder of sockets cannot be used", mend: "Remove what is there; the next host makes the folder anew."},
		},
	},
	{
		name: "sockets", title: "No host has left its socket behind", look: lookAtSockets,
		faults: []fault{
			{name: "stale", wrong: "Hosts that died have left their sockets", mend: fixes, fix: sweep},
		},
	},
	{
		name: "host", title: "The host answers when it is started as the browser starts it", eachBrowser: true, look: lookAtHost,
		faults: []fault{
			{name: "start", wrong: "The host cannot be started", mend: "Run `webarea doctor --fix` if the manifest is wrong; else install webarea anew."},
			{name: "silent", wrong: "The host does not answer as a host does", mend: "See whether the program that the manifest names is webarea, and nothing else writes to its standard output."},
			{name: "version", wrong: "The host is of another version than this program", mend: "Run `webarea doctor --fix`, or remove the other one."},
		},
	},
	{
		name: "connected", title: "A browser's extension has its host running", look: lookAtHosts,
		faults: []fault{
			{name: "silent", wrong: "The browser runs, but no extension in it has started its host", mend: "On chrome://extensions load the folder of the extension if Webarea is not there, and switch it on if it is. Then quit the browser and start it again."},
			{name: "mute", wrong: "A running host does not answer", mend: "Click the reload arrow of Webarea on chrome://extensions, or quit the browser and start it again."},
			{name: "version", wrong: "A running host is of another version than this program", mend: "Click the reload arrow of Webarea on chrome://extensions: it starts the host anew."},
			{name: "extension", wrong: "The browser still runs another version of the extension", mend: "Click the reload arrow of Webarea on chrome://extensions."},
		},
	},
	{
		name: "clients", title: "An agent's client starts this program", look: lookAtClients,
		faults: []fault{
			{name: "none", wrong: "No client that was found has Webarea in its configuration", mend: "Run `webarea install --client NAME`; `webarea install --help` names them."},
			{name: "program", wrong: "A client starts another program than this one", mend: fixes, after: "Start that client again.", fix: enter},
			{name: "broken", wrong: "A client's configuration cannot be read", mend: "Mend the file: its client cannot read it either."},
		},
	},
	{
		name: "shared", title: "A tab is shared", look: lookAtTabs,
		faults: []fault{
			{name: "none", wrong: "No tab is shared", mend: "Click Webarea beside the address in the tab that agents are to see, and there \"Share this tab\"."},
		},
	},
	{
		name: "read", title: "What is shared can be read", look: lookAtRead,
		faults: []fault{
			{name: "failed", wrong: "What is shared could not be read", mend: "Ask again; if it stays so, click the reload arrow of Webarea on chrome://extensions and look into the host's log."},
			{name: "paused", wrong: "A shared tab shows another site than its user shared, so nothing of it is told", mend: "Go back to the site in that tab; or click Webarea's button there, and share the site that it shows now."},
			{name: "problem", wrong: "A shared tab cannot be read, or not in full", mend: "Reload the tab, and close what else looks into it, such as other extensions that debug. Its popup says more."},
		},
	},
}

// install has the browser in question set up anew.
func install(_ context.Context, x *examination) error { return x.place.Install() }
