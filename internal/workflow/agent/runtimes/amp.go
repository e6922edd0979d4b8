package runtimes

import (
	_ "embed"

	"ken/internal/workflow/agent"
)

// ampPlugin is a module for the plugins of Amp, behind call.js.
//
//go:embed amp.js
var ampPlugin string

func amp() Runtime {
	return Runtime{
		Name: "amp", Title: "Amp", Sure: Documented,
		Tried:    "`amp mcp list` lists the server of user and project; everything else wants an account first",
		Programs: []string{"amp"}, Home: Home{Conf: "amp"},
		Skills: Place{".agents/skills", "~/.config/agents/skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{".amp/settings.json", "settings.json"}, JSON, []string{"amp.mcpServers"}, CommandArgs},
		Hooks:  &Hooks{Speech: Claude},
		Plugin: newPlugin(Place{".amp/plugins/ken.ts", "plugins/ken.ts"}, ampPlugin),
		Tools: map[string]agent.ToolKind{
			"edit_file": agent.Edit, "create_file": agent.Edit, "apply_patch": agent.Edit, "Bash": agent.Shell, "shell_command": agent.Shell,
			"Read": agent.Read, "Grep": agent.Grep,
		},
		Lacks: []string{
			"it has no hooks that are commands: a plugin of its own calls ken",
			"a plugin that is asked before a tool has to allow or reject it: ken's is not asked, because it must not decide for you",
			"an agent that stops is not made to go on",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
