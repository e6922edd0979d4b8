// Package claude has everything in Claude Code's notation: event.go reads the input of hooks and writes ken's replies. install.go,
// statusline.go, plugin.go, rules.go and skill.go define the files to install; package workflow/install, the neighbour, installs and
// removes them.
package claude
