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
	others    bool // ken is installed for another product
	answer    doctorAnswer
}

// newExamination finds the project, the user's folders and the program.
func newExamination(e *env) (*examination, error) {
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

func (x *examination) addCheck(about, state, format string, args ...any) {
	x.answer.Checks = append(x.answer.Checks, Check{about, state, fmt.Sprintf(format, args...)})
}

// off is the environment variable that turns the hooks off; delivery/hook reads it.
const off = "KEN_NO_HOOKS"

// checkProgram checks the ken program itself.
func (x *examination) checkProgram() {
	inPath, err := x.kenInPath()
	switch {
	case err != nil:
		x.addCheck("program", note, "this is %s; there is no ken in PATH, so commands have to name its path", operation.Quote(x.options.Ken))
	case !x.isSelf(inPath):
		x.addCheck("program", note, "this is %s; the ken in PATH is another one, %s", operation.Quote(x.options.Ken), operation.Quote(inPath))
	default:
		x.addCheck("program", good, "%s", inPath)
	}
	if x.env.Getenv(off) != "" {
		x.addCheck("program", problem, "%s is set here: where it is, hooks do nothing", off)
	}
}

var errNotInPath = errors.New("it is not in PATH")

// kenInPath returns the ken program that the shell finds in PATH.
func (x *examination) kenInPath() (string, error) {
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

// checkSources reads all settings that name ken.
func (x *examination) checkSources() {
	list := x.options.Sources()
	known, err := x.installer.List()
	if err != nil {
		x.addCheck("settings", problem, "%v", err)
	}
	for _, k := range known {
		if !k.Complete {
			x.addCheck("settings", problem, "the installation %s for %s was broken off; \"ken install\" again finishes it", k.Name, operation.Quote(k.Root))
		}
		if scope, ok := strings.CutPrefix(k.Name, claudeName+"-"); ok && (scope == string(claude.User) || k.Root == x.options.Root) {
			if old := outdated(k, claudeName, scope); old != "" {
				x.addCheck("settings", note, "%s, %s: %s", claudeName, scope, old)
			}
		}
		if st, err := os.Stat(k.Root); k.Name == claude.PluginName && err == nil && st.IsDir() {
			list = append(list, claude.PluginHooks(k.Root))
		}
	}
	var in []string // sources with hooks of ken
	var lines []string
	for _, s := range list {
		hooks, line := x.checkSource(s)
		if hooks {
			in = append(in, s.Name)
		}
		if line {
			lines = append(lines, s.Name)
		}
	}
	x.checkCombination(in, lines)
	if len(lines) > 0 && claude.UserStatusLine(x.installer, x.options) != "" {
		x.addCheck("status line", note, "your own is shown before ken's; it was not run")
	}
}

// checkCombination checks the sources of settings against each other.
func (x *examination) checkCombination(in, lines []string) {
	plugin := slices.Contains(in, "plugin")
	switch {
	case len(in) == 0 && x.others:
		x.addCheck("settings", note, "no settings that Claude Code reads here name a hook of ken")
	case len(in) == 0:
		x.addCheck("settings", problem, "no settings that Claude Code reads here name a hook of ken; \"ken install claude\" puts them in")
	case plugin && len(in) > 1:
		x.addCheck("plugin", problem, "ken is in settings (%s) and a plugin: every hook runs twice where both are loaded; take one out with \"ken uninstall claude\"",
			strings.Join(in[:len(in)-1], ", "))
	case len(in) > 1:
		x.addCheck("settings", note, "ken is in the settings of %s: each event is handled once, and the other process ends with nothing said", strings.Join(in, " and "))
	}
	if plugin {
		x.addCheck("plugin", note, "a plugin can bring neither a status line nor rules: without settings, ken does not know how full a context is")
		x.addCheck("plugin", unchecked, "whether Claude Code loads the plugin is for Claude Code to say (/plugin)")
	}
	x.addCheck("settings", unchecked, "what else Claude Code may load (other plugins, --settings, skills, agents%s) was not looked at", x.unreadSettings())
	if len(in) > 0 && len(lines) == 0 {
		x.addCheck("status line", note, "no settings have ken's status line, so agents are not warned when their context fills up")
	}
}

// unreadSettings names the settings of an administrator on systems where their place is not known.
func (x *examination) unreadSettings() string {
	if slices.ContainsFunc(x.options.Sources(), func(s claude.Source) bool { return s.Name == "managed" }) {
		return ""
	}
	return ", settings of an administrator"
}

// noteChangedSettings adds a note if no session has begun since settings were changed: running ones may not have read them.
func (x *examination) noteChangedSettings(s claude.Source) {
	st, err := os.Stat(s.Path)
	if err != nil || x.project == nil || x.project.Events == nil {
		return
	}
	if at, ok := x.project.Events.Last(string(agent.SessionStart)); !ok || at.Before(st.ModTime()) {
		x.addCheck("settings", note, "no session of Claude Code is known to have begun here since %s was changed", s.Path)
	}
}

// checkSource reads one file of settings and adds its problems. It reports whether the file has hooks of ken, and its status line.
func (x *examination) checkSource(s claude.Source) (hooks, line bool) {
	calls, err := s.Calls()
	if errors.Is(err, fs.ErrNotExist) {
		return false, false
	}
	if err != nil {
		x.addCheck("settings", problem, "%s: %v", s.Path, err)
		return false, false
	}
	if calls.Off != "" && (s.Name == "managed" || calls.Off == "disableAllHooks") {
		x.addCheck("settings", problem, "%s: %s is true, so Claude Code runs no hook of ken", s.Path, calls.Off)
	}
	for _, c := range calls.Ken {
		hooks, line = hooks || c.Event != "", line || c.Event == ""
		event := string(c.Kind)
		if c.Event == "" {
			event = statusEvent
		}
		h := Hook{Settings: s.Name, Event: event, Program: c.Program, State: unchecked, Last: x.lastFired(event)}
		path := ""
		if path, h.State, h.Answer = x.resolveProgram(c); path != "" {
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
	for _, kind := range claude.MissingEvents(calls.Ken) {
		x.answer.Hooks = append(x.answer.Hooks, Hook{Settings: s.Name, Event: string(kind), State: problem, Last: x.lastFired(string(kind)),
			Answer: "it is not registered; \"ken install claude\" again adds it"})
	}
	x.noteChangedSettings(s)
	x.addCheck("settings", note, "%s: %s of ken, %s of other programs, which are not run", s.Path,
		operation.Plural(len(calls.Ken), "command"), operation.Plural(calls.Others, "hook"))
	if len(calls.Leftovers) > 0 {
		x.addCheck("settings", note, "%s: %s of get-shit-done run beside ken's and do the same: take them out by hand if you do without it",
			s.Path, strings.Join(calls.Leftovers, ", "))
	}
	if calls.OtherStatusLine {
		x.addCheck("status line", note, "%s has a status line that is not ken's: it was not run", s.Path)
	}
	return hooks, line
}

// resolveProgram finds the program of a command. If it may not be run, path is "" and why is the reason.
func (x *examination) resolveProgram(c claude.Call) (path, state, why string) {
	if c.Odd != "" {
		return "", unchecked, "not run: " + c.Odd
	}
	path = c.Program
	if path == "ken" {
		var err error
		if path, err = x.kenInPath(); err != nil {
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
	case x.isInProject(path):
		return "", unchecked, "not run: the program is in the project, which may have brought it along"
	case c.Program == "ken" || x.installer.HasWritten(path):
		return path, unchecked, ""
	}
	return "", unchecked, "not run: it is another program than this ken, and no installation that is recorded here wrote it"
}

// isInProject reports whether a path leads into the project.
func (x *examination) isInProject(path string) bool {
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

// lastFired returns the time at which the runtime last fired an event in this project.
func (x *examination) lastFired(event string) string {
	if x.project == nil || x.project.Events == nil {
		return ""
	}
	if at, ok := x.project.Events.Last(event); ok {
		return at.UTC().Format(time.RFC3339)
	}
	return ""
}

// compareByEvent orders hooks as their events come in a session, the status line last.
func compareByEvent(a, b Hook) int {
	order := func(event string) int {
		if i := slices.Index(agent.Kinds(), agent.Kind(event)); i >= 0 {
			return i
		}
		return len(agent.Kinds())
	}
	return cmp.Compare(order(a.Event), order(b.Event))
}
