package claude

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"ken/internal/workflow/install"
)

// PluginName is the name of the installation as a plugin.
const PluginName = "claude-plugin"

// Plugin returns the plan of a plugin in a folder: hooks and the skills. A plugin can contain neither a status line nor rules. It calls
// ken by name, so that the folder can be passed on. It returns an error if a value cannot be encoded as JSON.
func Plugin(dir string) (*install.Plan, error) {
	o := Options{Scope: Project}
	about, err := pretty(struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}{"ken", "Codebase intelligence: what a session has to know of the code, kept true on every edit."})
	if err != nil {
		return nil, err
	}
	calls, err := pluginHooks()
	if err != nil {
		return nil, err
	}
	p := &install.Plan{
		Name: PluginName, Root: dir, Within: []string{nearestExisting(dir)},
		Files: []install.File{
			{Path: filepath.Join(dir, ".claude-plugin", "plugin.json"), Data: about, What: "plugin"},
			{Path: filepath.Join(dir, "hooks", "hooks.json"), Data: calls, What: "hooks"},
		},
	}
	for i := range skills {
		k := skills[i].inPlugin()
		p.Files = append(p.Files, install.File{Path: filepath.Join(dir, "skills", k.name, "SKILL.md"), Data: []byte(o.skillText(&k)), What: "skill " + k.name})
	}
	return p, nil
}

// pluginHooks keeps the order of events, which a map would lose.
func pluginHooks() ([]byte, error) {
	var names []string
	groups := map[string][]group{}
	for _, e := range hooks {
		if !slices.Contains(names, e.name) {
			names = append(names, e.name)
		}
		groups[e.name] = append(groups[e.name], e.group("ken"))
	}
	text := `{"hooks":{`
	for i, name := range names {
		value, err := encode(groups[name])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text += ","
		}
		text += `"` + name + `":` + string(value)
	}
	return pretty(json.RawMessage(text + "}}"))
}

func pretty(v any) ([]byte, error) {
	raw, err := json.MarshalIndent(v, "", "  ")
	return append(raw, '\n'), err
}
