package setup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/config"
	"ken/internal/operation"
	"ken/internal/workflow/agent/integration"
	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/install"
)

// claudeName is the product that package agent/claude describes.
const claudeName = "claude"

// profileCore is the profile without most skills.
const profileCore = "core"

// chosenTargets returns what is meant: each product in a scope. To take ken out without a name means all that "ken install" puts in
// without a scope. It fails as chosenRuntimes and findTarget do.
func chosenTargets(e *env, in *installInput, d direction) (list []*target, err error) {
	unnamed := len(in.Runtimes) == 0 && !in.All && !in.Detected
	if d.verb == "uninstall" && unnamed {
		return installedHere(e, in)
	}
	if in.Reapply && unnamed {
		return withAsides(e)
	}
	names, err := chosenRuntimes(e, in, d)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		t, err := findTarget(e, name, in)
		if errors.Is(err, integration.ErrNothing) && len(in.Runtimes) == 0 {
			continue // it was not asked for by its name
		}
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil, operation.Nothingf("there is nothing that ken can write for them in this scope")
	}
	return list, nil
}

// installedHere returns all products for which ken is installed in this project, and those for which it is installed for the user because
// they have no other default. It fails if there are none.
func installedHere(e *env, in *installInput) (list []*target, err error) {
	list, err = recordedTargets(e, "local", "project", "user")
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(t *target) bool { return t.runtime.Name == claudeName && t.scope == string(integration.User) })
	if len(list) > 0 {
		return list, nil
	}
	if in.Purge == "" {
		return nil, operation.Nothingf("ken is installed in this project for no product; name one, as in: ken uninstall claude --user")
	}
	one := *in
	one.Local, one.Project, one.User = true, false, false
	t, err := findTarget(e, claudeName, &one)
	if err == nil { // nothing is taken out there, but what ken made of the project
		t.plans = []*install.Plan{{Name: t.plans[0].Name, Root: t.plans[0].Root}}
	}
	return []*target{t}, err
}

// recordedTargets returns the products for which ken is installed in some scopes, with the options with which it was. It fails if the
// records cannot be read.
func recordedTargets(e *env, scopes ...string) (list []*target, err error) {
	state, err := config.StateDir(e.Getenv)
	if err != nil {
		return nil, err
	}
	known, err := (&install.Installer{State: state}).List()
	if err != nil {
		return nil, err
	}
	for _, r := range runtimes.All() {
		for _, scope := range scopes {
			for _, k := range known {
				if k.Name != integration.Name(r.Name, integration.Scope(scope)) {
					continue
				}
				in := installInput{Local: scope == "local", Project: scope == "project", User: scope == "user"}
				in.setRecordedOptions(k.Options)
				t, err := findTarget(e, r.Name, &in)
				if err == nil && t.plans[0].Root == k.Root { // else it is of another project, or of a scope that is no more
					list = append(list, t)
				}
			}
		}
	}
	return list, nil
}

// withAsides returns the products of which a version of the user's is kept aside. It fails if there is none.
func withAsides(e *env) ([]*target, error) {
	list, err := recordedTargets(e, "local", "project", "user")
	list = slices.DeleteFunc(list, func(t *target) bool {
		in := install.Installer{State: t.state}
		return !slices.ContainsFunc(t.plans, func(p *install.Plan) bool { return in.Aside(p) != "" })
	})
	if err == nil && len(list) == 0 {
		err = operation.Nothingf("no version of yours is kept aside here")
	}
	return list, err
}

// chosenRuntimes returns the names of the products that are meant. Without any it asks for those that are on this machine. It fails if one
// is not known, or not known well enough.
func chosenRuntimes(e *env, in *installInput, d direction) ([]string, error) {
	names := in.Runtimes
	switch {
	case in.All:
		for _, r := range runtimes.All() {
			if !r.Experimental || in.Experimental {
				names = append(names, r.Name)
			}
		}
	case in.Detected:
		if names = append(names, detected(e)...); len(names) == 0 {
			return nil, operation.Nothingf("no agent product that ken knows is on this machine")
		}
	}
	if len(names) == 0 {
		var err error
		if names, err = askForRuntimes(e, d); err != nil {
			return nil, err
		}
	}
	names = eachOnce(names)
	var known []string
	for _, r := range runtimes.All() {
		known = append(known, r.Name)
	}
	for _, name := range names {
		r, ok := runtimes.Named(name)
		switch {
		case !ok:
			hint := ""
			if near := operation.Nearest(name, known); near != "" {
				hint = "; is " + near + " meant?"
			}
			return nil, code.Usagef("RUNTIME is %.40q; it can be %s%s", name, strings.Join(known, ", "), hint)
		case r.Experimental && !in.Experimental:
			return nil, code.Usagef("what is known of %s is not sure enough: --experimental does it in spite of that", r.Title)
		case in.Plugin != "" && name != claudeName:
			return nil, code.Usagef("--plugin is for claude alone")
		}
	}
	return names, nil
}

