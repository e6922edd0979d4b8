package runtimes

import "ken/internal/workflow/agent"

func trae() Runtime {
	return Runtime{
		Name: "trae", Title: "Trae", Sure: ThirdParty, Experimental: true,
		Env: []string{"TRAE_PROJECT_DIR"}, Programs: []string{"trae"}, Home: Home{Dir: ".trae"},
		Skills: Place{Project: ".trae/skills"}, Rules: Place{Project: ".trae/rules/ken.md"},
		Hooks: &Hooks{
			Place: Place{".trae/hooks.json", "hooks.json"}, Shape: Versioned, Speech: Claude, Timeout: "s",
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"UserPromptSubmit", agent.Prompt, ""}, {"PreToolUse", agent.BeforeTool, ""},
				{"PostToolUse", agent.AfterTool, ""}, {"Stop", agent.Stop, ""}, {"Stop", agent.StopAsync, ""},
			},
		},
		Tools: map[string]agent.ToolKind{"RunCommand": agent.Shell},
		Trust: "Trae may run no hooks of a project until you trust it.",
		Lacks: []string{
			"where it lists servers is not sure: there ken is added by hand", "how it tells which file a tool edits is not described: changed files are found at the stop",
			"a session that goes on is called a new one", "it runs the hooks of Claude Code as well if you turn that on: an event that comes twice counts once",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
