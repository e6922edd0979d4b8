package config

import "fmt"

// hookSwitch is a setting of hooks that is on or off.
type hookSwitch struct {
	key   string
	value *string
	final bool // the user's "off" holds against the project's "on"
}

// hookSwitches are the switches of hooks, in one order.
func (s *Settings) hookSwitches() []hookSwitch {
	return []hookSwitch{
		{"read_guard", &s.ReadGuard, false}, {"workflow_guard", &s.WorkflowGuard, false}, {"stop_queries", &s.StopQueries, true},
	}
}

// turnOn applies the switches of the project, which can turn guards on and never off.
func (s *Settings) turnOn(project layer, warnings *[]string) {
	theirs := project.hookSwitches()
	for i, g := range s.hookSwitches() {
		switch wanted := *theirs[i].value; {
		case wanted == "on" && (*g.value != "off" || !g.final):
			*g.value = "on"
		case wanted == "on":
			*warnings = append(*warnings, fmt.Sprintf("%s: you have turned %s off; a project cannot turn it on", project.where, g.key))
		case wanted == "off" && *g.value == "on":
			*warnings = append(*warnings, fmt.Sprintf("%s: %s can only be turned on here", project.where, g.key))
		}
	}
}
