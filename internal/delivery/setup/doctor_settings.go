package setup

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/delivery/project"
	"ken/internal/operation"
	"ken/internal/workflow/agent"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/install"
)

// examination is one run of the operation.
type examination struct {
	env       *env
	options   claude.Options
	installer *install.Installer
	project   *project.Project // nil if there is none here
	missing   error            // why
	self      os.FileInfo
	trials    []trial
	answer    doctorAnswer
}

// begin finds out where this is.
func begin(e *env) (*examination, error) {
	x := &examination{env: e, answer: doctorAnswer{Hooks: []Hook{}, Checks: []Check{}, Faults: []Logged{}}}
	var state string
	var err error
	if x.options, state, err = Surroundings(e); err != nil {
		return nil, err
	}
	if x.project, x.missing = project.Open(e, operation.Existing); x.missing == nil {
		x.answer.Root = x.project.Root
	}
	x.installer = &install.Installer{State: state}
	x.self, err = os.Stat(x.options.Ken)
	return x, err
}

func (x *examination) say(about, state, format string, args ...any) {
	x.answer.Checks = append(x.answer.Checks, Check{about, state, fmt.Sprintf(format, args...)})
}

// off is the variable that turns the hooks off; delivery/hook reads it.
const off = "KEN_NO_HOOKS"

// program looks at ken itself.
func (x *examination) program() {
	inPath, err := x.inPath()
	switch {
	case err != nil:
		x.say("program", note, "this is %s; there is no ken in PATH, so commands have to name its path", operation.Quote(x.options.Ken))
	case !x.isSelf(inPath):
		x.say("program", note, "this is %s; the ken in PATH is another one, %s", operation.Quote(x.options.Ken), operation.Quote(inPath))
	default:
		x.say("program", good, "%s", inPath)
	}
	if x.env.Getenv(off) != "" {
		x.say("program", problem, "%s is set here: where it is, hooks do nothing", off)
	}
}

var errNotInPath = errors.New("it is not in PATH")

// inPath returns the ken that is started by its name.
func (x *examination) inPath() (string, error) {
	for _, dir := range filepath.SplitList(x.env.Getenv("PATH")) {
		path := filepath.Join(dir, "ken"+filepath.Ext(x.options.Ken))
		if st, err := os.Stat(path); err == nil && filepath.IsAbs(path) && !st.IsDir() {
			return path, nil
		}
	}
	return "", errNotInPath
}

func (x *examination) isSelf(path string) bool {
	st, err := os.Stat(path)
	return err == nil && os.SameFile(st, x.self)
}

// sources reads all settings that name ken.
func (x *examination) sources() {
	list := x.options.Sources()
	known, err := x.installer.List()
	if err != nil {
		x.say("settings", problem, "%v", err)
	}
	for _, k := range known {
		if !k.Complete {
			x.say("settings", problem, "the installation %s for %s was broken off; \"ken install\" again finishes it", k.Name, operation.Quote(k.Root))
		}
		if st, err := os.Stat(k.Root); k.Name == claude.PluginName && err == nil && st.IsDir() {
			list = append(list, claude.PluginHooks(k.Root))
		}
	}
	var in []string // sources with hooks of ken
	var lines []string
	for _, s := range list {
		hooks, line := x.source(s)
		if hooks {
			in = append(in, s.Name)
		}
		if line {
			lines = append(lines, s.Name)
		}
	}
	x.together(in, lines)
	if len(lines) > 0 && claude.UserStatusLine(x.installer, x.options) != "" {
		x.say("status line", note, "your own is shown before ken's; it was not run")
	}
}

// together checks the sources of settings against each other.
func (x *examination) together(in, lines []string) {
	plugin := slices.Contains(in, "plugin")
	switch {
	case len(in) == 0:
		x.say("settings", problem, "no settings that Claude Code reads here name a hook of ken; \"ken install claude\" puts them in")
	case plugin && len(in) > 1:
		x.say("plugin", problem, "ken is in settings (%s) and a plugin: every hook runs twice where both are loaded; take one out with \"ken uninstall claude\"",
			strings.Join(in[:len(in)-1], ", "))
	case len(in) > 1:
		x.say("settings", note, "ken is in the settings of %s: each event is handled once, and the other process ends with nothing said", strings.Join(in, " and "))
	}
	if plugin {
		x.say("plugin", note, "a plugin can bring neither a status line nor rules: without settings, ken does not know how full a context is")
		x.say("plugin", unchecked, "whether Claude Code loads the plugin is for Claude Code to say (/plugin)")
	}
	x.say("settings", unchecked, "what else Claude Code may load (other plugins, --settings, skills, agents%s) was not looked at", x.unread())
	if len(in) > 0 && len(lines) == 0 {
		x.say("status line", note, "no settings have ken's status line, so agents are not warned when their context fills up")
	}
}

