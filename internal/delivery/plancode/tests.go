package plancode

import (
	"context"

	"ken/internal/ask/commands"
	"ken/internal/operation"
	"ken/internal/workflow/plan/planop"
)

// NewTestFinder returns the function that finds the commands which run a project's tests. Operations that work without an index use it.
func NewTestFinder(open Open) planop.TestFinder {
	j := &planIndexOps{open: open}
	return func(ctx context.Context, c *planop.Call) (tests []planop.TestCommand, looked bool, err error) {
		if root, err := c.Project(); err != nil || !hasIndex(root) {
			return nil, false, err
		}
		err = j.withSource(ctx, c, func(ctx context.Context, s *source) error {
			if tests, looked = nil, s.s != nil; !looked {
				return nil
			}
			list, err := commands.Find(ctx, s.s)
			for _, found := range list {
				if found.Kind != commands.Test {
					continue
				}
				t := planop.TestCommand{Line: found.Line, Source: found.Source}
				if found.Dir != "" {
					t.Line = "cd " + operation.ShellWord(found.Dir) + " && " + t.Line
				}
				tests = append(tests, t)
			}
			return err
		})
		return tests, looked, err
	}
}
