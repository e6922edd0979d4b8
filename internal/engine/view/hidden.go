package view

import (
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
	"ken/internal/lang"
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

// LeftOut returns the files, and the folders, which end in "/", that settings of the project and rules of git leave out of the index,
// sorted by path. It returns an error if the index cannot be read.
func (s *Snapshot) LeftOut() ([]string, error) {
	out, err := s.ExcludedPaths()
	if err != nil {
		return nil, err
	}
	packed, err := s.Index.Look()
	if err != nil {
		return nil, err
	}
	ignored, _ := scan.DecodeIgnored(packed) // there are none where no listing is known
	out = append(out, ignored...)
	slices.Sort(out)
	return slices.Compact(out), nil
}

// unlisted are the results of Snapshot.Unlisted.
type unlisted struct {
	files []store.Skipped
	more  bool
	read  bool
}

// Unlisted returns the files of programming languages that are not in the index one by one: those that git's rules leave out, and those in
// directories that settings exclude. more is set if there are too many to look for all. It returns an error if the index or the root
// cannot be read.
func (s *Snapshot) Unlisted(ctx context.Context) (files []store.Skipped, more bool, err error) {
	u := &s.unlisted
	if u.read {
		return u.files, u.more, nil
	}
	packed, err := s.Index.Look()
	if err != nil {
		return nil, false, err
	}
	ignored, _ := scan.DecodeIgnored(packed) // there are none where no listing is known
	skipped, err := s.Index.Skipped()
	if err != nil {
		return nil, false, err
	}
	var excluded []string
	for _, f := range skipped {
		if f.Problem == code.ProblemExcluded && lang.Detect(f.Path, nil) == "" { // a directory, or of no interest
			excluded = append(excluded, f.Path+"/")
		}
	}
	u.read = true
	for _, part := range []struct {
		problem code.Problem
		paths   []string
	}{{code.ProblemExcluded, excluded}, {code.ProblemIgnored, ignored}} {
		if len(part.paths) == 0 {
			continue
		}
		sc, err := s.Tree.Scanner()
		if err != nil {
			return nil, false, err
		}
		list, more, err := sc.Below(ctx, part.paths)
		if err != nil {
			return nil, false, err
		}
		for _, p := range list {
			u.files = append(u.files, store.Skipped{Path: p, Problem: part.problem})
		}
		u.more = u.more || more
	}
	return u.files, u.more, nil
}

// matchesAny reports whether patterns match a file, or a directory with all its contents.
func matchesAny(g *source.Globs, path string) bool { return g.Match(path) || g.Match(path+"/.") }

// AllowedByProject reports whether an entry of the allow-list for secrets comes from the project, not from the user.
func (s *Snapshot) AllowedByProject(a source.Allow) bool {
	return !slices.Contains(s.Opt.Own.AllowSecrets, a)
}
