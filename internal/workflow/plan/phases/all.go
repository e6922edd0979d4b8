package phases

import (
	"slices"

	"ken/internal/workflow/plan/planop"
)

// All returns the operations of this package.
func All() []*planop.Operation {
	single := []*planop.Operation{removeOperation(), completeOperation(), milestoneOperation(), archiveOperation()}
	return slices.Concat(addOperations(), single, progressOperations(), readOperations(), backlogOperations())
}
