package cdp

// Chrome's roles of tables and what is in them (AXNode.chromeRole).
const (
	roleNone            = 0
	roleCell            = 13
	roleGrid            = 92
	roleLayoutTable     = 105
	roleLayoutTableCell = 106
	roleLayoutTableRow  = 107
	roleRow             = 145
	roleTable           = 167
	roleTreeGrid        = 179
	roleGridCell        = 212
)

// tableParts gives the roles of a plain tr and td by the role of their table, as
// HTML-AAM has it.
var tableParts = map[int]struct{ row, cell int }{
	roleTable:       {roleRow, roleCell},
	roleGrid:        {roleRow, roleGridCell},
	roleTreeGrid:    {roleRow, roleGridCell},
	roleLayoutTable: {roleLayoutTableRow, roleLayoutTableCell},
}

// settleTables gives plain rows and cells the roles that follow from their table's.
func (f *Facts) settleTables() {
	table := make([]int, len(f.Records))
	for i := range f.Records {
		r := &f.Records[i]
		table[i] = roleNone
		if r.Parent >= 0 && r.Parent < i {
			table[i] = table[r.Parent]
		}
		switch {
		case r.Tag == "table" && r.AX != nil && !r.AX.Ignored:
			table[i] = r.AX.Role
		case r.Tag == "table" && r.AX == nil && r.Role != nil && *r.Role == roleTable:
			table[i] = roleTable
		case r.Tag == "table":
			table[i] = roleNone
		case r.Tag == "tr" && r.Role != nil:
			*r.Role = tableParts[table[i]].row
		case r.Tag == "td" && r.Role != nil:
			*r.Role = tableParts[table[i]].cell
		}
	}
}
