package runtimes

// list returns the functions that describe the runtimes, those with most users first.
func list() []func() Runtime {
	return []func() Runtime{
		claude, codex, copilot, vscode, cursor, opencode, kilo, gemini, antigravity, qwen, windsurf, devin, cline, trae, augment, amp, goose, crush,
		zed, droid, kimi, kiro, grok, pi, codebuddy, hermes,
	}
}

// All returns all runtimes, those with most users first.
func All() (all []Runtime) {
	for _, describe := range list() {
		all = append(all, describe())
	}
	return all
}

// Named returns the runtime of a name.
func Named(name string) (Runtime, bool) {
	for _, describe := range list() {
		if r := describe(); r.Name == name {
			return r, true
		}
	}
	return other(), false
}

// Calling returns the runtime whose variables are set, or one for all others.
func Calling(getenv func(string) string) Runtime {
	for _, describe := range list() {
		r := describe()
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
