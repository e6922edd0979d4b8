package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"ken/bench/loopback"
	"ken/bench/world"
)

// stage is a project, the client that works in it, and the results of the checks.
type stage struct {
	home, bin, project string
	keep               string // for the logs of client, model and hooks
	client             loopback.Client
	model              *model

	sessions, checks, faults int
}

// projectFiles are those of the project, which is a Go module with a test that fails.
var projectFiles = map[string]string{
	"go.mod":         "module greet\n\ngo 1.26\n",
	"words/words.go": words,
	"main.go":        "package main\n\nimport \"greet/words\"\n\nfunc main() {\n\tprintln(words.Hello(\"you\"))\n\tprintln(words.Bye(\"you\"))\n}\n",
	"words/words_test.go": `package words

import "testing"

func TestHello(t *testing.T) {
	if got := Hello("you"); got != "Hello, you" {
		t.Error(got)
	}
}
`,
}

// The declarations of words/words.go.
const (
	hello = "// Hello greets somebody.\nfunc Hello(name string) string { return \"Hello \" + name }\n"
	bye   = "// Bye takes leave.\nfunc Bye(name string) string { return \"Bye \" + name }\n"
	words = "package words\n\n" + hello + "\n" + bye
	later = "// Later is for later.\nconst Later = 1\n" // of a file that is written later
)

// newStage returns a stage in a home folder, with the command line of the client. It fails if the settings cannot be written.
func newStage(home, bin, program, keep string, log io.Writer) (*stage, error) {
	w := &stage{home: home, bin: bin, keep: keep, project: filepath.Join(home, "greet")}
	settings, err := recordingSettings(home, keep)
	if err != nil {
		return nil, err
	}
	w.client = loopback.Client{
		Program: program, Dir: w.project, Log: log,
		Args: []string{
			"--allowedTools", "Bash,Edit,Write,Read,Grep,Glob,Agent", "--settings", settings, "--debug-file", filepath.Join(keep, "debug.log"),
		},
	}
	return w, nil
}

// startModel starts the model and puts the project under version control.
func (w *stage) startModel(ctx context.Context) (err error) {
	if w.model, err = startModel(w.newScript()); err != nil {
		return err
	}
	w.client.Env = loopback.Environment(w.home, w.bin, w.model.URL)
	for _, dir := range []string{"tmp", ".claude"} {
		if err := os.MkdirAll(filepath.Join(w.home, dir), 0o700); err != nil {
			return err
		}
	}
	if err := world.WriteFiles(w.project, projectFiles); err != nil {
		return err
	}
	if err := world.Commit(ctx, w.project, "Begin"); err != nil {
		return err
	}
	return world.WriteFiles(w.project, map[string]string{"CLAUDE.local.md": "Answer briefly.\n"})
}

