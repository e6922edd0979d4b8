package app

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// The heap of the process may grow by firstGrowth before it is collected for the first
// time, because most commands end before that: a find of 30 ms spent 4 of them on three
// collections. After a collection it may grow by mostGrowth, but not far beyond usualHeap.
// What is in use beyond smallHeap lets it grow by two fifths of that, up to largeGrowth,
// because a collection takes the longer the more is in use, and always by a fifth of all.
// Go's own rule, as much again as is in use, lets a large heap grow by more than that
// saves: a build of the index keeps few pointers in memory.
const (
	firstGrowth = 16 << 20
	mostGrowth  = 14 << 20
	largeGrowth = 26 << 20
	smallHeap   = 16 << 20
	usualHeap   = 36 << 20
)

// serverGrowth is by how much at least the heap of a server may grow between two collections, because a
// collection in the middle of a call doubles its time. When no more calls come the memory is given back.
const serverGrowth = 48 << 20

// Collector decides how far the heap of the process may grow between garbage collections.
type Collector struct{ least atomic.Uint64 }

// Collect sets how far the heap may grow between garbage collections. If the
// user sets GOGC, nothing is changed.
func Collect(getenv func(string) string) *Collector {
	c := &Collector{}
	if getenv("GOGC") != "" {
		return c
	}
	const least = 4 << 20 // the heap that 100 percent means at least
	debug.SetGCPercent(firstGrowth * 100 / least)
	c.onceCollected()
	return c
}

// onceCollected sets the growth again after the next collection, and so on.
func (c *Collector) onceCollected() {
	runtime.AddCleanup(new([64]byte), func(int) {
		debug.SetGCPercent(growth(inUse(), c.least.Load()))
		c.onceCollected()
	}, 0)
}

// serve lets the heap grow as a server's may.
func (c *Collector) serve() {
	if c != nil {
		c.least.Store(serverGrowth)
	}
}

// growth returns by how many percent a heap with live bytes in use may grow. It is at least
// least bytes.
func growth(live, least uint64) int {
	live = max(live, 1<<20)
	room := usualHeap - min(live, usualHeap)
	beyond := live - min(live, smallHeap)
	return int(max(least, min(room, mostGrowth), min(beyond*2/5, largeGrowth), live/5) * 100 / live)
}

// inUse returns the bytes in use after the last collection.
func inUse() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}
