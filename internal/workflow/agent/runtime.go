package agent

// Runtime describes a program in which agents work, as far as the texts of guides depend on it.
type Runtime struct {
	Name string // as on the command line
	// Env are variables that the program sets for the commands of its agents, each of which shows that a command comes from it.
	Env []string
	// Start is a sentence on how an agent starts another one with the prompt that a guide names; "" if it cannot.
	Start string
	// Folder is a sentence on how such an agent works in a folder of its own.
	Folder string
	// Models reports whether an agent can be started with a model by its name.
	Models bool
	// Ask is a sentence on how a person is asked a question with options.
	Ask string
}

const absolutePaths = "Begin each command with `cd FOLDER &&`, and give file tools absolute paths in it."

// Runtimes returns the runtimes whose ways to start agents are known, the one for all others last.
func Runtimes() []Runtime {
	return []Runtime{
		{
			Name: "claude", Env: []string{"CLAUDECODE"}, Models: true, Folder: absolutePaths,
			Start: "Start an agent with the Agent tool (subagent_type general-purpose), the model that is named, and the line behind `agent:` as its prompt.",
			Ask:   "Ask a person with AskUserQuestion, or in your answer if there is no such tool.",
		},
		{
			Name: "opencode", Env: []string{"OPENCODE", "KILO"}, Folder: absolutePaths,
			Start: "Start an agent with the task tool (subagent_type general), and the line behind `agent:` as its prompt.",
			Ask:   "Ask a person in your answer, and wait.",
		},
		{Name: "other", Ask: "Ask a person in your answer, and wait.", Folder: absolutePaths},
	}
}

// RuntimeNamed returns the runtime of a name, or the one for all others.
func RuntimeNamed(name string) Runtime {
	list := Runtimes()
	for _, r := range list {
		if r.Name == name {
			return r
		}
	}
	return list[len(list)-1]
}

// CallingRuntime returns the runtime whose variables are set.
func CallingRuntime(getenv func(string) string) Runtime {
	list := Runtimes()
	for _, r := range list {
		for _, name := range r.Env {
			if getenv(name) != "" {
				return r
			}
		}
	}
	return list[len(list)-1]
}
