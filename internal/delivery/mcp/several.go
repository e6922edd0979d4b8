package mcp

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/delivery/project"
	"ken/internal/operation"
)

// stringValues returns pointers to all strings in an input.
func stringValues(fields []operation.Field, in any) (out []*string) {
	for i := range fields {
		switch p := fields[i].Pointer(in).(type) {
		case *string:
			out = append(out, p)
		case *[]string:
			for k := range *p {
				out = append(out, &(*p)[k])
			}
		}
	}
	return out
}

// otherProjectNote returns a note if a path that was not found exists in another project, else "".
func (a *toolCall) otherProjectNote() string {
	root := ""
	if a.project != nil {
		root = a.project.Root
	}
	return a.server.Scope.OtherProjectNote(root, stringValues(a.tool.Input(), a.in))
}

// open opens the project that holds a directory.
func (s *Server) open(dir string, need operation.Need) (*project.Project, error) {
	p, err := s.Open(dir, need)
	root := ""
	if err == nil {
		root = p.Root
	}
	return p, s.Scope.CheckOpened(dir, root, err)
}

// namesProjects adds the argument that names a project to the list of tools, if there are several projects.
func (s *Server) namesProjects(list []offeredTool) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			r, ok := result.(*mcp.ListToolsResult)
			if !ok || err != nil {
				return result, err
			}
			names := s.Scope.Names(ctx)
			if names == nil {
				return result, nil
			}
			named := *r
			named.Tools = slices.Clone(r.Tools)
			for i, t := range named.Tools {
				k := slices.IndexFunc(list, func(o offeredTool) bool { return o.name() == t.Name })
				one := *t
				one.InputSchema = list[k].schema(names)
				named.Tools[i] = &one
			}
			return &named, nil
		}
	}
}

// relist returns the function to call when the client has reported its roots: if that changes the list of tools, it
// asks the client to list them again.
func (s *Server) relist(ctx context.Context, say func(line []byte)) func() {
	s.relists = true
	before := s.Scope.Names(ctx)
	return func() {
		if now := s.Scope.Names(ctx); !slices.Equal(now, before) {
			before = now
			say([]byte(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` + "\n"))
		}
	}
}
