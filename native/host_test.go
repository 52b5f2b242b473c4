package native

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// What an agent is told over the socket of a shared tab is what a provider with a
// connection of its own tells.
func TestShare(t *testing.T) {
	for name, partSize := range map[string]int{"whole": 0, "in parts": 700} {
		t.Run(name, func(t *testing.T) {
			tab := open(t, "/")
			e := startHost(t, browser.it.Conn)
			e.partSize = partSize
			welcome := e.greet()
			if welcome["protocol"] != 1.0 || welcome["version"] != "v0.0.0-test" || !strings.Contains(e.socket(), welcome["instance"].(string)) {
				t.Errorf("got %v for the socket %s", welcome, e.socket())
			}
			e.share()
			a := e.connect("an agent")
			if got := a.elements("page"); len(got.Root.Children) > 0 || got.Root.Title != "Chromium" {
				t.Errorf("nothing is shared, but got %v", got.Root)
			}
			e.attach("1.1", tab.Target)
			e.share(shared("1.1", 1))
			got := a.await("the page can be read", func(a *elements.Answer) bool { return problemOf(a) == nil })
			if got.Instance != welcome["instance"] {
				t.Errorf("got the instance %q, want %v", got.Instance, welcome["instance"])
			}

			direct := provider.New("Chromium")
			defer direct.Close()
			if _, err := direct.Share(t.Context(), browser.it.Conn, tab.Target); err != nil {
				t.Fatal(err)
			}
			for _, scope := range []string{"pointing", "visible", "page"} {
				want, err := direct.Elements(t.Context(), provider.Query{Scope: provider.Scope(scope), MaxElements: 1000, MaxDepth: 25, MaxText: 40_000})
				if err != nil {
					t.Fatal(err)
				}
				if got, want := documentOf(t, a.elements(scope)), documentOf(t, want); got != want {
					t.Errorf("%s: got\n%s\nwant\n%s", scope, got, want)
				}
			}
			whole := documentOf(t, a.elements("page"))
			if !strings.Contains(whole, "Words of the frame.") || strings.Contains(whole, "hunter2") {
				t.Errorf("got\n%s\nwant the frame's words and no secret", whole)
			}
			for _, words := range []string{"Bread", "rye", "127.0.0.1", "told.example", "Told"} {
				if strings.Contains(e.log.String(), words) {
					t.Errorf("the log has %q of a page:\n%s", words, e.log)
				}
			}
		})
	}
}

func TestUnshare(t *testing.T) {
	tab, other := open(t, "/"), open(t, "/inner")
	e := startHost(t, browser.it.Conn)
	e.greet()
	e.attach("1.1", tab.Target)
	e.attach("2.1", other.Target)
	e.share(shared("1.1", 1), shared("2.1", 2))
	a := e.connect("an agent")
	full := a.await("both pages can be read", func(a *elements.Answer) bool {
		text, _ := elements.Marshal(a)
		return strings.Contains(string(text), "rye flour") && strings.Contains(string(text), "Inside") && !strings.Contains(string(text), "problem")
	})
	uri := "webarea://" + full.Instance + "/elements"
	if err := a.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	var ids []string
	full.Root.Children[0].Walk(func(found, _ *elements.Element, _ int) bool {
		ids = append(ids, found.ID)
		return true
	})

	release := e.hold("1.1")
	defer release()
	e.calls("")
	answered := make(chan json.RawMessage, 1)
	go func() {
		r, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_elements", Arguments: map[string]any{"scope": "page"}})
		if err != nil {
			answered <- json.RawMessage(err.Error())
			return
		}
		text, _ := json.Marshal(r)
		answered <- text
	}()
	// The read is under way at the tab once it has been asked.
	for deadline := time.Now().Add(patience); e.calls("Runtime.callFunctionOn") == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the tab is not asked")
		}
	}
	e.share(shared("2.1", 2))
	text := string(<-answered)
	if !strings.Contains(text, "Words of the frame.") || strings.Contains(text, "Bread") || strings.Contains(text, "rye") || strings.Contains(text, "told.example") {
		t.Errorf("a read that was begun before unsharing says\n%s\nwant the other tab alone", text)
	}
	release()
	select {
	case got := <-a.updates:
		if got != uri {
			t.Errorf("got an update of %s, want of %s", got, uri)
		}
	case <-time.After(patience):
		t.Error("who subscribed is not told")
	}
	for _, id := range ids {
		for tool, args := range map[string]map[string]any{"get_elements": {"id": id}, "locate": {"id": id}, "capture_element": {"id": id}} {
			if text, code := a.call(tool, args); code != string(provider.CodeNotShared) {
				t.Errorf("%s %s of what is not shared: got %s", tool, id, text)
			}
		}
	}
	if _, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri + "/" + ids[len(ids)-1] + "/text"}); err == nil {
		t.Error("a resource of what is not shared was read")
	}
}

