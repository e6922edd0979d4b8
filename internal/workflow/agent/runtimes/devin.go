package runtimes

import "ken/internal/workflow/agent"

func devin() Runtime {
	return Runtime{
		Name: "devin", Title: "Devin CLI", Sure: Documented,
		Env: []string{"DEVIN_PROJECT_DIR"}, Programs: []string{"devin"}, Home: Home{Conf: "devin"},
		Skills: Place{Project: ".devin/skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{".devin/mcp_config.json", "config.json"}, JSON, []string{"mcpServers"}, CommandArgs},
		Hooks: &Hooks{
			Place: Place{".devin/hooks.v1.json", "config.json"}, Shape: Top, UserShape: Groups, Speech: Claude, Timeout: "s",
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"UserPromptSubmit", agent.Prompt, ""}, {"PreToolUse", agent.BeforeTool, "edit|write|exec"},
				{"PostToolUse", agent.AfterTool, "edit|write|exec|read"}, {"Stop", agent.Stop, ""}, {"Stop", agent.StopAsync, ""}, {"SessionEnd", agent.SessionEnd, ""},
			},
		},
		Tools: map[string]agent.ToolKind{"edit": agent.Edit, "write": agent.Edit, "exec": agent.Shell, "read": agent.Read},
		Trust: "Devin runs no hooks of a project until you trust it.",
		Lacks: []string{
			"a compaction is an event only when it is over", "it runs the hooks of .claude/settings.json as well: an event that comes twice counts once",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
