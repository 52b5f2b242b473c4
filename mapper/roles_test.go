package mapper

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/webarea/webarea/elements"
)

// tableRow is a row of the role table.
type tableRow struct{ name, id, word, action, element, subrole string }

// roleTable reads the role table that lies beside this tree.
func roleTable(t *testing.T) []tableRow {
	t.Helper()
	const file = "../../shared/roles.tsv"
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the role table is not beside this tree: " + file)
	}
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for line := range strings.Lines(string(text)) {
		all = append(all, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
	}
	column := map[string]int{}
	for i, name := range all[0] {
		column[name] = i
	}
	var rows []tableRow
	for _, line := range all[1:] {
		at := func(name string) string {
			i, ok := column[name]
			if !ok || i >= len(line) {
				t.Fatalf("%s has no column %s in the row %q", file, name, line)
			}
			return line[i]
		}
		rows = append(rows, tableRow{
			name: at("chrome_role"), id: at("chrome_role_id"), word: at("cdp_role_value"), action: at("action"),
			element: strings.TrimPrefix(at("element_role"), "-"), subrole: at("suggested_subrole"),
		})
	}
	return rows
}

var actionNames = map[string]Action{"hoist": DoHoist, "map": DoMap, "merge": DoMerge, "drop": DoDrop}

// TestRoleTable holds Roles and the role table alike, row by row. Rows with a
// condition are in TestConditions.
func TestRoleTable(t *testing.T) {
	seen := map[int]bool{}
	for _, row := range roleTable(t) {
		if conditions[row.name] != nil {
			continue
		}
		n, err := strconv.Atoi(row.id)
		if err != nil {
			t.Errorf("%s: its number is %q", row.name, row.id)
			continue
		}
		if seen[n] {
			t.Errorf("%s: a second row of number %d, and no test is about its condition", row.name, n)
		}
		seen[n] = true
		got, ok := Roles[n]
		if !ok {
			t.Errorf("%s: there is no rule for number %d", row.name, n)
			continue
		}
		word := got.Word
		if word == "" {
			word = got.Name
		}
		action, ok := actionNames[row.action]
		if !ok {
			t.Errorf("%s: there is no action %q", row.name, row.action)
		}
		want := RoleRule{Name: row.name, Action: action, Role: elements.Role(row.element), Subrole: row.subrole, Word: row.word}
		if action != DoMap {
			// What becomes of them under a condition is no element of their own.
			want.Role, want.Subrole = "", ""
		}
		got.Word = word
		if got != want {
			t.Errorf("number %d\n got %+v\nwant %+v", n, got, want)
		}
	}
	for n, rule := range Roles {
		if !seen[n] {
			t.Errorf("%s (%d) is not in the role table", rule.Name, n)
		}
	}
}

// TestRoleWords holds that a role that came without its number is found by its
// word, and that of several with one word the one that reports most plainly is
// taken.
func TestRoleWords(t *testing.T) {
	for _, c := range []struct {
		word string
		want int
	}{
		{"img", roleImage}, {"image", roleImage}, {"generic", roleGenericContainer}, {"RootWebArea", roleRootWebArea},
		{"option", roleListBoxOption}, {"group", roleDetails}, {"button", 9}, {"nonsense heading", roleHeading},
		{"nonsense", roleGenericContainer}, {"", roleGenericContainer},
	} {
		n := Node{Role: -1, Seldom: &Particulars{RoleWord: c.word}}
		if got := n.role(); got != c.want {
			t.Errorf("the word %q: got %d %s, want %d %s", c.word, got, Roles[got].Name, c.want, Roles[c.want].Name)
		}
	}
	for tag, want := range byTag {
		n := Node{Role: -1, Tag: tag}
		if got := n.role(); got != want {
			t.Errorf("the tag %q: got %d, want %d", tag, got, want)
		}
	}
}
