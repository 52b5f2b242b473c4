// Package tree is a window's accessibility tree as rows: lines for who reads, and
// entries for who computes, of one and the same rows. It owns how rows are
// numbered, cut, searched and written, and does no input or output.
package tree

import (
	"slices"
	"strings"
)

// A Row is a line of a tree, in the order of the document.
type Row struct {
	// Parent is the row that this one is in, as its place among the rows; -1: none.
	// It comes before this one.
	Parent int
	// Actionable rows are indexed.
	Actionable bool

	Role        string // a word of Chrome's: letters and hyphens
	Name        string
	Value       string
	Description string
	Actions     []string
}

// Depths gives how deep each row is: 0 for one that is in none.
func Depths(rows []Row) []int {
	depths := make([]int, len(rows))
	for i, r := range rows {
		if r.Parent >= 0 {
			depths[i] = depths[r.Parent] + 1
		}
	}
	return depths
}

// Indices numbers the actionable rows from 0 on; the others have -1.
func Indices(rows []Row) []int {
	indices := make([]int, len(rows))
	next := 0
	for i, r := range rows {
		indices[i] = -1
		if r.Actionable {
			indices[i] = next
			next++
		}
	}
	return indices
}

// Above gives, for each row, the index of the nearest actionable row that it is in, or
// -1.
func Above(rows []Row, indices []int) []int {
	above := make([]int, len(rows))
	for i, r := range rows {
		above[i] = -1
		switch {
		case r.Parent < 0:
		case indices[r.Parent] >= 0:
			above[i] = indices[r.Parent]
		default:
			above[i] = above[r.Parent]
		}
	}
	return above
}

// Within tells which rows are at most so deep, the first level being 1. The others
// are the end of what they are in, so that no row loses one that it is in.
func Within(rows []Row, most int) []bool {
	keep := make([]bool, len(rows))
	for i, d := range Depths(rows) {
		keep[i] = d < most
	}
	return keep
}

// Matching tells which rows have the words in their line, whatever their case, or
// hold one that has. lines are those of the rows.
func Matching(rows []Row, lines []string, query string) []bool {
	keep := make([]bool, len(rows))
	query = strings.ToLower(query)
	for i := len(rows) - 1; i >= 0; i-- {
		keep[i] = keep[i] || strings.Contains(strings.ToLower(lines[i]), query)
		if keep[i] && rows[i].Parent >= 0 {
			keep[rows[i].Parent] = true
		}
	}
	return keep
}

// Prune leaves the rows to keep, of which each one's parent is kept too, and gives
// their former places.
func Prune(rows []Row, keep []bool) (kept []Row, places []int) {
	now := make([]int, len(rows))
	kept, places = make([]Row, 0, len(rows)), make([]int, 0, len(rows))
	for i, r := range rows {
		now[i] = -1
		if !keep[i] {
			continue
		}
		now[i] = len(kept)
		if r.Parent >= 0 {
			r.Parent = now[r.Parent]
		}
		r.Actions = slices.Clone(r.Actions)
		kept = append(kept, r)
		places = append(places, i)
	}
	return kept, places
}
