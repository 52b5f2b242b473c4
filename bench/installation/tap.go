package installation

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// The variables by which a process that the browser starts knows that it is a tap.
const (
	tapVariable  = "WEBAREA_BENCH_TAP"  // the socket at which questions are asked
	hostVariable = "WEBAREA_BENCH_HOST" // the program that is the host
)

// firstID is far beyond the numbers of the host's own commands, and has so many digits
// that nothing else looks like one.
const firstID = 1_000_000_000_001

// A Call is a command of the DevTools Protocol to the shared tab.
type Call struct {
	Method string `json:"method"`
	Params any    `json:"params,omitempty"`
}

// An Answer is what the browser said to several calls.
type Answer struct {
	To    int           `json:"to"`    // the number of the question
	Bytes int           `json:"bytes"` // of all frames
	Nodes int           `json:"nodes"` // of the accessibility tree in them
	Time  time.Duration `json:"time"`  // from the first call to the last byte, at the host's end
	Error string        `json:"error,omitempty"`
}

// A hello is the first that a tap says.
type hello struct {
	Host int    `json:"host"`
	Tab  string `json:"tab,omitempty"`
}

// A question is what a tap is asked.
type question struct {
	Number int    `json:"number"`
	Calls  []Call `json:"calls"`
}

// Told says whether this process was started as a tap.
func Told() bool { return os.Getenv(tapVariable) != "" }

// Tap is what a tap does: it carries all that browser and host say to each other, and
// puts questions of its own in between. It returns when either ends.
func Tap(ctx context.Context) error {
	control, err := net.Dial("unix", os.Getenv(tapVariable))
	if err != nil {
		return fmt.Errorf("reaching the benchmark: %w", err)
	}
	defer control.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	host := exec.CommandContext(ctx, os.Getenv(hostVariable), os.Args[1:]...)
	in, err := host.StdinPipe()
	if err != nil {
		return err
	}
	out, err := host.StdoutPipe()
	if err != nil {
		return err
	}
	if err := host.Start(); err != nil {
		return fmt.Errorf("starting the host: %w", err)
	}
	t := &tap{control: control, waiting: map[int64]*waiting{}, parts: map[int64]*waiting{}}
	if err := t.tell(hello{Host: host.Process.Pid}); err != nil {
		return err
	}
	ended := make(chan error, 3)
	go func() { ended <- t.inwards(bufio.NewReaderSize(os.Stdin, 1<<20), in) }()
	go func() { ended <- t.outwards(out) }()
	go func() { ended <- t.questions(ctx) }()
	err = <-ended
	_ = in.Close()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, host.Wait())
}

// A tap is one process between a browser and a host.
type tap struct {
	control net.Conn
	telling sync.Mutex

	// toBrowser keeps frames to the browser whole.
	toBrowser sync.Mutex

	// mu guards what was asked, by the number of the call and of the parts of its
	// answer, and the shared tab's key.
	mu      sync.Mutex
	waiting map[int64]*waiting
	parts   map[int64]*waiting
	tab     string
	last    int64
}

// waiting is a question that is not answered yet.
type waiting struct {
	left  int
	bytes int
	nodes int
	fault string
	done  chan struct{}
}

// frameLimit is the longest frame that Chrome gives to a host.
const frameLimit = 64 << 20

// inwards carries frames from the browser to the host, but for answers to us.
func (t *tap) inwards(from io.Reader, host io.Writer) error {
	for {
		var length uint32
		if err := binary.Read(from, binary.NativeEndian, &length); err != nil {
			return err
		}
		if length > frameLimit {
			return fmt.Errorf("a frame of %d bytes", length)
		}
		frame := binary.NativeEndian.AppendUint32(make([]byte, 0, 4+length), length)
		frame = frame[:4+length]
		if _, err := io.ReadFull(from, frame[4:]); err != nil {
			return err
		}
		if t.take(frame[4:]) {
			continue
		}
		if _, err := host.Write(frame); err != nil {
			return err
		}
	}
}

// outwards carries frames from the host to the browser.
func (t *tap) outwards(host io.Reader) error {
	for {
		header := make([]byte, 4)
		if _, err := io.ReadFull(host, header); err != nil {
			return err
		}
		frame := append(header, make([]byte, binary.NativeEndian.Uint32(header))...)
		if _, err := io.ReadFull(host, frame[4:]); err != nil {
			return err
		}
		if err := t.write(frame); err != nil {
			return err
		}
	}
}

