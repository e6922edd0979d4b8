package runtimes

import "ken/internal/workflow/agent"

func crush() Runtime {
	return Runtime{
		Name: "crush", Title: "Crush", Sure: Documented,
		Tried: "not at all: its npm package loads the program from GitHub when it is started first",
		Env:   []string{"CRUSH"}, Programs: []string{"crush"}, Home: Home{Env: []string{"CRUSH_GLOBAL_CONFIG"}, Conf: "crush"},
		Skills: Place{Project: ".crush/skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{"crush.json", "crush.json"}, JSON, []string{"mcp"}, StdioArgs},
		Hooks: &Hooks{
			Place: Place{"crush.json", "crush.json"}, Shape: Plain, Speech: Crush, Timeout: "s",
			Events: []Event{{"PreToolUse", agent.BeforeTool, ""}},
		},
		Lacks: []string{
			"the only event is the one before a tool: the rules of the project have in short what a session begins with, and changed files are found with the next question",
			"an answer that allows a tool would skip its question to you: ken gives none",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
