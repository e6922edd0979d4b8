package plancode

import "ken/internal/workflow/plan/planop"

// All returns the operations.
func All(open Open) []*planop.Operation {
	j := &planIndexOps{open: open}
	return []*planop.Operation{j.writes(), j.check(), j.verifyPhase(), j.trace(), j.brief(), j.mapCode(), j.mapStatus(), j.size()}
}
