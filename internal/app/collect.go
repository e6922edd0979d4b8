package app

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The heap of the process may grow by firstGrowth before it is collected for the first
// time, because most commands end before that: a find of 30 ms spent 4 of them on three
// collections. After a collection it may grow by half of what is in use, within
// leastGrowth and mostGrowth, and a heap of more than four times that by a quarter.
// Go's own rule, as much again as is in use, lets a large heap grow by more than
// that saves: what a build of the index keeps in memory holds few pointers.
const (
	firstGrowth = 16 << 20
	leastGrowth = 14 << 20
	mostGrowth  = 26 << 20
)

// Collect sets how far the heap may grow between garbage collections. If the
// user sets GOGC, nothing is changed.
func Collect(getenv func(string) string) {
	if getenv("GOGC") != "" {
		return
	}
	const least = 4 << 20 // the heap that 100 percent means at least
	debug.SetGCPercent(firstGrowth * 100 / least)
	onceCollected()
}

// onceCollected sets the growth again after the next collection, and so on.
func onceCollected() {
	runtime.AddCleanup(new([64]byte), func(int) {
		debug.SetGCPercent(growth(inUse()))
		onceCollected()
	}, 0)
}

// growth is by how many percent a heap may grow of which so many bytes are in use.
func growth(live uint64) int {
	live = max(live, 1<<20)
	return int(max(leastGrowth, min(live/2, mostGrowth), live/4) * 100 / live)
}

// inUse is what the last collection found to be in use, in bytes.
func inUse() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}
