package refs

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/facts"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Test is a file that is run as a test and that uses another file, perhaps through others.
type Test struct {
	File  code.File
	Of    string // the reached file
	Steps int    // 1: it uses that file directly
	// Through is the file that the test uses directly, "" if that is Of.
	Through    string
	Relation   code.Relation // of the first step
	Confidence code.Confidence
}

// Limits of a search for tests.
const (
	enoughTests   = 6    // once as many were found, no farther ones are looked for
	maxTests      = 40   // tests of the same distance
	maxTestSteps  = 8    // farther tests are not specific
	maxTestVisits = 2000 // files whose users are read
)

// Tests returns the files run as tests that reach some files, nearest first; of those as near the ones that changed with the files
// most often. Few tests import the tested file directly where a package has one file that re-exports all of it. A test of a test's
// helper is no test of the code the helper uses: the walk goes on from helpers, not from tests. It returns an error if the index or
// the history cannot be read or ctx ends.
func Tests(ctx context.Context, s *view.Snapshot, paths ...string) ([]Test, error) {
	w := testWalk{s: s, from: map[int64]Test{}}
	var level []int64
	for _, p := range paths {
		n, ok := s.Lookup.Node(p)
		if !ok {
			continue
		}
		w.from[n.ID] = Test{Of: p}
		level = append(level, n.ID)
	}
	together, err := s.CoChangedAll(ctx, paths, 0)
	if err != nil {
		return nil, err
	}
	habit := make(map[string]float64, len(together))
	for _, c := range together {
		habit[c.Path] = c.Score
	}
	for steps := 1; len(level) > 0 && steps <= maxTestSteps && len(w.found) < enoughTests; steps++ {
		first := len(w.found)
		if level, err = w.step(ctx, level, steps); err != nil {
			return nil, err
		}
		near := w.found[first:]
		slices.SortFunc(near, func(a, b Test) int {
			p, q := a.File.Path, b.File.Path
			return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(habit[q], habit[p]), cmp.Compare(p, q))
		})
		if steps > 1 && len(near) > maxTests {
			w.found = w.found[:first+maxTests]
		}
	}
	return w.found, s.Lookup.Err
}

// testWalk follows dependencies backwards from some files to their tests, level by level.
type testWalk struct {
	s      *view.Snapshot
	from   map[int64]Test // how each visited file reaches one of the files
	found  []Test
	visits int
}

// step reads the users of one level of files and keeps the tests among them. It returns the others, without examples and documents;
// none once maxTestVisits files were read.
func (w *testWalk) step(ctx context.Context, level []int64, steps int) (next []int64, err error) {
	for _, id := range level {
		if w.visits++; w.visits > maxTestVisits {
			return nil, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		edges, err := w.s.Index.EdgesTo(id)
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			if _, seen := w.from[e.Source]; seen || !e.Relation.Depends() {
				continue
			}
			t := Test{Of: w.from[id].Of, Steps: steps, Relation: e.Relation, Confidence: e.Confidence}
			if n, _ := w.s.Lookup.NodeByID(id); steps > 1 {
				t.Through = n.Path
			}
			if t.File, err = w.s.FileByID(e.Source); err != nil {
				return nil, err
			}
			w.from[e.Source] = t
			run, err := RunAsTest(w.s, &t.File)
			switch {
			case err != nil:
				return nil, err
			case run:
				w.found = append(w.found, t)
			case t.File.Class.Has(code.ClassExample | code.ClassDocument): // these show a use, and nothing builds on them
			default:
				next = append(next, e.Source)
			}
		}
	}
	return next, nil
}

// RunAsTest reports whether a file is run as a test: by its name in the language's test runners, or by its declarations. A folder of
// tests holds helpers, fixtures and settings, too. It returns an error if the index cannot be read.
func RunAsTest(s *view.Snapshot, f *code.File) (bool, error) {
	base := path.Base(f.Path)
	row := lang.Of(f.Lang)
	switch {
	case f.Lang == "" || !f.Class.Has(code.ClassTest) || f.Class.Has(code.ClassData|code.ClassDocument|code.ClassFixture):
		return false, nil
	case strings.HasPrefix(base, "conftest."): // settings of tests
		return false, nil
	case row.Tests.Match(base):
		return true, nil
	case f.Flags&code.FlagTest == 0 || IsTestHelper(f.Path), strings.HasPrefix(path.Ext(base), ".h"): // a helper, or a header of C
		return false, nil
	}
	if row.InlineTests && path.Base(code.Dir(f.Path)) != "tests" { // a module of a test crate, or of the code
		return false, nil
	}
	if len(row.TestMarks) == 0 && row.TestPrefix == "" {
		return true, nil
	}
	return declaresTests(s, f, row)
}

// declaresTests reports whether a file calls or is annotated with a declarator of tests,
// or has functions that a runner takes for tests.
func declaresTests(s *view.Snapshot, f *code.File, row *lang.Info) (bool, error) {
	if row.TestPrefix != "" {
		rows, err := s.Index.Symbols(f.ID)
		if err != nil {
			return false, err
		}
		for i := range rows {
			if rows[i].Kind.IsFunction() && strings.HasPrefix(rows[i].Name, row.TestPrefix) {
				return true, nil
			}
		}
	}
	p, err := s.OpenFacts(f.ID)
	if err != nil || p == nil {
		return false, err
	}
	for _, mark := range row.TestMarks {
		if ok, err := hasMark(p, mark); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

func hasMark(p *facts.Packed, mark string) (bool, error) {
	if !p.Refers(mark) {
		return false, nil
	}
	list, err := p.Refs(mark)
	return slices.ContainsFunc(list, func(r code.Ref) bool {
		return r.Kind == code.RefDecorate || r.Scope < 0 && r.Recv == ""
	}), err
}

// IsTestHelper reports whether a file in a folder of tests is a helper for others, by a
// word of its own name or by its folder.
func IsTestHelper(p string) bool {
	stem := path.Base(p)
	stem = strings.ToLower(strings.TrimSuffix(stem, path.Ext(stem)))
	words := strings.FieldsFunc(stem, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	words = append(words, strings.ToLower(path.Base(code.Dir(p))))
	return slices.ContainsFunc(words, func(w string) bool {
		switch w {
		case "helper", "helpers", "util", "utils", "support", "common", "setup", "shared":
			return true
		case "mock", "mocks", "stub", "stubs", "factory", "factories", "fixture", "fixtures":
			return true
		}
		return strings.HasSuffix(w, "helper") || strings.HasSuffix(w, "helpers")
	})
}
