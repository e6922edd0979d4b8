package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/config"
	"ken/internal/delivery/project"
	"ken/internal/git"
	"ken/internal/operation"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/agent/integration"
	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/install"
)

// target is the place of an installation: the files and programs for this project and user.
type target struct {
	runtime runtimes.Runtime
	scope   string
	plans   []*install.Plan // that of the product, and those of files that other products use as well
	state   string
	options claude.Options
	getenv  func(string) string
	record  string // of the project's .ken in the state directory, or ""
	indexed bool   // the project has a folder .ken
	failed  error  // nothing is written for the product because of it
	tracked bool   // git has the project's local settings, so that it does not ignore them
}

// folder returns the project, the folder of settings or that of the plugin.
func (p *target) folder() string { return p.plans[0].Root }

// findTarget works out where to install.
func findTarget(e *env, name string, in *installInput) (*target, error) {
	r, _ := runtimes.Named(name)
	scope, err := chosenScope(r.Name, in)
	if err != nil {
		return nil, err
	}
	p := &target{runtime: r, scope: scope, getenv: e.Getenv}
	if p.state, err = config.StateDir(e.Getenv); err != nil {
		return nil, err
	}
	if err := p.setHome(e); err != nil {
		return nil, err
	}
	if err := p.setProject(e, scope == string(claude.Local) || scope == string(claude.Project)); err != nil {
		return nil, err
	}
	if err := p.setProgram(e); err != nil {
		return nil, err
	}
	if in.Portable {
		p.setPortable()
	}
	switch {
	case in.Plugin != "":
		dir := in.Plugin
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(e.Dir, dir)
		}
		plan, err := claude.Plugin(filepath.Clean(dir))
		p.setPlans(in, plan)
		return p, err
	case r.Name == claudeName:
		p.options.Scope, p.options.Core = claude.Scope(scope), in.Profile == profileCore
		plan, err := claude.Plan(p.options)
		p.setPlans(in, plan)
		return p, err
	}
	plans, err := integration.Plans(r, p.integrationOptions(in))
	p.setPlans(in, plans...)
	if err == nil {
		err = p.refuseWindowsSide()
	}
	return p, err
}

// setPlans sets the plans, with what is recorded of their making.
func (p *target) setPlans(in *installInput, plans ...*install.Plan) {
	p.plans = plans
	for _, plan := range plans {
		if plan != nil {
			plan.Version, plan.Options = operation.Version(), in.recordedOptions()
		}
	}
}

// The options of an installation that are recorded, because one that renews it needs them again.
const (
	optionCore         = "--profile core"
	optionExperimental = "--experimental"
	optionPortable     = "--portable"
)

func (in *installInput) recordedOptions() (list []string) {
	if in.Profile == profileCore {
		list = append(list, optionCore)
	}
	if in.Experimental {
		list = append(list, optionExperimental)
	}
	if in.Portable {
		list = append(list, optionPortable)
	}
	return list
}

// setRecordedOptions sets the options with which an installation was made.
func (in *installInput) setRecordedOptions(list []string) {
	in.Profile, in.Experimental, in.Portable = "", slices.Contains(list, optionExperimental), slices.Contains(list, optionPortable)
	if slices.Contains(list, optionCore) {
		in.Profile = profileCore
	}
}

// Surroundings returns the facts that installations depend on here, and ken's state directory. The root is empty if there is no
// project. It fails if there is no home directory, or ken's own program cannot be found.
func Surroundings(e *project.Env) (o claude.Options, state string, err error) {
	p := &target{}
	if p.state, err = config.StateDir(e.Getenv); err != nil {
		return o, "", err
	}
	if err := p.setHome(e); err != nil {
		return o, "", err
	}
	if err := p.setProject(e, false); err != nil {
		return o, "", err
	}
	return p.options, p.state, p.setProgram(e)
}

// chosenScope returns the requested scope of a product, or its default. It fails if several are requested, or one that it does not have.
func chosenScope(name string, in *installInput) (string, error) {
	var given []string
	for _, s := range []struct {
		name string
		on   bool
	}{{"local", in.Local}, {"project", in.Project}, {"user", in.User}, {"plugin", in.Plugin != ""}} {
		if s.on {
			given = append(given, s.name)
		}
	}
	switch {
	case len(given) > 1:
		return "", code.Usagef("--%s exclude each other", strings.Join(given, " and --"))
	case name == claudeName && len(given) == 0:
		return string(claude.Local), nil
	case len(given) == 0:
		return string(integration.User), nil
	case name != claudeName && given[0] != string(integration.Project) && given[0] != string(integration.User):
		return "", code.Usagef("%s has no --%s: it has --project and --user", name, given[0])
	}
	return given[0], nil
}

