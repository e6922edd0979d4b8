package runtimes

import "ken/internal/workflow/agent"

func augment() Runtime {
	return Runtime{
		Name: "augment", Title: "Augment", Sure: Documented,
		Tried: "`auggie mcp list` lists the server and `auggie command list` the skills; a session wants an account",
		Env:   []string{"AUGMENT_PROJECT_DIR"}, Programs: []string{"auggie"}, Home: Home{Dir: ".augment"},
		Skills: Place{Project: ".augment/skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{".augment/settings.json", "settings.json"}, JSON, []string{"mcpServers"}, CommandArgs},
		Hooks: &Hooks{
			Place: Place{".augment/settings.json", "settings.json"}, Shape: Wrapped, Speech: Augment, Timeout: "ms", SessionEnv: "AUGMENT_CONVERSATION_ID",
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"PromptSubmit", agent.Prompt, ""},
				{"PreToolUse", agent.BeforeTool, "save-file|str-replace-editor|apply_patch|launch-process|write|edit|bash"},
				{"PostToolUse", agent.AfterTool, "save-file|str-replace-editor|remove-files|apply_patch|launch-process|view|write|edit|bash|read"},
				{"Stop", agent.Stop, ""}, {"Stop", agent.StopAsync, ""}, {"SessionEnd", agent.SessionEnd, ""},
			},
		},
		Tools: map[string]agent.ToolKind{
			"save-file": agent.Edit, "str-replace-editor": agent.Edit, "remove-files": agent.Edit, "apply_patch": agent.Edit, "launch-process": agent.Shell,
			"view": agent.Read, "write": agent.Edit, "edit": agent.Edit, "bash": agent.Shell, "read": agent.Read,
		},
		Lacks: []string{"a hook has to be a script: one of two lines calls ken, in the folder `hooks` beside the settings", "version 2 names no session in its payloads: it is that of a variable"},
		Ask:   "Ask a person in your answer, and wait.",
	}
}
