package runtimes

import "ken/internal/workflow/agent"

func codex() Runtime {
	return Runtime{
		Name: "codex", Title: "OpenAI Codex CLI", Sure: Seen,
		Env: []string{"CODEX_THREAD_ID"}, Programs: []string{"codex"}, Home: Home{Env: []string{"CODEX_HOME"}, Dir: ".codex"},
		Skills: Place{".agents/skills", "~/.agents/skills"}, Rules: Place{"AGENTS.md", "AGENTS.md"},
		Server: &Server{Place{".codex/config.toml", "config.toml"}, TOML, []string{"mcp_servers"}, CommandArgs},
		Hooks: &Hooks{
			Place: Place{".codex/hooks.json", "hooks.json"}, Shape: Groups, Speech: Codex, Timeout: "s", PowerShell: true,
			Approval: &Approval{"config.toml", []string{"hooks", "state"}, "trusted_hash"},
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"UserPromptSubmit", agent.Prompt, ""}, {"PreToolUse", agent.BeforeTool, "apply_patch|Edit|Write|Bash"},
				{"PostToolUse", agent.AfterTool, "apply_patch|Edit|Write|Bash|mcp__ken__start_session"}, {"SubagentStart", agent.SubagentStart, ""}, {"SubagentStop", agent.SubagentStop, ""},
				{"PreCompact", agent.BeforeCompact, ""}, {"Stop", agent.Stop, ""}, {"Stop", agent.StopAsync, ""}, {"SessionEnd", agent.SessionEnd, ""},
			},
		},
		Tools: map[string]agent.ToolKind{"apply_patch": agent.Edit, "Edit": agent.Edit, "Write": agent.Edit, "Bash": agent.Shell, startTask: agent.StartTask},
		Trust: "Codex runs a hook only after you have approved it: type /hooks in a session, and look at what is listed. A project's settings are read once the project is trusted.",
		Lacks: []string{
			"a failed tool is no event: changed files are found at the stop", "reading and searching are no events: what was read is not known",
			"a patch that is given to a command is stopped where a task does not permit it, and else found at the stop: it is no event afterwards",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
