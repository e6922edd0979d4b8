package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// bench is what is measured.
type bench struct {
	ken, dir, symbol, word string
	short, speed           bool
	missed                 int
	only                   func(context.Context) error // what is done instead of measuring
}

// row prints a line of the table. timed says that the promise is of a time.
func (b *bench) row(what, must, reached string, ok, timed bool) {
	if !ok {
		reached += " **missed**"
		if !timed || !b.short {
			b.missed++
		}
	}
	fmt.Printf("| %s | %s | %s |\n", what, must, reached)
}

func (b *bench) runs(n int) int {
	if b.short {
		return max(3, n/20)
	}
	return n
}

// share is the percentile of durations.
func share(d []time.Duration, percent int) time.Duration {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[min(len(d)-1, len(d)*percent/100)]
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
