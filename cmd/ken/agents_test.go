//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// agentShop is a project with an index, in a home of its own.
type agentShop struct {
	t         *testing.T
	dir, root string
}

func newAgentShop(t *testing.T) *agentShop {
	s := &agentShop{t, t.TempDir(), ""}
	s.root = filepath.Join(s.dir, "repo")
	for name, text := range map[string]string{"repo/a.py": "def upload():\n    pass\n", "home/.keep": ""} {
		s.put(name, []byte(text))
	}
	s.ken("", "init")
	return s
}

func (s *agentShop) put(name string, text []byte) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *agentShop) get(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// ken runs ken and returns what it says; a hook that fails or writes to standard error fails
// the test.
func (s *agentShop) ken(in string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command("ken", args...)
	cmd.Dir, cmd.Stdin = s.root, strings.NewReader(in)
	cmd.Env = append(os.Environ(), "HOME="+filepath.Join(s.dir, "home"), "KEN_STATE="+filepath.Join(s.dir, "state"), "XDG_CONFIG_HOME=", "CLAUDE_CONFIG_DIR=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if (err != nil || stderr.Len() > 0) && args[0] != "doctor" {
		s.t.Errorf("ken %v: %v %s", args, err, stderr.String())
	}
	return string(out)
}

func (s *agentShop) sql(file, statement string) {
	s.t.Helper()
	c, err := sqlite.OpenConn(filepath.Join(s.root, ".ken", file), sqlite.OpenReadWrite)
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	if err := sqlitex.ExecuteScript(c, statement, nil); err != nil {
		s.t.Fatal(err)
	}
}

// version is the number of a database's layout.
func (s *agentShop) version(file string) (n int) {
	s.t.Helper()
	c, err := sqlite.OpenConn(filepath.Join(s.root, ".ken", file), sqlite.OpenReadOnly)
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	err = sqlitex.ExecuteTransient(c, "PRAGMA user_version", &sqlitex.ExecOptions{ResultFunc: func(st *sqlite.Stmt) error {
		n = st.ColumnInt(0)
		return nil
	}})
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// TestOtherVersions: of a memory that another version of ken wrote nothing is lost and nothing
// read; what happens meanwhile is written down and applied later. An index of another version
// is made anew, but no agent waits for that.
func TestOtherVersions(t *testing.T) {
	s := newAgentShop(t)
	prompt := func(i int) string {
		return fmt.Sprintf(`{"session_id":"s1","prompt_id":"p%d","hook_event_name":"UserPromptSubmit","prompt":"upload %d"}`, i, i)
	}
	s.ken(prompt(0), "hook", "claude", "user-prompt-submit")
	version := s.version("memory.db")
	s.sql("memory.db", "PRAGMA user_version=99")
	for i := range 3 {
		if out := s.ken(prompt(1+i), "hook", "claude", "user-prompt-submit"); out != "" {
			t.Errorf("said %q", out)
		}
	}
	if n := strings.Count(s.get("state/hooks.log"), "another version of ken wrote"); n != 3 {
		t.Errorf("%d lines of 3 in the log:\n%s", n, s.get("state/hooks.log"))
	}
	if out := s.ken("", "doctor"); !strings.Contains(out, "another version of ken wrote") {
		t.Errorf("doctor says\n%s", out)
	}
	s.sql("memory.db", fmt.Sprint("PRAGMA user_version=", version))
	s.ken(prompt(4), "hook", "claude", "user-prompt-submit")
	if out := s.ken("", "session", "show", "--json"); !strings.Contains(out, `"prompts":5`) {
		t.Errorf("not all prompts were counted: %s", out)
	}

	s.sql("index.db", "PRAGMA user_version=3")
	if out := s.ken("", "doctor"); !strings.Contains(out, "another version of ken made .ken/index.db (schema 3,") {
		t.Errorf("doctor says\n%s", out)
	}
	s.ken(`{"session_id":"s1","hook_event_name":"PostToolUse","tool_name":"Edit","tool_use_id":"t1","tool_input":{"file_path":"a.py"}}`, "hook", "claude", "post-tool-use")
	s.ken(`{"session_id":"s1","hook_event_name":"Stop"}`, "hook", "claude", "stop-async")
	if out := s.ken("", "def", "upload"); !strings.Contains(out, "a.py:1") {
		t.Errorf("%q", out)
	}
}

// TestHugeSettings: settings of 20 MB are installed into, tried and taken out of in seconds,
// byte for byte, and a status line reads them at each turn.
func TestHugeSettings(t *testing.T) {
	s := newAgentShop(t)
	var b bytes.Buffer
	b.WriteString("{\n  // mine\n  \"statusLine\": {\"type\": \"command\", \"command\": \"echo mine\"},\n  \"permissions\": {\"allow\": [\n")
	for i := range 950_000 {
		fmt.Fprintf(&b, "    \"Bash(x%d *)\",\n", i)
	}
	b.WriteString("  ]},\n}\n")
	before := b.String()
	const settings = "home/.claude/settings.json"
	s.put(settings, []byte(before))
	start := time.Now()
	s.ken("", "install", "claude", "--user", "--yes")
	if !strings.Contains(s.get(settings), `"stop-async"`) {
		t.Error("nothing was installed")
	}
	if out := s.ken(`{"session_id":"s1","model":{"display_name":"Opus"}}`, "statusline"); out != "mine\nOpus │ repo\n" {
		t.Errorf("the status line is %q", out)
	}
	if out := s.ken("", "doctor"); strings.Contains(out, "problem") {
		t.Errorf("doctor says\n%s", out)
	}
	s.ken("", "uninstall", "claude", "--user", "--yes")
	if s.get(settings) != before {
		t.Error("not every byte came back")
	}
	if took := time.Since(start); took > 2*time.Minute {
		t.Errorf("it took %v", took)
	}
}

// TestStrangePayloads: what is too large, cut off, never ends or is of files elsewhere leaves
// the agent alone, and is in the log where it is a fault. Nothing outside of the project is
// written.
func TestStrangePayloads(t *testing.T) {
	s := newAgentShop(t)
	s.put("other/o.py", []byte("def other():\n    pass\n"))
	edit := func(path string) string {
		return fmt.Sprintf(`{"session_id":"s1","cwd":%q,"hook_event_name":"PostToolUse","tool_name":"Edit","tool_use_id":%q,"tool_input":{"file_path":%q}}`, s.root, path, path)
	}
	for name, c := range map[string]struct{ event, in, logged string }{
		"huge":               {"user-prompt-submit", `{"session_id":"s1","prompt":"` + strings.Repeat("x", 9<<20) + `"}`, "larger than 8 MB"},
		"cut off":            {"stop", `{"session_id":"s1","hook_event_name":"St`, "read the payload"},
		"empty":              {"stop", "", "read the payload"},
		"a list":             {"stop", "[]", "read the payload"},
		"elsewhere":          {"post-tool-use", edit(filepath.Join(s.dir, "other", "o.py")), ""},
		"above":              {"post-tool-use", edit("../../../../../../etc/passwd"), ""},
		"a directory":        {"post-tool-use", edit(s.root), ""},
		"a name with a zero": {"post-tool-use", `{"session_id":"s1","hook_event_name":"PostToolUse","tool_name":"Edit","tool_use_id":"z","tool_input":{"file_path":"a\u0000.py"}}`, ""},
		"nowhere":            {"session-start", `{"session_id":"s1","hook_event_name":"SessionStart","cwd":"/no/such/directory"}`, ""},
	} {
		os.Remove(filepath.Join(s.dir, "state", "hooks.log"))
		if out := s.ken(c.in, "hook", "claude", c.event); out != "" {
			t.Errorf("%s: said %q", name, out)
		}
		log, _ := os.ReadFile(filepath.Join(s.dir, "state", "hooks.log"))
		if c.logged != "" && strings.Count(string(log), c.logged) != 1 || strings.Contains(string(log), "panic") {
			t.Errorf("%s: the log is %q", name, log)
		}
	}
	if list, err := os.ReadDir(filepath.Join(s.dir, "other")); err != nil || len(list) != 1 {
		t.Errorf("%d files elsewhere", len(list))
	}

	cmd := exec.Command("ken", "hook", "claude", "stop")
	cmd.Dir = s.root
	cmd.Env = append(os.Environ(), "HOME="+filepath.Join(s.dir, "home"), "KEN_STATE="+filepath.Join(s.dir, "state"), "XDG_CONFIG_HOME=")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	start := time.Now()
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took < 2*time.Second || took > 20*time.Second {
		t.Errorf("a payload that does not end was waited for for %v", took)
	}
	if !strings.Contains(s.get("state/hooks.log"), "did not end within 3 seconds") {
		t.Errorf("the log is %q", s.get("state/hooks.log"))
	}
}
