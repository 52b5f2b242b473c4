package native

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/mcp"
	"github.com/webarea/webarea/provider"
)

const (
	// statusWait is how long a host waits for its pages' titles.
	statusWait = 3 * time.Second

	// maxQuestion is the longest question for a status, in bytes.
	maxQuestion = 64

	// tabDepth is how far below the Application tabs are.
	tabDepth = 2
)

// attend serves who has connected: an agent, or somebody who asks how the host is.
func (h *host) attend(ctx context.Context, c *net.UnixConn) {
	in := bufio.NewReader(c)
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	first, err := in.Peek(1)
	stop()
	if err != nil {
		_ = c.Close()
		return
	}
	if first[0] == statusOnce[0] {
		h.tellStatus(ctx, in, c)
		return
	}
	// How it ended is the client's to know.
	_ = h.server.Serve(ctx, struct {
		io.Reader
		io.Closer
	}{in, c}, c)
}

// tellStatus answers a question for the host's status, until who asked hangs up.
func (h *host) tellStatus(ctx context.Context, in *bufio.Reader, c *net.UnixConn) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	_ = c.SetReadDeadline(time.Now().Add(statusWait)) // it fails where c is closed
	question, err := bufio.NewReader(io.LimitReader(in, maxQuestion)).ReadString('\n')
	if err != nil || question != statusOnce && question != statusWatch {
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	h.running.Go(func() {
		_, _ = io.Copy(io.Discard, in) // until it hangs up
		cancel()
	})
	before := ""
	for {
		changed := h.news.next()
		text, err := json.Marshal(h.status(ctx))
		if err != nil {
			h.log.Error("the status could not be told", "error", err)
			return
		}
		if now := string(text); now != before {
			before = now
			_ = c.SetWriteDeadline(time.Now().Add(statusWait))
			if _, err := c.Write(append(text, '\n')); err != nil {
				return
			}
		}
		if question == statusOnce {
			return
		}
		pause := time.NewTimer(statusPause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// status says how the host is now.
func (h *host) status(ctx context.Context) Status {
	s := Status{
		Instance: h.provider.Instance(), PID: os.Getpid(), Version: h.options.Version, Extension: shown(h.hello.Extension),
		Browser: StatusBrowser{Name: shown(h.hello.Browser.Name), Version: shown(h.hello.Browser.Version), PID: h.browser},
		Tabs:    h.tabs(ctx), Agents: []StatusAgent{}, Reads: []StatusRead{},
	}
	for _, a := range h.audience.list() {
		s.Agents = append(s.Agents, StatusAgent{a.Name, a.Version})
	}
	for _, r := range h.audience.lastReads() {
		s.Reads = append(s.Reads, StatusRead{
			At: r.Begun.UnixMilli(), Agent: r.Agent.Name, Tool: r.Tool, What: r.What,
			Bytes: r.Bytes, MS: r.Took.Milliseconds(), Outcome: r.Outcome,
		})
	}
	return s
}

// tabs says what is shared, in the words that agents are told.
func (h *host) tabs(ctx context.Context) []StatusTab {
	ctx, cancel := context.WithTimeout(ctx, statusWait)
	defer cancel()
	list := []StatusTab{}
	if h.sharing.ready(ctx) != nil {
		return list
	}
	answer, err := h.provider.Elements(ctx, provider.Query{MaxDepth: tabDepth})
	if err != nil {
		// They are counted all the same.
		for range h.sharing.names() {
			list = append(list, StatusTab{Problem: provider.ProblemUnresponsive})
		}
		return list
	}
	answer.Root.Walk(func(e, _ *elements.Element, _ int) bool {
		if e.Role == elements.Window && e.Subrole == "tab" {
			problem, _ := e.Attributes["problem"].(string)
			tab := StatusTab{Title: e.Title, Problem: problem}
			if tab.Title == "" {
				tab.URL = e.URL
			}
			list = append(list, tab)
		}
		return true
	})
	return list
}

// maxShown is how much of what the extension says of itself is told, in characters.
const maxShown = 100

func shown(word string) string {
	word = strings.Join(strings.Fields(strings.ToValidUTF8(word, "\uFFFD")), " ")
	if r := []rune(word); len(r) > maxShown {
		word = string(r[:maxShown])
	}
	return word
}

// lastReads gives what was read last, the newest first.
func (a *audience) lastReads() []mcp.Read {
	a.mu.Lock()
	defer a.mu.Unlock()
	var last []mcp.Read
	for i := len(a.reads) - 1; i >= 0; i-- {
		last = append(last, a.reads[i])
	}
	return last
}

// news wakes who waits for something to have changed. Its zero value is one.
type news struct {
	// mu guards what is closed at the next change.
	mu   sync.Mutex
	wait chan struct{}
}

// next gives a channel that is closed at the next change.
func (n *news) next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.wait == nil {
		n.wait = make(chan struct{})
	}
	return n.wait
}

// tell says that something has changed.
func (n *news) tell() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.wait != nil {
		close(n.wait)
		n.wait = nil
	}
}
