package runtimes

// claude is described in full by package agent/claude, which was there first and knows more than a description can hold.
func claude() Runtime {
	return Runtime{
		Name: "claude", Title: "Claude Code", Sure: Seen,
		Env: []string{"CLAUDECODE"}, Programs: []string{"claude"}, Home: Home{Env: []string{"CLAUDE_CONFIG_DIR"}, Dir: ".claude"},
		Trust:  "Claude Code asks once before it runs the hooks and servers of a project.",
		Models: true,
		Start:  "Start an agent with the Agent tool (subagent_type general-purpose), the model that is named, and the line behind `agent:` as its prompt.",
		Ask:    "Ask a person with AskUserQuestion, or in your answer if there is no such tool.",
	}
}
