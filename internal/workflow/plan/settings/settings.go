// Package settings reads config.json of a planning folder and sets its keys. One table, Schema, determines how keys are read, set,
// checked and documented, so that every key that can be read can be set. A missing key has its default. A file that cannot be read is
// reported instead of being treated as a file without keys. Unknown keys stay in the file and are reported.
//
// Some keys have commands as their values. They are only texts here: this package runs nothing.
package settings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/edit"
)

// Settings is the content of a config.json.
type Settings struct {
	text     string
	root     *node
	problems []edit.Problem
}

// Parse reads the text of a config.json. For a missing file the text is "". A text that is not JSON has one problem, with its line, and
// no keys.
func Parse(text string) *Settings {
	s := &Settings{text: text}
	if strings.TrimSpace(text) == "" {
		s.root = &node{}
		return s
	}
	root, err := parseJSON(text)
	if err != nil {
		s.problems = []edit.Problem{*err}
		s.root = &node{}
		return s
	}
	s.root = root
	if root.kind != '{' {
		s.addProblem(root, "is not an object")
		return s
	}
	s.checkKeys(root, "")
	for i := range Schema {
		k := &Schema[i]
		if n := s.findNode(k); n != nil && !strings.HasSuffix(k.Name, "*") && !k.acceptsValue(n, text) {
			s.addProblem(n, fmt.Sprintf("%s: %.60s is not %s: the default is used", k.Name, n.span.Text(text), k.Expected()))
		}
	}
	return s
}

// Problems returns the defects of the file.
func (s *Settings) Problems() []edit.Problem { return s.problems }

// Unreadable reports whether the file could not be read at all.
func (s *Settings) Unreadable() bool {
	return s.root.kind != '{' && s.text != "" && len(s.problems) > 0
}

func (s *Settings) addProblem(n *node, why string) {
	s.problems = append(s.problems, edit.Problem{Line: lineNumber(s.text, n.span.Start), Why: why})
}

// oldKeys are keys of older versions of the format, which are still read.
var oldKeys = [...]string{"depth", "multiRepo"}

// laterKeys are keys and sections of later versions of the format. They stay in the file and are ignored.
var laterKeys = [...]string{
	"workflow.human_verify_mode", "workflow.worktree_skip_hooks",
	"workflow.drift_threshold", "workflow.drift_action", "workflow.plan_chunked", "workflow.plan_review_convergence",
	"workflow.mvp_mode", "workflow.build_command", "workflow.test_gate_timeout", "workflow.context_guard_mode", "workflow.smart_zone_tokens",
	"workflow.api_coverage_gate", "git.create_tag", "graphify.auto_update", "runtime", "context_guard_mode", "smart_zone_tokens", "phase_id_convention",
	"models", "model_profile_overrides", "dynamic_routing", "model_policy", "executor", "planner", "statusline", "ship", "review", "code_quality",
	"claude_md_assembly", "effort", "fast_mode", "granularities", "capabilities", "security", "agent_skills_security",
}

// isLater reports whether a key belongs to a later version, or to a section of one.
func isLater(name string) bool {
	return slices.ContainsFunc(laterKeys[:], func(k string) bool { return name == k || strings.HasPrefix(name, k+".") })
}

// checkKeys reports the keys of an object that are not in Schema. path is the name of the object.
func (s *Settings) checkKeys(n *node, path string) {
	seen := map[string]bool{}
	for _, m := range n.members {
		name := strings.TrimPrefix(path+"."+m.name, ".")
		if seen[m.name] {
			s.addProblem(m.value, name+" is there twice: the last is read")
		}
		seen[m.name] = true
		_, known := Find(name)
		known = known || isLater(name) || slices.Contains(oldKeys[:], name)
		switch {
		case m.value.kind == '{' && isSection(name) && !isLater(name):
			s.checkKeys(m.value, name)
		case !known:
			s.addProblem(m.value, "unknown key "+name+suggestKey(name))
		}
	}
}

// isSection reports whether a name is that of an object in which Schema has keys.
func isSection(name string) bool {
	for i := range Schema {
		if strings.HasPrefix(Schema[i].Name, name+".") || strings.HasPrefix(Schema[i].Also, name+".") {
			return true
		}
	}
	return false
}

// Find returns the key with a name. The name may also be that of an older version of the format.
func Find(name string) (*Key, bool) {
	for i := range Schema {
		k := &Schema[i]
		if k.Name == name || k.Also == name && name != "" {
			return k, true
		}
	}
	section, last := cutLast(name)
	if last == "" || strings.Trim(last, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
		return nil, false
	}
	for i := range Schema {
		if Schema[i].Name == section+".*" {
			return &Schema[i], true
		}
	}
	return nil, false
}

func cutLast(name string) (section, last string) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", name
	}
	return name[:i], name[i+1:]
}

// mistakenNames has wrong names that people often write for keys, with the right ones. They are words of documentation or of older files.
var mistakenNames = [...][2]string{
	{"workflow.nyquist_validation_enabled", "workflow.nyquist_validation"},
	{"agents.nyquist_validation_enabled", "workflow.nyquist_validation"},
	{"nyquist.validation_enabled", "workflow.nyquist_validation"},
	{"hooks.research_questions", "workflow.research_before_questions"},
	{"workflow.research_questions", "workflow.research_before_questions"},
	{"workflow.review", "workflow.code_review"},
	{"workflow.review_command", "workflow.code_review_command"},
	{"workflow.review_depth", "workflow.code_review_depth"},
	{"workflow.code_review_level", "workflow.code_review_depth"},
	{"review.model", "review.models.NAME"},
}

