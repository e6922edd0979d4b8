package setup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"ken/internal/config"
	"ken/internal/operation"
	"ken/internal/workflow/agent/integration"
	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/install"
)

// OutdatedNotice returns a sentence for the user if another version of ken than this one has installed a product here or for the user; ""
// if none has, or if the user has had it before. Only the records of the installations are read.
func OutdatedNotice(getenv func(string) string, runtime, root string) string {
	state, err := config.StateDir(getenv)
	if err != nil || state == "" {
		return ""
	}
	in := &install.Installer{State: state}
	known, err := in.List()
	if err != nil {
		return ""
	}
	for _, k := range known {
		scope, ok := strings.CutPrefix(k.Name, runtime+"-")
		if !ok || scope != string(integration.User) && k.Root != root {
			continue
		}
		if text := outdated(k, runtime, scope); text != "" && in.FirstNotice(k, operation.Version()) {
			return text
		}
	}
	return ""
}

// outdated describes an installation that another version of ken has made, with what brings it up to date; "" if this one has.
func outdated(k install.Installed, runtime, scope string) string {
	from := "ken " + k.Version
	switch k.Version {
	case operation.Version():
		return ""
	case "":
		from = "an older ken"
	}
	if !slices.Contains([]string{"local", "project", "user"}, scope) {
		return ""
	}
	command := strings.Join(append([]string{"ken install", runtime, "--" + scope}, k.Options...), " ")
	return fmt.Sprintf("installed by %s, this is %s: run \"%s\"", from, operation.Version(), command)
}

// Recorded is an installation on this machine, compared with this program.
type Recorded struct {
	Product  string `json:"product" doc:"that ken was installed in"`
	Scope    string `json:"scope" doc:"user, project or local"`
	Root     string `json:"root" doc:"of the project, or the user's folder"`
	Version  string `json:"version,omitempty" doc:"of ken that installed it, if it was recorded"`
	Relation string `json:"relation" enum:"same,older,newer,other" doc:"of that version to this program: same, older, newer or other"`
	Advice   string `json:"advice,omitempty" doc:"what brings the two together"`
}

// RecordedInstalls returns the installations that are recorded on this machine, by product, scope and root. Only the records are read. It
// returns an error if they cannot be.
func RecordedInstalls(getenv func(string) string) ([]Recorded, error) {
	state, err := config.StateDir(getenv)
	if err != nil {
		return nil, err
	}
	list := []Recorded{}
	if state == "" {
		return list, nil
	}
	known, err := (&install.Installer{State: state}).List()
	for _, k := range known {
		i := strings.LastIndexByte(k.Name, '-')
		if i < 0 || !slices.ContainsFunc(runtimes.All(), func(r runtimes.Runtime) bool { return r.Name == k.Name[:i] }) {
			continue // skills and rules that products share are renewed with them
		}
		r := Recorded{Product: k.Name[:i], Scope: k.Name[i+1:], Root: k.Root, Version: k.Version}
		r.Relation = relation(k.Version, operation.Version())
		switch r.Relation {
		case "same":
		case "newer":
			r.Advice = fmt.Sprintf("installed by ken %s, this is the older %s: update this program", k.Version, operation.Version())
		default:
			r.Advice = outdated(k, r.Product, r.Scope)
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b Recorded) int {
		return cmp.Or(cmp.Compare(a.Product, b.Product), cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.Root, b.Root))
	})
	return list, err
}

// relation returns how the version of an installation relates to this program's: same, older, newer, or other if they have no order.
func relation(installed, this string) string {
	switch {
	case installed == this:
		return "same"
	case installed == "":
		return "older"
	case !semver.IsValid(installed) || !semver.IsValid(this):
		return "other"
	case semver.Compare(installed, this) > 0:
		return "newer"
	case semver.Compare(installed, this) < 0:
		return "older"
	}
	return "other" // they differ in what has no order, as a modified tree
}