// askForRuntimes shows the products that are on this machine and asks whether they are meant. It fails if there is no person to ask.
func askForRuntimes(e *env, d direction) ([]string, error) {
	found := detected(e)
	if len(found) == 0 {
		return nil, code.Usagef("no agent product that ken knows was found on this machine: name one, as in: ken %s claude", d.verb)
	}
	var list []string
	for _, name := range found {
		r, _ := runtimes.Named(name)
		list = append(list, fmt.Sprintf("%s (%s)", r.Name, r.Title))
	}
	here := "on this machine: " + strings.Join(list, ", ")
	if e.Confirm == nil {
		return nil, code.Usagef("%s; name those that you mean, or give --detected", here)
	}
	yes, err := e.Confirm(here + "\n" + d.verb + " ken in all of them?")
	if err == nil && !yes {
		err = operation.Nothingf("nothing was written; name those that you mean: ken %s %s", d.verb, found[0])
	}
	return found, err
}

// detected returns the products that are on this machine: their program is in PATH, or the folder of their settings is there.
func detected(e *env) (found []string) {
	p := &target{}
	if p.setHome(e) != nil {
		return nil
	}
	for _, r := range runtimes.All() {
		if r.Experimental {
			continue
		}
		base, err := integration.UserFolder(r, integration.Options{Home: p.options.Home, Getenv: e.Getenv})
		st, missing := os.Stat(base)
		hasFolder := err == nil && missing == nil && st.IsDir() && !onWindowsSide(e.Getenv, base)
		if hasFolder || inPath(e.Getenv, r.Programs) {
			found = append(found, r.Name)
		}
	}
	return found
}

// inPath reports whether PATH has one of some programs of this system.
func inPath(getenv func(string) string, programs []string) bool {
	return findInPath(getenv, programs) != ""
}

// findInPath returns the path of the first of some programs of this system in PATH, or "".
func findInPath(getenv func(string) string, programs []string) string {
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if onWindowsSide(getenv, dir) {
			continue
		}
		for _, name := range programs {
			for _, ending := range []string{"", ".exe", ".cmd"} {
				file := filepath.Join(dir, name+ending)
				if st, err := os.Stat(file); filepath.IsAbs(file) && err == nil && st.Mode().IsRegular() {
					return file
				}
			}
		}
	}
	return ""
}

// integrationOptions returns the facts for the plans of other products than Claude Code.
func (p *target) integrationOptions(in *installInput) integration.Options {
	return integration.Options{
		Scope: integration.Scope(p.scope), Root: p.options.Root, Home: p.options.Home, Getenv: p.getenv, Ken: p.options.Ken,
		Shell: p.options.Shell, Core: in.Profile == profileCore, Experimental: in.Experimental, Portable: in.Portable,
	}
}

// keeper returns the product that still needs a plan of files that several use, when ken is taken out of another; "" if none does, or if
// the plan is that of the product alone.
func (w *work) keeper(t *target, i int) string {
	if i == 0 || w.verb != "uninstall" {
		return ""
	}
	known, err := w.installer.List()
	if err != nil {
		return ""
	}
	for _, r := range runtimes.All() {
		if slices.ContainsFunc(w.targets, func(o *target) bool { return o.runtime.Name == r.Name }) || r.Name == claudeName {
			continue
		}
		plans, err := integration.Plans(r, t.integrationOptions(&installInput{}))
		if err != nil || !slices.ContainsFunc(known, func(k install.Installed) bool {
			return k.Name == plans[0].Name && k.Root == plans[0].Root
		}) {
			continue
		}
		if slices.ContainsFunc(plans, func(p *install.Plan) bool { return p.Name == t.plans[i].Name && p.Root == t.plans[i].Root }) {
			return r.Title
		}
	}
	return ""
}

// sharedChanges returns the files of a plan that stays, with the product that needs them.
func sharedChanges(p *install.Plan, keeper string) (list []install.Change) {
	note := keeper + " uses it as well"
	for _, f := range p.Files {
		list = append(list, install.Change{Path: f.Path, What: f.What, Action: install.Kept, Note: note})
	}
	for _, b := range p.Blocks {
		list = append(list, install.Change{Path: b.Path, What: b.What, Action: install.Kept, Note: note})
	}
	return list
}
