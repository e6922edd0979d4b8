package claude

import (
	"path/filepath"

	"ken/internal/workflow/install"
)

// serverName is the name of ken's MCP server.
const serverName = "ken"

// server is an entry of .mcp.json.
type server struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// serverSettings returns the entry for the file in which a project lists its MCP servers for everybody who works on it.
func (o *Options) serverSettings() (install.Settings, error) {
	value, err := encodeJSON(server{"stdio", "ken", []string{"mcp"}})
	if err != nil {
		return install.Settings{}, err
	}
	return install.Settings{
		Path: filepath.Join(o.Root, ".mcp.json"), What: "MCP server",
		Entries: []install.Entry{{Keys: []string{"mcpServers"}, Name: serverName, Argv: []string{"ken", "mcp"}, Value: value}},
	}, nil
}

// AddServer returns the arguments with which the program claude adds the server for one user. ken does not write that file itself,
// because every session writes ~/.claude.json.
func (o *Options) AddServer() []string {
	return []string{"mcp", "add", "--scope", string(o.Scope), serverName, "--", o.Ken, "mcp"}
}

// RemoveServer returns the arguments with which the program claude removes the server.
func (o *Options) RemoveServer() []string {
	return []string{"mcp", "remove", "--scope", string(o.Scope), serverName}
}
