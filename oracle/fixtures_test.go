package oracle

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webarea/webarea/elements"
)

const fixtures = "../testpages/fixtures"

// unknowable are differences in fixtures that Chrome's trees cannot tell of, by
// fixture and the end of their path, each with its reason.
var unknowable = map[string]map[string]string{
	"secrets-fields": {`Text "Switched"`: "nothing in the page says that a field was a password before"},
}

// A fixtureCase is what is done to a fixture, and the answer written by hand.
type fixtureCase struct {
	Setup   []map[string]string
	Answers map[string]json.RawMessage
}

// TestFixturesByHand holds the oracle against the answers of the fixtures,
// which were written from the spec and not from any code.
func TestFixturesByHand(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join(fixtures, "*.case.json"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no fixtures in %s: %v", fixtures, err)
	}
	for _, file := range cases {
		name := strings.TrimSuffix(filepath.Base(file), ".case.json")
		t.Run(name, func(t *testing.T) { testFixture(t, name, readCase(t, file)) })
	}
}

func readCase(t *testing.T, file string) fixtureCase {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c fixtureCase
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return c
}

func testFixture(t *testing.T, name string, c fixtureCase) {
	if c.Answers["page"] == nil {
		t.Skip("the fixture has no answer in page scope")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	server := serveFixtures(t)
	origin := strings.Replace(server, "127.0.0.1", "localhost", 1)
	p := openPage(t, ctx, origin+"/"+name+".html")
	for _, act := range c.Setup {
		if script := act["eval"]; script != "" {
			p.eval(t, ctx, script)
		}
		if css := act["scroll_to"]; css != "" {
			p.eval(t, ctx, fmt.Sprintf("document.querySelector(%q).scrollIntoView(); new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))", css))
		}
	}
	want := strings.NewReplacer("http://fixture", origin, "http://other-site", server).Replace(string(c.Answers["page"]))
	answer, err := elements.Decode(strings.NewReader(`{"protocol":"0.2.0","instance":"hand","root":` + withIDs(t, want) + `}`))
	if err != nil {
		t.Fatal(err)
	}
	oracle, err := Expect(ctx, p.conn, p.id)
	if err != nil {
		t.Fatal(err)
	}
	differences := knowable(name, CompareDocument(oracle, answer.Root))
	for _, d := range differences {
		t.Errorf("the oracle (want) and the hand-written answer (got) differ\n%v", d)
	}
	if len(differences) > 0 {
		t.Logf("the oracle:\n%v", oracle)
	}
}

// knowable drops what the oracle cannot know of a fixture.
func knowable(fixture string, all []Difference) []Difference {
	return slices.DeleteFunc(all, func(d Difference) bool {
		for end := range unknowable[fixture] {
			if strings.HasSuffix(d.Path, end) {
				return true
			}
		}
		return false
	})
}

// withIDs gives ids to the elements of a hand-written answer.
func withIDs(t *testing.T, text string) string {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal([]byte(text), &root); err != nil {
		t.Fatal(err)
	}
	count := 0
	var give func(map[string]any)
	give = func(e map[string]any) {
		count++
		e["id"] = fmt.Sprint("e", count)
		kids, _ := e["children"].([]any)
		for _, kid := range kids {
			give(kid.(map[string]any))
		}
	}
	give(root)
	out, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// serveFixtures serves the fixtures, with the other site's address in them.
func serveFixtures(t *testing.T) string {
	t.Helper()
	var address string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file := filepath.Join(fixtures, filepath.Base(r.URL.Path))
		content, err := os.ReadFile(file)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		if filepath.Ext(file) == ".html" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			content = []byte(strings.ReplaceAll(string(content), "{{other-site}}", address))
		}
		if filepath.Ext(file) == ".svg" {
			w.Header().Set("Content-Type", "image/svg+xml")
		}
		_, _ = w.Write(content)
	}))
	t.Cleanup(server.Close)
	address = server.URL
	return address
}
