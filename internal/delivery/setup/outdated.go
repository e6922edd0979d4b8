package setup

import (
	"fmt"
	"slices"
	"strings"

	"ken/internal/config"
	"ken/internal/operation"
	"ken/internal/workflow/agent/integration"
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