func (p *target) setHome(e *env) error {
	p.options.Home = e.Getenv("HOME")
	if p.options.Home == "" {
		p.options.Home = e.Getenv("USERPROFILE")
	}
	p.options.ConfigDir = e.Getenv("CLAUDE_CONFIG_DIR")
	if p.options.ConfigDir != "" && !filepath.IsAbs(p.options.ConfigDir) {
		return code.Usagef("CLAUDE_CONFIG_DIR is %s; it must be an absolute path", operation.Quote(p.options.ConfigDir))
	}
	if p.options.Home == "" {
		return errors.New("there is no home directory: HOME is not set")
	}
	return nil
}

// setProject finds the project. An installation for a user needs none.
func (p *target) setProject(e *env, needed bool) error {
	found, err := project.Open(e, operation.Anywhere)
	if err != nil && !needed {
		return nil
	}
	if err != nil {
		return err
	}
	p.options.Root = found.Root
	p.indexed = found.IsDir(".ken")
	if found.Record != nil {
		p.record = found.Record()
	}
	repo, err := git.Find(found.Root)
	// A file .git can name another repository: only one that knows this tree is written to.
	if err != nil || !repo.OwnsTree() {
		return nil
	}
	rel, err := filepath.Rel(repo.Root, found.Root)
	if err != nil {
		return nil
	}
	p.options.CommonDir, p.options.Prefix = repo.CommonDir, rel
	tracked, err := repo.TrackedBelow(filepath.ToSlash(filepath.Join(rel, ".claude")))
	if err != nil {
		return nil // advice is left out, no more
	}
	for _, name := range tracked {
		p.tracked = p.tracked || name == "settings.local.json"
	}
	return nil
}

// setProgram finds ken itself. If PATH has it, that path is used, because a package
// manager keeps it when it replaces the program.
func (p *target) setProgram(e *env) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	p.options.Ken, p.options.Shell = self, claude.ShellWord(self)
	st, err := os.Stat(self)
	if err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	for _, dir := range filepath.SplitList(e.Getenv("PATH")) {
		path := filepath.Join(dir, "ken"+filepath.Ext(self))
		if !filepath.IsAbs(path) {
			continue
		}
		if other, err := os.Stat(path); err == nil && !other.IsDir() {
			if os.SameFile(st, other) {
				p.options.Ken, p.options.Shell = path, "ken"
			}
			break // a shell takes the first
		}
	}
	return nil
}

// setPortable has everything that is written call ken by its name.
func (p *target) setPortable() { p.options.Ken, p.options.Shell = "ken", "ken" }

// leftBehind returns notes on how far ken was taken out, and on what stays.
func (p *target) leftBehind() (notes []string) {
	if p.scope == string(integration.User) {
		notes = append(notes, p.runtime.Name+" had it for the user: it is gone from all projects")
	}
	if p.indexed && p.options.Root != "" {
		notes = append(notes, "the folder .ken stays, with the index, what is remembered and what was written down: "+
			"\"ken uninstall --purge\" removes it but for .ken/knowledge")
	}
	return notes
}

// checkConflict refuses an installation of both plugin and settings, because every hook would run twice.
func (p *target) checkConflict(in *install.Installer) error {
	known, err := in.List()
	if err != nil {
		return err
	}
	if p.runtime.Name != claudeName {
		return nil
	}
	if p.plans[0].Name != claude.PluginName {
		for _, k := range known {
			if st, err := os.Stat(k.Root); k.Name == claude.PluginName && err == nil && st.IsDir() {
				return fmt.Errorf("ken is installed as a plugin in %s, and every hook would run twice; \"ken uninstall claude --plugin %s\" takes it out",
					operation.Quote(k.Root), k.Root)
			}
		}
		return nil
	}
	for _, scope := range []claude.Scope{claude.Local, claude.Project, claude.User} {
		o := p.options
		if o.Scope = scope; o.Root == "" && scope != claude.User {
			continue
		}
		plan, err := claude.Plan(o)
		if err != nil {
			return err
		}
		left, err := in.PreviewUninstall(context.Background(), plan)
		if err != nil {
			return err
		}
		holder := "project"
		if scope == claude.User {
			holder = "user"
		}
		if !install.NothingToDo(left) {
			return fmt.Errorf("ken is installed in the settings of this %s, and every hook would run twice; \"ken uninstall claude --%s\" takes it out",
				holder, scope)
		}
	}
	return nil
}

// advice returns notes for the user after an installation.
func (p *target) advice() []string {
	var out []string
	if p.tracked && p.scope == string(claude.Local) {
		out = append(out, "git tracks .claude/settings.local.json, so it does not ignore what was written there")
	}
	if p.scope == "plugin" {
		out = append(out, "a plugin has neither status line nor rules; load it with claude --plugin-dir "+claude.ShellWord(p.folder()))
	}
	if !p.indexed && p.scope != "plugin" && p.scope != string(claude.User) {
		out = append(out, "there is no index yet, and the hooks do nothing without: run \"ken init\"")
	}
	if p.options.Ken == "ken" && p.scope != "plugin" {
		out = append(out, "ken has to be in PATH wherever the agent runs")
	}
	if p.runtime.Name != claudeName && p.runtime.Trust != "" {
		out = append(out, p.runtime.Trust)
	}
	return append(out, "sessions that are running may have to be started anew")
}
