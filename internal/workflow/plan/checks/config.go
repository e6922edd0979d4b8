package checks

import (
	"context"
	"path"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/settings"
)

// workflowSwitches are the settings that switch steps of workflows on. plan_checker_enabled and plan_check are the same setting: two
// versions name it differently.
type workflowSwitches struct {
	Workflow                *string  `json:"workflow"`
	Research                bool     `json:"research_enabled"`
	PlanChecker             bool     `json:"plan_checker_enabled"`
	Nyquist                 bool     `json:"nyquist_validation"`
	Security                bool     `json:"security_enforcement"`
	SecurityLevel           int      `json:"security_asvs_level"`
	SecurityBlockOn         string   `json:"security_block_on"`
	UIPhase                 bool     `json:"ui_phase"`
	UISafetyGate            bool     `json:"ui_safety_gate"`
	UIReview                bool     `json:"ui_review"`
	TextMode                bool     `json:"text_mode"`
	AutoAdvance             bool     `json:"auto_advance"`
	AutoChain               bool     `json:"auto_chain_active"`
	CodeReview              bool     `json:"code_review"`
	CodeReviewDepth         string   `json:"code_review_depth"`
	ContextWindow           int      `json:"context_window"`
	DiscussMode             string   `json:"discuss_mode"`
	Worktrees               bool     `json:"use_worktrees"`
	SkipDiscuss             bool     `json:"skip_discuss"`
	MaxDiscussPasses        int      `json:"max_discuss_passes"`
	NodeRepair              bool     `json:"node_repair"`
	ResearchBeforeQuestions bool     `json:"research_before_questions"`
	Verifier                bool     `json:"verifier"`
	PlanCheck               bool     `json:"plan_check"`
	SubagentTimeout         int      `json:"subagent_timeout"`
	ContextCoverage         bool     `json:"context_coverage_gate"`
	Warnings                []string `json:"warnings,omitempty"`
}

func checkConfigGates(_ context.Context, c *planop.Call, in *workflowInput) (workflowSwitches, error) {
	set, warnings, err := readSettings(c)
	if err != nil {
		return workflowSwitches{}, err
	}
	a := newWorkflowSwitches(set)
	a.Warnings = warnings
	if w := in.Workflow; w != "" {
		a.Workflow = &w
	}
	return a, nil
}

// readSettings returns the settings, and warnings about defects of their file. A setting that cannot be read has its default, and the
// caller must know that the user did not choose it.
func readSettings(c *planop.Call) (set *settings.Settings, warnings []string, err error) {
	if set, err = c.Settings(); err != nil {
		return nil, nil, err
	}
	f, err := c.Folder()
	for _, p := range set.Problems() {
		warnings = append(warnings, configFile(f)+": "+p.Error())
	}
	return set, warnings, err
}

// configFile returns the path of the settings file. A workstream without a file of its own uses that of the project.
func configFile(f *folder.Folder) string {
	if f.Exists("config.json") {
		return f.Path("config.json")
	}
	return path.Join(folder.Name, "config.json")
}

func newWorkflowSwitches(set *settings.Settings) workflowSwitches {
	on := func(key string) bool { return set.IsOn("workflow." + key) }
	text := func(key string) string { return set.Text("workflow." + key) }
	number := func(key string) int { return set.Number("workflow." + key) }
	return workflowSwitches{
		Research: on("research"), PlanChecker: on("plan_check"), PlanCheck: on("plan_check"), Nyquist: on("nyquist_validation"),
		Security: on("security_enforcement"), SecurityLevel: number("security_asvs_level"), SecurityBlockOn: text("security_block_on"),
		UIPhase: on("ui_phase"), UISafetyGate: on("ui_safety_gate"), UIReview: on("ui_review"), TextMode: on("text_mode"),
		AutoAdvance: on("auto_advance"), AutoChain: on("_auto_chain_active"), CodeReview: on("code_review"),
		CodeReviewDepth: text("code_review_depth"), ContextWindow: set.Number("context_window"), DiscussMode: text("discuss_mode"),
		Worktrees: on("use_worktrees"), SkipDiscuss: on("skip_discuss"), MaxDiscussPasses: number("max_discuss_passes"),
		NodeRepair: on("node_repair"), ResearchBeforeQuestions: on("research_before_questions"), Verifier: on("verifier"),
		SubagentTimeout: number("subagent_timeout"), ContextCoverage: on("context_coverage_gate"),
	}
}

// autoModeAnswer reports whether the next step begins without asking: because the user always wants that, or because a chain of steps is
// running.
type autoModeAnswer struct {
	Active      bool     `json:"active"`
	Source      string   `json:"source"` // none, auto_advance, auto_chain or both
	AutoChain   bool     `json:"auto_chain_active"`
	AutoAdvance bool     `json:"auto_advance"`
	Warnings    []string `json:"warnings,omitempty"`
}

func checkAutoMode(_ context.Context, c *planop.Call, _ *planop.NoInput) (autoModeAnswer, error) {
	set, warnings, err := readSettings(c)
	if err != nil {
		return autoModeAnswer{}, err
	}
	a := newAutoModeAnswer(set)
	a.Warnings = warnings
	return a, nil
}

func newAutoModeAnswer(set *settings.Settings) autoModeAnswer {
	a := autoModeAnswer{AutoChain: set.IsOn("workflow._auto_chain_active"), AutoAdvance: set.IsOn("workflow.auto_advance"), Source: "none"}
	a.Active = a.AutoChain || a.AutoAdvance
	switch {
	case a.AutoChain && a.AutoAdvance:
		a.Source = "both"
	case a.AutoChain:
		a.Source = "auto_chain"
	case a.AutoAdvance:
		a.Source = "auto_advance"
	}
	return a
}
