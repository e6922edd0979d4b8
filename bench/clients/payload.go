package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/bench/world"
)

// recorder is the argument with which this program is called as a hook.
const recorder = "record"

// statusRecorder is the argument with which this program is called as the user's own status line.
const statusRecorder = "status"

// recordedEvents are the events whose payloads are kept: all for which ken has hooks.
var recordedEvents = []string{
	"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "SubagentStart", "SubagentStop", "PreCompact", "Stop", "SessionEnd",
}

// recordPayload writes the payload of one event into a file of its own. Its name sorts by time.
func recordPayload(dir string) {
	raw, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, strconv.FormatInt(time.Now().UnixNano(), 10)+"-"+strconv.Itoa(os.Getpid())), raw, 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// recordingSettings writes settings into the folder home with which the client has this
// program write the payload of every event into a folder below keep.
func recordingSettings(home, keep string) (string, error) {
	dir := filepath.Join(keep, recorder)
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	hooks := map[string]any{}
	for _, event := range recordedEvents {
		hooks[event] = []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": self, "args": []string{recorder, dir}}}}}
	}
	settings, err := json.Marshal(map[string]any{"hooks": hooks})
	if err != nil {
		return "", err
	}
	path := filepath.Join(home, "recording.json")
	return path, os.WriteFile(path, settings, 0o600)
}

// testdata is where the payloads are kept.
const testdata = "internal/workflow/agent/claude/testdata/payloads"

// testPayloads returns the payloads of the test data.
func testPayloads() (map[string]any, error) {
	paths, err := filepath.Glob(filepath.Join(testdata, "*.json"))
	out := map[string]any{}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out[strings.TrimSuffix(filepath.Base(path), ".json")] = v
	}
	return out, err
}

// rewriteTestPayloads replaces the test data.
func rewriteTestPayloads(payloads map[string]any) error {
	files := map[string]string{}
	for name, v := range payloads {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(v); err != nil {
			return err
		}
		files[name+".json"] = b.String()
	}
	return errors.Join(os.RemoveAll(testdata), world.WriteFiles(testdata, files))
}

// payloadName names a payload by its event and by the fields that distinguish payloads of one event.
func payloadName(v map[string]any) string {
	if v["hook_event_name"] == nil {
		if window, ok := v["context_window"].(map[string]any); ok && window["used_percentage"] != nil {
			return "StatusLine-used"
		}
		return "StatusLine"
	}
	name := fmt.Sprint(v["hook_event_name"])
	for _, key := range []string{"source", "tool_name", "trigger", "reason"} {
		if s, ok := v[key].(string); ok {
			name += "-" + s
		}
	}
	if v["agent_id"] != nil && v["tool_name"] != nil {
		name += "-agent"
	}
	if v["agent_type"] == "" {
		name += "-compaction"
	}
	if in, ok := v["tool_input"].(map[string]any); ok && in["run_in_background"] == true {
		name += "-background"
	}
	return name
}

// withoutVarying replaces values that differ in every run, times and durations.
func withoutVarying(v map[string]any) map[string]any {
	for name, value := range v {
		switch x := value.(type) {
		case map[string]any:
			withoutVarying(x)
		case float64:
			key := strings.ToLower(name)
			if strings.HasSuffix(key, "ms") || strings.HasSuffix(key, "usd") || strings.Contains(key, "token") || strings.Contains(key, "seconds") {
				v[name] = 5
			}
		}
	}
	return v
}

// fieldPaths returns the paths of all fields of a value, sorted, without the values. Items of
// lists are left out, because their number depends on time.
func fieldPaths(v any) []string {
	var out []string
	var walk func(path string, v any)
	walk = func(path string, v any) {
		out = append(out, path)
		if fields, ok := v.(map[string]any); ok {
			for key, value := range fields {
				walk(path+"."+key, value)
			}
		}
	}
	walk("", v)
	slices.Sort(out)
	return out
}

// neutralizer replaces values of this machine in payloads: folders by neutral names, random
// ids by numbers in order of appearance.
type neutralizer struct {
	folders *strings.Replacer
	ids     map[string]string
}

func newNeutral(home string) *neutralizer {
	slug := strings.NewReplacer("/", "-", ".", "-", "_", "-")
	return &neutralizer{ids: map[string]string{}, folders: strings.NewReplacer(
		home, "/home/dev", slug.Replace(home), "-home-dev",
	)}
}

var (
	uuid    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	agentID = regexp.MustCompile(`\b(?:a[0-9a-f]{16}|[ab][0-9a-z]{8}|acompact-[0-9a-f]+)\b`)
)

func (n *neutralizer) replaceNames(raw []byte) []byte {
	raw = []byte(n.folders.Replace(string(raw)))
	raw = uuid.ReplaceAllFunc(raw, func(id []byte) []byte { return n.replaceID(id, "00000000-0000-4000-8000-%012d") })
	return agentID.ReplaceAllFunc(raw, func(id []byte) []byte { return n.replaceID(id, "a%016d") })
}

func (n *neutralizer) replaceID(id []byte, form string) []byte {
	if n.ids[string(id)] == "" {
		n.ids[string(id)] = fmt.Sprintf(form, len(n.ids)+1)
	}
	return []byte(n.ids[string(id)])
}
