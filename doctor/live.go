package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/native"
)

func lookAtHosts(ctx context.Context, x *examination) result {
	x.hosts = nil
	var live []string
	if x.folder != "" {
		var err error
		if live, _, err = native.Sockets(ctx, x.folder); err != nil {
			return unchecked("%v", err)
		}
	}
	if len(live) == 0 {
		for _, p := range x.Places {
			if isOpen(p.UserData) {
				return wrong("silent", "%s", p.Browser)
			}
		}
		return unchecked("no browser with the extension is open")
	}
	own, err := native.ExtensionVersion()
	if err != nil {
		return unchecked("this program does not tell the version of its extension: %v", err)
	}
	var found result
	var names []string
	for _, path := range live {
		s, err := native.AskStatus(ctx, path)
		switch {
		case err != nil:
			found = wrong("mute", "%v", err)
			continue
		case s.Version != x.Version:
			found = wrong("version", "%s is %s, this is %s", s.Instance, s.Version, x.Version)
		case s.Extension != own:
			found = wrong("extension", "%s has %s, this program %s", s.Instance, s.Extension, own)
		}
		x.hosts = append(x.hosts, running{path, s})
		names = append(names, fmt.Sprintf("%s %s (%s)", s.Browser.Name, s.Browser.Version, s.Instance))
	}
	if found.state == Wrong {
		return found
	}
	return ok("%s", strings.Join(names, ", "))
}

func lookAtTabs(_ context.Context, x *examination) result {
	if len(x.hosts) == 0 {
		return unchecked("no browser is connected")
	}
	n := 0
	for _, h := range x.hosts {
		n += len(h.status.Tabs)
	}
	if n == 0 {
		return wrong("none", "")
	}
	return ok("%s", count(n, "tab"))
}

// problemPaused is the problem of a tab that has left the site that was shared.
const problemPaused = "paused"

func lookAtRead(ctx context.Context, x *examination) result {
	var told []string
	for _, h := range x.hosts {
		if len(h.status.Tabs) == 0 {
			continue
		}
		begun := time.Now()
		size, err := read(ctx, h.socket, x.Version)
		if err != nil {
			return wrong("failed", "%s: %v", h.status.Instance, err)
		}
		told = append(told, fmt.Sprintf("%s in %d ms, %d bytes", count(len(h.status.Tabs), "tab"), time.Since(begun).Milliseconds(), size))
		for _, t := range h.status.Tabs {
			switch t.Problem {
			case "":
			case problemPaused:
				return wrong("paused", "")
			default:
				return wrong("problem", "%q: %s", t.Title+t.URL, t.Problem)
			}
		}
	}
	if len(told) == 0 {
		return unchecked("no tab is shared")
	}
	return ok("%s", strings.Join(told, "; "))
}

// read asks a host for what its user points at, as any agent does, and gives the size
// of the answer in bytes.
func read(ctx context.Context, socket, version string) (size int, err error) {
	c, err := native.Dial(ctx, socket)
	if err != nil {
		return 0, err
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "webarea doctor", Version: version}, nil)
	session, err := client.Connect(ctx, &sdk.IOTransport{Reader: c, Writer: c}, nil)
	if err != nil {
		return 0, errors.Join(err, c.Close())
	}
	defer session.Close()
	r, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "get_elements"})
	if err != nil {
		return 0, err
	}
	for _, content := range r.Content {
		if text, is := content.(*sdk.TextContent); is {
			if r.IsError {
				return 0, errors.New(text.Text)
			}
			size += len(text.Text)
		}
	}
	return size, nil
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
