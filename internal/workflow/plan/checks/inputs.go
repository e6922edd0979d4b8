package checks

type workflowInput struct {
	Workflow string `arg:"[WORKFLOW]" help:"who asks"`
}

type phaseInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
}
