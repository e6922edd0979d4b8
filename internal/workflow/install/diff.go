package install

import (
	"bytes"
	"fmt"
	"strings"
)

// around is the number of lines in a patch before and after a change. They are the user's and may be private, so they are few.
const around = 2

// Diff returns a change as a patch, or "" if nothing changes.
func Diff(c Change) string {
	if bytes.Equal(c.Before, c.After) {
		return ""
	}
	from, to := c.Path, c.Path
	switch c.Action {
	case Created:
		from = "/dev/null"
	case Removed:
		to = "/dev/null"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
	a, b := lines(c.Before), lines(c.After)
	list := compareLines(a, b)
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].a-list[n-1].aEnd <= 2*around {
			n++
		}
		writeHunk(&out, a, b, list[:n])
		list = list[n:]
	}
	return out.String()
}

func lines(data []byte) []string {
	var out []string
	for l := range bytes.Lines(data) {
		out = append(out, string(l))
	}
	return out
}

// changedLines is a range of old lines with the range of new lines that replaces it.
type changedLines struct{ a, aEnd, b, bEnd int }

func writeHunk(out *strings.Builder, a, b []string, list []changedLines) {
	first, last := list[0], list[len(list)-1]
	lead := min(around, first.a)
	tail := min(around, len(a)-last.aEnd)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", hunkRange(first.a-lead, last.aEnd+tail), hunkRange(first.b-lead, last.bEnd+tail))
	at := first.a - lead
	for _, s := range list {
		writeLines(out, ' ', a[at:s.a])
		writeLines(out, '-', a[s.a:s.aEnd])
		writeLines(out, '+', b[s.b:s.bEnd])
		at = s.aEnd
	}
	writeLines(out, ' ', a[at:last.aEnd+tail])
}

func hunkRange(from, to int) string {
	if from == to {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

// maxLine is the length of the shown beginning of a line; a settings file may be a single line.
const maxLine = 500

func writeLines(out *strings.Builder, sign byte, lines []string) {
	for _, l := range lines {
		out.WriteByte(sign)
		plain := strings.TrimRight(l, "\r\n")
		if len(plain) > maxLine {
			plain = strings.ToValidUTF8(plain[:maxLine], "") + " …"
		}
		out.WriteString(plain + l[len(strings.TrimRight(l, "\r\n")):])
		if !strings.HasSuffix(l, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// maxSteps limits the steps of the comparison; beyond it, all lines that differ become one change. An installation changes some hundred
// lines.
const maxSteps = 1000

// compareLines returns the smallest set of removed and added lines (Myers, An O(ND) Difference Algorithm). Common lines at both ends are
// skipped first.
func compareLines(a, b []string) []changedLines {
	lead := 0
	for lead < len(a) && lead < len(b) && a[lead] == b[lead] {
		lead++
	}
	tail := 0
	for tail < len(a)-lead && tail < len(b)-lead && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[lead:len(a)-tail], b[lead:len(b)-tail]
	trace, ok := searchEdits(x, y)
	if !ok {
		return []changedLines{{lead, len(a) - tail, lead, len(b) - tail}}
	}
	return editSpans(trace, len(x), len(y), lead)
}

// searchEdits runs the forward search of the algorithm and keeps the furthest line on each diagonal for each step.
func searchEdits(x, y []string) (trace [][]int, ok bool) {
	v := []int{0, 0, 0}
	for d := 0; d <= min(len(x)+len(y), maxSteps); d++ {
		next := make([]int, 2*d+3) // diagonal k is at k+d+1
		for k := -d; k <= d; k += 2 {
			i := 0
			switch {
			case d == 0:
			case k == -d || k != d && v[k-1+d] < v[k+1+d]:
				i = v[k+1+d]
			default:
				i = v[k-1+d] + 1
			}
			for i < len(x) && i-k < len(y) && x[i] == y[i-k] {
				i++
			}
			next[k+d+1] = i
			if i >= len(x) && i-k >= len(y) {
				return append(trace, next), true
			}
		}
		trace = append(trace, next)
		v = next
	}
	return nil, false
}

// editSpans goes back through the steps of the search, and joins adjacent changes.
func editSpans(trace [][]int, i, j, lead int) []changedLines {
	var out []changedLines
	for d := len(trace) - 1; d > 0; d-- {
		v, k := trace[d-1], i-j
		down := k == -d || k != d && v[k-1+d] < v[k+1+d]
		s := changedLines{}
		if down {
			i = v[k+1+d]
			j = i - k - 1
			s = changedLines{i, i, j, j + 1}
		} else {
			i = v[k-1+d]
			j = i - k + 1
			s = changedLines{i, i + 1, j, j}
		}
		s = changedLines{s.a + lead, s.aEnd + lead, s.b + lead, s.bEnd + lead}
		if n := len(out) - 1; n >= 0 && s.aEnd == out[n].a && s.bEnd == out[n].b {
			out[n].a, out[n].b = s.a, s.b
			continue
		}
		out = append(out, s)
	}
	for l, r := 0, len(out)-1; l < r; l, r = l+1, r-1 {
		out[l], out[r] = out[r], out[l]
	}
	return out
}
