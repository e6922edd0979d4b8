package plancode

import "ken/internal/workflow/plan/operation"

// All are the operations.
func All(open Open) []*operation.Operation {
	j := &joined{open: open}
	return []*operation.Operation{j.writes(), j.check(), j.verifyPhase(), j.trace(), j.brief(), j.mapCode(), j.mapStatus()}
}
