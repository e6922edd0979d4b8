package runtimes

import "ken/internal/workflow/agent"

func kiro() Runtime {
	return Runtime{
		Name: "kiro", Title: "Kiro", Sure: ThirdParty, Experimental: true,
		Programs: []string{"kiro"}, Home: Home{Env: []string{"KIRO_HOME"}, Dir: ".kiro"},
		Hooks: &Hooks{
			Shape: Listed, Experimental: true, Speech: Kiro, Timeout: "s",
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"UserPromptSubmit", agent.Prompt, ""}, {"PreToolUse", agent.BeforeTool, ""},
				{"PostToolUse", agent.AfterTool, ""}, {"Stop", agent.StopAsync, ""},
			},
		},
		Lacks: []string{
			"where it lists servers and hooks is not sure: ken is added by hand", "only what a hook answers to a prompt reaches the agent",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
