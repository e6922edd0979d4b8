package configure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/statefile"
	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/settings"
)

// defaultKeys are the keys of a new file, in their order: those that a person may want to change. All others are left out, so have
// their defaults.
var defaultKeys = [...]string{
	"model_profile", "commit_docs", "parallelization", "search_gitignored", "brave_search", "firecrawl", "exa_search",
	"git.branching_strategy", "git.phase_branch_template", "git.milestone_branch_template", "git.quick_branch_template",
	"workflow.research", "workflow.plan_check", "workflow.verifier", "workflow.nyquist_validation", "workflow.auto_advance", "workflow.node_repair",
	"workflow.node_repair_budget", "workflow.ui_phase", "workflow.ui_safety_gate", "workflow.ai_integration_phase", "workflow.tdd_mode",
	"workflow.text_mode", "workflow.research_before_questions", "workflow.discuss_mode", "workflow.skip_discuss", "workflow.code_review",
	"workflow.code_review_depth", "workflow.code_review_command", "workflow.pattern_mapper", "workflow.plan_bounce", "workflow.plan_bounce_script",
	"workflow.plan_bounce_passes", "workflow.auto_prune_state", "hooks.context_warnings", "project_code", "phase_naming", "agent_skills", "claude_md_path",
}

// orderedObject is a JSON object whose names keep their order.
type orderedObject struct {
	names  []string
	values map[string]any // a tree, or a value of encoding/json
}

func (t *orderedObject) set(name string, value any) {
	section, rest, ok := strings.Cut(name, ".")
	if t.values == nil {
		t.values = map[string]any{}
	}
	if _, there := t.values[section]; !there {
		t.names = append(t.names, section)
	}
	if !ok {
		t.values[section] = value
		return
	}
	inner, isTree := t.values[section].(*orderedObject)
	if !isTree {
		inner = &orderedObject{}
		t.values[section] = inner
	}
	inner.set(rest, value)
}

// MarshalJSON returns the names in their order. It returns an error if a value cannot be encoded.
func (t *orderedObject) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range t.names {
		if i > 0 {
			b.WriteByte(',')
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(t.values[name])
		if err != nil {
			return nil, err
		}
		b.Write(quoted)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// composeConfig returns the text of a new config.json. The choices of the call come before the settings in the user's home, those before
// the defaults.
func composeConfig(c *planop.Call, chosen map[string]any) (text string, warnings []string, err error) {
	t := &orderedObject{}
	for _, name := range defaultKeys {
		switch name {
		case "agent_skills":
			t.set(name, &orderedObject{})
			continue
		case "brave_search", "firecrawl", "exa_search":
			t.set(name, hasSearchKey(c, name))
			continue
		}
		k, ok := settings.Find(name)
		if !ok {
			return "", nil, fmt.Errorf("%s is not in the schema", name)
		}
		t.set(name, k.Default)
	}
	own, err := userDefaults(c)
	if err != nil {
		warnings = append(warnings, err.Error())
	}
	for i, layer := range []map[string]any{own, chosen} {
		for name, value := range leafValues(layer) {
			if wrong := checkValue(name, value); wrong != nil && i == 1 {
				return "", nil, wrong
			} else if wrong != nil {
				warnings = append(warnings, "defaults.json: "+wrong.Error())
				continue
			}
			if _, ok := settings.Find(name); !ok {
				warnings = append(warnings, "unknown key "+name+": it is kept, and nothing reads it")
			}
			t.set(name, value)
		}
	}
	slices.Sort(warnings)
	b, err := json.MarshalIndent(t, "", "  ")
	return string(b) + "\n", warnings, err
}

// checkValue fails if the value of a known key is invalid.
func checkValue(name string, value any) error {
	if _, ok := settings.Find(name); !ok {
		return nil
	}
	_, err := settings.Parse("").Set(name, value)
	return err
}

// leafValues returns the values of an object and of the objects in it, by their names with dots, in order. The older name of granularity
// becomes the present one.
func leafValues(object map[string]any) func(yield func(string, any) bool) {
	return func(yield func(string, any) bool) {
		walkLeaves(object, "", yield)
	}
}

func walkLeaves(object map[string]any, before string, yield func(string, any) bool) bool {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		value := object[name]
		full := before + name
		if full == "depth" {
			if _, both := object["granularity"]; both {
				continue
			}
			full, value = "granularity", granularity(value)
		}
		inner, isObject := value.(map[string]any)
		if _, known := settings.Find(full); isObject && len(inner) > 0 && (!known || full == "parallelization") {
			if !walkLeaves(inner, full+".", yield) {
				return false
			}
			continue
		}
		if !yield(full, value) {
			return false
		}
	}
	return true
}

func granularity(depth any) any {
	switch depth {
	case "quick":
		return "coarse"
	case "comprehensive":
		return "fine"
	}
	return depth
}

// hasSearchKey reports whether there is a key for a search service that agents may use. ken itself uses none.
func hasSearchKey(c *planop.Call, name string) bool {
	service := strings.TrimSuffix(name, "_search")
	if c.Getenv(strings.ToUpper(service)+"_API_KEY") != "" {
		return true
	}
	if c.Home == "" {
		return false
	}
	st, err := os.Stat(filepath.Join(c.Home, ".gsd", service+"_api_key"))
	return err == nil && st.Mode().IsRegular()
}

// userDefaults returns the settings in the user's home, which are for all new projects. It returns none if there is no such file.
func userDefaults(c *planop.Call) (map[string]any, error) {
	if c.Home == "" {
		return nil, nil
	}
	b, err := statefile.ReadFollow(filepath.Join(c.Home, ".gsd", "defaults.json"), argument.MaxJSON)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("defaults.json in the home: %w", err)
	}
	var v map[string]any
	if err := argument.JSON("defaults.json in the home", string(b), &v); err != nil {
		return nil, err
	}
	return v, nil
}