// One tab that never answers takes nothing from another but the answers that are about
// both.
func TestStuckTab(t *testing.T) {
	tab, stuck := open(t, "/"), open(t, "/inner")
	e := startHost(t, browser.it.Conn)
	e.greet()
	e.attach("1.1", tab.Target)
	e.attach("2.1", stuck.Target)
	e.share(shared("1.1", 1))
	a := e.connect("an agent")
	first := a.await("the page can be read", func(a *elements.Answer) bool { return problemOf(a) == nil })
	release := e.hold("2.1")
	defer release()
	e.share(shared("1.1", 1), shared("2.1", 2))
	var id string
	for found := range first.All() {
		if found.Selected {
			id = found.ID
		}
	}
	if text, code := a.call("locate", map[string]any{"id": id}); code != "" || !strings.Contains(string(text), `"rectangles":[{`) {
		t.Errorf("locating in the other tab: got %s", text)
	}
	answer := a.elements("pointing")
	problems := map[any]bool{}
	for found := range answer.All() {
		if found.Subrole == "tab" {
			problems[found.Attributes["problem"]] = true
		}
	}
	if !problems[nil] || !problems[provider.ProblemAttaching] && !problems[provider.ProblemUnresponsive] || len(problems) != 2 {
		t.Errorf("got the problems %v, want none of one tab, and that the other does not answer yet", problems)
	}
	release()
	a.await("both can be read", func(a *elements.Answer) bool {
		text, _ := elements.Marshal(a)
		return !strings.Contains(string(text), "problem")
	})
}

// A tab that its user took to another site is told without its title and address, and
// what was read of it is not told any more.
func TestPaused(t *testing.T) {
	tab := open(t, "/")
	e := startHost(t, browser.it.Conn)
	e.greet()
	e.attach("1.1", tab.Target)
	e.share(shared("1.1", 1))
	a := e.connect("an agent")
	before := a.await("the page can be read", func(a *elements.Answer) bool { return problemOf(a) == nil })
	for _, key := range []string{"1.1", "1.2"} {
		paused := shared(key, 1)
		paused["state"], paused["problem"] = "paused", "left_site"
		e.share(paused)
		now := a.await("it is paused", func(a *elements.Answer) bool { return problemOf(a) == provider.ProblemPaused })
		text, _ := elements.Marshal(now)
		if strings.Contains(string(text), "Told") || strings.Contains(string(text), "told.example") || strings.Contains(string(text), "Bread") {
			t.Errorf("got %s, want nothing of the page", text)
		}
	}
	page := before.Root.Children[0].Children[0].Children[0]
	if text, code := a.call("locate", map[string]any{"id": page.ID}); code != string(provider.CodeNotShared) {
		t.Errorf("locating in a paused tab: got %s", text)
	}
	for state, want := range map[string]string{
		"attaching": provider.ProblemAttaching, "reduced": provider.ProblemReduced, "unreachable": provider.ProblemRestricted, "something new": provider.ProblemUnreachableTab,
	} {
		facts := shared("1.3", 1)
		facts["state"] = state
		if state == "unreachable" {
			facts["problem"] = "restricted_page"
		}
		e.share(facts)
		now := a.await("it is "+state, func(a *elements.Answer) bool { return problemOf(a) == want })
		if got := now.Root.Children[0].Children[0]; got.Title != "" || got.URL != "https://told.example/" {
			t.Errorf("%s: got %q %s, want no title, and an address without its query", state, got.Title, got.URL)
		}
	}
	e.attach("1.4", tab.Target)
	e.share(shared("1.4", 1))
	a.await("it can be read again", func(a *elements.Answer) bool { return problemOf(a) == nil })
}

