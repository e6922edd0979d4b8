package graph

import "ken/internal/code"

// Pass is a name that a file passes on to its importers under another name.
type Pass struct {
	From, To string
	Default  bool // exported as default, for which importers choose a name
}

// Passes returns the names that a file passes on to its importers under another name.
func Passes(o Outward) (out []Pass) {
	for i := range o.Imports {
		for _, m := range o.Imports[i].Names {
			if m.Alias != m.Name && m.Alias != "*" {
				out = append(out, Pass{From: m.Name, To: m.Alias})
			}
		}
	}
	for i := range o.Exports {
		if e := &o.Exports[i]; e.Name != e.Local || e.Name == "default" {
			out = append(out, Pass{From: e.Local, To: e.Name, Default: e.Name == "default"})
		}
	}
	return out
}

// AddPassedNames adds to names the other names under which a file passes them on. It reports whether importers choose the name themselves
// (default).
func AddPassedNames(o Outward, names map[string]bool) (any bool) {
	for i := range o.Imports {
		for _, m := range o.Imports[i].Names {
			if names[m.Name] && m.Alias != "*" {
				names[m.Alias] = true
			}
		}
	}
	for i := range o.Exports {
		e := &o.Exports[i]
		isModule := e.Local == "*" && e.Name != "*" && e.From >= 0 && o.Imports[e.From].Kind == code.ImportRequire
		if names[e.Local] || isModule && names["default"] {
			names[e.Name] = true
			any = any || e.Name == "default"
		}
	}
	return any
}
