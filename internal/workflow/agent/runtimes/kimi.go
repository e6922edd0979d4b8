package runtimes

import "ken/internal/workflow/agent"

func kimi() Runtime {
	return Runtime{
		Name: "kimi", Title: "Kimi Code", Sure: Documented,
		Programs: []string{"kimi"}, Home: Home{Env: []string{"KIMI_CODE_HOME"}, Dir: ".kimi-code"},
		Skills: Place{User: "~/.agents/skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{".kimi-code/mcp.json", "mcp.json"}, JSON, []string{"mcpServers"}, CommandArgs},
		Hooks: &Hooks{
			Place: Place{User: "config.toml"}, Shape: Tables, Speech: Claude, Timeout: "s",
			// An event that it does not know spoils the whole file of settings: these are of all versions with hooks.
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"UserPromptSubmit", agent.Prompt, ""}, {"PreToolUse", agent.BeforeTool, ""},
				{"PostToolUse", agent.AfterTool, ""}, {"PostToolUseFailure", agent.ToolFailed, ""}, {"PreCompact", agent.BeforeCompact, ""},
				{"Stop", agent.StopAsync, ""}, {"SessionEnd", agent.SessionEnd, ""},
			},
		},
		Tools: map[string]agent.ToolKind{
			"WriteFile": agent.Edit, "StrReplaceFile": agent.Edit, "Write": agent.Edit, "Edit": agent.Edit, "Shell": agent.Shell, "Bash": agent.Shell,
			"ReadFile": agent.Read, "Read": agent.Read, "Grep": agent.Grep,
		},
		Lacks: []string{
			"what a hook answers does not reach the agent, but for a refusal: the rules of the project have in short what a session begins with",
			"there are no hooks of a project", "an agent that stops is not made to go on",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
