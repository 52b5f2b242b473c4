//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
)

// The crowd: how many agents ask at once, about how many tabs.
const (
	crowdAgents = 16
	crowdTabs   = 50
)

// BenchmarkCrowd has many agents of one server ask at once about many tabs: about all of
// them, and each about an element in one. An operation is one answer; p99 is the time
// that one in a hundred answers takes longer than.
func BenchmarkCrowd(b *testing.B) {
	shared := newShare(loopbackBrowser, "", "", func(string) {})
	b.Cleanup(func() {
		if err := shared.close(); err != nil {
			b.Error(err)
		}
	})
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := shared.ready(ctx); err != nil {
		b.Fatal(err)
	}
	site := httptest.NewServer(http.HandlerFunc(crowdPage))
	b.Cleanup(site.Close)
	for i := range crowdTabs {
		tab, err := driver.Open(ctx, shared.conn, driver.Options{Width: 1280, Height: 800, Window: true})
		if err != nil {
			b.Fatal(err)
		}
		if err := driver.Load(ctx, tab.Session, fmt.Sprintf("%s/%d", site.URL, i)); err != nil {
			b.Fatal(err)
		}
	}
	server := newServer(shared, io.Discard)
	clients := make([]*pipeClient, crowdAgents)
	for i := range clients {
		clients[i] = connectPipe(server)
		b.Cleanup(func() { _ = clients[i].end() })
	}
	var selections []string
	for deadline := time.Now().Add(time.Minute); len(selections) < crowdTabs; {
		m, err := clients[0].ask(0, "tools/call", `"name":"get_elements"`)
		if err != nil {
			b.Fatal(err)
		}
		if selections = selectionsIn(b, m); time.Now().After(deadline) {
			b.Fatalf("got the selections of %d tabs, want %d: %s", len(selections), crowdTabs, shorten(m.line))
		}
	}
	for _, question := range []struct {
		name string
		of   func(agent, round int) string
	}{
		{"all", func(int, int) string { return `"name":"get_elements"` }},
		{"one", func(agent, round int) string {
			return fmt.Sprintf(`"name":"get_elements","arguments":{"id":%q}`, selections[round%len(selections)])
		}},
	} {
		for _, agents := range []int{1, crowdAgents} {
			b.Run(fmt.Sprintf("%s/%d", question.name, agents), func(b *testing.B) {
				crowd(b, clients[:agents], question.of)
			})
		}
	}
}

// crowdPage is a page of some three thousand nodes with a sentence selected.
func crowdPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><title>Page %s</title><h1>Ledger</h1><p id=p>The sentence that is meant.</p><table>", r.URL.Path)
	for i := range 300 {
		fmt.Fprintf(w, "<tr><td>%d<td><a href=/e/%d>Entry %d</a><td>some words of it", i, i, i)
	}
	io.WriteString(w, "</table><script>getSelection().selectAllChildren(document.querySelector('#p'))</script>")
}

// selectionsIn gives the ids of what is selected in an answer.
func selectionsIn(b *testing.B, m serverMessage) (ids []string) {
	var result struct {
		StructuredContent elements.Answer
	}
	if err := json.Unmarshal(m.Result, &result); err != nil {
		b.Fatalf("decoding %s: %v", shorten(m.line), err)
	}
	for e := range result.StructuredContent.All() {
		if e.Selected {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// crowd has agents ask, each one question after another.
func crowd(b *testing.B, clients []*pipeClient, question func(agent, round int) string) {
	var mu sync.Mutex
	var took []time.Duration
	var all sync.WaitGroup
	for agent, c := range clients {
		all.Go(func() {
			for round := agent; round < b.N; round += len(clients) {
				begun := time.Now()
				m, err := c.ask(round, "tools/call", question(agent, round))
				if err != nil || m.Error != nil {
					b.Errorf("got %v %s", err, m.line)
					return
				}
				mu.Lock()
				took = append(took, time.Since(begun))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	if len(took) > 0 {
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
		b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
	}
}