// suggestKey returns the end of a message, ": is KEY meant?", with the known key most similar to an unknown one, or "" if none
// is similar.
func suggestKey(name string) string {
	for _, m := range mistakenNames {
		if m[0] == name {
			return ": is " + m[1] + " meant?"
		}
	}
	_, last := cutLast(name)
	best, least := "", len(last)/4+1
	for i := range Schema {
		_, end := cutLast(Schema[i].Name)
		if d := editDistance(last, end); d < least || d == least && Schema[i].Name == name {
			best, least = Schema[i].Name, d
		}
	}
	if best == "" {
		return ""
	}
	return ": is " + best + " meant?"
}

// editDistance returns the number of letters to change, add or remove to make b from a.
func editDistance(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost = 1 + min(before, row[j], row[j+1])
			}
			before, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// findNode returns the value of a key in the file, under its present or older name. It returns nil if the file does not have it.
func (s *Settings) findNode(k *Key) *node {
	if n := s.root.valueAt(k.Name); n != nil {
		return n
	}
	if k.Also != "" {
		return s.root.valueAt(k.Also)
	}
	return nil
}

// Expected describes the values that the key accepts, for an error message.
func (k *Key) Expected() string {
	switch k.Kind {
	case Switch:
		return "true or false"
	case Number:
		return "a number"
	case Texts:
		return "a list of texts"
	case Choice, Any:
		return strings.Join(k.Values, " or ")
	}
	return "a text"
}

// acceptsValue reports whether the key accepts a value. null means that the key is not set.
func (k *Key) acceptsValue(n *node, text string) bool {
	value := n.span.Text(text)
	switch {
	case value == "null":
		return true
	case k.Kind == Switch:
		return value == "true" || value == "false"
	case k.Kind == Number:
		_, err := strconv.ParseFloat(value, 64)
		return err == nil
	case k.Kind == Choice:
		return n.kind == '"' && slices.Contains(k.Values, n.text)
	case k.Kind == Texts:
		return n.kind == '[' || n.kind == '"'
	case k.Kind == Any:
		return n.kind == '{' || value == "true" || value == "false" || slices.Contains(k.Values, n.text)
	}
	return n.kind == '"'
}

// Get returns the value of a key in the form of decoded JSON, or its default. It returns false if there is no key with this name.
func (s *Settings) Get(name string) (value any, ok bool) {
	k, ok := Find(name)
	if !ok {
		return nil, false
	}
	asked := *k
	if strings.HasSuffix(k.Name, "*") {
		asked.Name = name
	}
	if n := s.findNode(&asked); n != nil && asked.acceptsValue(n, s.text) && n.span.Text(s.text) != "null" {
		var v any
		if json.Unmarshal([]byte(n.span.Text(s.text)), &v) == nil {
			return v, true
		}
	}
	if name == "granularity" {
		depth := map[string]string{"quick": "coarse", "standard": "standard", "comprehensive": "fine"}
		if n := s.root.valueAt("depth"); n != nil && depth[n.text] != "" { // its name in older files
			return depth[n.text], true
		}
	}
	return asked.Default, true
}

// Section returns the object with a name in the form of decoded JSON, or nil.
func (s *Settings) Section(name string) any {
	n := s.root.valueAt(name)
	if k, ok := Find(name); ok && n == nil {
		n = s.findNode(k)
	}
	if n == nil {
		return nil
	}
	var v any
	if json.Unmarshal([]byte(n.span.Text(s.text)), &v) != nil {
		return nil
	}
	return v
}

// Has reports whether the file itself sets a key.
func (s *Settings) Has(name string) bool {
	k, ok := Find(name)
	if !ok {
		return false
	}
	asked := *k
	if strings.HasSuffix(k.Name, "*") {
		asked.Name = name
	}
	return s.findNode(&asked) != nil
}

// IsOn returns the value of a key that is true or false. The value of parallelization may also be an object that contains it.
func (s *Settings) IsOn(name string) bool {
	v, _ := s.Get(name)
	if m, ok := v.(map[string]any); ok {
		v, ok = m["enabled"]
		if !ok {
			v = true
		}
	}
	on, _ := v.(bool)
	return on
}

// Text returns the value of a key that is a string, or "".
func (s *Settings) Text(name string) string {
	v, _ := s.Get(name)
	text, _ := v.(string)
	return text
}

// Set returns the edits that give a key another value, in its place in the file. It returns none if the value is the same. It returns an
// error if there is no such key, if the key does not accept the value, or if the file cannot be read.
func (s *Settings) Set(name string, value any) ([]edit.Edit, error) {
	k, ok := Find(name)
	if !ok {
		return nil, fmt.Errorf("unknown key %.60s%s", name, suggestKey(name))
	}
	if s.Unreadable() {
		return nil, fmt.Errorf("config.json cannot be read: %w", s.problems[0])
	}
	b, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	written := string(b)
	n, perr := parseJSON(written)
	if perr != nil || !k.acceptsValue(n, written) {
		return nil, fmt.Errorf("%s: %.60s is not %s", name, written, k.Expected())
	}
	asked := *k
	if strings.HasSuffix(k.Name, "*") {
		asked.Name = name
	}
	if old := s.findNode(&asked); old != nil {
		if sameValue(old.span.Text(s.text), written) {
			return nil, nil
		}
		return []edit.Edit{{Span: old.span, New: written}}, nil
	}
	return s.insertKey(asked.Name, written)
}

func sameValue(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

// Number returns the value of a key that is a whole number, or 0.
func (s *Settings) Number(name string) int {
	switch v, _ := s.Get(name); n := v.(type) {
	case int:
		return n
	case float64:
		if n == float64(int(n)) {
			return int(n)
		}
	}
	return 0
}
