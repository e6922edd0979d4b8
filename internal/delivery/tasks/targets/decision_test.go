package targets

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"ken/internal/ask/refs"
	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/guard"
	"ken/internal/knowledge/task"
	"ken/internal/lang"
)

// trees are those of the tests of references: every language that is read in full, and every way in which files use each other.
func trees(t *testing.T, check func(t *testing.T, p *enginetest.Project)) {
	files, err := filepath.Glob("../../../ask/refs/testdata/graph/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no trees", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(f)
			if err != nil {
				t.Fatal(err)
			}
			archive.Files = archive.Files[:len(archive.Files)-1] // the last holds answers
			check(t, enginetest.NewTxtar(t, txtar.Format(archive)))
		})
	}
}

// TestDecisionsOfHooks compares the decision of a hook on each file of many trees with the decision from all facts of the index, each
// reference of each dependent bound: a hook may look up less and must not decide otherwise.
func TestDecisionsOfHooks(t *testing.T) {
	decided := map[string]int{}
	trees(t, func(t *testing.T, p *enginetest.Project) {
		if err := os.WriteFile(filepath.Join(p.Root, "unlisted"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		p.Ask(func(ctx context.Context, s *view.Snapshot) error {
			f := &Finder{Paths: &project.Project{Root: project.RealPath(p.Root), Dir: p.Root, Engine: p.Engine}, Snapshot: s, Quick: true, Unused: unused.Proven}
			names := []string{"unlisted", "made/up.go"}
			for file := range s.Index.Files() {
				names = append(names, file.Path, filepath.Join(filepath.Dir(file.Path), "not-there.go"))
			}
			for _, n := range names {
				full, err := everything(ctx, f, project.RealPath(p.Root)+"/"+n)
				if err != nil {
					return fmt.Errorf("%s: %w", n, err)
				}
				for _, looks := range looksAt(&full) {
					for _, most := range []int{0, 1, 10} {
						k := &guard.Task{Level: guard.Auto, State: guard.Exploration, Intent: guard.Modify, Looks: looks}
						f.Most = most
						quick, err := f.Find(ctx, []string{project.RealPath(p.Root) + "/" + n})
						if err != nil {
							return fmt.Errorf("%s: %w", n, err)
						}
						g := &quick[0]
						counted := g.Dependents == full.Dependents || g.More && most < g.Dependents && g.Dependents < full.Dependents
						if g.Isolated != full.Isolated || !counted {
							t.Errorf("%s: isolated %v, %d dependents; want %v, %d", n, g.Isolated, g.Dependents, full.Isolated, full.Dependents)
						}
						g.Dependents, g.More = full.Dependents, false
						want := decide(k, most, full)
						if diff := cmp.Diff(want, decide(k, most, quick[0]), cmpopts.IgnoreUnexported(guard.Decision{})); diff != "" {
							t.Errorf("%s, %d dependents allowed, %d looks: %s", n, most, len(looks), diff)
						}
						decided[want.Error]++
					}
				}
			}
			return nil
		})
	})
	if decided[""] < 200 || decided[guard.EvidenceMissing] < 200 {
		t.Errorf("decided were %v: the test has become small", decided)
	}
}

func decide(k *guard.Task, most int, g guard.Target) guard.Decision {
	g.Name = g.Path
	policy := guard.DefaultPolicy()
	policy.MaxDependents = most
	d := guard.Decide(policy, k, &guard.Request{Tool: guard.Write, Targets: []guard.Target{g}})
	for i := range d.Missing { // a hook names the files, and may know fewer of their lines
		m := &d.Missing[i]
		m.Next = ""
		for n := range m.Places {
			m.Places[n], _, _ = strings.Cut(m.Places[n], ",")
		}
	}
	d.Hint = ""
	return d
}

// looksAt are nothing, the first line that uses a target, all of these lines, and the files with them.
func looksAt(g *guard.Target) (out [][]task.ReadPart) {
	var first, lines, files []task.ReadPart
	for _, c := range g.Callers {
		for i, n := range c.Lines {
			l := task.ReadPart{Path: c.Path, Depth: task.Read, First: n, Last: n}
			if lines = append(lines, l); i == 0 {
				first = append(first, l)
			}
		}
		files = append(files, task.ReadPart{Path: c.Path, Depth: task.Read})
	}
	return [][]task.ReadPart{nil, first, lines, files}
}

// everything returns all facts of the index about a target of a write, whatever they cost.
func everything(ctx context.Context, f *Finder, name string) (g guard.Target, err error) {
	rel, _, err := f.Paths.Locate(name)
	if err != nil {
		return g, err
	}
	g = guard.Target{Path: rel}
	if _, ok, err := f.Snapshot.Index.FileByPath(rel); err != nil || !ok {
		g.New = !f.Paths.(*project.Project).Exists(rel)
		g.Unindexed = !g.New
		g.Isolated = g.New && !slices.ContainsFunc(paths(f.Snapshot), func(p string) bool { return filepath.Dir(p) == filepath.Dir(rel) })
		return g, err
	}
	in, err := refs.Dependents(ctx, f.Snapshot, view.Target{File: rel}, 1)
	for i := range in.List {
		d := &in.List[i]
		if !d.Relation.Depends() || d.Confidence == code.Ambiguous {
			continue
		}
		if g.Dependents++; d.Test {
			g.Tests = append(g.Tests, d.Path)
			continue
		}
		c, err := everyUse(ctx, f, d.Path, rel)
		if err != nil {
			return g, err
		}
		g.Callers = append(g.Callers, c)
	}
	if err := addOthers(ctx, f, &g, in.List); err != nil {
		return g, err
	}
	slices.Sort(g.Tests)
	slices.SortFunc(g.Callers, func(a, b guard.Caller) int { return strings.Compare(a.Path, b.Path) })
	if pages := lang.IsMarkup(rel); pages && !slices.ContainsFunc(g.Callers, func(c guard.Caller) bool { return !lang.IsMarkup(c.Path) }) {
		g.Callers = nil
	}
	if err != nil || g.Dependents > 0 {
		return g, err
	}
	out, err := refs.Dependencies(ctx, f.Snapshot, view.Target{File: rel}, 1)
	g.Isolated = !slices.ContainsFunc(out.List, func(d view.Dependent) bool { return d.Relation.Depends() })
	if n, _ := f.Snapshot.Lookup.Node(rel); err == nil && g.Isolated && lang.LanguageTier(n.Lang) == lang.Full {
		g.Isolated, err = unused.Proven(ctx, f.Snapshot, view.Target{File: rel}, nil)
		return g, err
	}
	return g, err
}

// addOthers adds the files that use declarations of a target by their names and do not depend on it directly: all of which a reference
// leads to it.
func addOthers(ctx context.Context, f *Finder, g *guard.Target, direct []view.Dependent) error {
	for _, from := range paths(f.Snapshot) {
		depends := func(d view.Dependent) bool {
			return d.Path == from && d.Relation.Depends() && d.Confidence > code.Ambiguous
		}
		list, err := refs.FileReferences(ctx, f.Snapshot, from)
		if err != nil {
			return err
		}
		id, err := f.Snapshot.Index.FileID(from)
		if err != nil {
			return err
		}
		leads := func(r view.Reference) bool {
			if r.Target == nil || r.Target.Path != g.Path || r.Confidence == code.Ambiguous {
				return false
			}
			named, err := f.Snapshot.Index.Referrers(r.Target.Name)
			return err == nil && slices.Contains(named, id)
		}
		if from == g.Path || slices.ContainsFunc(direct, depends) || !slices.ContainsFunc(list, leads) {
			continue
		}
		g.Dependents++
		if n, _ := f.Snapshot.Lookup.Node(from); n.Test {
			g.Tests = append(g.Tests, from)
			continue
		}
		c, err := everyUse(ctx, f, from, g.Path)
		if err != nil {
			return err
		}
		g.Callers = append(g.Callers, c)
	}
	return nil
}

func paths(s *view.Snapshot) (out []string) {
	for f := range s.Index.Files() {
		out = append(out, f.Path)
	}
	return out
}

// everyUse returns a caller with a line of each form in which it uses another file, from all its references.
func everyUse(ctx context.Context, f *Finder, from, to string) (c guard.Caller, err error) {
	c.Path = from
	list, err := refs.FileReferences(ctx, f.Snapshot, from)
	if err != nil {
		return c, err
	}
	var uses []use
	for i := range list {
		if r := &list[i]; r.Target != nil && r.Target.Path == to && r.Confidence > code.Ambiguous {
			uses = append(uses, use{r.Line, r.Start, r.End, r.Kind})
		}
	}
	if len(uses) > 0 {
		c.Lines, c.Alike, err = f.oneOfEach(ctx, from, uses)
		return c, err
	}
	imports, err := f.Snapshot.Imports(ctx, from)
	for i := range imports {
		if slices.Contains(imports[i].Targets, to) {
			c.Lines = append(c.Lines, int(imports[i].Line))
		}
	}
	slices.Sort(c.Lines)
	c.Lines = slices.Compact(c.Lines)
	return c, err
}

// counting counts the files whose facts are read.
type counting struct {
	store.Reader
	sites int
}

func (c *counting) Site(file int64) (store.SiteRow, error) {
	c.sites++
	return c.Reader.Site(file)
}

// TestHookReadsFew checks that of a file on which very many depend a hook reads none of them: the answer is known as soon as they
// are counted.
func TestHookReadsFew(t *testing.T) {
	files := map[string]string{"go.mod": "module m\n", "base/base.go": "package base\n\nfunc Do() {}\n"}
	for i := range 100 {
		files[fmt.Sprintf("p%d/p.go", i)] = fmt.Sprintf("package p%d\n\nimport \"m/base\"\n\nfunc Run() { base.Do() }\n", i)
	}
	p := enginetest.New(t, files)
	p.Ask(func(ctx context.Context, s *view.Snapshot) error {
		c := &counting{Reader: s.Index}
		s.Index = c
		f := &Finder{Paths: &project.Project{Root: project.RealPath(p.Root), Dir: p.Root, Engine: p.Engine}, Snapshot: s, Quick: true, Unused: unused.Proven}
		targets, err := f.Find(ctx, []string{project.RealPath(p.Root) + "/base/base.go"})
		if err != nil {
			return err
		}
		if n := targets[0].Dependents; n != 100 || c.sites > 0 {
			t.Errorf("%d dependents, facts of %d files read; want 100 and none", n, c.sites)
		}
		return nil
	})
}
