package runtimes

func zed() Runtime {
	return Runtime{
		Name: "zed", Title: "Zed", Sure: Documented,
		Programs: []string{"zed", "zeditor"}, Home: Home{Conf: "zed", Windows: "Zed"},
		Skills: Place{Project: ".agents/skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{".zed/settings.json", "settings.json"}, JSON, []string{"context_servers"}, CommandArgs},
		Lacks: []string{
			"it has no hooks: the rules of the project have in short what a session begins with, and changed files are found with the next question",
			"a file .rules in the project is read instead of AGENTS.md",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
