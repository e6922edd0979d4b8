package view

import (
	"slices"

	"ken/internal/code"
	"ken/internal/engine/source"
)

// UserSettings holds the settings that the user chose. Those of the project come with its files, so a stranger may
// have written them. Therefore answers report what the project's settings hide, but not what the user's own hide.
type UserSettings struct {
	Exclude, Include []string
	AllowSecrets     []source.Allow
}

// ExcludedPaths returns the files and directories that the project's own settings and its .kenignore files exclude,
// sorted by path. It returns an error if the index cannot be read.
func (s *Snapshot) ExcludedPaths() ([]string, error) {
	skipped, err := s.Index.Skipped()
	if err != nil {
		return nil, err
	}
	own := s.Opt.Own
	exclude, include := source.NewGlobs(own.Exclude), source.NewGlobs(own.Include)

	var out []string
	for _, f := range skipped {
		switch {
		case f.Problem != code.ProblemExcluded,
			len(own.Exclude) > 0 && matchesAny(exclude, f.Path),
			len(own.Include) > 0 && !matchesAny(include, f.Path):
		default:
			out = append(out, f.Path)
		}
	}
	return out, nil
}

// matchesAny reports whether patterns match a file, or a directory with all its contents.
func matchesAny(g *source.Globs, path string) bool { return g.Match(path) || g.Match(path+"/.") }

// AllowedByProject reports whether an entry of the allow-list for secrets comes from the project, not from the user.
func (s *Snapshot) AllowedByProject(a source.Allow) bool {
	return !slices.Contains(s.Opt.Own.AllowSecrets, a)
}
