package testpages

import (
	"fmt"
	"strings"
)

// diffContext is how many lines that are alike are shown around a difference:
// enough to see in what the elements lie.
const diffContext = 3

// maxDiffCells bounds the table that finds the smallest difference, in cells of
// 4 bytes. Beyond it, what differs is shown as one whole.
const maxDiffCells = 16 << 20

// diff shows how got differs from want, line by line, with - before what is
// missing and + before what is there instead. It is empty where they are alike.
func diff(want, got []string) string {
	edits := compare(want, got)
	var b strings.Builder
	skipped := false
	for i, e := range edits {
		if !near(edits, i) {
			skipped = true
			continue
		}
		if skipped {
			fmt.Fprintln(&b, "  …")
			skipped = false
		}
		fmt.Fprintf(&b, "%c %s\n", e.kind, e.line)
	}
	return b.String()
}

// An edit is a line with what becomes of it.
type edit struct {
	kind byte // ' ', '-' or '+'
	line string
}

// near tells whether a line differs or is close to one that does.
func near(edits []edit, i int) bool {
	for k := max(0, i-diffContext); k <= min(len(edits)-1, i+diffContext); k++ {
		if edits[k].kind != ' ' {
			return true
		}
	}
	return false
}

// compare gives all lines of both in order.
func compare(want, got []string) []edit {
	head := 0
	for head < len(want) && head < len(got) && want[head] == got[head] {
		head++
	}
	tail := 0
	for tail < len(want)-head && tail < len(got)-head && want[len(want)-1-tail] == got[len(got)-1-tail] {
		tail++
	}
	var edits []edit
	for _, s := range want[:head] {
		edits = append(edits, edit{' ', s})
	}
	edits = append(edits, between(want[head:len(want)-tail], got[head:len(got)-tail])...)
	for _, s := range want[len(want)-tail:] {
		edits = append(edits, edit{' ', s})
	}
	return edits
}

// between keeps as many lines as it can.
func between(want, got []string) []edit {
	var edits []edit
	if len(want)*len(got) > maxDiffCells {
		for _, s := range want {
			edits = append(edits, edit{'-', s})
		}
		for _, s := range got {
			edits = append(edits, edit{'+', s})
		}
		return edits
	}
	// kept[i][j] is how many lines want[i:] and got[j:] have in common.
	kept := make([][]int32, len(want)+1)
	for i := range kept {
		kept[i] = make([]int32, len(got)+1)
	}
	for i := len(want) - 1; i >= 0; i-- {
		for j := len(got) - 1; j >= 0; j-- {
			if want[i] == got[j] {
				kept[i][j] = kept[i+1][j+1] + 1
			} else {
				kept[i][j] = max(kept[i+1][j], kept[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(want) || j < len(got) {
		switch {
		case i < len(want) && j < len(got) && want[i] == got[j]:
			edits = append(edits, edit{' ', want[i]})
			i, j = i+1, j+1
		case j == len(got) || i < len(want) && kept[i+1][j] >= kept[i][j+1]:
			edits = append(edits, edit{'-', want[i]})
			i++
		default:
			edits = append(edits, edit{'+', got[j]})
			j++
		}
	}
	return edits
}
