package runtimes

func pi() Runtime {
	return Runtime{
		Name: "pi", Title: "Pi", Sure: ThirdParty, Experimental: true,
		Programs: []string{"pi"}, Home: Home{Dir: ".pi/agent"},
		Lacks: []string{"it has no servers and no hooks that are commands, and ken has no extension for it: an agent calls ken by itself"},
		Ask:   "Ask a person in your answer, and wait.",
	}
}
