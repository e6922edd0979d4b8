package runtimes

// All returns all runtimes, those with most users first.
func All() []Runtime {
	return []Runtime{
		claude(), codex(), copilot(), cursor(), opencode(), kilo(), gemini(), qwen(),
	}
}

// Named returns the runtime of a name.
func Named(name string) (Runtime, bool) {
	for _, r := range All() {
		if r.Name == name {
			return r, true
		}
	}
	return other(), false
}

// Calling returns the runtime whose variables are set, or one for all others.
func Calling(getenv func(string) string) Runtime {
	for _, r := range All() {
		for _, name := range r.Env {
			if getenv(name) != "" {
				return r
			}
		}
	}
	return other()
}

// Other is the name of a runtime of which nothing is known.
const Other = "other"

func other() Runtime { return Runtime{Name: Other, Ask: "Ask a person in your answer, and wait."} }
