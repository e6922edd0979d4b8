package runtimes

import "ken/internal/workflow/agent"

func grok() Runtime {
	return Runtime{
		Name: "grok", Title: "Grok CLI", Sure: ThirdParty,
		Env: []string{"GROK_WORKSPACE_ROOT"}, Programs: []string{"grok"}, Home: Home{Dir: ".grok"},
		Hooks: &Hooks{
			Place: Place{User: "hooks/ken.json"}, Own: true, Shape: Groups, Speech: Grok, Timeout: "s",
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"PreToolUse", agent.BeforeTool, ""}, {"PostToolUse", agent.AfterTool, ""}, {"Stop", agent.Stop, ""}, {"Stop", agent.StopAsync, ""},
			},
		},
		Lacks: []string{
			"no hook can tell the agent something", "where it lists servers is not described: there ken is added by hand",
			"it runs the hooks of Claude Code as well, unless its settings turn that off: an event that comes twice counts once",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
