package mcp

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// addPrompts offers prompts for common tasks: clients show them to users as commands.
func (s *Server) addPrompts(server *mcp.Server) {
	server.AddPrompt(&mcp.Prompt{
		Name: "plan", Description: "Plan work towards a goal, from what the repository says about it",
		Arguments: []*mcp.PromptArgument{{Name: "goal", Description: "what is to be done", Required: true}},
	}, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		goal := req.Params.Arguments["goal"]
		text, _, err := s.answerText(ctx, "brief", map[string]any{"goal": goal})
		if err != nil {
			return nil, err
		}
		return promptResult("Plan the work towards this goal: " + goal + "\n\nWhat the repository says about it:\n\n" + text +
			"\n\nName the files to change and in which order, what depends on them (ask impact), and the tests to run. Ask show and refs instead of reading whole files."), nil
	})
	server.AddPrompt(&mcp.Prompt{Name: "review", Description: "Review the changes of the working tree"},
		func(ctx context.Context, _ *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			text, _, err := s.answerText(ctx, "impact", map[string]any{"diff": true})
			if err != nil {
				return nil, err
			}
			return promptResult("Review the changes of the working tree against HEAD.\n\nWhat they concern:\n\n" + text +
				"\n\nCheck each dependent that the changes may break, the tests that should change with them, and documents that are outdated. Report faults, worst first."), nil
		})
	server.AddPrompt(&mcp.Prompt{Name: "sync-entities", Description: "Write the pages that say why files exist, where they are missing or stale"},
		func(ctx context.Context, _ *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			text, _, err := s.answerText(ctx, "entity", map[string]any{"action": "stale"})
			if err != nil {
				return nil, err
			}
			return promptResult("Bring the pages of meaning up to date. Pages that are stale:\n\n" + text +
				s.words.translate("\n\nRepeat until there is none left: \"ken entity next\" names files and what is known of them; read each, write its page, and hand it to \"ken entity put FILE\".", nil)), nil
		})
}

func promptResult(text string) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}
}

// maxCompleted is the number of values in a completion that the protocol allows.
const maxCompleted = 100

// complete completes paths and names of tools in the addresses of resources. If the query fails, the completion is empty.
func (s *Server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var values []string
	begun := req.Params.Argument.Value
	switch req.Params.Argument.Name {
	case "path", "id":
		values = s.completions(ctx, begun, (*project.Project).CompletePaths)
	case "name", "symbol", "target":
		values = s.completions(ctx, begun, (*project.Project).CompleteNames)
	case "tool":
		for _, t := range s.Tools {
			if strings.HasPrefix(t.Name, begun) {
				values = append(values, t.Name)
			}
		}
	}
	r := &mcp.CompleteResult{}
	r.Completion.Values, r.Completion.HasMore = values[:min(len(values), maxCompleted)], len(values) > maxCompleted
	if r.Completion.Values == nil {
		r.Completion.Values = []string{}
	}
	return r, nil
}

type completer func(p *project.Project, ctx context.Context, prefix string, most int) ([]string, error)

func (s *Server) completions(ctx context.Context, begun string, f completer) []string {
	dir, err := s.Scope.ChooseDirectory(ctx, "", nil)
	if err != nil {
		return nil
	}
	p, err := s.open(dir, operation.Existing)
	if err != nil || code.CutLength(begun, maxCompletion) < len(begun) {
		return nil
	}
	list, err := f(p, ctx, begun, maxCompleted+1)
	if err != nil {
		return nil
	}
	for i := range list {
		list[i] = p.KnownSecrets().MaskString(list[i])
	}
	return list
}

// maxCompletion is the longest text that is completed, in bytes.
const maxCompletion = 1000
