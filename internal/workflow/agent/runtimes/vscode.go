package runtimes

import "ken/internal/workflow/agent"

// vscodeTools are the tools of the editor's own agent.
var vscodeTools = map[string]agent.ToolKind{"create_file": agent.Edit, "replace_string_in_file": agent.Edit, "editFiles": agent.Edit}

// vscode is the editor's own agent. The editor can run Copilot CLI, Claude Code and Codex as well, with their own settings.
func vscode() Runtime {
	return Runtime{
		Name: "vscode", Title: "VS Code (Copilot, Local harness)", Sure: Documented,
		Env: []string{"COPILOT_AGENT"}, Programs: []string{"code"}, Home: Home{Dir: ".copilot"},
		Skills: Place{".github/skills", "skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{Project: ".vscode/mcp.json"}, JSON, []string{"servers"}, StdioArgs},
		Hooks: &Hooks{
			Place: Place{".github/hooks/ken-vscode.json", "hooks/ken-vscode.json"}, Own: true, Shape: Typed, Speech: VSCode, Timeout: "s",
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"UserPromptSubmit", agent.Prompt, ""}, {"PreToolUse", agent.BeforeTool, ""},
				{"PostToolUse", agent.AfterTool, ""}, {"SubagentStart", agent.SubagentStart, ""}, {"SubagentStop", agent.SubagentStop, ""},
				{"PreCompact", agent.BeforeCompact, ""}, {"Stop", agent.Stop, ""}, {"Stop", agent.StopAsync, ""},
			},
		},
		Tools: vscodeTools,
		Lacks: []string{
			"hooks come for all tools, because matchers are ignored: ken looks at the tool itself", "what a hook answers to a prompt is dropped",
			"it runs the hooks of .claude/settings.json and of Copilot CLI as well: an event that comes twice counts once",
			"the end of a session is no event: the last stop has what is known", "servers of a user are in the profile of the editor: there ken is added by hand",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
