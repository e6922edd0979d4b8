package runtimes

import "ken/internal/workflow/agent"

func cursor() Runtime {
	return Runtime{
		Name: "cursor", Title: "Cursor", Sure: Documented,
		Env: []string{"CURSOR_AGENT"}, Programs: []string{"cursor-agent", "cursor"}, Home: Home{Dir: ".cursor"},
		Skills: Place{".cursor/skills", "skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{".cursor/mcp.json", "mcp.json"}, JSON, []string{"mcpServers"}, CommandArgs},
		Hooks: &Hooks{
			Place: Place{".cursor/hooks.json", "hooks.json"}, Shape: Flat, Speech: Cursor, Timeout: "s",
			Events: []Event{
				{"sessionStart", agent.SessionStart, ""}, {"beforeSubmitPrompt", agent.Prompt, ""}, {"preToolUse", agent.BeforeTool, "Write|Shell|Grep"},
				{"postToolUse", agent.AfterTool, "Shell|Read|Grep"}, {"afterFileEdit", agent.AfterTool, ""}, {"postToolUseFailure", agent.ToolFailed, "Shell"}, {"subagentStart", agent.SubagentStart, ""},
				{"subagentStop", agent.SubagentStop, ""}, {"preCompact", agent.BeforeCompact, ""}, {"stop", agent.Stop, ""}, {"stop", agent.StopAsync, ""}, {"sessionEnd", agent.SessionEnd, ""},
			},
		},
		Tools: map[string]agent.ToolKind{"Write": agent.Edit, "Edit": agent.Edit, "Shell": agent.Shell, "Read": agent.Read, "Grep": agent.Grep, "Task": agent.Task},
		Lacks: []string{
			"what a hook answers to an edit does not reach the agent", "some builds of the editor drop what a session begins with: the rules of the project have it in short",
			"there is no file of rules for all projects",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
