package statechange

import (
	"slices"

	"ken/internal/workflow/plan/planop"
)

// All returns the operations of this package.
func All() []*planop.Operation {
	return append(slices.Concat(fieldOperations(), phaseOperations(), listOperations(), progressOperations(), sessionOperations()),
		pruneOperation())
}
