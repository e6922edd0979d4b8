package runtimes

import "ken/internal/workflow/agent"

func codebuddy() Runtime {
	return Runtime{
		Name: "codebuddy", Title: "CodeBuddy", Sure: ThirdParty, Experimental: true,
		Programs: []string{"codebuddy"}, Home: Home{Env: []string{"CODEBUDDY_CONFIG_DIR"}, Dir: ".codebuddy"},
		Skills: Place{".codebuddy/skills", "skills"}, Rules: Place{"CODEBUDDY.md", "CODEBUDDY.md"},
		Hooks: &Hooks{
			Place: Place{".codebuddy/settings.json", "settings.json"}, Shape: Groups, Speech: Claude, Timeout: "s",
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"UserPromptSubmit", agent.Prompt, ""}, {"PreToolUse", agent.BeforeTool, ""},
				{"PostToolUse", agent.AfterTool, ""}, {"Stop", agent.Stop, ""}, {"Stop", agent.StopAsync, ""}, {"SessionEnd", agent.SessionEnd, ""},
			},
		},
		Lacks: []string{"where it lists servers is not described: there ken is added by hand"},
		Ask:   "Ask a person in your answer, and wait.",
	}
}
