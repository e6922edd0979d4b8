package main

import (
	"testing"
)

// TestViews: after each step of random sequences all views of a planning folder agree.
func TestViews(t *testing.T) {
	sequences := 200
	if testing.Short() {
		sequences = 20
	}
	if missed, err := compareViews(t.Context(), sequences, 1); err != nil || missed > 0 {
		t.Error(missed, err)
	}
}
