package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"ken/bench/world"
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

// ratioBound limits a ratio; 0 is no bound.
type ratioBound struct{ p50, p95 float64 }

// isWithin reports whether two ratios are within it.
func (b ratioBound) isWithin(p50, p95 float64) bool {
	under := func(ratio, most float64) bool { return most == 0 || ratio <= most }
	return under(p50, b.p50) && under(p95, b.p95)
}

func (b ratioBound) String() string {
	var parts []string
	if b.p50 > 0 {
		parts = append(parts, fmt.Sprintf("p50 ≤ %.2f ×", b.p50))
	}
	if b.p95 > 0 {
		parts = append(parts, fmt.Sprintf("p95 ≤ %.2f ×", b.p95))
	}
	return strings.Join(parts, ", ")
}

// addRatio adds a row of times.
func (t *table) addRatio(event, tree, yardstick string, a, b series, most ratioBound) {
	p50, p95 := world.Ratio(a.wall, b.wall, 50), world.Ratio(a.wall, b.wall, 95)
	cpu50, cpu95 := world.Ratio(a.processor, b.processor, 50), world.Ratio(a.processor, b.processor, 95)
	ok := most.isWithin(p50, p95)
	if t.busy {
		ok = most.isWithin(cpu50, cpu95)
	}
	fmt.Printf("| %s | %s | %s |", event, tree, yardstick)
	for _, list := range [][]time.Duration{a.wall, b.wall} {
		fmt.Printf(" %s | %s |", world.Millis(world.Percentile(list, 50)), world.Millis(world.Percentile(list, 95)))
	}
	fmt.Printf(" %.2f | %.2f | %.2f | %.2f | %s | %s |\n", p50, p95, cpu50, cpu95, most, t.mark(ok, true, most != ratioBound{}))
}

// addCheck adds a row of something that is so or not.
func (t *table) addCheck(event, tree, found, must string, ok bool) {
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
