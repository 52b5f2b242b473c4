package installation

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
)

// Raw asks the shared tab for what the browser itself says, over the way that the host's
// own commands take, and up to the host's end of it.
func (i *Installation) Raw(ctx context.Context, calls ...Call) (Answer, error) {
	return i.tap.ask(ctx, calls)
}

// An asker asks the tap that the browser has started.
type asker struct {
	conn    net.Conn
	host    int
	asked   int
	answers chan Answer
	ended   chan struct{}

	// mu guards the key of the tab that the host was told of last.
	mu  sync.Mutex
	key string
}

// lateAnswers is how many answers may wait that nobody waits for any more.
const lateAnswers = 100

func newAsker(c net.Conn) *asker {
	a := &asker{conn: c, answers: make(chan Answer, lateAnswers), ended: make(chan struct{})}
	lines := bufio.NewReader(c)
	if line, err := lines.ReadBytes('\n'); err == nil {
		var h hello
		_ = json.Unmarshal(line, &h)
		a.host = h.Host
	}
	go a.receive(lines)
	return a
}

func (a *asker) receive(lines *bufio.Reader) {
	defer close(a.ended)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			Tab  *string `json:"tab"`
			Host *int    `json:"host"`
			Answer
		}
		if json.Unmarshal(line, &m) != nil {
			return
		}
		if m.Host == nil {
			a.answers <- m.Answer
			continue
		}
		a.mu.Lock()
		a.key = ""
		if m.Tab != nil {
			a.key = *m.Tab
		}
		a.mu.Unlock()
	}
}

// tab is the key of the tab that is shared; empty: none.
func (a *asker) tab() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.key
}

func (a *asker) ask(ctx context.Context, calls []Call) (Answer, error) {
	a.asked++
	line, err := json.Marshal(question{a.asked, calls})
	if err != nil {
		return Answer{}, err
	}
	if _, err := a.conn.Write(append(line, '\n')); err != nil {
		return Answer{}, fmt.Errorf("asking over the relay: %w", err)
	}
	for {
		select {
		case answer := <-a.answers:
			switch {
			case answer.To != a.asked:
				// It comes later than anybody waited for.
			case answer.Error != "":
				return answer, fmt.Errorf("asking over the relay: %s", answer.Error)
			default:
				return answer, nil
			}
		case <-a.ended:
			return Answer{}, errors.New("asking over the relay: the host has ended")
		case <-ctx.Done():
			return Answer{}, fmt.Errorf("asking over the relay: %w", context.Cause(ctx))
		}
	}
}

func (a *asker) close() error {
	err := a.conn.Close()
	<-a.ended
	return err
}
