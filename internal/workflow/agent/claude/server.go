package claude

import (
	"path/filepath"

	"ken/internal/workflow/install"
)

// serverName is what ken's server of the Model Context Protocol is called.
const serverName = "ken"

// server is an entry of .mcp.json.
type server struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// servers is the file in which a project names the servers for everybody who works on it.
func (o *Options) servers() (install.Settings, error) {
	value, err := encode(server{"stdio", "ken", []string{"mcp"}})
	if err != nil {
		return install.Settings{}, err
	}
	return install.Settings{
		Path: filepath.Join(o.Root, ".mcp.json"), What: "MCP server",
		Entries: []install.Entry{{Keys: []string{"mcpServers"}, Name: serverName, Argv: []string{"ken", "mcp"}, Value: value}},
	}, nil
}

// AddServer are the arguments with which the program claude adds the server for one user, because what it
// keeps that in is its own: ~/.claude.json is written by every session.
func (o *Options) AddServer() []string {
	return []string{"mcp", "add", "--scope", string(o.Scope), serverName, "--", o.Ken, "mcp"}
}

// RemoveServer are the arguments with which it takes the server out.
func (o *Options) RemoveServer() []string {
	return []string{"mcp", "remove", "--scope", string(o.Scope), serverName}
}
