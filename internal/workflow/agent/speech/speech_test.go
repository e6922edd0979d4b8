package speech

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/agent/runtimes"
)

var update = flag.Bool("update", false, "write what is read of the payloads, and the replies")

// sample is a payload of a hook, with the variables of the process that runs it.
type sample struct {
	name     string
	declared runtimes.Runtime
	kind     agent.Kind
	raw      []byte
	env      map[string]bool
}

func (s *sample) getenv(name string) string {
	if s.env[name] {
		return "1"
	}
	return ""
}

// samples reads the payloads of a runtime. Their names begin with the kind of the event; words with a dollar sign are variables that are set.
func samples(t testing.TB, runtime string) (out []sample) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", runtime+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	r, ok := runtimes.Named(runtime)
	if !ok {
		t.Fatalf("there is no runtime %s", runtime)
	}
	for _, f := range archive.Files {
		words := strings.Fields(f.Name)
		s := sample{name: f.Name, declared: r, kind: agent.Kind(words[0]), raw: bytes.TrimSpace(f.Data), env: map[string]bool{}}
		for _, w := range words {
			if name, ok := strings.CutPrefix(w, "$"); ok {
				s.env[name] = true
			}
		}
		if !slices.Contains(agent.Kinds(), s.kind) || !json.Valid(s.raw) {
			t.Errorf("%s: %s is no event, or its payload no JSON", runtime, f.Name)
		}
		out = append(out, s)
	}
	return out
}

// spoken are the runtimes whose payloads are in testdata: all with hooks or a plugin.
func spoken() (names []string) {
	for _, r := range runtimes.All() {
		if r.Name == "claude" || r.Hooks != nil && r.Name != "kilo" { // which has the plugin of opencode
			names = append(names, r.Name)
		}
	}
	return names
}

// replies are replies that an event may have.
var replies = []struct {
	name string
	agent.Reply
}{
	{"nothing", agent.Reply{}},
	{"context", agent.Reply{Context: "<codebase-intelligence>\nList&lt;T&gt; and <T>\n</codebase-intelligence>"}},
	{"refusal", agent.Reply{Deny: "not \"yet\""}},
	{"go on", agent.Reply{Continue: agent.Continue{Reason: "one more"}}},
	{"notice", agent.Reply{Notice: "look"}},
}

