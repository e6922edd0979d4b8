package runtimes

import _ "embed"

// pluginCall is the beginning of all modules, with the functions that call ken. KEN and RUNTIME are filled in.
//
//go:embed call.js
var pluginCall string

// newPlugin returns a module that hands the events of a program on to ken.
func newPlugin(place Place, events string) *Plugin { return &Plugin{place, pluginCall + "\n" + events} }
