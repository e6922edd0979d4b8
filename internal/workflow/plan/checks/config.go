package checks

import (
	"context"
	"path"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
	"ken/internal/workflow/plan/settings"
)

type workflowInput struct {
	Workflow string `arg:"[WORKFLOW]" help:"who asks"`
}

func checkConfigGates(_ context.Context, c *planop.Call, in *workflowInput) (planop.Fields, error) {
	set, warnings, err := readSettings(c)
	if err != nil {
		return nil, err
	}
	a := workflowSwitches(set, query.OrNil(in.Workflow))
	if len(warnings) > 0 {
		a = append(a, planop.Field{Name: "warnings", Value: warnings})
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

// workflowSwitches returns the settings that switch steps of workflows on. plan_checker_enabled and plan_check are the same setting: two
// versions name it differently.
func workflowSwitches(set *settings.Settings, workflow *string) planop.Fields {
	on := func(key string) bool { return set.IsOn("workflow." + key) }
	text := func(key string) string { return set.Text("workflow." + key) }
	number := func(key string) int { return set.Number("workflow." + key) }
	return planop.NewFields(
		"workflow", workflow, "research_enabled", on("research"), "plan_checker_enabled", on("plan_check"),
		"nyquist_validation", on("nyquist_validation"), "security_enforcement", on("security_enforcement"),
		"security_asvs_level", number("security_asvs_level"), "security_block_on", text("security_block_on"),
		"ui_phase", on("ui_phase"), "ui_safety_gate", on("ui_safety_gate"), "ui_review", on("ui_review"), "text_mode", on("text_mode"),
		"auto_advance", on("auto_advance"), "auto_chain_active", on("_auto_chain_active"), "code_review", on("code_review"),
		"code_review_depth", text("code_review_depth"), "context_window", set.Number("context_window"), "discuss_mode", text("discuss_mode"),
		"use_worktrees", on("use_worktrees"), "skip_discuss", on("skip_discuss"), "max_discuss_passes", number("max_discuss_passes"),
		"node_repair", on("node_repair"), "research_before_questions", on("research_before_questions"), "verifier", on("verifier"),
		"plan_check", on("plan_check"), "subagent_timeout", number("subagent_timeout"), "context_coverage_gate", on("context_coverage_gate"),
	)
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
	a := autoModeAnswer{AutoChain: set.IsOn("workflow._auto_chain_active"), AutoAdvance: set.IsOn("workflow.auto_advance"), Source: "none"}
	a.Active, a.Warnings = a.AutoChain || a.AutoAdvance, warnings
	switch {
	case a.AutoChain && a.AutoAdvance:
		a.Source = "both"
	case a.AutoChain:
		a.Source = "auto_chain"
	case a.AutoAdvance:
		a.Source = "auto_advance"
	}
	return a, nil
}
