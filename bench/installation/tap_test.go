package installation

import (
	"fmt"
	"testing"
)

// TestTake has a tap look at what the browser says: it keeps the answers to its own
// questions, in one frame or in parts, and leaves all else to the host.
func TestTake(t *testing.T) {
	ours := fmt.Sprint(firstID + 1)
	part := func(of int, last bool, text string) string {
		return fmt.Sprintf(`{"kind":"part","of":%d,"last":%v,"text":%q}`, of, last, text)
	}
	for _, c := range []struct {
		name   string
		frames []string
		kept   []bool
		nodes  int
		done   bool
		fault  bool
	}{
		{"an answer", []string{`{"kind":"cdp","tab":"1.2","m":{"id":` + ours + `,"result":{"nodes":[{"ignored":false},{"ignored":true}]}}}`}, []bool{true}, 2, true, false},
		{"a refusal", []string{`{"kind":"cdp","tab":"1.2","m":{"id":` + ours + `,"error":{"code":-32000}}}`}, []bool{true}, 0, true, true},
		{"the host's answer", []string{`{"kind":"cdp","tab":"1.2","m":{"id":7,"result":{}}}`}, []bool{false}, 0, false, false},
		{"another's number", []string{`{"kind":"cdp","tab":"1.2","m":{"id":` + fmt.Sprint(firstID+2) + `,"result":{}}}`}, []bool{false}, 0, false, false},
		{"parts, and others in between", []string{
			part(3, false, `{"kind":"cdp","tab":"1.2","m":{"id":`+ours+`,"result":{"nodes":[{"ignored":false},`),
			part(4, false, `{"kind":"cdp","tab":"1.2","m":{"id":9,"result":{"nodes":[`),
			`{"kind":"tabs","tabs":[]}`,
			part(3, true, `{"ignored":true}]}}}`),
			part(4, true, `]}}}`),
		}, []bool{true, false, false, true, false}, 2, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &waiting{left: 1, done: make(chan struct{})}
			tap := &tap{waiting: map[int64]*waiting{firstID + 1: w}, parts: map[int64]*waiting{}}
			for i, frame := range c.frames {
				if got := tap.take([]byte(frame)); got != c.kept[i] {
					t.Errorf("%s: kept %v, want %v", frame, got, c.kept[i])
				}
			}
			done := false
			select {
			case <-w.done:
				done = true
			default:
			}
			if done != c.done || w.nodes != c.nodes || (w.fault != "") != c.fault {
				t.Errorf("done %v, %d nodes, fault %q\nwant %v, %d, a fault: %v", done, w.nodes, w.fault, c.done, c.nodes, c.fault)
			}
		})
	}
}
