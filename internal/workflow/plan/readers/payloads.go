package readers

import "ken/internal/workflow/plan/planop"

type initExecutePhaseInput struct {
	Phase    string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
	Validate bool   `flag:"validate" help:"also what is wrong with STATE.md"`
	Tdd      bool   `flag:"tdd" help:"tests first, whatever the settings say"`
}

type initPlanPhaseInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
	Tdd   bool   `flag:"tdd" help:"tests first, whatever the settings say"`
}

type descriptionInput struct {
	Description string `arg:"[DESCRIPTION…]" help:"what is to be done"`
}

type areaInput struct {
	Area string `arg:"[AREA]" help:"of this area alone"`
}

// Payloads returns the operations with which workflows begin.
func Payloads() []*planop.Operation {
	return append([]*planop.Operation{
		payloadOperation("init execute-phase", "what carrying out a phase begins with", false, initExecutePhase),
		payloadOperation("init plan-phase", "what planning a phase begins with", false, initPlanPhase),
		payloadOperation("init verify-work", "what verifying a phase begins with", false, initVerifyWork),
		payloadOperation("init phase-op", "what any work on a phase begins with", false, initPhaseOp),
		payloadOperation("init new-project", "what a new project begins with", true, initNewProject),
		payloadOperation("init new-milestone", "what a new milestone begins with", false, initNewMilestone),
		payloadOperation("init quick", "what a quick task begins with", false, initQuickTask),
		payloadOperation("init resume", "what going on after a pause begins with", false, initResume),
		payloadOperation("init todos", "what looking at todos begins with", false, initTodos),
		payloadOperation("init milestone-op", "what work on the milestone begins with", false, initMilestoneOp),
		payloadOperation("init map-codebase", "what mapping the code begins with", true, initMapCodebase),
		payloadOperation("init ingest-docs", "what taking documents over begins with", true, initIngestDocs),
		payloadOperation("init progress", "what a look at the progress begins with", false, initProgress),
		payloadOperation("init manager", "what leading several phases begins with", false, initManager),
		payloadOperation("docs-init", "what writing the documents of a project begins with", true, initDocs),
		payloadOperation("init new-workspace", "what a new workspace begins with: the repositories here", true, initNewWorkspace),
	}, workspaceOperations()...)
}