// TestContracts: what is read of each payload, and how each reply is written, is that of testdata.
func TestContracts(t *testing.T) {
	for _, runtime := range spoken() {
		var b strings.Builder
		for _, s := range samples(t, runtime) {
			fmt.Fprintf(&b, "## %s\n", s.name)
			m, err := Decode(s.declared, s.kind, s.raw, s.getenv)
			if err != nil {
				fmt.Fprintf(&b, "fails: %v\n\n", err)
				continue
			}
			if m.Runtime.Name != runtime {
				fmt.Fprintf(&b, "sent by %s\n", m.Runtime.Name)
			}
			b.WriteString(facts(t, m))
			for _, r := range replies {
				if a, err := m.Encode(r.Reply); err != nil || len(a.Out)+a.Status > 0 {
					fmt.Fprintf(&b, "%s -> %s", r.name, a.Out)
					if a.Status > 0 {
						fmt.Fprintf(&b, " [exit %d] %q\n", a.Status, a.Err)
					}
				}
			}
			b.WriteString("\n")
		}
		golden := filepath.Join("testdata", runtime+".txt")
		if *update {
			if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(golden); err != nil || string(want) != b.String() {
			t.Errorf("%s differs (-update writes it), %v:\n%s", golden, err, b.String())
		}
	}
}

// facts writes the fields of an event that are set, a line each.
func facts(t *testing.T, m *Message) string {
	t.Helper()
	e := *m.Event
	e.Hash = [32]byte{}
	raw, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	all := fields{}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for name, v := range all {
		if isSet(v) && name != "Hash" && name != "Kind" {
			lines = append(lines, fmt.Sprintf("  %s: %s\n", name, v))
		}
	}
	slices.Sort(lines)
	if e.Kind != m.kind {
		lines = append(lines, fmt.Sprintf("  as %s\n", e.Kind))
	}
	if m.Repeats {
		lines = append(lines, "  may come again\n")
	}
	if m.Void {
		lines = append(lines, "  is none\n")
	}
	return strings.Join(lines, "")
}

// TestEvents: there is a payload of each event for which ken is registered, and each is read.
func TestEvents(t *testing.T) {
	for _, runtime := range spoken() {
		r, _ := runtimes.Named(runtime)
		seen := map[agent.Kind]bool{}
		for _, s := range samples(t, runtime) {
			if _, err := Decode(s.declared, s.kind, s.raw, s.getenv); err == nil {
				seen[s.kind] = true
			} else if !strings.Contains(s.name, "other event") {
				t.Errorf("%s, %s: %v", runtime, s.name, err)
			}
		}
		if seen[agent.Stop] { // the same payload
			seen[agent.StopAsync] = true
		}
		if r.Hooks == nil || len(seen) == 0 {
			continue
		}
		for _, e := range r.Hooks.Events {
			if !seen[e.Kind] {
				t.Errorf("%s: no payload of %s", runtime, e.Kind)
			}
		}
	}
}

// TestOnce: an event that comes twice, in the forms of two runtimes' hooks, is known to be the same.
func TestOnce(t *testing.T) {
	for _, c := range []struct{ sent, declared string }{{"vscode", "claude"}, {"vscode", "copilot"}, {"cursor", "claude"}, {"grok", "claude"}} {
		other, _ := runtimes.Named(c.declared)
		for _, s := range samples(t, c.sent) {
			one, err := Decode(s.declared, s.kind, s.raw, s.getenv)
			if err != nil {
				t.Fatal(err)
			}
			two, err := Decode(other, s.kind, s.raw, s.getenv)
			if err != nil {
				t.Errorf("%s run by %s, %s: %v", c.declared, c.sent, s.name, err)
				continue
			}
			if one.Hash != two.Hash || one.Session != two.Session || one.ToolUse != two.ToolUse || two.Runtime.Name != c.sent {
				t.Errorf("%s run by %s, %s: another event", c.declared, c.sent, s.name)
			}
		}
	}
	// Copilot CLI writes payloads in Claude Code's form for the hooks of its settings, and for those of VS Code.
	env := func(name string) string { return strings.Repeat("1", strings.Count("COPILOT_CLI", name)) }
	var hashes [][32]byte
	for _, declared := range []string{"claude", "copilot"} {
		r, _ := runtimes.Named(declared)
		raw := `{"hook_event_name":"SessionStart","session_id":"s","cwd":"/p","source":"startup"}`
		if declared == "copilot" {
			raw = `{"sessionId":"s","timestamp":1764150000000,"cwd":"/p","source":"startup"}`
		}
		m, err := Decode(r, agent.SessionStart, []byte(raw), env)
		if err != nil || m.Runtime.Name != "copilot" {
			t.Fatalf("%v %+v", err, m)
		}
		hashes = append(hashes, m.Hash)
	}
	if hashes[0] != hashes[1] {
		t.Error("a session that starts twice")
	}
}

// TestNative: Claude Code's own payloads and replies are those of package agent/claude, byte for byte.
func TestNative(t *testing.T) {
	r, _ := runtimes.Named("claude")
	paths, err := filepath.Glob("../claude/testdata/payloads/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no payloads: %v", err)
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range agent.Kinds() {
			want, failure := claude.Decode(kind, raw)
			m, err := Decode(r, kind, raw, func(string) string { return "" })
			if fmt.Sprint(failure) != fmt.Sprint(err) {
				t.Errorf("%s as %s: %v, want %v", path, kind, err, failure)
			}
			if err != nil {
				continue
			}
			if fmt.Sprintf("%+v", want) != fmt.Sprintf("%+v", m.Event) {
				t.Errorf("%s as %s: another event", path, kind)
			}
			for _, reply := range replies {
				a, err := m.Encode(reply.Reply)
				out, failure := claude.Encode(want, reply.Reply)
				if !bytes.Equal(a.Out, out) || a.Status != 0 || a.Err != "" || err != failure {
					t.Errorf("%s as %s, %s: %q, want %q", path, kind, reply.name, a.Out, out)
				}
			}
		}
	}
}

// TestNeverAllowed: no answer grants a permission, whatever the reply.
func TestNeverAllowed(t *testing.T) {
	for _, runtime := range spoken() {
		for _, s := range samples(t, runtime) {
			m, err := Decode(s.declared, s.kind, s.raw, s.getenv)
			if err != nil {
				continue
			}
			for _, r := range replies {
				a, err := m.Encode(r.Reply)
				if err != nil {
					t.Fatal(err)
				}
				for _, word := range []string{`"allow"`, `"approve"`, `"approved"`, `"continue":true`} {
					if strings.Contains(string(a.Out), word) {
						t.Errorf("%s, %s: %s", runtime, s.name, a.Out)
					}
				}
				if a.Status != 0 && r.Deny == "" {
					t.Errorf("%s, %s: status %d", runtime, s.name, a.Status)
				}
			}
		}
	}
}

