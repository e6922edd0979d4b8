package setup

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ken/internal/operation"
)

// conversation is the shortest exchange of a client with the server: initialize, list the tools, call one.
const conversation = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"ken doctor","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"overview"}}
`

// tryServer starts the MCP server, lists its tools and calls one.
func (s *trialProject) tryServer(ctx context.Context) Check {
	c := Check{About: "MCP server", State: problem}
	r, err := s.run(ctx, []byte(conversation), "mcp")
	if err = programError(&r, err); err != nil {
		c.Text = s.program + " mcp: " + err.Error()
		return c
	}
	tools, called := 0, false
	lines := bufio.NewScanner(bytes.NewReader(r.Stdout))
	lines.Buffer(nil, trialOutput)
	for lines.Scan() {
		var m struct {
			ID     int
			Result struct {
				Tools   []struct{}
				Content []struct{ Text string }
				IsError bool
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			c.Text = fmt.Sprintf("%s mcp wrote what is no message: %s", s.program, operation.Clip(lines.Text()))
			return c
		}
		if m.ID == 2 {
			tools = len(m.Result.Tools)
		}
		if c := m.Result.Content; m.ID == 3 && len(c) > 0 {
			called = !m.Result.IsError && strings.TrimSpace(c[0].Text) != ""
		}
	}
	switch {
	case tools == 0:
		c.Text = s.program + " mcp lists no tools"
	case !called:
		c.Text = s.program + " mcp does not answer a call"
	default:
		c.State = good
		c.Text = fmt.Sprintf("%s mcp: %s listed, one called, in %d ms", s.program, operation.Plural(tools, "tool"), r.Took.Milliseconds())
	}
	return c
}
