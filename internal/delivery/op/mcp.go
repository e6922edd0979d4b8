package op

import (
	"context"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/tool"
)

type mcpInput struct {
	Sets string `flag:"tools" value:"SETS" default:"core" help:"sets of tools that are offered, by commas"`
}

type mcpAnswer struct{}

func mcpTool() *Tool {
	return spec[mcpInput, mcpAnswer]{
		Name:    "mcp",
		Summary: "answer an agent over the Model Context Protocol, on standard input and output",
		Long: "Speaks every revision of the protocol from 2024-11-05 to 2026-07-28, one message a line, until standard input ends or the process\n" +
			"that started it does. Standard output carries nothing else. No answer has more tokens than its budget: 2,000 (o200k_base)\n" +
			"unless the call asks for another, at most 20,000.",
		Example: []string{"mcp", "mcp -C ../other"},
		Run:     runMCP,
		Text:    func(*tool.Text, *mcpInput, *mcpAnswer) error { return nil },
	}.Tool()
}

func runMCP(ctx context.Context, env *Env, in *mcpInput, _ func(*mcpAnswer) error) error {
	if env.Serve == nil {
		return code.Usagef("nothing can be served from here")
	}
	sets := strings.FieldsFunc(in.Sets, func(r rune) bool { return r == ',' || r == ' ' })
	return env.Serve(ctx, &tool.Serving{Dir: env.Dir, Sets: sets})
}
