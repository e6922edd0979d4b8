package app

import (
	"testing"

	"ken/internal/config"
	"ken/internal/guard"
)

// TestDefaults compares what the settings say of a default with what is done: neither package knows the other.
func TestDefaults(t *testing.T) {
	if got := guard.DefaultPolicy().MaxDependents; got != config.DefaultTaskDependents {
		t.Errorf("a guarded task demands an analysis above %d dependents, task_dependents says %d", got, config.DefaultTaskDependents)
	}
}
