// Package models chooses the model for an agent of the workflow: from a table of agents and profiles, and the settings that override it.
package models

import (
	"slices"
	"strings"

	"ken/internal/workflow/plan/settings"
)

// Profiles returns the names of the profiles in the table; inherit leaves the choice to the session.
func Profiles() []string { return []string{"quality", "balanced", "budget", "adaptive"} }

// balanced is the index of the default profile, which also replaces an unknown one.
const balanced = 1

// table has the model of each agent, with a letter for each profile in the order of Profiles: o for opus, s for sonnet, h for haiku.
var table = [...]struct{ agent, models string }{
	{"gsd-planner", "ooso"}, {"gsd-roadmapper", "osss"}, {"gsd-executor", "osss"}, {"gsd-phase-researcher", "oshs"}, {"gsd-project-researcher", "oshs"},
	{"gsd-research-synthesizer", "sshh"}, {"gsd-debugger", "osso"}, {"gsd-codebase-mapper", "shhh"}, {"gsd-verifier", "sshs"}, {"gsd-plan-checker", "sshh"},
	{"gsd-integration-checker", "sshh"}, {"gsd-nyquist-auditor", "sshh"}, {"gsd-pattern-mapper", "sshh"}, {"gsd-ui-researcher", "oshs"}, {"gsd-ui-checker", "sshh"},
	{"gsd-ui-auditor", "sshh"}, {"gsd-doc-writer", "oshs"}, {"gsd-doc-verifier", "sshh"},
}

func modelName(letter byte) string {
	return map[byte]string{'o': "opus", 's': "sonnet", 'h': "haiku"}[letter]
}

// Agents returns the agents of the table, in its order.
func Agents() []string {
	var list []string
	for _, row := range table {
		list = append(list, row.agent)
	}
	return list
}

// ProfileModels returns the model of each agent in one profile. ok is false if there is no such profile.
func ProfileModels(profile string) (byAgent map[string]string, ok bool) {
	byAgent = map[string]string{}
	column := slices.Index(Profiles(), profile)
	for _, row := range table {
		switch {
		case profile == "inherit":
			byAgent[row.agent] = "inherit"
		case column >= 0:
			byAgent[row.agent] = modelName(row.models[column])
		}
	}
	return byAgent, len(byAgent) > 0
}

// full maps aliases to full model ids, for projects with the setting resolve_model_ids.
var full = map[string]string{"opus": "claude-opus-4-6", "sonnet": "claude-sonnet-4-6", "haiku": "claude-haiku-4-5"}

// Resolve returns the model of an agent in a project. known is false for an agent that is not in the table, which gets sonnet. In this
// order: an override of the agent; "" if ids are omitted; the profile.
func Resolve(s *settings.Settings, agent string) (name string, known bool) {
	known = slices.Contains(Agents(), agent)
	if overrides, ok := s.Section("model_overrides").(map[string]any); ok {
		if text, ok := overrides[agent].(string); ok {
			return text, known
		}
	}
	ids, _ := s.Get("resolve_model_ids")
	if ids == "omit" {
		return "", known
	}
	name = "sonnet"
	if profile := Profile(s); known && profile == "inherit" {
		return "inherit", true
	} else if known {
		column := slices.Index(Profiles(), profile)
		if column < 0 {
			column = balanced
		}
		i := slices.IndexFunc(table[:], func(row struct{ agent, models string }) bool { return row.agent == agent })
		name = modelName(table[i].models[column])
	}
	if ids == true {
		name = full[name]
	}
	return name, known
}

// Profile returns the profile of a project.
func Profile(s *settings.Settings) string {
	if p := strings.ToLower(strings.TrimSpace(s.Text("model_profile"))); p != "" {
		return p
	}
	return Profiles()[balanced]
}
