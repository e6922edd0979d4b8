package infer_test

import (
	"fmt"
	"strings"
	"testing"

	"ken/internal/engine/graph/infer"
	"ken/internal/engine/graphtest"
)

// TestReceivers: what every receiver of the trees is, and what the members of
// every type override.
func TestReceivers(t *testing.T) {
	graphtest.Each(t, "testdata/receivers", func(r *graphtest.Repo) string {
		r.Link()
		types := infer.New(r.Linker, r)
		var b strings.Builder
		for _, f := range r.Files {
			var lines []string
			seen := map[string]bool{}
			for _, ref := range f.Facts.Refs {
				if ref.Recv == "" || seen[ref.Recv] {
					continue
				}
				seen[ref.Recv] = true
				if s := show(r, types.Receiver(&f.Site, ref.Recv)); s != "unknown" || infer.Reads(f.Node.Lang) {
					lines = append(lines, fmt.Sprintf("\t%s: %s\n", ref.Recv, s))
				}
			}
			for i := range f.Facts.Symbols {
				s := &f.Facts.Symbols[i]
				if !s.Kind.IsFunction() || s.Container() == "" {
					continue
				}
				above, outside := types.Overridden(f.Node, -1, s.Container(), s.Name)
				if len(above) > 0 || outside {
					lines = append(lines, fmt.Sprintf("\t%s overrides%s outside %t\n", s.Qualified, showAll(r, above), outside))
				}
			}
			if len(lines) > 0 {
				fmt.Fprintf(&b, "%s\n%s", f.Node.Path, strings.Join(lines, ""))
			}
		}
		return b.String()
	}, "../testdata/*.txtar", "testdata/*.txtar")
}

func show(r *graphtest.Repo, got infer.Receiver) string {
	switch got.Kind {
	case infer.Unknown:
		return "unknown"
	case infer.Outside:
		return "outside"
	case infer.Module:
		return fmt.Sprintf("module %s %s", r.Path(got.File), strings.Join(got.Dirs, " "))
	}
	s := "type" + showAll(r, got.Types)
	if got.OutsideBase {
		s += ", outside"
	}
	if !got.Complete {
		s += ", incomplete"
	}
	return s
}

func showAll(r *graphtest.Repo, list []infer.Decl) string {
	var b strings.Builder
	for i := range list {
		fmt.Fprintf(&b, " %s:%s", r.Path(list[i].File.ID), list[i].QualifiedName())
	}
	return b.String()
}