// runCommand runs a program in the project with the client's environment and returns its output.
func (w *stage) runCommand(name string, args ...string) (string, error) {
	if name == "ken" {
		name = filepath.Join(w.bin, name)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = w.project, w.client.Env
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("%s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// beginRepository makes the project a repository without commits, on a branch.
func (w *stage) beginRepository(ctx context.Context, branch string) error {
	for _, args := range [][]string{{"init", "-q", "-b", branch}, {"config", "user.name", "dev"}, {"config", "user.email", "dev@example.com"}} {
		if _, err := world.Git(ctx, w.project, args...); err != nil {
			return err
		}
	}
	return nil
}

// installKen has the project indexed and ken installed in it for the client.
func (w *stage) installKen() error {
	for _, args := range [][]string{{"init"}, {"install", "claude", "--project", "--yes"}} {
		if _, err := w.runCommand("ken", args...); err != nil {
			return err
		}
	}
	return nil
}

// checkThat prints and counts one check, which is passed if ok is true.
func (w *stage) checkThat(ok bool, what string, args ...any) {
	w.checks++
	what = fmt.Sprintf(what, args...)
	if ok {
		fmt.Println("  ok    ", what)
		return
	}
	w.faults++
	fmt.Println("  FAILED", what)
}

// checkContains expects every one of some texts in another, and shows that if one is missing.
func (w *stage) checkContains(text, what string, parts ...string) {
	var missing []string
	for _, p := range parts {
		if !strings.Contains(text, p) {
			missing = append(missing, p)
		}
	}
	w.checkThat(missing == nil, "%s", what)
	if missing != nil {
		fmt.Printf("         missing %q in:\n%s\n", missing, indent(text))
	}
}

// checkWithout expects a text to be absent from another.
func (w *stage) checkWithout(text, what, part string) {
	w.checkThat(!strings.Contains(text, part), "%s", what)
	if strings.Contains(text, part) {
		fmt.Printf("         %q is in:\n%s\n", part, indent(text))
	}
}

// maxShown is how much of a text is shown where a check fails, in bytes.
const maxShown = 4000

func indent(text string) string {
	if len(text) > maxShown {
		text = text[:maxShown] + " …"
	}
	return "         | " + strings.ReplaceAll(text, "\n", "\n         | ")
}

// indexDeclares reports whether the index has a declaration of a name. It does not update the
// index first, as all commands of ken would.
func (w *stage) indexDeclares(name string) bool {
	conn, err := sqlite.OpenConn(filepath.Join(w.project, ".ken", "index.db"), sqlite.OpenReadOnly)
	if err != nil {
		return false
	}
	defer conn.Close()
	found := false
	err = sqlitex.Execute(conn, "SELECT 1 FROM code_entities WHERE name = ?", &sqlitex.ExecOptions{
		Args: []any{name}, ResultFunc: func(*sqlite.Stmt) error { found = true; return nil },
	})
	return err == nil && found
}

// sessionRecord is ken's record of a session, as `ken session show --json` prints it.
type sessionRecord struct {
	ID    string
	Ended bool
	Tests []struct {
		Command string
		Passed  bool
	}
	Files []struct{ Path, Change string }
	Notes []struct{ Kind, Text string }
	// Subagents is how many it started.
	Subagents int
	Prompts   int
	Tokens    int
}

// lastSession returns the session with the latest event.
func (w *stage) lastSession() (r sessionRecord) {
	out, err := w.runCommand("ken", "session", "show", "--json")
	var answer struct{ Sessions []sessionRecord }
	if err != nil || json.Unmarshal([]byte(out), &answer) != nil || len(answer.Sessions) == 0 {
		fmt.Println("         ken session show:", out, err)
		return r
	}
	return answer.Sessions[0]
}

// testResult returns the recorded result of a test run: passed, failed, or "" if none is recorded.
func (w *stage) testResult(command string) string {
	for _, t := range w.lastSession().Tests {
		if t.Command == command {
			return map[bool]string{true: "passed", false: "failed"}[t.Passed]
		}
	}
	return ""
}

// filesHolding returns the files in .ken and in ken's state directory that contain a text.
func (w *stage) filesHolding(text string) (out []string, err error) {
	for _, dir := range []string{filepath.Join(w.project, ".ken"), filepath.Join(w.home, "state")} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if bytes.Contains(data, []byte(text)) {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// snapshot returns the kind and content of each path in a folder. It leaves out git's index
// file, because reading the tree changes it, and .ken, which the client does not change.
func snapshot(root string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		switch {
		case rel == ".ken":
			return filepath.SkipDir
		case rel == filepath.Join(".git", "index"):
		case d.IsDir():
			out[rel] = "folder"
		default:
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			out[rel] = "file " + string(data)
		}
		return nil
	})
	return out, err
}

// differingPaths returns the paths at which two snapshots differ.
func differingPaths(a, b map[string]string) (out []string) {
	for path, was := range a {
		if now, ok := b[path]; !ok || now != was {
			out = append(out, path)
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			out = append(out, path)
		}
	}
	return out
}

// keepRequests writes the requests to the model into a file.
func (w *stage) keepRequests(path string) {
	var b bytes.Buffer
	for _, q := range w.model.requestsSoFar() {
		b.Write(q.Raw)
		b.WriteByte('\n')
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Println(err)
	}
}
