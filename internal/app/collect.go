package app

import (
	"runtime"
	"runtime/debug"
)

// CollectLater puts the process's first garbage collection off until the heap has
// 16 MB, not 4: most commands end before, and those that go on collect as usual
// from then on. A find of 30 ms spent 4 of them on three collections. Whoever
// sets GOGC is left to it.
func CollectLater(getenv func(string) string) {
	const usual = 100
	if getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(4 * usual)
	runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, usual)
}
