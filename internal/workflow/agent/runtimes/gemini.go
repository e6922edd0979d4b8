package runtimes

import "ken/internal/workflow/agent"

// geminiTools are the tools of Gemini CLI and Qwen Code, which share their origin.
var geminiTools = map[string]agent.ToolKind{
	"write_file": agent.Edit, "replace": agent.Edit, "edit": agent.Edit, "notebook_edit": agent.Edit, "run_shell_command": agent.Shell, "read_file": agent.Read,
	"grep_search": agent.Grep, "search_file_content": agent.Grep, "web_fetch": agent.Fetch,
	"mcp_ken_start_session": agent.StartTask, startTask: agent.StartTask,
}

func gemini() Runtime {
	return Runtime{
		Name: "gemini", Title: "Gemini CLI", Sure: Seen,
		Env: []string{"GEMINI_CLI"}, Programs: []string{"gemini"}, Home: Home{Dir: ".gemini"},
		Skills: Place{".gemini/skills", "skills"}, Rules: Place{"GEMINI.md", "GEMINI.md"},
		Server: &Server{Place{".gemini/settings.json", "settings.json"}, JSON, []string{"mcpServers"}, CommandArgs},
		Hooks: &Hooks{
			Place: Place{".gemini/settings.json", "settings.json"}, Shape: Groups, Escapes: true, Speech: Gemini, Timeout: "ms", PowerShell: true,
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"BeforeAgent", agent.Prompt, ""}, {"BeforeTool", agent.BeforeTool, "write_file|replace|run_shell_command|grep_search"},
				{"AfterTool", agent.AfterTool, "write_file|replace|run_shell_command|read_file|grep_search|web_fetch|mcp_ken_start_session"}, {"AfterAgent", agent.Stop, ""}, {"AfterAgent", agent.StopAsync, ""},
				{"PreCompress", agent.BeforeCompact, "manual"}, {"SessionEnd", agent.SessionEnd, ""},
			},
		},
		Tools: geminiTools,
		Trust: "Gemini CLI lists servers as disabled, and runs no hooks of a project, until you trust its folder: start it there and answer its question.",
		Lacks: []string{
			"sub-agents are no events", "each look at whether the conversation is too long is reported as a compression: only one that you ask for counts",
			"what it shows to the model is escaped as in HTML: texts are sent without tags",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
