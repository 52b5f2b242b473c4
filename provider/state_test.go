package provider

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/webarea/webarea/driver"
)

// largePage is a page of about 30,000 nodes of the accessibility tree.
func largePage(rows int) string {
	var b strings.Builder
	b.WriteString("<!doctype html><title>Large</title><h1>Ledger</h1><input aria-label=Search><table>")
	for i := range rows {
		fmt.Fprintf(&b, "<tr><td>%d<td><a href=/e/%d>Entry %d</a><td>some words of it<td><button>Edit %d</button><td>%d.00", i, i, i, i, 7*i)
	}
	b.WriteString("</table>")
	return b.String()
}

// hangs is how much later than its time an answer has not come in time on any machine;
// what it takes on a quiet one is logged.
const hangs = 5 * time.Second

// looks is how often a page is looked at that a busy machine does not read in time.
const looks = 30

func TestLargePage(t *testing.T) {
	if testing.Short() {
		t.Skip("a large page takes its time; run without -short")
	}
	b := launched(t)
	d := opened(t, b, served(t, largePage(2200)))
	for _, what := range []string{"cold", "warm", "warm again"} {
		var s *State
		var took time.Duration
		var seen, named int
		// How many looks it takes depends on the machine, the time of each does not.
		for range looks {
			begun := time.Now()
			s = d.state(t, StateQuery{Tree: true, Picture: true, MaxElements: 2000, MaxDepth: 25, Timeout: time.Second, Most: 1568})
			took, seen, named = max(took, time.Since(begun)), 0, 0
			for _, e := range s.Elements {
				if e.Visible {
					seen++
					if e.Label != "" {
						named++
					}
				}
			}
			if seen >= 40 && named >= seen*9/10 {
				break
			}
		}
		t.Logf("%s: %d ms in all, %d ms of it walking, %d elements, %d on screen, %d of them named; %s, %d visited, pending %v, picture %v %v", what, took.Milliseconds(), s.ElapsedMS, s.ElementCount, seen, named, s.Reason,
			s.Visited, count(s.Pending), s.Screenshot != nil, s.PictureError)
		if took > time.Second+hangs {
			t.Errorf("%s: took %v", what, took)
		}
		if s.Complete || !s.Truncated || seen < 40 || named < seen*9/10 {
			t.Errorf("%s: got complete %v, truncated %v, %d of %d on screen named", what, s.Complete, s.Truncated, named, seen)
		}
	}
	d.do(t, `scrollTo(0, 1e7); 0`)
	s := d.state(t, StateQuery{Tree: true, MaxElements: 2000, Timeout: looks * time.Second})
	if !strings.Contains(s.Markdown, `button "Edit 2199"`) || s.Complete {
		t.Errorf("at the end, got %d nodes, %.300s", s.Visited, s.Markdown)
	}
	d.do(t, `scrollTo(0, 20000); 0`)
	s = d.state(t, StateQuery{Tree: true, MaxElements: 300, Timeout: 2 * time.Second})
	if !strings.Contains(s.Markdown, `button "Edit 9`) && !strings.Contains(s.Markdown, `button "Edit 7`) || strings.Contains(s.Markdown, `"Edit 12"`) {
		t.Errorf("scrolled down, got %.600s", s.Markdown)
	}
	s = d.state(t, StateQuery{Tree: true, MaxElements: 300, Timeout: 2 * time.Second, InOrder: true})
	if !strings.Contains(s.Markdown, `"Edit 12"`) || s.Visited != 300 {
		t.Errorf("in the order of the document, got %d nodes, %.300s", s.Visited, s.Markdown)
	}
}

func count(n *int) string {
	if n == nil {
		return "unknown"
	}
	return fmt.Sprint(*n)
}

