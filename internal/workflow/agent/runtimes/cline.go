package runtimes

import "ken/internal/workflow/agent"

func cline() Runtime {
	return Runtime{
		Name: "cline", Title: "Cline", Sure: Seen,
		Tried:    "whole sessions, with a key for a provider of models, which needs no account",
		Programs: []string{"cline"}, Home: Home{Env: []string{"CLINE_DIR"}, Dir: ".cline"},
		Skills: Place{Project: ".cline/skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{User: "data/settings/cline_mcp_settings.json"}, JSON, []string{"mcpServers"}, CommandArgs},
		Hooks: &Hooks{
			Place: Place{".clinerules/hooks", "~/Documents/Cline/Hooks"}, Own: true, Shape: Scripts, Speech: Cline,
			Events: []Event{
				{"TaskStart", agent.SessionStart, ""}, {"TaskResume", agent.SessionStart, ""}, {"UserPromptSubmit", agent.Prompt, ""},
				{"PreToolUse", agent.BeforeTool, ""}, {"PostToolUse", agent.AfterTool, ""}, {"PreCompact", agent.BeforeCompact, ""}, {"TaskComplete", agent.StopAsync, ""},
			},
		},
		Tools: map[string]agent.ToolKind{
			"editor": agent.Edit, "write_to_file": agent.Edit, "replace_in_file": agent.Edit, "apply_patch": agent.Edit,
			"run_commands": agent.Shell, "execute_command": agent.Shell, "ken__start_session": agent.StartTask,
		},
		Lacks: []string{
			"there is one program for each event in a folder: an event with a program of yours stays yours", "there is no file of servers for a project",
			"what a hook answers when a task begins does not reach the agent of the command line: the rules of the project have it in short",
			"a refused tool ends the run", "an agent that stops cannot be made to go on",
			"with CLINE_DATA_DIR or CLINE_MCP_SETTINGS_PATH its servers are in another file: there ken is added by hand",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
