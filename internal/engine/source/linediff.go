package source

import (
	"bytes"
	"slices"
)

// LineRange is a run of lines of a file, both ends included, from 1. A range
// whose End is Start-1 has no line: lines were deleted before line Start.
type LineRange struct{ Start, End uint32 }

// maxEdits is the maximal number of edits in the search for the shortest
// difference of two runs of lines; memory and time grow with its square. Runs
// that differ more, and have no line that occurs once on both sides, count as
// completely changed.
const maxEdits = 1000

// changedLines returns the lines of text that differ from old: the new side of
// a line diff. Lines that occur once on both sides are matched first, as long as
// they keep their order (Bram Cohen's patience diff), the lines between them by the
// shortest edit script (Myers 1986). Line ends (\n, \r\n) make no difference.
func changedLines(old, text []byte) []LineRange {
	d := lineDiff{ids: map[string]int32{}}
	a, b := d.lineNumbers(old), d.lineNumbers(text)
	d.kept = make([]int32, len(b))
	for i := range d.kept {
		d.kept[i] = -1
	}
	d.matchBetween(a, b, 0, 0)
	return d.changedRanges(len(a))
}

type lineDiff struct {
	ids  map[string]int32
	kept []int32 // by line of the new side: the line of the old side, -1 if it is new
}

// lineNumbers returns a number for each line of a text; equal lines have equal numbers.
func (d *lineDiff) lineNumbers(text []byte) []int32 {
	var out []int32
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		line = bytes.TrimSuffix(line, []byte{'\r'})
		id, ok := d.ids[string(line)]
		if !ok {
			id = int32(len(d.ids))
			d.ids[string(line)] = id
		}
		out, text = append(out, id), rest
	}
	return out
}

// unmatchedLines is a run of old lines and a run of new lines that are not yet matched with each other.
type unmatchedLines struct {
	a, b   []int32
	ao, bo int
}

// matchBetween matches the lines a, which begin at line ao of the old text, with the lines b, which begin at line bo of the new one.
func (d *lineDiff) matchBetween(a, b []int32, ao, bo int) {
	todo := []unmatchedLines{{a, b, ao, bo}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		d.matchEnds(&s)
		if len(s.a) == 0 || len(s.b) == 0 {
			continue
		}
		anchors := uniquePairs(s.a, s.b)
		if len(anchors) == 0 {
			d.matchShortest(&s)
			continue
		}
		i, j := 0, 0
		for _, at := range append(anchors, [2]int{len(s.a), len(s.b)}) {
			if at[0] < len(s.a) {
				d.kept[s.bo+at[1]] = int32(s.ao + at[0])
			}
			todo = append(todo, unmatchedLines{s.a[i:at[0]], s.b[j:at[1]], s.ao + i, s.bo + j})
			i, j = at[0]+1, at[1]+1
		}
	}
}

// matchEnds matches the lines with which both runs begin and end.
func (d *lineDiff) matchEnds(s *unmatchedLines) {
	for len(s.a) > 0 && len(s.b) > 0 && s.a[0] == s.b[0] {
		d.kept[s.bo] = int32(s.ao)
		s.a, s.b, s.ao, s.bo = s.a[1:], s.b[1:], s.ao+1, s.bo+1
	}
	for n, m := len(s.a), len(s.b); n > 0 && m > 0 && s.a[n-1] == s.b[m-1]; n, m = n-1, m-1 {
		d.kept[s.bo+m-1] = int32(s.ao + n - 1)
		s.a, s.b = s.a[:n-1], s.b[:m-1]
	}
}

// uniquePairs returns pairs of places of lines that occur once in a and once in
// b: the longest list of pairs that ascends in both.
func uniquePairs(a, b []int32) [][2]int {
	type count struct{ inA, inB, atA, atB int }
	counts := make(map[int32]*count, len(a))
	for i, id := range a {
		c := counts[id]
		if c == nil {
			c = &count{}
			counts[id] = c
		}
		c.inA, c.atA = c.inA+1, i
	}
	for j, id := range b {
		if c := counts[id]; c != nil {
			c.inB, c.atB = c.inB+1, j
		}
	}
	var pairs [][2]int // by place in a
	for i, id := range a {
		if c := counts[id]; c.inA == 1 && c.inB == 1 {
			pairs = append(pairs, [2]int{i, c.atB})
		}
	}
	return ascendingPairs(pairs)
}

// ascendingPairs returns the longest subsequence of pairs whose second parts ascend.
func ascendingPairs(pairs [][2]int) [][2]int {
	var ends []int // ends[n]: the pair with the smallest second part that ends a run of n+1
	prev := make([]int, len(pairs))
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(ends, p[1], func(e, want int) int { return pairs[e][1] - want })
		prev[i] = -1
		if n > 0 {
			prev[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	out := make([][2]int, len(ends))
	for n, i := len(ends)-1, ends[len(ends)-1]; n >= 0; n, i = n-1, prev[i] {
		out[n] = pairs[i]
	}
	return out
}

// matchShortest matches a stretch by the shortest edit script, if that has at most
// maxEdits; otherwise it matches no line.
func (d *lineDiff) matchShortest(s *unmatchedLines) {
	n, m := len(s.a), len(s.b)
	limit := min(n+m, maxEdits)
	reach := make([]int32, 2*limit+3) // furthest line of a on each diagonal
	var trace [][]int32
	for e := 0; e <= limit; e++ {
		trace = append(trace, slices.Clone(reach[limit-e:limit+e+3]))
		for k := -e; k <= e; k += 2 {
			at := limit + 1 + k
			var x int32
			if k == -e || k != e && reach[at-1] < reach[at+1] {
				x = reach[at+1]
			} else {
				x = reach[at-1] + 1
			}
			for y := int(x) - k; int(x) < n && y < m && s.a[x] == s.b[y]; y++ {
				x++
			}
			reach[at] = x
			if int(x) >= n && int(x)-k >= m {
				d.followTrace(s, trace)
				return
			}
		}
	}
}

// followTrace follows the trace of Myers' search back from the end and records the matched
// lines. trace[e][k+e+1] is the furthest line on diagonal k before step e.
func (d *lineDiff) followTrace(s *unmatchedLines, trace [][]int32) {
	x, y := len(s.a), len(s.b)
	for e := len(trace) - 1; e >= 0; e-- {
		k := x - y
		row := trace[e]
		px, py := 0, 0
		if e > 0 {
			from := k - 1
			if k == -e || k != e && row[k-1+e+1] < row[k+1+e+1] {
				from = k + 1
			}
			px = int(row[from+e+1])
			py = px - from
		}
		for x > px && y > py && s.a[x-1] == s.b[y-1] {
			x, y = x-1, y-1
			d.kept[s.bo+y] = int32(s.ao + x)
		}
		x, y = px, py
	}
}

// changedRanges returns the runs of changed lines of the new text, and the places at which old lines are missing.
func (d *lineDiff) changedRanges(old int) []LineRange {
	var out []LineRange
	next := int32(0) // line of the old side that follows
	for i := 0; i < len(d.kept); i++ {
		first := i
		for i < len(d.kept) && d.kept[i] < 0 {
			i++
		}
		gone := int32(old)
		if i < len(d.kept) {
			gone = d.kept[i]
		}
		if i > first || gone > next {
			out = append(out, LineRange{uint32(first) + 1, uint32(i)})
		}
		next = gone + 1
	}
	if n := len(d.kept); next < int32(old) || n == 0 && old > 0 {
		if n == 0 || d.kept[n-1] >= 0 {
			out = append(out, LineRange{uint32(n) + 1, uint32(n)})
		}
	}
	return out
}
