//go:build !linux

package extract

import "time"

var began = time.Now()

// threadTime is the time of the wall where no clock of the thread is at hand.
func threadTime() time.Duration { return time.Since(began) }
