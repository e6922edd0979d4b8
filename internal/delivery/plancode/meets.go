package plancode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/delivery/plancode/writeset"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/planop"
)

// Meets returns the function by which operations that work without an index, too, find plans that meet in the code: at callers of a
// signature that changes, and at files that have to change with a written one.
func Meets(open Open) planop.Meet {
	j := &joined{open: open}
	return func(ctx context.Context, c *planop.Call, plans map[string]*artefact.Plan) (func(a, b string) []planop.Meeting, error) {
		if root, err := c.Project(); err != nil || !hasIndex(root) {
			return nil, err
		}
		var sets map[string]*writeset.Set
		err := j.ask(ctx, c, func(ctx context.Context, s *source) (err error) {
			if sets = nil; s.s != nil {
				sets, err = writeSets(ctx, s, plans)
			}
			return err
		})
		if err != nil || sets == nil {
			return nil, err
		}
		return func(a, b string) []planop.Meeting { return meetings(sets[a], sets[b]) }, nil
	}
}

// hasIndex reports whether there is an index of a project. Where there is none it is not opened, because opening remembers whose it is.
func hasIndex(root string) bool {
	list, err := os.ReadDir(filepath.Join(root, ".ken"))
	return err == nil && slices.ContainsFunc(list, func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), "index") && strings.HasSuffix(e.Name(), ".db")
	})
}

// meetings are where two sets meet, each file once.
func meetings(a, b *writeset.Set) (out []planop.Meeting) {
	if a == nil || b == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, m := range writeset.Meet(a, b) {
		if seen[m.File] {
			continue
		}
		seen[m.File] = true
		met := planop.Meeting{File: m.File}
		if !m.Sure {
			met.Why = fmt.Sprintf("%s: %s, %s: %s", a.Plan, reason(m.A), b.Plan, reason(m.B))
		}
		out = append(out, met)
	}
	return out
}
