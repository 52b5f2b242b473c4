package oracle

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/webarea/webarea/cdp"
	"github.com/webarea/webarea/driver"
	"github.com/webarea/webarea/elements"
	"github.com/webarea/webarea/provider"
)

// savedPages is where the real pages lie, beside the project.
const savedPages = "../../shared/pages"

// shortShare is how many of the saved pages a short run takes: every so many.
const shortShare = 4

// TestSavedPages holds answers about real pages against the oracle.
func TestSavedPages(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(savedPages, "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("there are no saved pages in %s", savedPages)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(savedPages)))
	defer server.Close()
	for i, file := range files {
		if testing.Short() && i%shortShare != 0 {
			continue
		}
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) { compareAnswer(t, server.URL+"/"+name, fixtureCase{}) })
	}
}

// TestFixtureAnswers holds answers about the fixtures against the oracle.
func TestFixtureAnswers(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(fixtures, "*.case.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures in %s: %v", fixtures, err)
	}
	server := serveFixtures(t)
	for _, file := range files {
		name := filepath.Base(file[:len(file)-len(".case.json")])
		t.Run(name, func(t *testing.T) { compareAnswer(t, server+"/"+name+".html", readCase(t, file)) })
	}
}

// attempts is how often a page is read that changes while it is read.
const attempts = 2

func compareAnswer(t *testing.T, address string, c fixtureCase) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn := browser(t).Conn
	tab, err := driver.Open(ctx, conn, driver.Options{Width: 1280, Height: 800, Window: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tab.Close(context.WithoutCancel(ctx)) }()
	p := provider.New("Chromium")
	defer p.Close()
	if _, err := p.Share(ctx, conn, tab.Target); err != nil {
		t.Fatal(err)
	}
	if err := driver.Load(ctx, tab.Session, address); err != nil {
		t.Fatal(err)
	}
	for _, step := range c.Setup {
		if step["window"] != "" || step["popup"] != "" {
			t.Skip("the fixture has more than one window, and the oracle reads one page")
		}
		act(t, ctx, tab.Session, step)
	}
	compare := func(expected *Expected, answer *elements.Answer) []Difference {
		return knowable(filepath.Base(t.Name()), Compare(expected, answer))
	}
	var differences []Difference
	for range attempts {
		before, err := Expect(ctx, conn, tab.Target)
		if err != nil {
			t.Log(err)
			continue
		}
		answer, err := p.Elements(ctx, provider.Query{Scope: cdp.ScopePage})
		if err != nil {
			t.Fatal(err)
		}
		keep(t, before, answer)
		if differences = compare(before, answer); len(differences) == 0 {
			return
		}
		after, err := Expect(ctx, conn, tab.Target)
		if err != nil {
			t.Log(err)
			continue
		}
		if differences = compare(after, answer); len(differences) == 0 {
			return
		}
	}
	if len(differences) == 0 {
		t.Fatal("the page could not be read")
	}
	t.Errorf("%d differences", len(differences))
	for _, d := range differences {
		t.Log(d)
	}
}

// act does one step of a fixture's setup.
func act(t *testing.T, ctx context.Context, s *cdp.Session, step map[string]string) {
	t.Helper()
	acts := map[string]func(context.Context, *cdp.Session, string) error{
		"eval":        driver.Eval,
		"wait":        driver.WaitFor,
		"scroll_to":   driver.ScrollTo,
		"focus":       driver.Focus,
		"select":      driver.Select,
		"select_text": driver.SelectText,
		"hover":       driver.Hover,
	}
	for name, what := range step {
		if acts[name] == nil {
			t.Fatalf("no such act: %s", name)
		}
		if err := acts[name](ctx, s, what); err != nil {
			t.Fatalf("%s %s: %v", name, what, err)
		}
	}
}

// keep writes what was expected and what was answered into the folder that
// $ORACLE_KEEP names, for a person to look at.
func keep(t *testing.T, expected *Expected, answer *elements.Answer) {
	folder := os.Getenv("ORACLE_KEEP")
	if folder == "" {
		return
	}
	name := filepath.Join(folder, filepath.Base(t.Name()))
	if err := os.WriteFile(name+".want", []byte(expected.String()), 0o644); err != nil {
		t.Log(err)
	}
	var got string
	answer.Root.Walk(func(e, _ *elements.Element, depth int) bool {
		for range depth {
			got += "  "
		}
		got += describe(e) + "\n"
		return true
	})
	if err := os.WriteFile(name+".got", []byte(got), 0o644); err != nil {
		t.Log(err)
	}
}

func describe(e *elements.Element) string {
	s := Element{Role: e.Role, Subrole: e.Subrole, Title: e.Title, URL: e.URL}
	for _, b := range e.Content {
		s.Text += b.Text
	}
	return s.line()
}
