package models

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/workflow/content"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/settings"
)

type resolved struct {
	Model   string `json:"model"`
	Profile string `json:"profile"`
	Unknown bool   `json:"unknown_agent,omitempty"`
}

type chosen struct {
	Updated  bool              `json:"updated"`
	Profile  string            `json:"profile"`
	Previous string            `json:"previousProfile"`
	Agents   map[string]string `json:"agentToModelMap"`
}

type agentInput struct {
	Agent string `arg:"AGENT" help:"the name of an agent: gsd-planner"`
}

type profileInput struct {
	Profile string `arg:"PROFILE" help:"quality, balanced, budget, adaptive or inherit"`
}

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[agentInput, resolved]{
			Name: "resolve-model", Summary: "the model that an agent gets",
			Run: func(_ context.Context, c *planop.Call, in *agentInput) (resolved, error) {
				s, err := c.Settings()
				if err != nil {
					return resolved{}, err
				}
				name, known := Resolve(s, in.Agent)
				return resolved{name, Profile(s), !known}, nil
			},
			Plain: func(a resolved) string { return a.Model },
		}.Operation(),
		planop.Spec[profileInput, chosen]{
			Name: "config-set-model-profile", Summary: "which profile chooses the models of agents", Writes: true,
			Run: setProfile,
		}.Operation(),
	}
}

func setProfile(ctx context.Context, c *planop.Call, in *profileInput) (chosen, error) {
	profile := strings.ToLower(strings.TrimSpace(in.Profile))
	agents, ok := ProfileModels(profile)
	if !ok {
		return chosen{}, planop.Usagef("there is no profile %.60q; it can be %s, inherit", in.Profile, strings.Join(Profiles(), ", "))
	}
	name, err := c.PathBelowPlanning("config.json")
	if err != nil {
		return chosen{}, err
	}
	answer := chosen{Updated: true, Profile: profile, Agents: agents}
	_, err = c.Change(ctx, "config-set-model-profile "+profile, func(read change.Read) ([]change.File, error) {
		text, _, err := read(name)
		if err != nil {
			return nil, err
		}
		s := settings.Parse(text)
		if s.Unreadable() {
			return nil, planop.Faultf("config_parse_failed", "config.json: %s", s.Problems()[0].Error())
		}
		answer.Previous = Profile(s)
		edits, err := s.Set("model_profile", profile)
		if err != nil {
			return nil, err
		}
		after, err := edit.Apply(text, edits)
		return []change.File{{Name: name, Text: &after}}, err
	})
	return answer, err
}

// Roles tells where agents are that no file has.
const Roles = "no agent needs a file: ken plan guide ROLE prints each role"

// MissingRoles returns the agents of the table that have neither a file, see MissingAgents, nor a role that "ken plan guide" prints. For
// gsd-tools, whose agents are files alone, it returns those without a file.
func MissingRoles(c *planop.Call) ([]string, error) {
	project, err := c.Project()
	if err != nil {
		return nil, err
	}
	list := MissingAgents(project, c.Home, c.Getenv)
	if c.Original {
		return list, nil
	}
	roles := content.Names(content.RoleKind)
	return slices.DeleteFunc(list, func(agent string) bool { return slices.Contains(roles, strings.TrimPrefix(agent, "gsd-")) }), nil
}

// MissingAgents returns the agents of the table that have no file where agents are: in $GSD_AGENTS_DIR alone if it is set, else in the
// agents of the project and of the user.
func MissingAgents(project, home string, getenv func(string) string) []string {
	dirs := []string{getenv("GSD_AGENTS_DIR")}
	if dirs[0] == "" {
		user := getenv("CLAUDE_CONFIG_DIR")
		if user == "" && home != "" {
			user = filepath.Join(home, ".claude")
		}
		dirs = []string{filepath.Join(project, ".claude", "agents")}
		if user != "" {
			dirs = append(dirs, filepath.Join(user, "agents"))
		}
	}
	there := map[string]bool{}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // no agents are there
		}
		for _, e := range entries {
			there[strings.TrimSuffix(strings.TrimSuffix(e.Name(), ".md"), ".agent")] = true
		}
	}
	list := []string{}
	for _, agent := range Agents() {
		if !there[agent] {
			list = append(list, agent)
		}
	}
	return list
}
