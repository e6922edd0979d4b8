package runtimes

func amp() Runtime {
	return Runtime{
		Name: "amp", Title: "Amp", Sure: Documented,
		Programs: []string{"amp"}, Home: Home{Conf: "amp"},
		Skills: Place{".agents/skills", "~/.config/agents/skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{".amp/settings.json", "settings.json"}, JSON, []string{"amp.mcpServers"}, CommandArgs},
		Lacks:  []string{"it has no hooks that are commands, and ken has no plugin for it: ken is a server, skills and rules"},
		Ask:    "Ask a person in your answer, and wait.",
	}
}