func TestHangUp(t *testing.T) {
	tab := open(t, "/")
	e := startHost(t, browser.it.Conn)
	e.greet()
	e.attach("1.1", tab.Target)
	e.share(shared("1.1", 1))
	c, err := net.Dial("unix", e.socket())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r := lines(t, c)
	if _, err := io.WriteString(c, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := r.ReadString('\n'); err != nil {
		t.Fatalf("got %q, %v, want an answer", line, err)
	}
	path := e.socket()
	if err := e.end(); err != nil {
		t.Errorf("got %v, want an end without an error", err)
	}
	if line, err := r.ReadString('\n'); err != io.EOF {
		t.Errorf("an agent reads %q, %v, want the end", line, err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is left behind: %v", err)
	}
}

func TestBadMessages(t *testing.T) {
	hello := `{"kind":"hello","protocol":1,"extension":"0.1","browser":{"name":"Chromium","version":"156"}}`
	tests := []struct {
		name     string
		messages []string
		want     string // what the error says; empty: it goes on
	}{
		{"no hello", []string{`{"kind":"tabs","tabs":[]}`}, "the first is no hello"},
		{"not JSON", []string{`{"kind":`}, "it is not an object with a kind"},
		{"a list", []string{`[1]`}, "it is not an object with a kind"},
		{"two hellos", []string{hello, hello}, "a second hello"},
		{"tabs of a wrong shape", []string{hello, `{"kind":"tabs","tabs":7}`}, "a message of a wrong shape: tabs"},
		{"a key that is none", []string{hello, `{"kind":"tabs","tabs":[{"tab":"a/b#c","window":1}]}`}, "a tab's key"},
		{"DevTools messages that are none", []string{hello, `{"kind":"cdp","tab":"1.1","m":[1]}`}, "a message of a wrong shape: cdp"},
		{"DevTools messages cut short", []string{hello, `{"kind":"cdp","tab":"1.1","m":{`}, "a message of a wrong shape: cdp"},
		{"a question of a wrong shape", []string{hello, `{"kind":"ask","id":"x"}`}, "a message of a wrong shape: ask"},
		{"parts of parts", []string{hello, `{"kind":"part","of":1,"last":true,"text":"{\"kind\":\"part\"}"}`}, "a part of parts"},
		{"parts of nothing", []string{hello, `{"kind":"part","of":1,"last":true,"text":"nonsense"}`}, "it is not an object with a kind"},
		{"what a newer one says", []string{hello, `{"kind":"news","tabs":7}`, `{"kind":"watch","on":false,"more":1}`, `{"kind":"cdp","tab":"9.9","m":{"id":1}}`}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := startHost(t, nil)
			for _, m := range test.messages {
				e.sayText([]byte(m))
			}
			if test.want == "" {
				e.next(kindWelcome)
				if answer := e.ask(1, "agents", nil); answer["result"] == nil {
					t.Errorf("got %v, want that it goes on", answer)
				}
				return
			}
			if err := e.wait(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	t.Run("a frame that is too long", func(t *testing.T) {
		e := startHost(t, nil)
		_, _ = io.WriteString(e.in, prefixed(maxFrame+1, ""))
		if err := e.wait(); !errors.Is(err, errFrameSize) {
			t.Errorf("got %v, want %v", err, errFrameSize)
		}
	})
	t.Run("half a frame and no more", func(t *testing.T) {
		e := startHost(t, nil)
		e.sayText([]byte(hello))
		e.next(kindWelcome)
		_, _ = io.WriteString(e.in, prefixed(9, "{}"))
		if err := e.end(); err != nil {
			t.Errorf("a browser was killed while it wrote: got %v, want an end without an error", err)
		}
	})
	t.Run("another protocol", func(t *testing.T) {
		e := startHost(t, nil)
		e.sayText([]byte(strings.Replace(hello, `"protocol":1`, `"protocol":2`, 1)))
		refused := e.next(kindRefused)
		if err := e.wait(); err == nil || refused["code"] != "protocol" || refused["message"] != err.Error() {
			t.Errorf("got %v and %v, want a refusal and its words", refused, err)
		}
	})
}

// TestAskedWhileAttaching asks about a tab that the extension is still attaching to: the
// answer waits for its page.
func TestAskedWhileAttaching(t *testing.T) {
	tab := open(t, "/")
	e := startHost(t, browser.it.Conn)
	e.greet()
	e.share()
	a := e.connect("an agent")
	for try := 1; ; try++ {
		key := fmt.Sprintf("1.%d", try)
		attaching := shared(key, 1)
		attaching["state"] = "attaching"
		begun := time.Now()
		e.share(attaching)
		// The agent asks over another way, which must not be the faster one.
		e.ask(try, "agents", nil)
		answer := make(chan *elements.Answer)
		go func() { answer <- a.elements("page") }()
		select {
		case got := <-answer:
			if time.Since(begun) < settlePatience {
				t.Fatalf("got %v while the tab was being attached to, want it waited for", got.Root)
			}
			continue
		case <-time.After(settlePatience / 4):
		}
		e.attach(key, tab.Target)
		e.share(shared(key, 1))
		if got := <-answer; problemOf(got) == nil {
			return
		}
		if time.Since(begun) < settlePatience {
			t.Fatal("the answer did not wait for the page that could soon be read")
		}
		e.detach(key)
		if try == 20 {
			t.Fatal("the machine never attached in time")
		}
	}
}
