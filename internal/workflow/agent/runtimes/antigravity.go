package runtimes

import "ken/internal/workflow/agent"

func antigravity() Runtime {
	return Runtime{
		Name: "antigravity", Title: "Antigravity", Sure: ThirdParty,
		Programs: []string{"agy", "antigravity"}, Home: Home{Dir: ".gemini/config"},
		Skills: Place{Project: ".agents/skills"}, Rules: Place{"AGENTS.md", "~/.gemini/GEMINI.md"},
		Server: &Server{Place{".agents/mcp_config.json", "mcp_config.json"}, JSON, []string{"mcpServers"}, CommandArgs},
		Hooks: &Hooks{
			// A hook before a tool would have to decide in the place of the user: there is no answer that leaves the decision alone.
			Place: Place{".agents/hooks.json", "hooks.json"}, Shape: ByName, Experimental: true, Speech: Antigravity, Timeout: "s",
			Events: []Event{
				{"PreInvocation", agent.SessionStart, ""}, {"PostToolUse", agent.AfterTool, "write_to_file|replace_file_content|multi_replace_file_content"},
				{"Stop", agent.Stop, ""}, {"Stop", agent.StopAsync, ""},
			},
		},
		Tools: map[string]agent.ToolKind{"write_to_file": agent.Edit, "replace_file_content": agent.Edit, "multi_replace_file_content": agent.Edit},
		Trust: "Antigravity runs no hooks of a project until you trust its folder.",
		Lacks: []string{
			"some versions read the hooks of plugins alone: the rules have in short what a session begins with",
			"a hook before a tool has to allow, deny or ask: ken has none, because it must not decide for you",
			"what a hook answers to a tool does not reach the agent", "a session's first call of the model stands for its start",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
