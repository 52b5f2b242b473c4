package native

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// A Status is what a host tells its own user of itself. There is no word of a page in
// it but the titles that agents are told.
type Status struct {
	Instance  string        `json:"instance"`
	PID       int           `json:"pid"`       // of the host
	Version   string        `json:"version"`   // of the host's program
	Extension string        `json:"extension"` // its version
	Browser   StatusBrowser `json:"browser"`
	Tabs      []StatusTab   `json:"tabs"`
	Agents    []StatusAgent `json:"agents"`
	Reads     []StatusRead  `json:"reads"` // the last ones, the newest first
}

// A StatusBrowser is the browser that started a host.
type StatusBrowser struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	PID     int    `json:"pid,omitzero"` // 0: not known
}

// A StatusTab is a tab that is shared.
type StatusTab struct {
	Title   string `json:"title"`
	URL     string `json:"url,omitzero"`     // where there is no title to tell
	Problem string `json:"problem,omitzero"` // what keeps it from being read
}

// A StatusAgent is a client that is connected.
type StatusAgent struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// A StatusRead is a question that was answered.
type StatusRead struct {
	At      int64  `json:"at"` // ms since 1970
	Agent   string `json:"agent"`
	Tool    string `json:"tool"`
	What    string `json:"what"` // a scope or an id
	Bytes   int    `json:"bytes"`
	MS      int64  `json:"ms"`
	Outcome string `json:"outcome"` // ok, or a failure's code
}

const (
	// statusOnce and statusWatch are what is written to a host's socket, in place of
	// MCP, to be told its status once, or also each time when it has changed. Messages
	// of MCP begin with a brace.
	statusOnce  = "status\n"
	statusWatch = "status watch\n"

	// maxStatus is the longest status that is taken, in bytes: that of a host with as
	// many tabs as can be shared, with the longest titles.
	maxStatus = 4 << 20

	// statusPatience is how long a host may take to tell its status: longer than it
	// waits for pages that do not answer.
	statusPatience = 2 * statusWait
)

// errNoStatus is the error about a host that answers something else.
var errNoStatus = errors.New("the browser's host does not tell how it is. It is of another version (restart the browser, or reload the extension), or too many agents are connected to it")

// AskStatus asks the host that listens at a socket how it is.
func AskStatus(ctx context.Context, path string) (Status, error) {
	ctx, cancel := context.WithTimeout(ctx, statusPatience)
	defer cancel()
	var got Status
	err := statuses(ctx, path, statusOnce, func(s Status) { got = s })
	if err == nil && got.Instance == "" {
		err = fmt.Errorf("asking %s: %w", path, errNoStatus)
	}
	return got, err
}

// WatchStatus calls told with how the host is that listens at a socket, now and each
// time when that has changed, until ctx ends or the host does. That is no error.
func WatchStatus(ctx context.Context, path string, told func(Status)) error {
	return statuses(ctx, path, statusWatch, told)
}

// statuses asks a host and takes what it says.
func statuses(ctx context.Context, path, question string, told func(Status)) error {
	c, err := dialSocket(ctx, path)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := checkPeer(c); err != nil {
		return fmt.Errorf("connecting to %s: %w", path, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	// One that hangs up at once may have said why.
	_, _ = io.WriteString(c, question)
	lines := bufio.NewScanner(c)
	lines.Buffer(nil, maxStatus)
	for lines.Scan() {
		var s Status
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil || s.Instance == "" {
			return fmt.Errorf("asking %s: %w", path, errNoStatus)
		}
		told(s)
	}
	switch err := lines.Err(); {
	case ctx.Err() != nil && question == statusOnce:
		return fmt.Errorf("asking %s: it does not answer within %v", path, statusPatience)
	case ctx.Err() != nil || errors.Is(err, net.ErrClosed):
		return nil
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("asking %s: %w", path, errNoStatus)
	}
	// A host that was killed has ended, too.
	return nil
}

// shownReads is how many of the last reads are told.
const shownReads = 10

// statusPause is how long after a status the next is told at the earliest: sooner than
// a person reads, seldom enough that a page that changes all the time costs little.
const statusPause = 500 * time.Millisecond
