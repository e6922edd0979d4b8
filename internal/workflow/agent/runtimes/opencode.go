package runtimes

import _ "embed"

// opencodePlugin is a module for the plugins of opencode 1 and Kilo Code, behind call.js. It turns the events of the program
// into payloads in the form of Claude Code's, with its names of tools.
//
//go:embed opencode.js
var opencodePlugin string

func opencode() Runtime {
	return Runtime{
		Name: "opencode", Title: "opencode", Sure: Seen,
		Env: []string{"OPENCODE"}, Programs: []string{"opencode"}, Home: Home{Env: []string{"OPENCODE_CONFIG_DIR"}, Conf: "opencode"},
		Skills: Place{".opencode/skills", "skills"}, Rules: Place{"AGENTS.md", "AGENTS.md"},
		Server: &Server{Place{"opencode.json", "opencode.json"}, JSON, []string{"mcp"}, LocalCommand},
		Hooks:  &Hooks{Speech: Claude},
		Plugin: newPlugin(Place{".opencode/plugins/ken.js", "plugins/ken.js"}, opencodePlugin),
		Lacks: []string{
			"it has no hooks that are commands: a plugin of its own calls ken", "version 2 loads no plugins of version 1: there ken is a server and skills alone",
			"an agent that stops cannot be made to go on",
		},
		Start: "Start an agent with the task tool (subagent_type general), and the line behind `agent:` as its prompt.",
		Ask:   "Ask a person in your answer, and wait.",
	}
}

func kilo() Runtime {
	r := opencode()
	r.Name, r.Title, r.Env = "kilo", "Kilo Code", []string{"KILO"}
	r.Home, r.Programs = Home{Conf: "kilo"}, []string{"kilo", "kilocode"}
	r.Skills = Place{".kilo/skills", "skills"}
	r.Server = &Server{Place{"kilo.json", "kilo.json"}, JSON, []string{"mcp"}, LocalCommand}
	r.Lacks = []string{"it has no hooks that are commands: a plugin of its own calls ken", "an agent that stops cannot be made to go on"}
	r.Plugin = newPlugin(Place{".kilo/plugins/ken.js", "plugins/ken.js"}, opencodePlugin)
	return r
}