// unread names the settings of an administrator where it is not known where they are.
func (x *examination) unread() string {
	if slices.ContainsFunc(x.options.Sources(), func(s claude.Source) bool { return s.Name == "managed" }) {
		return ""
	}
	return ", settings of an administrator"
}

// since adds a note if no session has begun since settings were changed: running ones may not have read them.
func (x *examination) since(s claude.Source) {
	st, err := os.Stat(s.Path)
	if err != nil || x.project == nil || x.project.Events == nil {
		return
	}
	if at, ok := x.project.Events.Last(string(agent.SessionStart)); !ok || at.Before(st.ModTime()) {
		x.say("settings", note, "no session of Claude Code is known to have begun here since %s was changed", s.Path)
	}
}

// source reads one file of settings and notes its problems. It reports whether there are hooks of ken in it, and its status line.
func (x *examination) source(s claude.Source) (hooks, line bool) {
	calls, err := s.Calls()
	if errors.Is(err, fs.ErrNotExist) {
		return false, false
	}
	if err != nil {
		x.say("settings", problem, "%s: %v", s.Path, err)
		return false, false
	}
	if calls.Off != "" && (s.Name == "managed" || calls.Off == "disableAllHooks") {
		x.say("settings", problem, "%s: %s is true, so Claude Code runs no hook of ken", s.Path, calls.Off)
	}
	for _, c := range calls.Ken {
		hooks, line = hooks || c.Event != "", line || c.Event == ""
		event := string(c.Kind)
		if c.Event == "" {
			event = statusEvent
		}
		h := Hook{Settings: s.Name, Event: event, Program: c.Program, State: unchecked, Last: x.last(event)}
		path := ""
		if path, h.State, h.Answer = x.resolve(c); path != "" {
			h.State, h.Answer = unchecked, "not run"
		}
		if h.Event == "" {
			h.Event = c.Event
		}
		if path != "" {
			x.trials = append(x.trials, trial{path: path, hook: len(x.answer.Hooks)})
		}
		x.answer.Hooks = append(x.answer.Hooks, h)
	}
	if !hooks {
		return hooks, line
	}
	for _, kind := range claude.Missing(calls.Ken) {
		x.answer.Hooks = append(x.answer.Hooks, Hook{Settings: s.Name, Event: string(kind), State: problem, Last: x.last(string(kind)),
			Answer: "it is not registered; \"ken install claude\" again adds it"})
	}
	x.since(s)
	x.say("settings", note, "%s: %s of ken, %s of other programs, which are not run", s.Path,
		operation.Plural(len(calls.Ken), "command"), operation.Plural(calls.Others, "hook"))
	if calls.OtherStatusLine {
		x.say("status line", note, "%s has a status line that is not ken's: it was not run", s.Path)
	}
	return hooks, line
}

// resolve finds the program of a command, "" if it is not run, and why.
func (x *examination) resolve(c claude.Call) (path, state, why string) {
	if c.Odd != "" {
		return "", unchecked, "not run: " + c.Odd
	}
	path = c.Program
	if path == "ken" {
		var err error
		if path, err = x.inPath(); err != nil {
			return "", problem, "there is no ken in PATH, so Claude Code cannot start it"
		}
	}
	st, err := os.Stat(path)
	switch {
	case !filepath.IsAbs(path):
		return "", unchecked, "not run: it is no absolute path"
	case errors.Is(err, fs.ErrNotExist):
		return "", problem, "the program is not there any more; \"ken install claude\" again writes the path of this one"
	case err != nil:
		return "", problem, err.Error()
	case os.SameFile(st, x.self):
		return x.options.Ken, unchecked, ""
	case x.within(path):
		return "", unchecked, "not run: the program is in the project, which may have brought it along"
	case c.Program == "ken" || x.installer.Wrote(path):
		return path, unchecked, ""
	}
	return "", unchecked, "not run: it is another program than this ken, and no installation that is recorded here wrote it"
}

// within reports whether a path leads into the project.
func (x *examination) within(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || x.options.Root == "" {
		return err != nil
	}
	for _, p := range []string{path, real} {
		if rel, err := filepath.Rel(x.options.Root, p); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// last is when the runtime last fired an event here.
func (x *examination) last(event string) string {
	if x.project == nil || x.project.Events == nil {
		return ""
	}
	if at, ok := x.project.Events.Last(event); ok {
		return at.UTC().Format(time.RFC3339)
	}
	return ""
}

// byEvent returns the order of a session, the status line last.
func byEvent(a, b Hook) int {
	order := func(event string) int {
		if i := slices.Index(agent.Kinds(), agent.Kind(event)); i >= 0 {
			return i
		}
		return len(agent.Kinds())
	}
	return cmp.Compare(order(a.Event), order(b.Event))
}
