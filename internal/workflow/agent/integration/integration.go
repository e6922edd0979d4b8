// Package integration makes the plans with which ken is put into a runtime of agents, out of the runtime's description: its server, hooks
// or plugin, skills and rules. Its neighbours are agent/runtimes, which has the descriptions, agent/claude, which makes those of Claude
// Code, and install, which carries plans out.
package integration

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"ken/internal/operation"
	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/agent/skills"
	"ken/internal/workflow/install"
)

// Scope is the range of an installation.
type Scope string

// The scopes. Most runtimes have no settings of one user in one project.
const (
	Project Scope = "project"
	User    Scope = "user"
)

// Options are the facts on which an installation depends. Paths are absolute.
type Options struct {
	Scope  Scope
	Root   string // of the project; unused for User
	Home   string // of the user
	Getenv func(string) string
	Ken    string // path of the program
	Shell  string // how a shell calls ken: its name if it is in PATH, else its path
	Core   bool   // no other skill than the one for questions
	// Portable: nothing names a path of this machine. Ken and Shell are names then.
	Portable bool
	// System is that of the machine, as in runtime.GOOS; "" is the present one.
	System string
	// Experimental: hooks that are not sure to be called as described are written, too.
	Experimental bool
}

// UserFolder returns the folder of the settings of a user. It fails if the runtime has none, or a variable names no absolute path.
func UserFolder(r runtimes.Runtime, o Options) (string, error) {
	o.Scope = User
	f := &filler{product: r, Options: o}
	err := f.setBase()
	return f.base, err
}

// Plans returns the plans of an installation: that of the runtime, and one for each file that other runtimes use as well, which stays as
// long as one of them is installed. It fails with ErrNothing if
// the runtime has nothing there, if it has no such scope, or a value cannot be encoded.
func Plans(r runtimes.Runtime, o Options) ([]*install.Plan, error) {
	f := &filler{product: r, Options: o}
	if err := f.setBase(); err != nil {
		return nil, err
	}
	f.own = f.newPlan(r.Name)
	for _, add := range []func() error{f.addServer, f.addHooks, f.addPlugin, f.addSkills, f.addRules} {
		if err := add(); err != nil {
			return nil, err
		}
	}
	if f.own.IsEmpty() && len(f.shared) == 0 {
		return nil, fmt.Errorf("%w for %s with --%s", ErrNothing, r.Title, o.Scope)
	}
	return append([]*install.Plan{f.own}, f.shared...), nil
}

// ErrNothing is returned for a scope of a runtime in which there is nothing to write.
var ErrNothing = errors.New("there is nothing that ken can write")

// Name returns the name of the record of an installation.
func Name(runtime string, s Scope) string { return runtime + "-" + string(s) }

// filler makes the plans of one installation.
type filler struct {
	Options
	product runtimes.Runtime
	base    string // the folder that Place.User begins in, or the project
	own     *install.Plan
	shared  []*install.Plan
}

// setBase finds the folder of the settings. It fails if the runtime has none, or a variable names no absolute path.
func (f *filler) setBase() error {
	if f.Scope == Project {
		f.base = f.Root
		return nil
	}
	h := f.product.Home
	for _, name := range h.Env {
		if dir := f.Getenv(name); dir != "" {
			if !filepath.IsAbs(dir) {
				return fmt.Errorf("%s is %s; it must be an absolute path", name, operation.Quote(dir))
			}
			f.base = filepath.Clean(dir)
			return nil
		}
	}
	switch {
	case h.Windows != "" && f.isWindows() && f.Getenv("APPDATA") != "":
		f.base = filepath.Join(f.Getenv("APPDATA"), filepath.FromSlash(h.Windows))
	case h.Conf != "":
		config := f.Getenv("XDG_CONFIG_HOME")
		if !filepath.IsAbs(config) {
			config = filepath.Join(f.Home, ".config")
		}
		f.base = filepath.Join(config, h.Conf)
	case h.Dir != "":
		f.base = filepath.Join(f.Home, h.Dir)
	default:
		return fmt.Errorf("%s has no settings for all projects of a user: --project is the only scope", f.product.Title)
	}
	return nil
}

