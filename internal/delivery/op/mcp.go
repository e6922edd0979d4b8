package op

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/operation"
)

type mcpInput struct {
	Sets      string   `flag:"tools" value:"SETS" help:"sets of tools that are offered, by commas (default: the setting mcp_tools, else core)"`
	Projects  []string `flag:"project" value:"DIR" help:"a directory whose project calls may be about, too; may be repeated"`
	HTTP      string   `flag:"http" value:"ADDRESS" help:"answer over streamable HTTP at host:port instead, port 0 for a free one"`
	TokenFile string   `flag:"token-file" value:"FILE" help:"file of mode 0600 with the token that each request over HTTP has to bear"`
}

type mcpAnswer struct{}

func mcpTool() *Tool {
	return spec[mcpInput, mcpAnswer]{
		Name:    "mcp",
		Topic:   operation.ForAgents,
		Summary: "answer an agent over the Model Context Protocol, on standard input and output or over HTTP",
		Long: "Speaks every revision of the protocol from 2024-11-05 to 2026-07-28, one message a line, until standard input ends or the process\n" +
			"that started it does. Standard output carries nothing else. Calls are about the project of the working directory, unless they name another:\n" +
			"one of --project, or of the directories that the client says it works in. No answer has more tokens than its budget: 2,000 (o200k_base)\n" +
			"unless the call asks for another, at most 20,000.\n\n" +
			"With --http it answers at http://ADDRESS/mcp until it is interrupted; standard error says where. Requests have to name the loopback interface\n" +
			"there, and pages of other origins are refused. Any other address needs a token, from the variable KEN_MCP_TOKEN or a file.",
		Example: []string{"mcp", "mcp -C ../other", "mcp --project ../web --project ../api", "mcp --http 127.0.0.1:8137"},
		Run:     runMCP,
		Text:    func(*operation.Text, *mcpInput, *mcpAnswer) error { return nil },
	}.Tool()
}

func runMCP(ctx context.Context, env *Env, in *mcpInput, _ func(*mcpAnswer) error) error {
	if env.Serve == nil {
		return code.Usagef("nothing can be served from here")
	}
	sets := strings.FieldsFunc(in.Sets, func(r rune) bool { return r == ',' || r == ' ' })
	if in.TokenFile != "" && in.HTTP == "" {
		return code.Usagef("--token-file is for --http: on standard input and output nobody else can ask")
	}
	if port, err := strconv.Atoi(in.HTTP); err == nil {
		in.HTTP = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	}
	var projects []string
	for _, dir := range in.Projects {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(env.Dir, dir)
		}
		if st, err := os.Stat(dir); err != nil || !st.IsDir() {
			return code.Usagef("--project %s is no directory", operation.Quote(dir))
		}
		projects = append(projects, filepath.Clean(dir))
	}
	return env.Serve(ctx, &operation.Serving{Dir: env.Dir, Sets: sets, Projects: projects, Address: in.HTTP, TokenFile: in.TokenFile})
}
