package query_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/query"
)

// BenchmarkLarge reads a folder of 50 phases with six plans each, and answers.
func BenchmarkLarge(b *testing.B) {
	root := b.TempDir()
	write := func(name, text string) {
		at := filepath.Join(root, folder.Name, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	var roadmap strings.Builder
	roadmap.WriteString("# Roadmap\n\n## v1.0 Large\n\n")
	for i := 1; i <= 50; i++ {
		fmt.Fprintf(&roadmap, "- [ ] **Phase %d: Name %d** - text\n", i, i)
	}
	for i := 1; i <= 50; i++ {
		fmt.Fprintf(&roadmap, "\n### Phase %d: Name %d\n**Goal**: goal\n**Depends on**: Phase %d\n**Requirements**: [A-%d]\n\nPlans:\n", i, i, i-1, i)
		for p := 1; p <= 6; p++ {
			name := fmt.Sprintf("phases/%02d-name-%d/%02d-%02d", i, i, i, p)
			fmt.Fprintf(&roadmap, "- [ ] %02d-%02d: plan\n", i, p)
			write(name+"-PLAN.md", "---\nphase: x\nwave: 1\nfiles_modified: [a.go]\n---\n\n<objective>\nDo it\n</objective>\n<tasks>\n<task type=\"auto\">\n<name>One</name>\n</task>\n</tasks>\n"+strings.Repeat("text\n", 400))
			if i < 25 {
				write(name+"-SUMMARY.md", "# Summary\n")
			}
		}
	}
	write("ROADMAP.md", roadmap.String())
	write("STATE.md", "# State\n\n## Current Position\n\nPhase: 25 of 50\nStatus: In progress\n")
	open := func(b *testing.B) (*query.Questions, func() error) {
		f, err := folder.Open(root, folder.Options{})
		if err != nil {
			b.Fatal(err)
		}
		inv, err := inventory.Read(f)
		if err != nil {
			b.Fatal(err)
		}
		return &query.Questions{Folder: f, Inventory: inv}, f.Close
	}
	b.Run("State", func(b *testing.B) {
		for b.Loop() {
			q, done := open(b)
			if s, err := q.State(time.Now()); err != nil || s.Progress.TotalPlans != 300 {
				b.Fatal(s, err)
			}
			done()
		}
	})
	b.Run("Analyze", func(b *testing.B) {
		for b.Loop() {
			q, done := open(b)
			if a, err := q.Analyze(); err != nil || a.Count != 50 || q.Inventory.NextStep().Command == "" {
				b.Fatal(a.Count, err)
			}
			done()
		}
	})
	b.Run("PlanIndexOfAll", func(b *testing.B) {
		for b.Loop() {
			q, done := open(b)
			for i := 1; i <= 50; i++ {
				if x := q.PlanIndex(fmt.Sprint(i)); len(x.Plans) != 6 {
					b.Fatal(x)
				}
			}
			done()
		}
	})
}
