//go:build !unix

package garbage

import (
	"testing"
	"time"
)

// processorTime is the time that passes, where the processor's is not to be had.
func processorTime(*testing.T) time.Duration { return time.Duration(time.Now().UnixNano()) }