func TestStateBudgets(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, largePage(100)))
	s := d.state(t, StateQuery{Tree: true, MaxElements: 1})
	if s.Visited != 1 || s.Reason != TruncatedNodes || s.Complete || s.Pending == nil || *s.Pending < 100 {
		t.Errorf("one node: got %d visited, %s, pending %s", s.Visited, s.Reason, count(s.Pending))
	}
	s = d.state(t, StateQuery{Tree: true, MaxDepth: 1})
	if s.Reason != TruncatedDepth || strings.Count(s.Markdown, "\n") != 1 || s.Complete {
		t.Errorf("one level: got %s, %q", s.Reason, s.Markdown)
	}
	whole := d.state(t, StateQuery{Tree: true})
	if !whole.Complete || whole.Truncated || whole.ElementCount != 201 || *whole.Pending != 0 {
		t.Errorf("all of it: got complete %v, %d elements, %s", whole.Complete, whole.ElementCount, whole.Reason)
	}
	found := d.state(t, StateQuery{Tree: true, Query: "edit 4"})
	if found.ElementCount != whole.ElementCount || *found.FilteredCount != 11 || len(found.Elements) != 11 || found.Elements[0].Index != whole.Elements[2*4+2].Index {
		t.Errorf("a query: got %d of %d, first %+v", *found.FilteredCount, found.ElementCount, found.Elements[0])
	}
	begun := time.Now()
	d.state(t, StateQuery{Tree: true, Picture: true, Timeout: 100 * time.Millisecond})
	if took := time.Since(begun); took > 100*time.Millisecond+hangs {
		t.Errorf("100 ms took %v", took)
	}
}

func TestStateRefusals(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, "<!doctype html><title>T</title><p>x"))
	right := d.at
	for want, ask := range map[Code]StateQuery{
		CodeNothing:        {WindowAddress: right},
		CodeWindowNotFound: {WindowAddress: WindowAddress{PID: right.PID, Window: right.Window + 1}, Tree: true},
		CodeWindowOwner:    {WindowAddress: WindowAddress{PID: right.PID + 1, Window: right.Window}, Tree: true},
		CodeNotShared:      {WindowAddress: WindowAddress{PID: right.PID, Window: right.Window, Tab: "nothing"}, Tree: true},
	} {
		ask.Timeout = time.Second
		_, err := d.p.State(t.Context(), ask)
		var told *Error
		if !errors.As(err, &told) || told.Code != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if want == CodeWindowOwner && told != nil && told.More["owner_pid"] != right.PID {
			t.Errorf("got the owner %v, want %d", told.More, right.PID)
		}
	}
}

func TestSnapshots(t *testing.T) {
	b := launched(t)
	d := opened(t, b, served(t, `<!doctype html><title>T</title><button>One</button>`))
	first := d.state(t, StateQuery{Tree: true})
	if first.Invalidated != nil || first.Elements[0].Token != first.SnapshotID+":0" || len(first.SnapshotID) != 9 || first.SnapshotID[0] != 's' {
		t.Errorf("got %+v", first)
	}
	alone := d.state(t, StateQuery{Picture: true})
	if alone.SnapshotID != "" || alone.Invalidated != nil || alone.Tree != nil {
		t.Errorf("a picture alone: got %+v", alone)
	}
	second := d.state(t, StateQuery{Tree: true})
	if fmt.Sprint(second.Invalidated) != "["+first.SnapshotID+"]" {
		t.Errorf("got %v invalidated, want %s", second.Invalidated, first.SnapshotID)
	}
	expect := func(token string) string {
		return d.verify(t, fmt.Sprintf(`[{"element":{"selector":{"element_token":%q},"exists":true}}]`, token), VerifyQuery{Stable: 1}).Status
	}
	if got := expect(first.Elements[0].Token); got != Unknown {
		t.Errorf("a token that has ended: got %s", got)
	}
	if got := expect(second.Elements[0].Token); got != Satisfied {
		t.Errorf("a token: got %s", got)
	}
	if err := driver.Load(t.Context(), d.tab.Session, served(t, "<p>Other")); err != nil {
		t.Fatal(err)
	}
	if got := expect(second.Elements[0].Token); got != Unknown {
		t.Errorf("a token of a page that has gone: got %s", got)
	}
}
