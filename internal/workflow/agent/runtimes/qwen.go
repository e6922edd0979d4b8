package runtimes

import "ken/internal/workflow/agent"

func qwen() Runtime {
	return Runtime{
		Name: "qwen", Title: "Qwen Code", Sure: Seen,
		Env: []string{"QWEN_CODE"}, Programs: []string{"qwen"}, Home: Home{Env: []string{"QWEN_HOME"}, Dir: ".qwen"},
		Skills: Place{".qwen/skills", "skills"}, Rules: Place{"QWEN.md", "QWEN.md"},
		Server: &Server{Place{".qwen/settings.json", "settings.json"}, JSON, []string{"mcpServers"}, CommandArgs},
		Hooks: &Hooks{
			// The unit of timeouts differs between releases, so none is written: all have 60 seconds.
			Place: Place{".qwen/settings.json", "settings.json"}, Shape: Groups, Escapes: true, Speech: Claude, Async: true,
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"UserPromptSubmit", agent.Prompt, ""}, {"PreToolUse", agent.BeforeTool, "write_file|edit|notebook_edit|run_shell_command|grep_search"},
				{"PostToolUse", agent.AfterTool, "write_file|edit|notebook_edit|run_shell_command|read_file|grep_search|web_fetch|mcp__ken__start_session"},
				{"PostToolUseFailure", agent.ToolFailed, "run_shell_command"}, {"SubagentStart", agent.SubagentStart, ""}, {"SubagentStop", agent.SubagentStop, ""},
				{"PreCompact", agent.BeforeCompact, ""}, {"Stop", agent.Stop, ""}, {"Stop", agent.StopAsync, ""}, {"SessionEnd", agent.SessionEnd, ""},
			},
		},
		Tools: geminiTools,
		Trust: "Qwen Code asks before it uses a new server, and runs no hooks of a project until you trust its folder.",
		Lacks: []string{"what it shows to the model is escaped as in HTML: texts are sent without tags"},
		Ask:   "Ask a person in your answer, and wait.",
	}
}
