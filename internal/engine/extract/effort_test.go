package extract

import (
	"runtime"
	"testing"
	"time"
)

// effort returns the processor time f takes. Other processes on the machine do not count,
// so that a bound on it holds on a busy one.
func effort(f func()) time.Duration {
	runtime.LockOSThread() // f parses in C on this thread
	defer runtime.UnlockOSThread()
	start := threadTime()
	f()
	return threadTime() - start
}

func TestEffort(t *testing.T) {
	n := 0
	if d := effort(func() { time.Sleep(50 * time.Millisecond) }); d > 40*time.Millisecond {
		t.Skipf("no clock of the thread here: sleeping took %v", d)
	}
	if effort(func() {
		for i := range 200_000_000 {
			n += i & 3
		}
	}) == 0 {
		t.Errorf("counting took no time (%d)", n)
	}
}