func (t *tap) write(frame []byte) error {
	t.toBrowser.Lock()
	defer t.toBrowser.Unlock()
	_, err := os.Stdout.Write(frame)
	return err
}

// What a frame begins with: the extension writes the kind first, and then what it is of.
var (
	partHead   = regexp.MustCompile(`^\{"kind":"part","of":(\d+),"last":(true|false)`)
	answerHead = regexp.MustCompile(`"id\\?":(\d{13})\b`)
)

// head is how much of a frame says what it is.
const head = 400

// take looks at a frame from the browser, and reports whether it was for us alone.
func (t *tap) take(frame []byte) bool {
	begin := frame[:min(len(frame), head)]
	if bytes.HasPrefix(begin, []byte(`{"kind":"tabs"`)) {
		t.note(frame)
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	part := partHead.FindSubmatch(begin)
	var of int64
	var w *waiting
	if part != nil {
		of, _ = strconv.ParseInt(string(part[1]), 10, 64)
		w = t.parts[of]
	}
	if w == nil {
		answer := answerHead.FindSubmatch(begin)
		if answer == nil {
			return false
		}
		id, _ := strconv.ParseInt(string(answer[1]), 10, 64)
		if w = t.waiting[id]; w == nil {
			return false
		}
		delete(t.waiting, id)
		if bytes.Contains(begin, []byte(`"error"`)) {
			w.fault = string(begin)
		}
	}
	w.bytes += len(frame)
	// Each node says it once, escaped where the frame is a part.
	w.nodes += bytes.Count(frame, []byte(`"ignored":`)) + bytes.Count(frame, []byte(`\"ignored\":`))
	if part != nil && string(part[2]) == "false" {
		t.parts[of] = w
		return true
	}
	delete(t.parts, of)
	if w.left--; w.left == 0 {
		close(w.done)
	}
	return true
}

// note keeps the key of the tab that is shared, and tells it.
func (t *tap) note(frame []byte) {
	var m struct {
		Tabs []struct {
			Tab   string `json:"tab"`
			State string `json:"state"`
		} `json:"tabs"`
	}
	if json.Unmarshal(frame, &m) != nil {
		return
	}
	tab := ""
	for _, s := range m.Tabs {
		if s.State == "attached" {
			tab = s.Tab
		}
	}
	t.mu.Lock()
	same := t.tab == tab
	t.tab = tab
	t.mu.Unlock()
	if !same {
		_ = t.tell(hello{Tab: tab})
	}
}

func (t *tap) tell(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	t.telling.Lock()
	defer t.telling.Unlock()
	_, err = t.control.Write(append(line, '\n'))
	return err
}

// questions answers what it is asked, one after the other.
func (t *tap) questions(ctx context.Context) error {
	lines := bufio.NewReader(t.control)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return err
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			return fmt.Errorf("a question that cannot be read: %w", err)
		}
		answer := t.ask(ctx, q)
		answer.To = q.Number
		if err := t.tell(answer); err != nil {
			return err
		}
	}
}

// ask puts calls to the shared tab, together, and waits for all answers.
func (t *tap) ask(ctx context.Context, q question) Answer {
	w := &waiting{left: len(q.Calls), done: make(chan struct{})}
	begin := time.Now()
	for _, c := range q.Calls {
		t.mu.Lock()
		t.last++
		id, tab := firstID+t.last, t.tab
		t.waiting[id] = w
		t.mu.Unlock()
		if c.Params == nil {
			c.Params = map[string]any{}
		}
		body, err := json.Marshal(map[string]any{"kind": "cdp", "tab": tab, "m": map[string]any{"id": id, "method": c.Method, "params": c.Params}})
		if err == nil {
			err = t.write(append(binary.NativeEndian.AppendUint32(nil, uint32(len(body))), body...))
		}
		if err != nil {
			return Answer{Error: err.Error()}
		}
	}
	select {
	case <-w.done:
		return Answer{Bytes: w.bytes, Nodes: w.nodes, Time: time.Since(begin), Error: w.fault}
	case <-time.After(patience):
		return Answer{Error: "the browser did not answer in time"}
	case <-ctx.Done():
		return Answer{Error: ctx.Err().Error()}
	}
}
