package oracle

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/webarea/webarea/elements"
)

// tableTSV has the columns of the role table that decide an answer:
// chrome_role_id, chrome_role, action, element_role, suggested_subrole.
//
//go:embed testdata/roles.tsv
var tableTSV string

// What the table says is done with a role.
const (
	actionMap   = "map"
	actionHoist = "hoist"
	actionMerge = "merge"
	actionDrop  = "drop"
)

// A row is what the table says of one Chrome role.
type row struct {
	action  string
	element elements.Role
	subrole string
}

// A table is the rows by the number of the Chrome role, and those that hold on
// a condition by their own words.
type table struct {
	plain       map[int]row
	conditional map[string]row
}

// The conditional rows that are looked up by name.
const (
	rowTextarea = "TextField (multiline=true)"
	rowPassword = "TextField (input type=password)"
	rowEditor   = "editing host (editable set, parent not editable)"
	rowNumber   = "SpinButton with editable"
	rowPopover  = "Group with the popover attribute, open"
)

func parseTable(tsv string) (table, error) {
	t := table{plain: map[int]row{}, conditional: map[string]row{}}
	lines := strings.Split(strings.TrimRight(tsv, "\n"), "\n")
	for i, line := range lines[1:] {
		fields := strings.Split(line, "\t")
		if len(fields) != 5 {
			return t, fmt.Errorf("line %d of the role table has %d columns, not 5", i+2, len(fields))
		}
		id, err := strconv.Atoi(fields[0])
		if err != nil {
			return t, fmt.Errorf("line %d of the role table: %w", i+2, err)
		}
		r := row{action: fields[2], element: elements.Role(fields[3]), subrole: fields[4]}
		if _, known := t.plain[id]; known || id < 0 {
			t.conditional[fields[1]] = r
		} else {
			t.plain[id] = r
		}
	}
	for _, name := range []string{rowTextarea, rowPassword, rowEditor, rowNumber, rowPopover} {
		if _, ok := t.conditional[name]; !ok {
			return t, fmt.Errorf("the role table has no row %q", name)
		}
	}
	return t, nil
}
