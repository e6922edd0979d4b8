package view

import (
	"slices"

	"ken/internal/code"
	"ken/internal/engine/source"
)

// Own is what of the settings the user set. A project's settings come with it, so a stranger may have written them; therefore
// answers say what is missing because of those, and not what the user chose to leave out.
type Own struct {
	Exclude, Include []string
	AllowSecrets     []source.Allow
}

// Excluded returns the files and directories that the project's own settings and its .kenignore files leave out, by path.
func (s *Snapshot) Excluded() ([]string, error) {
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
			len(own.Exclude) > 0 && matches(exclude, f.Path),
			len(own.Include) > 0 && !matches(include, f.Path):
		default:
			out = append(out, f.Path)
		}
	}
	return out, nil
}

// matches reports that patterns match a file, or a directory with all that is in it.
func matches(g *source.Globs, path string) bool { return g.Match(path) || g.Match(path+"/.") }

// AllowedByProject reports an entry of the allow-list that is not the user's.
func (s *Snapshot) AllowedByProject(a source.Allow) bool {
	return !slices.Contains(s.Opt.Own.AllowSecrets, a)
}
