package list

import (
	"ken/internal/code"
	"ken/internal/engine/source/scan/nofollow"
)

// ExcludedPaths returns those of some paths that ken's own current rules leave out:
// .kenignore files and the globs of the options. A look at the whole tree
// finds them, too, but a user who excludes a file to hide it expects that the
// next answer hides it. It ignores git's rules, and costs a few stats a directory. It
// fails if the root cannot be opened.
func (s *Lister) ExcludedPaths(paths []string) ([]string, error) {
	root, err := nofollow.Open(s.root)
	if err != nil {
		return nil, err
	}
	x := &session{Lister: s, root: root, rules: outerRules{include: s.include, exclude: s.exclude}}
	defer x.closeFiles()
	u := exclusionRules{x: x, frames: map[string]*dirRules{}}
	var out []string
	for _, p := range paths {
		if !nofollow.Inside(p) {
			continue
		}
		f := u.directoryRules(code.Dir(p))
		base := len(f.path)
		if f.ignored || !x.rules.isIncluded(f.included, p, base, false) || x.rules.isExcluded(f, p, base, false) {
			out = append(out, p)
		}
	}
	return out, nil
}

// exclusionRules finds, for paths, the rules of the directories above them,
// only ken's own and not git's.
type exclusionRules struct {
	x      *session
	frames map[string]*dirRules
}

func (u *exclusionRules) directoryRules(dir string) *dirRules {
	if f := u.frames[dir]; f != nil {
		return f
	}
	f := &dirRules{}
	if dir != "" {
		f.parent, f.path = u.directoryRules(code.Dir(dir)), dir+"/"
		base := len(f.parent.path)
		f.ignored = f.parent.ignored || u.x.rules.isExcluded(f.parent, dir, base, true)
		f.included = u.x.rules.isIncluded(f.parent.included, dir, base, true)
	}
	if d, err := u.x.root.OpenDir(dir); err == nil && !f.ignored {
		rd := dirReader{x: u.x, dir: d}
		rd.readIgnoreFiles(f, dir, []string{".kenignore"})
		d.Close()
	}
	u.frames[dir] = f
	return f
}
