package runtimes

import "ken/internal/workflow/agent"

func kimi() Runtime {
	return Runtime{
		Name: "kimi", Title: "Kimi Code", Sure: ThirdParty, Experimental: true,
		Programs: []string{"kimi"}, Home: Home{Env: []string{"KIMI_CODE_HOME"}, Dir: ".kimi-code"},
		Skills: Place{User: "~/.agents/skills"},
		Hooks: &Hooks{
			Place: Place{User: "config.toml"}, Shape: Tables, Experimental: true, Speech: Claude,
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"PreToolUse", agent.BeforeTool, ""}, {"PostToolUse", agent.AfterTool, ""}, {"Stop", agent.StopAsync, ""},
			},
		},
		Lacks: []string{
			"where it lists servers is not described: there ken is added by hand", "whether an answer of a hook reaches the agent is not sure", "there are no hooks of a project",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
