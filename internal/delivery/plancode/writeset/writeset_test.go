package writeset_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ken/internal/delivery/plancode/claim"
	"ken/internal/delivery/plancode/place"
	"ken/internal/delivery/plancode/writeset"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
	"ken/internal/workflow/plan/artefact"
)

var update = flag.Bool("update", false, "rewrite what is expected")

// TestSets makes the sets of the plans of trees, whose plans are files *-PLAN.md, and lists where each two of them meet.
func TestSets(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			last := len(ar.Files) - 1
			tree := map[string]string{}
			var plans []txtar.File
			for _, f := range ar.Files[:last] {
				if strings.HasSuffix(f.Name, "-PLAN.md") {
					plans = append(plans, f)
				} else {
					tree[f.Name] = string(f.Data)
				}
			}
			var b strings.Builder
			p := enginetest.New(t, tree)
			p.Ask(func(ctx context.Context, s *view.Snapshot) error {
				b.Reset()
				rows, err := s.AllPaths()
				if err != nil {
					return err
				}
				b.WriteString("with an index\n")
				if err := show(ctx, &b, s, place.New(rows, nil), plans); err != nil {
					return err
				}
				b.WriteString("without\n")
				return show(ctx, &b, nil, place.New(nil, nil), plans)
			})
			if *update {
				ar.Files[last].Data = []byte(b.String())
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := string(ar.Files[last].Data); b.String() != want {
				t.Errorf("got\n%s\nwant\n%s", b.String(), want)
			}
		})
	}
}

func show(ctx context.Context, b *strings.Builder, s *view.Snapshot, places *place.Places, plans []txtar.File) error {
	var sets []*writeset.Set
	for _, f := range plans {
		id := strings.TrimSuffix(f.Name, "-PLAN.md")
		set, err := writeset.New(ctx, s, places, id, claim.Read(artefact.ParsePlan(string(f.Data))))
		if err != nil {
			return err
		}
		sets = append(sets, set)
		fmt.Fprintf(b, "%s\n", id)
		for i := range set.Entries {
			e := &set.Entries[i]
			fmt.Fprintf(b, "  %s sure=%v there=%v", e.Path, e.Sure(), e.Exists)
			for _, r := range e.Reasons {
				fmt.Fprintf(b, " %s", r.Kind)
				if r.Detail != "" {
					fmt.Fprintf(b, "(%s)", r.Detail)
				}
			}
			b.WriteString("\n")
		}
	}
	for j := range sets {
		for i := range j {
			for _, m := range writeset.Meet(sets[i], sets[j]) {
				fmt.Fprintf(b, "%s and %s meet at %s: %s, %s\n", sets[i].Plan, sets[j].Plan, m.File, m.A.Kind, m.B.Kind)
			}
		}
	}
	return nil
}
