package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/operation"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/process"
)

// Limits for running the program claude to add or remove the server.
const (
	serverTime   = 60 * time.Second
	serverOutput = 64 << 10
)

// configureServer runs the program claude to add or remove the MCP server for one user, if that was requested;
// otherwise the answer shows the command. The server of a project is in .mcp.json, which is written as other
// settings are.
func (p *target) configureServer(ctx context.Context, e *env, in *installInput, a *installAnswer, d direction) error {
	if p.runtime.Name != claudeName || p.scope == string(claude.Project) || p.scope == "plugin" {
		return nil
	}
	args := d.server(&p.options)
	if !in.MCP || in.DryRun {
		if a.Changed {
			a.Notes = append(a.Notes, "the MCP server: "+shellLine(args)+" (--mcp runs it)")
		}
		return nil
	}
	program, err := claudeIn(e.Getenv("PATH"))
	if err != nil {
		return err
	}
	dir := p.options.Root
	if dir == "" {
		dir = e.Dir
	}
	c := process.Command{Path: program, Args: args, Dir: dir, Time: serverTime, Most: serverOutput}
	r, err := c.Run(ctx)
	said := operation.Clip(strings.TrimSpace(string(r.Stderr) + " " + string(r.Stdout)))
	switch {
	case err != nil:
		return fmt.Errorf("run %s: %w", shellLine(args), err)
	// The server is there already, or there is none to be removed.
	case r.Code != 0 && (strings.Contains(said, "already exists") || strings.Contains(said, "No ") && strings.Contains(said, "found")):
		a.Notes = append(a.Notes, "the MCP server: nothing to do")
	case r.Code != 0:
		return fmt.Errorf("%s ended with status %d: %s", shellLine(args), r.Code, said)
	default:
		a.Notes = append(a.Notes, "the MCP server: "+shellLine(args)+" was run")
	}
	return nil
}

func shellLine(args []string) string {
	words := []string{"claude"}
	for _, a := range args {
		words = append(words, claude.ShellWord(a))
	}
	return strings.Join(words, " ")
}

// claudeIn returns the path of the program claude in a PATH-like list of directories.
func claudeIn(path string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		for _, name := range []string{"claude", "claude.exe", "claude.cmd"} {
			file := filepath.Join(dir, name)
			if st, err := os.Stat(file); filepath.IsAbs(file) && err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
				return file, nil
			}
		}
	}
	return "", fmt.Errorf("the program claude is not in PATH; without --mcp its command is shown")
}
