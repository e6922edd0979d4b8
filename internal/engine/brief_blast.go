package engine

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
)

// BlastRadius is who depends on a file that is going to be changed.
type BlastRadius struct {
	Path   string
	Files  int // that depend on it directly
	Tests  int // of them
	Groups []DirCount
	// Through is how many more depend on it through those; Whole says that all
	// were counted, else there are more.
	Through int
	Whole   bool
}

// DirCount is a directory with how many of some files are in it or below; the
// directory "" stands for all others.
type DirCount struct {
	Dir   string
	Files int
}

// DependentDir is how many files of a directory depend on a file; see
// Reader.DependentDirs.
type DependentDir struct {
	Dir   string
	Test  bool
	Files int
}

const (
	blastOf     = 4   // files whose radius is told
	blastGroups = 4   // directories named
	blastSteps  = 120 // files whose dependents are asked for, in all of one radius
)

// blast tells the radius of the first files that have one.
func (b *briefer) blast() error {
	for i := range b.out.Modify {
		c := &b.out.Modify[i]
		if len(b.out.Blast) == blastOf || c.Dependents == 0 {
			continue
		}
		dirs, err := b.s.r.DependentDirs(c.ID)
		if err != nil {
			return err
		}
		r := BlastRadius{Path: c.Path}
		code := map[string]int{}
		for _, d := range dirs {
			r.Files += d.Files
			if d.Test {
				r.Tests += d.Files
			} else {
				code[d.Dir] += d.Files
			}
		}
		if r.Files == 0 {
			continue
		}
		r.Groups = gather(code)
		if r.Through, r.Whole, err = b.through(c.ID); err != nil {
			return err
		}
		b.out.Blast = append(b.out.Blast, r)
	}
	return nil
}

// gather joins directories, deepest first, until few are left.
func gather(count map[string]int) []DirCount {
	for len(count) > blastGroups {
		deepest := 0
		for dir := range count {
			deepest = max(deepest, strings.Count(dir, "/"))
		}
		if deepest == 0 {
			break
		}
		up := map[string]int{}
		for dir, n := range count {
			if strings.Count(dir, "/") == deepest {
				dir = path.Dir(dir)
			}
			up[dir] += n
		}
		count = up
	}
	var out []DirCount
	for dir, n := range count {
		if dir == "" {
			dir = "."
		}
		out = append(out, DirCount{dir, n})
	}
	slices.SortFunc(out, func(a, b DirCount) int { return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Dir, b.Dir)) })
	if len(out) > blastGroups {
		rest := 0
		for _, d := range out[blastGroups-1:] {
			rest += d.Files
		}
		out = append(out[:blastGroups-1], DirCount{"", rest})
	}
	return out
}

// through counts what depends on a file by more than one step.
func (b *briefer) through(id int64) (n int, whole bool, err error) {
	seen := map[int64]bool{id: true}
	level := []int64{id}
	for depth, steps := 1, 0; len(level) > 0; depth++ {
		var next []int64
		for _, f := range level {
			if steps++; steps > blastSteps {
				return n, false, nil
			}
			edges, err := b.s.r.EdgesTo(f)
			if err != nil {
				return 0, false, err
			}
			for _, e := range edges {
				if !e.Relation.Depends() || seen[e.Source] {
					continue
				}
				seen[e.Source] = true
				next = append(next, e.Source)
				if depth > 1 {
					n++
				}
			}
		}
		level = next
	}
	return n, true, nil
}

// namesOf lists the names of some paths, the first few: "a.go, b.go and 3 more".
func namesOf(paths []string, n int) string {
	var out []string
	for _, p := range paths[:min(n, len(paths))] {
		out = append(out, path.Base(p))
	}
	text := strings.Join(out, ", ")
	if more := len(paths) - n; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}
