package runtimes

import "ken/internal/workflow/agent"

var copilotTools = map[string]agent.ToolKind{
	"create": agent.Edit, "edit": agent.Edit, "apply_patch": agent.Edit, "bash": agent.Shell, "powershell": agent.Shell, "view": agent.Read, "grep": agent.Grep,
	"web_fetch": agent.Fetch, "task": agent.Task, "ken-start_session": agent.StartTask,
}

func copilot() Runtime {
	return Runtime{
		Name: "copilot", Title: "GitHub Copilot CLI", Sure: Seen,
		Tried: "whole sessions, with a provider of models of its own (COPILOT_PROVIDER_BASE_URL), which needs no account",
		Env:   []string{"COPILOT_CLI"}, Programs: []string{"copilot"}, Home: Home{Env: []string{"COPILOT_HOME"}, Dir: ".copilot"},
		Skills: Place{".github/skills", "skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{".github/mcp.json", "mcp-config.json"}, JSON, []string{"mcpServers"}, LocalArgs},
		Hooks: &Hooks{
			Place: Place{".github/hooks/ken.json", "hooks/ken.json"}, Own: true, Shape: Shells, Speech: Copilot, Timeout: "s",
			Events: []Event{
				{"sessionStart", agent.SessionStart, ""}, {"userPromptSubmitted", agent.Prompt, ""}, {"preToolUse", agent.BeforeTool, ""},
				{"postToolUse", agent.AfterTool, ""}, {"postToolUseFailure", agent.ToolFailed, ""}, {"agentStop", agent.Stop, ""}, {"agentStop", agent.StopAsync, ""}, {"subagentStart", agent.SubagentStart, ""},
				{"subagentStop", agent.SubagentStop, ""}, {"preCompact", agent.BeforeCompact, ""}, {"sessionEnd", agent.SessionEnd, ""},
			},
		},
		Tools: copilotTools,
		Trust: "Copilot CLI runs the hooks of a repository once its folder is trusted.",
		Lacks: []string{"what a hook answers to a prompt is dropped", "it runs the hooks of a project's .claude/settings.json as well, those of ken without their arguments, so that they do nothing: an event counts once"},
		Ask:   "Ask a person in your answer, and wait.",
	}
}
