package world

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Table prints rows of promises as they are measured, as Markdown, and counts
// those that are missed. The zero value is ready.
type Table struct {
	Short        bool // times are measured too shortly to count
	Kept, Missed int
	Left         int // rows that this run does not measure

	headed bool
}

// Row prints a promise, the figure that was reached, and whether it is kept.
func (t *Table) Row(what, must, reached string, ok bool) {
	if ok {
		t.Kept++
		t.print(what, must, reached, "✓")
		return
	}
	t.Missed++
	t.print(what, must, reached, "✗")
}

// RowOfTime is Row for a promise about a time: it does not count in a short run.
func (t *Table) RowOfTime(what, must, reached string, ok bool) {
	if !t.Short {
		t.Row(what, must, reached, ok)
		return
	}
	t.Left++
	t.print(what, must, reached, "–")
}

// LeaveOut prints a promise that this run does not measure, with the reason.
func (t *Table) LeaveOut(what, must, why string) {
	t.Left++
	t.print(what, must, why, "–")
}

func (t *Table) print(cells ...string) {
	if !t.headed {
		t.headed = true
		fmt.Println("| what | must reach | reached | |\n|---|---|---|---|")
	}
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.Join(strings.Fields(c), " "), "|", "/")
	}
	fmt.Println("| " + strings.Join(cells, " | ") + " |")
}

// Summary prints how many promises were kept and returns an error if one was
// missed.
func (t *Table) Summary() error {
	fmt.Printf("\n%d kept, %d missed, %d not measured here\n", t.Kept, t.Missed, t.Left)
	if t.Missed > 0 {
		return fmt.Errorf("%d promises missed", t.Missed)
	}
	return nil
}

// Percentile returns the time that so many percent of a list are below or at, or
// 0 for an empty list.
func Percentile(list []time.Duration, percent int) time.Duration {
	if len(list) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(list))
	return s[min(len(s)-1, len(s)*percent/100)]
}

// Ratio returns a percentile of one list over that of another, or 0 if the
// other's is 0.
func Ratio(a, b []time.Duration, percent int) float64 {
	if d := Percentile(b, percent); d > 0 {
		return float64(Percentile(a, percent)) / float64(d)
	}
	return 0
}

// Millis formats a time in milliseconds: "12.3 ms".
func Millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