// newPlan returns an empty plan.
func (f *filler) newPlan(name string) *install.Plan {
	p := &install.Plan{Name: Name(name, f.Scope), Root: f.base, Within: []string{f.Root}}
	if f.Scope == User {
		p.Within = []string{f.Home, nearestExisting(f.base)}
	}
	return p
}

// nearestExisting returns the nearest existing folder at or above a path.
func nearestExisting(dir string) string {
	for {
		if st, err := os.Stat(dir); err == nil && st.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// path returns the path of a place in the scope, "" if the runtime has none.
func (f *filler) path(p runtimes.Place) string {
	at := p.Project
	if f.Scope == User {
		at = p.User
		if below, ok := strings.CutPrefix(at, "~/"); ok {
			return filepath.Join(f.Home, filepath.FromSlash(below))
		}
	}
	if at == "" {
		return ""
	}
	return filepath.Join(f.base, filepath.FromSlash(at))
}

// settingsPath returns the path of a file of settings. A program that reads JSON with comments may have it under that name.
func (f *filler) settingsPath(p runtimes.Place) string {
	at := f.path(p)
	if strings.HasSuffix(at, ".json") {
		if st, err := os.Stat(at + "c"); err == nil && st.Mode().IsRegular() {
			return at + "c"
		}
	}
	return at
}

// ken returns how files of the scope call ken: by its name in a project, because other users have it in another place.
func (f *filler) ken() string {
	switch {
	case f.Scope == Project:
		return "ken"
	case f.isWindows(): // programs and shells of all kinds take such a path there
		return strings.ReplaceAll(f.Ken, `\`, "/")
	}
	return f.Ken
}

func (f *filler) isWindows() bool {
	if f.System == "" {
		return runtime.GOOS == "windows"
	}
	return f.System == "windows"
}

// shell returns how texts call ken.
func (f *filler) shell() string {
	if f.Scope == Project {
		return "ken"
	}
	return f.Shell
}

// settings returns the settings of a file in the plan, of which there is one item, whatever is added to it.
func (f *filler) settings(path, what string) *install.Settings {
	for i := range f.own.Settings {
		if s := &f.own.Settings[i]; s.Path == path {
			s.What += ", " + what
			return s
		}
	}
	f.own.Settings = append(f.own.Settings, install.Settings{Path: path, What: what})
	return &f.own.Settings[len(f.own.Settings)-1]
}

func (f *filler) addServer() error {
	s := f.product.Server
	if s == nil || f.path(s.Place) == "" {
		return nil
	}
	if s.Format == runtimes.TOML {
		keys := append(append([]string{}, s.Keys...), "ken")
		text := fmt.Sprintf("[%s]\ncommand = %s\nargs = [\"mcp\"]", strings.Join(keys, "."), tomlString(f.ken()))
		f.own.Tables = append(f.own.Tables, install.Table{Path: f.path(s.Place), What: "MCP server", Keys: keys, Text: text})
		return nil
	}
	argv := []string{f.ken(), "mcp"}
	value, err := encode(serverValue(s.Shape, argv))
	if err != nil {
		return err
	}
	if s.Format == runtimes.YAML {
		f.own.Members = append(f.own.Members, install.Member{
			Path: f.path(s.Place), What: "MCP server", Key: s.Keys[0], Name: "ken", Argv: argv, Value: value,
		})
		return nil
	}
	to := f.settings(f.settingsPath(s.Place), "MCP server")
	to.Entries = append(to.Entries, install.Entry{Keys: s.Keys, Name: "ken", Argv: argv, Value: value})
	return nil
}

func serverValue(shape runtimes.ServerShape, argv []string) any {
	type server struct {
		Type    string   `json:"type,omitempty"`
		Command any      `json:"command"`
		Args    []string `json:"args,omitempty"`
		Tools   []string `json:"tools,omitempty"`
		Enabled bool     `json:"enabled,omitempty"`
	}
	switch shape {
	case runtimes.StdioArgs:
		return server{Type: "stdio", Command: argv[0], Args: argv[1:]}
	case runtimes.LocalArgs:
		return server{Type: "local", Command: argv[0], Args: argv[1:], Tools: []string{"*"}}
	case runtimes.LocalCommand:
		return server{Type: "local", Command: argv, Enabled: true}
	case runtimes.ExtensionArgs:
		const timeout = 300 // seconds, the program's own default
		return extension{Name: "ken", Type: "stdio", Cmd: argv[0], Args: argv[1:], Envs: map[string]string{}, Enabled: true, Timeout: timeout}
	}
	return server{Command: argv[0], Args: argv[1:]}
}

// extension is a server in the form of Goose.
type extension struct {
	Name    string            `json:"name"`
	Type    string            `json:"type"`
	Cmd     string            `json:"cmd"`
	Args    []string          `json:"args"`
	Envs    map[string]string `json:"envs"`
	Enabled bool              `json:"enabled"`
	Timeout int               `json:"timeout"`
}

// tomlString returns a string of TOML. Its escapes are those of JSON.
func tomlString(s string) string {
	b, _ := encode(s) // a string can be encoded
	return string(b)
}

// encode returns v as JSON that keeps < and > as they are.
func encode(v any) (json.RawMessage, error) {
	b, err := encodeWith(v, "")
	return bytes.TrimSpace(b), err
}

// encodeLines returns v as the text of a file of JSON.
func encodeLines(v any) ([]byte, error) { return encodeWith(v, "  ") }

func encodeWith(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// timeout returns the longest time of a hook in seconds. After it a runtime goes on without an answer; ken's own limits are far below.
func timeout(k agent.Kind) int {
	switch k {
	case agent.SessionStart, agent.AfterTool, agent.BeforeCompact:
		return 10
	case agent.SessionEnd: // Codex allows no more
		return 3
	case agent.StopAsync:
		return 60
	}
	return 5
}

// addPlugin adds the source that calls ken.
func (f *filler) addPlugin() error {
	p := f.product.Plugin
	if p == nil || f.path(p.Place) == "" {
		return nil
	}
	text := strings.Replace(p.Text, `"KEN"`, tomlString(f.ken()), 1)
	text = strings.Replace(text, "RUNTIME", f.product.Name, 1)
	f.own.Files = append(f.own.Files, install.File{Path: f.path(p.Place), Data: []byte(text), What: "plugin"})
	return nil
}

// addSkills adds the skills: to the plan of the runtime, or to one of their own if other runtimes read the same folder.
func (f *filler) addSkills() error {
	dir := f.path(f.product.Skills)
	if dir == "" {
		return nil
	}
	to := f.own
	if f.isShared(func(r *runtimes.Runtime) runtimes.Place { return r.Skills }) {
		to = f.newPlan("skills")
		to.Root = dir
		f.shared = append(f.shared, to)
	}
	for _, k := range skills.Chosen(f.Core) {
		file := install.File{Path: filepath.Join(dir, k.Name, "SKILL.md"), Data: []byte(k.Called(f.shell())), What: "skill " + k.Name}
		to.Files = append(to.Files, file)
	}
	return nil
}

func (f *filler) addRules() error {
	at := f.path(f.product.Rules)
	if at == "" {
		return nil
	}
	to := f.own
	if f.isShared(func(r *runtimes.Runtime) runtimes.Place { return r.Rules }) {
		to = f.newPlan("rules")
		to.Root = at
		f.shared = append(f.shared, to)
	}
	text := skills.Rules(f.Scope == User, f.shell())
	to.Blocks = append(to.Blocks, install.Block{Path: at, What: "rules", Begin: skills.RulesBegin, End: skills.RulesEnd, Text: text})
	return nil
}

// isShared reports whether another runtime has the same place in the scope.
func (f *filler) isShared(place func(*runtimes.Runtime) runtimes.Place) bool {
	at := f.path(place(&f.product))
	for _, r := range runtimes.All() {
		other := &filler{product: r, Options: f.Options}
		if r.Name != f.product.Name && other.setBase() == nil && other.path(place(&r)) == at {
			return true
		}
	}
	return false
}
