package statechange

import (
	"slices"

	"ken/internal/workflow/plan/operation"
)

// All are the operations.
func All() []*operation.Operation {
	return append(slices.Concat(fieldOperations(), phaseOperations(), listOperations(), progressOperations(), sessionOperations()), prune())
}
