package runtimes

import "ken/internal/workflow/agent"

func windsurf() Runtime {
	return Runtime{
		Name: "windsurf", Title: "Windsurf, Devin Desktop (Cascade)", Sure: Documented,
		Programs: []string{"windsurf"}, Home: Home{Dir: ".codeium/windsurf"},
		Skills: Place{Project: ".windsurf/skills"}, Rules: Place{Project: "AGENTS.md"},
		Server: &Server{Place{User: "mcp_config.json"}, JSON, []string{"mcpServers"}, CommandArgs},
		Hooks: &Hooks{
			Place: Place{".windsurf/hooks.json", "hooks.json"}, Shape: Windows, Speech: Cascade,
			Events: []Event{
				{"pre_user_prompt", agent.Prompt, ""}, {"pre_write_code", agent.BeforeTool, ""}, {"post_write_code", agent.AfterTool, ""},
				{"post_read_code", agent.AfterTool, ""}, {"post_run_command", agent.AfterTool, ""}, {"post_cascade_response", agent.StopAsync, ""},
			},
		},
		// Its payloads name actions instead of tools.
		Tools: map[string]agent.ToolKind{
			"pre_write_code": agent.Edit, "post_write_code": agent.Edit, "post_read_code": agent.Read, "post_run_command": agent.Shell, "pre_run_command": agent.Shell,
		},
		Lacks: []string{
			"the start of a session is no event, and no hook can tell the agent something: the rules of the project have it in short",
			"an agent that stops cannot be made to go on", "there is no file of servers for a project", "it has no sub-agents",
		},
		Ask: "Ask a person in your answer, and wait.",
	}
}
