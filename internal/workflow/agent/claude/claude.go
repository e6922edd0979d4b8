// Package claude is everything that is spelled as Claude Code spells it: event.go reads
// what it writes to hooks, and what ken replies. install.go, statusline.go, plugin.go,
// rules.go and skill.go say what ken puts where; package workflow/install, the
// neighbour, puts it there and takes it out.
package claude
