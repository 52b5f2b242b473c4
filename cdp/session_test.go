package cdp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
)

// wires are the languages that a launched browser speaks.
var wires = map[string]LaunchOptions{"json": {jsonWire: true}, "cbor": {}}

// evaluation has the parameters of Runtime.evaluate for a value.
func evaluation(script string) map[string]any {
	return map[string]any{"expression": script, "returnByValue": true}
}

type textResult struct {
	Result struct {
		Value string `json:"value"`
	} `json:"result"`
}

func TestText(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"plain", `"a\"b\\c\n\t\u0001\u007f"`, "a\"b\\c\n\t\x01\x7f"},
		{"of Latin-1", `"äé"`, "äé"},
		{"of other planes", `"日本 😀"`, "日本 😀"},
		{"with U+0000", `"a\0b"`, "a\x00b"},
		{"half a pair", `"a\ud800b"`, "a\uFFFDb"},
		{"the other half", `"a\udc00"`, "a\uFFFD"},
		{"the wrong way round", `"\udc00\ud800"`, "\uFFFD\uFFFD"},
		{"what looks like an escape", `"\\ud800"`, `\ud800`},
		{"large", `"é".repeat(1e6)`, strings.Repeat("é", 1e6)},
	}
	for wire, opts := range wires {
		s := openPage(t, launch(t, opts).Conn, "")
		for _, test := range tests {
			t.Run(wire+"/"+test.name, func(t *testing.T) {
				// The raw answer must do for every decoder.
				var raw jsonv2.Value
				call(t, s, "Runtime.evaluate", evaluation(test.script), &raw)
				var result textResult
				if err := jsonv2.Unmarshal(raw, &result); err != nil {
					t.Fatalf("decoding %.100s: %v", raw, err)
				}
				if got := result.Result.Value; got != test.want {
					t.Errorf("the value of %s\n got %.100q\nwant %.100q", test.script, got, test.want)
				}
				// There and back again.
				var echo textResult
				call(t, s, "Runtime.evaluate", evaluation(string(mustMarshal(t, test.want))), &echo)
				if got := echo.Result.Value; got != test.want {
					t.Errorf("sent %.100q\n got %.100q back", test.want, got)
				}
			})
		}
	}
}

func mustMarshal(t *testing.T, value any) []byte {
	t.Helper()
	text, err := jsonv2.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestManyCallsTogether(t *testing.T) {
	for wire, opts := range wires {
		t.Run(wire, func(t *testing.T) {
			s := openPage(t, launch(t, opts).Conn, "")
			var pending []*Pending
			for i := range 1000 {
				pending = append(pending, s.Go(t.Context(), "Runtime.evaluate", evaluation(fmt.Sprintf(`"%d"`, i))))
			}
			for i, p := range pending {
				var result textResult
				if err := p.Wait(t.Context(), &result); err != nil || result.Result.Value != fmt.Sprint(i) {
					t.Fatalf("call %d: got %q and the error %v", i, result.Result.Value, err)
				}
			}
		})
	}
}

func TestLargeResult(t *testing.T) {
	const size = 20 << 20
	for wire, opts := range wires {
		t.Run(wire, func(t *testing.T) {
			s := openPage(t, launch(t, opts).Conn, "")
			var result textResult
			call(t, s, "Runtime.evaluate", evaluation(fmt.Sprintf(`"x".repeat(%d)`, size)), &result)
			if got := len(result.Result.Value); got != size {
				t.Errorf("got %d bytes, want %d", got, size)
			}
			// And inwards.
			script := `"` + strings.Repeat("y", size) + `".length + ""`
			call(t, s, "Runtime.evaluate", evaluation(script), &result)
			if got := result.Result.Value; got != fmt.Sprint(size) {
				t.Errorf("sent %d bytes, of which %s arrived", size, got)
			}
		})
	}
}

func TestDeadlineOfAPageThatLoops(t *testing.T) {
	b := launch(t, LaunchOptions{})
	s := openPage(t, b.Conn, "")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	err := s.Call(ctx, "Runtime.evaluate", evaluation("while(1);"), nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got the error %v, want that the deadline was exceeded", err)
	}
	// The browser and other pages still answer.
	call(t, b.Conn.Browser(), "Browser.getVersion", nil, nil)
	call(t, openPage(t, b.Conn, ""), "Runtime.evaluate", evaluation("1"), nil)
	b.Conn.mu.Lock()
	defer b.Conn.mu.Unlock()
	if n := len(b.Conn.calls); n != 0 {
		t.Errorf("%d calls are still remembered", n)
	}
}

func TestRefusedCommand(t *testing.T) {
	b := launch(t, LaunchOptions{})
	err := b.Conn.Browser().Call(t.Context(), "Nothing.likeThis", nil, nil)
	var refused *CallError
	if !errors.As(err, &refused) {
		t.Fatalf("got the error %v, want a *CallError", err)
	}
	if want := (CallError{Method: "Nothing.likeThis", Code: -32601, Message: "'Nothing.likeThis' wasn't found"}); *refused != want {
		t.Errorf("got %+v, want %+v", *refused, want)
	}
}

func TestClosedPage(t *testing.T) {
	b := launch(t, LaunchOptions{})
	s := openPage(t, b.Conn, "")
	p := s.Go(t.Context(), "Runtime.evaluate", map[string]any{"expression": "new Promise(() => {})", "awaitPromise": true})
	var info struct {
		TargetInfo struct {
			ID string `json:"targetId"`
		} `json:"targetInfo"`
	}
	call(t, s, "Target.getTargetInfo", nil, &info)
	call(t, b.Conn.Browser(), "Target.closeTarget", map[string]any{"targetId": info.TargetInfo.ID}, nil)
	receiveFrom(t, s.Detached(), "the end of the session")
	if err := p.Wait(t.Context(), nil); !errors.Is(err, ErrTargetGone) {
		t.Errorf("a call that was pending: got the error %v, want ErrTargetGone", err)
	}
	if err := s.Call(t.Context(), "Page.enable", nil, nil); !errors.Is(err, ErrTargetGone) {
		t.Errorf("a call afterwards: got the error %v, want ErrTargetGone", err)
	}
	if err := b.Conn.Session(s.ID()).Call(t.Context(), "Page.enable", nil, nil); !errors.Is(err, ErrTargetGone) {
		t.Errorf("a call of its id afterwards: got the error %v, want ErrTargetGone", err)
	}
	call(t, b.Conn.Browser(), "Browser.getVersion", nil, nil)
}

func TestEventsComeBeforeTheAnswer(t *testing.T) {
	b := launch(t, LaunchOptions{})
	s := openPage(t, b.Conn, "")
	call(t, s, "Runtime.enable", nil, nil)
	var logged []string
	defer s.On("Runtime.consoleAPICalled", func(params jsonv2.Value) {
		var event runtime.EventConsoleAPICalled
		if err := jsonv2.Unmarshal(params, &event); err != nil {
			t.Errorf("decoding %s: %v", params, err)
			return
		}
		logged = append(logged, string(event.Args[0].Value))
	})()
	call(t, s, "Runtime.evaluate", evaluation(`for (let i = 0; i < 100; i++) console.log(i, "\ud800")`), nil)
	if len(logged) != 100 || logged[0] != "0" || logged[99] != "99" {
		t.Errorf("got %d events %v before the answer, want 0 to 99", len(logged), logged)
	}
}
