package cdp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// scriptPage reaches a page through our script in a world that is none of Page's.
func scriptPage(t *testing.T, s *Session, world string) *ScriptPage {
	t.Helper()
	return &ScriptPage{Name: "alone", Call: func(ctx context.Context, function string, argument any) ([]byte, error) {
		var tree page.GetFrameTreeResult
		if err := s.Call(ctx, page.CommandGetFrameTree, nil, &tree); err != nil {
			return nil, err
		}
		var made struct {
			ID runtime.ExecutionContextID `json:"executionContextId"`
		}
		if err := s.Call(ctx, page.CommandCreateIsolatedWorld, map[string]any{"frameId": tree.FrameTree.Frame.ID, "worldName": world}, &made); err != nil {
			return nil, err
		}
		arg, err := json.Marshal(argument)
		if err != nil {
			return nil, err
		}
		var got struct {
			Result struct {
				Value string `json:"value"`
			} `json:"result"`
		}
		err = s.Call(ctx, runtime.CommandEvaluate, map[string]any{
			"expression": fmt.Sprintf("%s; JSON.stringify(webarea.%s(%s))", WorldScript(), function, arg),
			"contextId":  made.ID, "returnByValue": true,
		}, &got)
		return []byte(got.Result.Value), err
	}}
}

func TestScriptPage(t *testing.T) {
	pages := map[string]string{
		"/":     `<!DOCTYPE html><title>Alone</title><h1>Head</h1><p>Some <b>words</b></p><div role=figure title=Fig>Drawn</div><iframe src=/in></iframe><p id=last tabindex=0>Last</p>`,
		"/in":   `<!DOCTYPE html><p>Inside`,
		"/next": `<!DOCTYPE html><p id=last tabindex=0>Last</p>`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(pages[r.URL.Path]))
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := openForTest(t, ctx, launchForPages(t), server.URL+"/")
	alone := scriptPage(t, p.Session, "another")

	r, err := alone.Read(ctx, ReadOptions{Scope: ScopePage})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Documents) != 1 {
		t.Fatalf("got %d documents, want the main one alone", len(r.Documents))
	}
	d := r.Documents[0]
	if got, want := wordsOf(d), "Head|Some |words|Drawn|Last"; got != want {
		t.Errorf("got the words %q, want %q", got, want)
	}
	if d.Facts.Title != "Alone" || d.Facts.Unasked == 0 || !strings.HasPrefix(d.Key, "alone/") {
		t.Errorf("got title %q, %d unasked, key %q; want Alone, the figure, alone/…", d.Facts.Title, d.Facts.Unasked, d.Key)
	}
	last := int64(0)
	for _, rec := range d.Facts.Records {
		if rec.Tag == "p" {
			last = rec.Serial
		}
	}
	one, err := alone.Read(ctx, ReadOptions{Scope: ScopePointing, Document: d.Key, Target: last})
	if err != nil {
		t.Fatal(err)
	}
	if got := wordsOf(one.Documents[0]); one.Documents[0].Key != d.Key || !strings.HasSuffix(got, "Last") || one.Documents[0].Facts.Target == nil {
		t.Errorf("reading one element: got %q in %q, want Last in %q", got, one.Documents[0].Key, d.Key)
	}

	loaded, stop := p.Session.Subscribe(page.LoadEventFired.Method)
	defer stop()
	if err := p.Session.Call(ctx, page.CommandNavigate, map[string]any{"url": server.URL + "/next"}, nil); err != nil {
		t.Fatal(err)
	}
	<-loaded
	one, err = alone.Read(ctx, ReadOptions{Scope: ScopePointing, Document: d.Key, Target: last})
	if err != nil {
		t.Fatal(err)
	}
	if f := one.Documents[0]; f.Key == d.Key || f.Facts.Target != nil || f.Facts.TargetGone {
		t.Errorf("an element of a document that has gone is found in the next one")
	}
}

// wordsOf joins the pieces of text of a document.
func wordsOf(d *Document) string {
	var words []string
	for _, rec := range d.Facts.Records {
		if rec.Tag == "" && strings.TrimSpace(rec.Text) != "" {
			words = append(words, rec.Text)
		}
	}
	return strings.Join(words, "|")
}
