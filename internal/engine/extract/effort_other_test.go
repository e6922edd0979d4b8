//go:build !linux

package extract

import "time"

var began = time.Now()

// threadTime returns the wall-clock time, because this system has no clock of the thread.
func threadTime() time.Duration { return time.Since(began) }
