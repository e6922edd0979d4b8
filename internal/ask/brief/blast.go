package brief

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
)

// BlastRadius counts the files that depend on a file that is going to be changed.
type BlastRadius struct {
	Path   string
	Files  int // that depend on it directly
	Tests  int // of these files
	Groups []DirCount
	// Through is how many more depend on it through those; Whole is set if all
	// were counted.
	Through int
	Whole   bool
}

// DirCount is a directory with the number of files in it or below; the directory "" holds all others.
type DirCount struct {
	Dir   string
	Files int
}

const (
	blastOf     = 4   // files whose radius is given
	blastGroups = 4   // directories named, including the sum of the others
	blastCover  = 0.4 // share of the files that those named must hold
	blastSteps  = 80  // files whose dependents are read for the first radius; half as many for each further one
)

// blast counts the dependents of the first files to be changed that have any.
func (b *briefer) blast() error {
	for i := range b.out.Modify {
		c := &b.out.Modify[i]
		if len(b.out.Blast) == blastOf || c.Dependents == 0 {
			continue
		}
		dirs, err := b.s.Index.DependentDirs(c.ID)
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
		if r.Through, r.Whole, err = b.through(c.ID, blastSteps>>len(b.out.Blast)); err != nil {
			return err
		}
		b.out.Blast = append(b.out.Blast, r)
	}
	return nil
}

// gather groups directories as finely as possible while few groups hold most files, and returns those groups.
func gather(count map[string]int) []DirCount {
	total, depth := 0, 0
	for dir, n := range count {
		total += n
		depth = max(depth, strings.Count(dir, "/")+1)
	}
	for ; ; depth-- {
		groups := groupAt(count, depth)
		named, covered := min(len(groups), blastGroups), 0
		if len(groups) > blastGroups {
			named--
		}
		for _, g := range groups[:named] {
			covered += g.Files
		}
		if depth <= 1 || float64(covered) >= blastCover*float64(total) {
			if covered < total {
				groups = append(groups[:named], DirCount{"", total - covered})
			}
			return groups
		}
	}
}

// groupAt sums up directories by their first depth segments, most files first.
func groupAt(count map[string]int, depth int) []DirCount {
	sums := map[string]int{}
	for dir, n := range count {
		segs := strings.Split(dir, "/")
		sums[cmp.Or(strings.Join(segs[:min(depth, len(segs))], "/"), ".")] += n
	}
	var out []DirCount
	for dir, n := range sums {
		out = append(out, DirCount{dir, n})
	}
	slices.SortFunc(out, func(a, b DirCount) int { return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Dir, b.Dir)) })
	return out
}

// through counts the files that depend on a file by more than one step. It reads the dependents of at most limit files.
func (b *briefer) through(id int64, limit int) (n int, whole bool, err error) {
	seen := map[int64]bool{id: true}
	level := []int64{id}
	for depth, steps := 1, 0; len(level) > 0; depth++ {
		var next []int64
		for _, f := range level {
			if steps++; steps > limit {
				return n, false, nil
			}
			edges, err := b.s.Index.EdgesTo(f)
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

// joinNames lists the first n base names of paths: "a.go, b.go and 3 more".
func joinNames(paths []string, n int) string {
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
