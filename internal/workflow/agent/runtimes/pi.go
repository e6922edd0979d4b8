package runtimes

import _ "embed"

// piExtension is a module for the extensions of Pi, behind call.js. It turns the events of the program into payloads in the
// form of Claude Code's, with its names of tools.
//
//go:embed pi.js
var piExtension string

func pi() Runtime {
	return Runtime{
		Name: "pi", Title: "Pi", Sure: Documented,
		Programs: []string{"pi"}, Home: Home{Env: []string{"PI_CODING_AGENT_DIR"}, Dir: ".pi/agent"},
		Skills: Place{".agents/skills", "~/.agents/skills"}, Rules: Place{"AGENTS.md", "AGENTS.md"},
		Server: &Server{Place{".pi/mcp.json", "mcp.json"}, JSON, []string{"mcpServers"}, CommandArgs},
		Hooks:  &Hooks{Speech: Claude},
		Plugin: newPlugin(Place{".pi/extensions/ken.ts", "extensions/ken.ts"}, piExtension),
		Trust:  "Pi loads the extension and the server of a project once you trust it: start it there and answer its question.",
		Lacks: []string{
			"it has no hooks that are commands: an extension of its own calls ken", "versions before 1.0 have no servers: there ken is an extension, skills and rules",
			"an agent that stops is not made to go on",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