// hostile are payloads that are no events. None may do harm.
func hostile() []string {
	deep := strings.Repeat(`{"tool_input":`, 2000) + "1" + strings.Repeat("}", 2000)
	return []string{
		"", "null", "7", "[]", `"x"`, "{", "\x00", "{}", "\xff\xfe{}", `{"session_id":7,"cwd":[],"tool_name":{},"tool_input":"x","tool_response":[[[]]]}`,
		`{"tool_name":"apply_patch","tool_input":{"command":"*** Update File: \u0000\n*** Add File:  \n"}}`, `{"tool_input":[],"toolArgs":"{","toolCall":[],"edits":{}}`,
		`{"session_id":"a\u0000b","cwd":"relative","prompt":"` + "\xff" + `"}`, deep, `{"tool_name":"edit","tool_input":{"file_path":"` + strings.Repeat("a/", 100_000) + `"}}`,
		`{"tool_name":"x","tool_input":{"files":[` + strings.Repeat(`"a",`, 50_000) + `"b"]}}`, `{"workspace_roots":["",7,null],"conversationId":{},"workspacePaths":"x"}`,
	}
}

// TestHostile: a payload that is no event is an error or an event of nothing, never a refusal.
func TestHostile(t *testing.T) {
	for _, r := range runtimes.All() {
		for _, raw := range hostile() {
			for _, kind := range agent.Kinds() {
				checkAnswers(t, r, kind, []byte(raw))
			}
		}
	}
}

// checkAnswers holds the answers to a payload to what all contracts have in common.
func checkAnswers(t *testing.T, r runtimes.Runtime, kind agent.Kind, raw []byte) {
	t.Helper()
	m, err := Decode(r, kind, raw, func(string) string { return "" })
	if err != nil {
		if m != nil {
			t.Errorf("%s %s: an event and an error", r.Name, kind)
		}
		return
	}
	if len(raw) < 1000 && len(m.Files) > len(raw) {
		t.Errorf("%s %s: %d files of %d bytes", r.Name, kind, len(m.Files), len(raw))
	}
	for _, reply := range replies {
		a, err := m.Encode(reply.Reply)
		if err != nil {
			t.Fatalf("%s %s: %v", r.Name, kind, err)
		}
		plain := m.hooks().Speech == runtimes.Kiro || m.hooks().Speech == runtimes.Augment
		if len(a.Out) > 0 && !plain && (!json.Valid(a.Out) || bytes.Count(a.Out, []byte("\n")) != 1) {
			t.Errorf("%s %s, %s: %q", r.Name, kind, reply.name, a.Out)
		}
		if a.Status != 0 && (reply.Deny == "" || kind != agent.BeforeTool) {
			t.Errorf("%s %s, %s: status %d", r.Name, kind, reply.name, a.Status)
		}
		if reply.Empty() && string(a.Out) != string(Neutral(m.Runtime, kind).Out) {
			t.Errorf("%s %s: %q for nothing", r.Name, kind, a.Out)
		}
	}
}

// FuzzDecode: whatever comes in, what goes out is an object of the runtime's form or nothing.
func FuzzDecode(f *testing.F) {
	for _, runtime := range spoken() {
		for _, s := range samples(f, runtime) {
			f.Add(runtime, string(s.kind), s.raw)
		}
	}
	for _, raw := range hostile() {
		if len(raw) < 1000 {
			f.Add("copilot", "post-tool-use", []byte(raw))
		}
	}
	f.Fuzz(func(t *testing.T, runtime, kind string, raw []byte) {
		if r, ok := runtimes.Named(runtime); ok {
			checkAnswers(t, r, agent.Kind(kind), raw)
		}
	})
}

// FuzzPatch: a patch names files of its own lines alone.
func FuzzPatch(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: a.go\n@@\n-a\n+b\n*** Move to: b.go\n*** End Patch")
	f.Add("+*** Add File: no\r\n*** Delete File: c.go\r\n*** Add File:  \n")
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := parsePatch(text)
		if ok != (len(p.files) > 0) {
			t.Errorf("%v with %d files", ok, len(p.files))
		}
		for _, name := range p.files {
			if name == "" || !strings.Contains(text, ": "+name) && !strings.Contains(text, name) {
				t.Errorf("%q is not in the patch", name)
			}
		}
		if len(p.written) > len(text)+1 {
			t.Errorf("%d bytes are written of %d", len(p.written), len(text))
		}
	})
}
