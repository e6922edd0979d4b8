package phases

import (
	"slices"

	"ken/internal/workflow/plan/planop"
)

// All returns the operations of this package.
func All() []*planop.Operation {
	return slices.Concat(addOperations(), []*planop.Operation{removeOperation(), completeOperation(), milestoneOperation(), archiveOperation()},
		progressOperations(), readOperations(), backlogOperations())
}
