package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// resource is a resource of the protocol: the answer of an operation or, without an operation, a schema.
type resource struct {
	uri, about string
	operation  string
	argument   string // that the rest of the address is given as
	more       map[string]any
}

// resources returns the resources for clients whose users choose the content of a context. An address
// that ends in braces is a template.
func resources() []resource {
	return []resource{
		{uri: "ken://summary", about: "What to know when work begins: layers, hotspots, where tests are", operation: "summary"},
		{uri: "ken://map", about: "The most important signatures of the repository", operation: "map"},
		{uri: "ken://file/{+path}", about: "Card of a file: what it is, offers, needs, who uses and tests it", operation: "show", argument: "target"},
		{uri: "ken://entity/{+id}", about: "The page that says why a file exists", operation: "entity", argument: "file", more: map[string]any{"action": "show"}},
		{uri: "ken://schema/{tool}", about: "All arguments of a tool, and the fields of its structured answer"},
	}
}

func (s *Server) addResources(server *mcp.Server) {
	for _, r := range resources() {
		scheme, rest, _ := strings.Cut(r.uri, "://")
		name, _, template := strings.Cut(rest, "/")
		kind := "text/plain"
		if r.operation == "" {
			kind = "application/json"
		}
		read := func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			value, err := url.PathUnescape(strings.TrimPrefix(req.Params.URI, scheme+"://"+name+"/"))
			if err != nil {
				return nil, mcp.ResourceNotFoundError(req.Params.URI)
			}
			text, err := s.readResource(ctx, &r, value)
			if err != nil {
				return nil, err
			}
			if text == "" {
				return nil, mcp.ResourceNotFoundError(req.Params.URI)
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: kind, Text: text}}}, nil
		}
		if template {
			server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: r.uri, Name: name, Description: r.about, MIMEType: kind}, read)
		} else {
			server.AddResource(&mcp.Resource{URI: r.uri, Name: name, Description: r.about, MIMEType: kind}, read)
		}
	}
}

// readResource returns the text of a resource, "" if it does not exist.
func (s *Server) readResource(ctx context.Context, r *resource, value string) (string, error) {
	if r.operation == "" {
		i := slices.IndexFunc(s.Tools, func(t *project.Tool) bool { return t.Name == value })
		if i < 0 {
			return "", nil
		}
		return s.callSchema(s.Tools[i])
	}
	args := map[string]any{}
	for k, v := range r.more {
		args[k] = v
	}
	if r.argument != "" {
		args[r.argument] = value
	}
	text, found, err := s.answerText(ctx, r.operation, args)
	if !found && r.argument != "" {
		return "", err
	}
	return text, err
}

// answerText returns an operation's answer, within the default budget; found reports that it found something.
func (s *Server) answerText(ctx context.Context, name string, args map[string]any) (text string, found bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.running, cancel)()
	i := slices.IndexFunc(s.Tools, func(t *project.Tool) bool { return t.Name == name })
	if i < 0 {
		return "", false, fmt.Errorf("there is no operation %s", name)
	}
	o := newOffered(s.Tools[i])
	raw, err := json.Marshal(args)
	if err != nil {
		return "", false, err
	}
	in := o.tool.NewInput()
	c, err := o.decode(raw, in)
	if err != nil {
		return "", false, err
	}
	dir, err := s.Scope.ChooseDirectory(ctx, c.project, stringValues(o.fields(), in))
	if err != nil {
		return "", false, err
	}
	f := s.fitter(&c, &o)
	defer s.release(f)
	a := &toolCall{server: s, tool: o.tool, in: in, common: &c, dir: dir}
	r, err := a.fitAnswer(ctx, f)
	outcome := operation.Classify(ctx, err)
	if outcome == operation.Interrupted {
		return "", false, context.Cause(ctx)
	}
	text = r.Content[0].(*mcp.TextContent).Text
	if r.IsError {
		return "", false, errors.New(text)
	}
	return text, outcome != operation.Nothing, nil
}

// callSchema returns everything needed to call an operation, as JSON.
func (s *Server) callSchema(t *project.Tool) (string, error) {
	o := offeredTool{tool: t, shown: map[string]string{}}
	for _, f := range o.fields() {
		o.shown[f.Key()] = f.Help
	}
	b, err := json.Marshal(map[string]any{
		"name": t.Name, "description": s.words.translate(t.Long, &o), "inputSchema": o.schema(nil), "outputSchema": outputSchema(t.Answer()),
	})
	return string(b), err
}

// outputSchema returns the JSON Schema of an answer. Any field may be missing, because a budget can leave it out.
func outputSchema(columns []operation.Column) map[string]any {
	properties := map[string]any{}
	for _, c := range columns {
		p := map[string]any{"description": c.Doc}
		switch {
		case strings.HasPrefix(c.Type, "list of objects"):
			p["type"], p["items"] = "array", outputSchema(c.Fields)
		case strings.HasPrefix(c.Type, "list of"):
			p["type"] = "array"
		case c.Type == "object" && len(c.Fields) > 0:
			p["type"], p["properties"] = "object", outputSchema(c.Fields)["properties"]
		case strings.HasPrefix(c.Type, "object"):
			p["type"] = "object"
		case c.Type == "string or null":
			p["type"] = []string{"string", "null"}
		default:
			p["type"] = c.Type
		}
		properties[c.Name] = p
	}
	return map[string]any{"type": "object", "properties": properties}
}
