package oracle

// A matched is an expected child with the answered one that stands for it;
// either may be nil.
type matched struct{ want, got *shape }

// maxTable bounds the table of a longest common subsequence; beyond it, which
// takes thousands of siblings that differ, children are paired in order.
const maxTable = 16 << 20

// match pairs the children of two elements in order: first those that are the
// same in all, then, between those, what looks most alike.
func match(want, got []*shape) []matched {
	return matchBy(want, got, []func(*shape) string{
		func(s *shape) string { return s.key() + "\x00" + squeeze(s.words(nil)) },
		(*shape).key,
		func(s *shape) string { return string(s.role) + "\x00" + s.url + "\x00" + squeeze(s.words(nil)) },
		func(s *shape) string { return string(s.role) + "\x00" + s.subrole },
	})
}

func (s *shape) key() string {
	return string(s.role) + "\x00" + s.subrole + "\x00" + squeeze(titled(s.title)) + "\x00" + s.url
}

func matchBy(want, got []*shape, keys []func(*shape) string) []matched {
	if len(keys) == 0 {
		return matchRest(want, got)
	}
	var out []matched
	w, g := 0, 0
	upTo := func(i, j int) {
		out = append(out, matchBy(want[w:i], got[g:j], keys[1:])...)
	}
	for _, anchor := range common(want, got, keys[0]) {
		upTo(anchor[0], anchor[1])
		out = append(out, matched{want[anchor[0]], got[anchor[1]]})
		w, g = anchor[0]+1, anchor[1]+1
	}
	upTo(len(want), len(got))
	return out
}

// matchRest pairs what is left in order if there is as much on both sides, and
// nothing else.
func matchRest(want, got []*shape) []matched {
	var out []matched
	if len(want) == len(got) {
		for i := range want {
			out = append(out, matched{want[i], got[i]})
		}
		return out
	}
	for _, s := range want {
		out = append(out, matched{want: s})
	}
	for _, s := range got {
		out = append(out, matched{got: s})
	}
	return out
}

// common returns the positions of a longest common subsequence by key.
func common(want, got []*shape, key func(*shape) string) [][2]int {
	a, b := make([]string, len(want)), make([]string, len(got))
	for i, s := range want {
		a[i] = key(s)
	}
	for i, s := range got {
		b[i] = key(s)
	}
	var out [][2]int
	begin := 0
	for begin < len(a) && begin < len(b) && a[begin] == b[begin] {
		out = append(out, [2]int{begin, begin})
		begin++
	}
	n, m := len(a), len(b)
	for n > begin && m > begin && a[n-1] == b[m-1] {
		n, m = n-1, m-1
	}
	rows, columns := n-begin, m-begin
	if rows > 0 && columns > 0 && rows*columns <= maxTable {
		length := make([][]int32, rows+1)
		for i := range length {
			length[i] = make([]int32, columns+1)
		}
		for i := rows - 1; i >= 0; i-- {
			for j := columns - 1; j >= 0; j-- {
				if a[begin+i] == b[begin+j] {
					length[i][j] = length[i+1][j+1] + 1
				} else {
					length[i][j] = max(length[i+1][j], length[i][j+1])
				}
			}
		}
		for i, j := 0, 0; i < rows && j < columns; {
			switch {
			case a[begin+i] == b[begin+j]:
				out = append(out, [2]int{begin + i, begin + j})
				i, j = i+1, j+1
			case length[i+1][j] >= length[i][j+1]:
				i++
			default:
				j++
			}
		}
	}
	for i, j := n, m; i < len(a); i, j = i+1, j+1 {
		out = append(out, [2]int{i, j})
	}
	return out
}
