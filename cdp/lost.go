package cdp

import (
	"context"
	"strings"
)

// lostWithWords gives those of some nodes, of which the whole accessibility tree had none,
// in which the script saw words: those would be on the tree with what they are in. They have
// gone from the page between the two, or are out of sight, and only a question about each
// tells. The whole tree never has a link without an address, whose words are those of what
// it is in.
func (v *visit) lostWithWords(nodes map[int64]*AXNode, lost []int64) []int64 {
	if len(lost) == 0 {
		return nil
	}
	isLost := make(map[int64]bool, len(lost))
	for _, id := range lost {
		isLost[id] = true
	}
	records := v.doc.Facts.Records
	node := func(i int) int64 {
		if ask := records[i].Ask; ask != nil && *ask >= 0 && *ask < len(v.ask) {
			return v.ask[*ask]
		}
		return 0
	}
	var again []int64
	// Who says the words of what is in it has nothing in it on the tree.
	inLeaf, seen := make([]bool, len(records)), make([]bool, len(records))
	for i := range records {
		r := &records[i]
		if within := r.Parent; within >= 0 && within < i {
			ax := nodes[node(within)]
			inLeaf[i] = inLeaf[within] || ax != nil && ax.Leaf && !ax.Ignored
		}
		if r.Tag != "" || inLeaf[i] || strings.TrimSpace(r.Text) == "" {
			continue
		}
		for at := r.Parent; at >= 0 && at < i && !seen[at]; at = records[at].Parent {
			seen[at] = true
			if id := node(at); isLost[id] && !(records[at].Tag == "a" && records[at].URL == "") {
				again = append(again, id)
				delete(isLost, id)
			}
		}
	}
	return again
}

// into puts the answers in place of those that there are; of nodes that have gone there
// is none.
func (q *axQuery) into(ctx context.Context, nodes map[int64]*AXNode) error {
	told, err := q.wait(ctx)
	if err != nil {
		return err
	}
	for _, id := range q.ids {
		if nodes[id] = told[id]; told[id] == nil {
			delete(nodes, id)
		}
	}
	return nil
}
