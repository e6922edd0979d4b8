package claude

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"ken/internal/workflow/agent/skills"
	"ken/internal/workflow/install"
)

// PluginName is the name of the record of an installation as a plugin.
const PluginName = "claude-plugin"

// Plugin returns the plan of a plugin in a folder: hooks and the skills. A plugin can contain neither a status line nor rules. It calls
// ken by name, so that the folder can be passed on. It returns an error if a value cannot be encoded as JSON.
func Plugin(dir string) (*install.Plan, error) {
	about, err := encodeIndented(struct {
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
	for _, k := range skills.All() {
		k = k.PluginForm()
		p.Files = append(p.Files, install.File{Path: filepath.Join(dir, "skills", k.Name, "SKILL.md"), Data: []byte(k.Text), What: "skill " + k.Name})
	}
	return p, nil
}

// pluginHooks returns the hooks file. It keeps the order of events, which a map would lose.
func pluginHooks() ([]byte, error) {
	var names []string
	groups := map[string][]group{}
	for _, e := range hooks {
		if !slices.Contains(names, e.name) {
			names = append(names, e.name)
		}
		groups[e.name] = append(groups[e.name], e.hookGroup("ken"))
	}
	text := `{"hooks":{`
	for i, name := range names {
		value, err := encodeJSON(groups[name])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text += ","
		}
		text += `"` + name + `":` + string(value)
	}
	return encodeIndented(json.RawMessage(text + "}}"))
}

func encodeIndented(v any) ([]byte, error) {
	raw, err := json.MarshalIndent(v, "", "  ")
	return append(raw, '\n'), err
}
