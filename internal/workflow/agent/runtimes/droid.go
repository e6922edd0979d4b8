package runtimes

import "ken/internal/workflow/agent"

func droid() Runtime {
	return Runtime{
		Name: "droid", Title: "Factory Droid", Sure: ThirdParty,
		Env: []string{"FACTORY_PROJECT_DIR"}, Programs: []string{"droid"}, Home: Home{Dir: ".factory"},
		Skills: Place{".agents/skills", "skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{".factory/mcp.json", "mcp.json"}, JSON, []string{"mcpServers"}, StdioArgs},
		Hooks: &Hooks{
			Place: Place{".factory/hooks.json", "hooks.json"}, Shape: Top, Speech: Claude, Timeout: "s",
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"PreToolUse", agent.BeforeTool, "Create|Edit|Execute"}, {"PostToolUse", agent.AfterTool, "Create|Edit|Execute"},
				{"Stop", agent.Stop, ""}, {"Stop", agent.StopAsync, ""},
			},
		},
		Tools: map[string]agent.ToolKind{"Create": agent.Edit, "Edit": agent.Edit, "Execute": agent.Shell},
		Trust: "Droid runs changed hooks only after you have looked at them: type /hooks in a session.",
		Lacks: []string{"prompts and sub-agents are not handled, because their events are not described"},
		Ask:   "Ask a person in your answer, and wait.",
	}
}
