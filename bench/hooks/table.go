package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// table prints rows as they are measured.
type table struct {
	short           bool
	busy            bool // processor time decides
	kept, missed    int
	measuredShortly int // ratios that do not count
}

func (t *table) head() {
	fmt.Println("| event | tree | yardstick | p50 | p95 | yardstick p50 | p95 | ratio p50 | p95 " +
		"| of processor time p50 | p95 | must reach | |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
}

// bound limits a ratio; 0 is no bound.
type bound struct{ p50, p95 float64 }

// holds reports whether two ratios are within it.
func (b bound) holds(p50, p95 float64) bool {
	return (b.p50 == 0 || p50 <= b.p50) && (b.p95 == 0 || p95 <= b.p95)
}

func (b bound) String() string {
	var parts []string
	if b.p50 > 0 {
		parts = append(parts, fmt.Sprintf("p50 ≤ %.2f ×", b.p50))
	}
	if b.p95 > 0 {
		parts = append(parts, fmt.Sprintf("p95 ≤ %.2f ×", b.p95))
	}
	return strings.Join(parts, ", ")
}

// ratio adds a row of times.
func (t *table) ratio(event, tree, yardstick string, a, b series, most bound) {
	p50, p95 := percentileRatio(a.wall, b.wall, 50), percentileRatio(a.wall, b.wall, 95)
	cpu50, cpu95 := percentileRatio(a.processor, b.processor, 50), percentileRatio(a.processor, b.processor, 95)
	ok := most.holds(p50, p95)
	if t.busy {
		ok = most.holds(cpu50, cpu95)
	}
	fmt.Printf("| %s | %s | %s |", event, tree, yardstick)
	for _, d := range []time.Duration{at(a.wall, 50), at(a.wall, 95), at(b.wall, 50), at(b.wall, 95)} {
		fmt.Printf(" %s |", ms(d))
	}
	fmt.Printf(" %.2f | %.2f | %.2f | %.2f | %s | %s |\n", p50, p95, cpu50, cpu95, most, t.mark(ok, true, most != bound{}))
}

// check adds a row of something that is so or not.
func (t *table) check(event, tree, found, must string, ok bool) {
	fmt.Printf("| %s | %s | | %s | | | | | | | | %s | %s |\n", event, tree, found, must, t.mark(ok, false, true))
}

func (t *table) mark(ok, time, bounded bool) string {
	switch {
	case !bounded:
		return "–"
	case time && t.short:
		t.measuredShortly++
		return "–"
	case ok:
		t.kept++
		return "reached"
	}
	t.missed++
	return "**missed**"
}

func (t *table) summary() {
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("\n%d reached, %d missed, %d measured too shortly to count; load at the end %s\n",
		t.kept, t.missed, t.measuredShortly, strings.Join(strings.Fields(string(load))[:min(3, len(strings.Fields(string(load))))], " "))
}

// series has the times of the runs of one thing.
type series struct{ wall, processor []time.Duration }

// at is the value that so many percent of all are below or at.
func at(list []time.Duration, percent int) time.Duration {
	if len(list) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(list))
	return s[min(len(s)-1, len(s)*percent/100)]
}

func percentileRatio(a, b []time.Duration, percent int) float64 {
	if d := at(b, percent); d > 0 {
		return float64(at(a, percent)) / float64(d)
	}
	return 0
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
