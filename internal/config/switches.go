package config

import (
	"fmt"
	"strconv"
	"strings"
)

// onOff describes a setting that is "on" or "off".
type onOff struct {
	key   string
	value *string
	final bool // the user's "off" holds against the project's "on"
}

// hookSwitches returns the on/off settings of hooks, always in the same order.
func (s *Settings) hookSwitches() []onOff {
	return []onOff{
		{"read_guard", &s.ReadGuard, false}, {"workflow_guard", &s.WorkflowGuard, false}, {"stop_queries", &s.StopQueries, true},
	}
}

// keptSwitches returns the on/off settings that decide whether ken keeps data, always in the same order.
func (s *Settings) keptSwitches() []onOff {
	return []onOff{{key: "cache", value: &s.Cache}, {key: "query_log", value: &s.QueryLog}}
}

// switches returns all settings that are on or off, always in the same order.
func (s *Settings) switches() []onOff { return append(s.keptSwitches(), s.hookSwitches()...) }

// turnOff applies the project's on/off settings about kept data, which it can only turn off.
func (s *Settings) turnOff(project layer, warnings *[]string) {
	theirs := project.keptSwitches()
	for i, g := range s.keptSwitches() {
		switch wanted := *theirs[i].value; {
		case wanted == "off":
			*g.value = "off"
		case wanted == "on" && *g.value == "off":
			*warnings = append(*warnings, fmt.Sprintf("%s: %s can only be turned off here; you have turned it off", project.where, g.key))
		}
	}
}

// turnOn applies the project's on/off settings of guards, which it can only turn on.
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

const (
	taskGuardReason  = "must be deny or advise"
	dependentsReason = "must be a number of files from 1 to 1000000"
)

// parseDependents parses a number of dependent files, and reports whether it is valid.
func parseDependents(s string) (int, bool) {
	n, err := strconv.Atoi(strings.ReplaceAll(s, "_", ""))
	return n, err == nil && n > 0 && n <= 1_000_000
}

func isTaskGuard(s string) bool { return s == "deny" || s == "advise" }
