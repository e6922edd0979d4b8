package runtimes

import "ken/internal/workflow/agent"

func goose() Runtime {
	return Runtime{
		Name: "goose", Title: "Goose", Sure: ThirdParty,
		Programs: []string{"goose"}, Home: Home{Conf: "goose", Windows: "Block/goose/config"},
		Skills: Place{Project: ".agents/skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{User: "config.yaml"}, YAML, []string{"extensions"}, ExtensionArgs},
		Hooks: &Hooks{
			Place: Place{".agents/plugins/ken/hooks/hooks.json", "~/.agents/plugins/ken/hooks/hooks.json"}, Own: true, Shape: Groups, Experimental: true,
			Speech: Goose, Timeout: "s",
			// A matcher is left out, because "*" is no regular expression and drops the rule.
			Events: []Event{
				{"SessionStart", agent.SessionStart, ""}, {"PreToolUse", agent.BeforeTool, ""}, {"AfterFileEdit", agent.AfterTool, ""},
				{"AfterShellExecution", agent.AfterTool, ""}, {"Stop", agent.Stop, ""}, {"Stop", agent.StopAsync, ""},
			},
		},
		// Its payloads name events instead of tools where an event is of one kind of tool.
		Tools: map[string]agent.ToolKind{"AfterFileEdit": agent.Edit, "AfterShellExecution": agent.Shell},
		Lacks: []string{
			"no hook can tell the agent something: the rules of the project have it in short", "with GOOSE_PATH_ROOT its settings are in another folder: there ken is added by hand",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
