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

// NewMeetFinder returns the function that finds plans which change the same code: callers of a signature that changes, and files
// that must change together with a written one. Operations that work without an index use it, too.
func NewMeetFinder(open Open) planop.MeetFinder {
	j := &planIndexOps{open: open}
	return func(ctx context.Context, c *planop.Call, plans map[string]*artefact.Plan) (func(a, b string) []planop.CommonFile, error) {
		if root, err := c.Project(); err != nil || !hasIndex(root) {
			return nil, err
		}
		var sets map[string]*writeset.Set
		err := j.withSource(ctx, c, func(ctx context.Context, s *source) (err error) {
			if sets = nil; s.s != nil {
				sets, err = writeSets(ctx, s, plans)
			}
			return err
		})
		if err != nil || sets == nil {
			return nil, err
		}
		return func(a, b string) []planop.CommonFile { return findMeetings(sets[a], sets[b]) }, nil
	}
}

// hasIndex reports whether a project has an index. It must be asked before opening one, because opening a project writes to disk.
func hasIndex(root string) bool {
	list, err := os.ReadDir(filepath.Join(root, ".ken"))
	return err == nil && slices.ContainsFunc(list, func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), "index") && strings.HasSuffix(e.Name(), ".db")
	})
}

// findMeetings returns the files in both write sets, each once.
func findMeetings(a, b *writeset.Set) (out []planop.CommonFile) {
	if a == nil || b == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, m := range writeset.Meet(a, b) {
		if seen[m.File] {
			continue
		}
		seen[m.File] = true
		met := planop.CommonFile{File: m.File}
		if !m.Sure {
			met.Why = fmt.Sprintf("%s: %s, %s: %s", a.Plan, reasonText(m.A), b.Plan, reasonText(m.B))
		}
		out = append(out, met)
	}
	return out
}
