package phases

import (
	"slices"

	"ken/internal/workflow/plan/operation"
)

// All are the operations.
func All() []*operation.Operation {
	return slices.Concat(addOperations(), []*operation.Operation{remove(), complete(), milestone()}, progressOperations(), readers())
}
