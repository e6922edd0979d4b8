package runtimes

func hermes() Runtime {
	return Runtime{
		Name: "hermes", Title: "Hermes", Sure: ThirdParty, Experimental: true,
		Programs: []string{"hermes"}, Home: Home{Env: []string{"HERMES_HOME"}, Dir: ".hermes"},
		Skills: Place{User: "skills"},
		Lacks:  []string{"where it lists servers and hooks is not described: ken is a set of skills"},
		Ask:    "Ask a person in your answer, and wait.",
	}
}
