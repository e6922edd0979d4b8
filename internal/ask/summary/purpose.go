package summary

import (
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/knowledge/purpose"
)

// maxDeep is the number of directories with a single child that are descended in search of a description.
const maxDeep = 10

// describe returns a directory's own description: the first sentence of the doc comment of the file that introduces the directory,
// else of its README. If all code is in one directory below it, that one is tried, too. The root has none, because About describes it.
func describe(ctx context.Context, s *view.Snapshot, d *dir) (Quote, error) {
	for range maxDeep {
		if d == nil {
			break
		}
		if d.path != "" {
			q, err := introducingDoc(s, d.path)
			if err == nil && q.Text == "" {
				q, err = readme(ctx, s, d.path)
			}
			if err != nil || q.Text != "" {
				return q, err
			}
		}
		d = d.mainChild()
	}
	return Quote{}, nil
}

// introducing holds the names, without extension, of files that introduce their directory, the surest first. A file with the
// directory's own name comes after them.
var introducing = []string{"doc", "package-info", "package", "__init__", "mod", "lib", "index", "main"}

// introducingDoc returns the first sentence of the doc comment of the file that introduces a directory.
func introducingDoc(s *view.Snapshot, dir string) (Quote, error) {
	files, err := s.Index.FilesIn(dir)
	if err != nil {
		return Quote{}, err
	}
	best, place := Quote{}, len(introducing)+2
	for i := range files {
		f := &files[i]
		if f.Doc == "" || !isSource(f.Class, f.Lang) {
			continue
		}
		if p := introduces(f, dir); p < place {
			if text := code.FirstSentence(f.Doc); purpose.Describes(text) {
				best, place = Quote{text, f.Path}, p
			}
		}
	}
	return best, nil
}

// introduces returns how surely a file introduces its directory: the smaller, the surer.
func introduces(f *code.File, dir string) int {
	base := path.Base(f.Path)
	stem := strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))
	if i := slices.Index(introducing, stem); i >= 0 {
		return i
	}
	switch {
	case stem == strings.ToLower(path.Base(dir)) && !purpose.DocIsOfType(f.Lang): // the doc comment of a type is about the type alone
		return len(introducing)
	case strings.HasPrefix(f.Doc, "Package "): // godoc's form: it is about the package, in whichever file it is
		return len(introducing) + 1
	}
	return len(introducing) + 2
}

// statedPurpose returns the purpose of a file as the project states it, "" if it only follows from the file's place.
func statedPurpose(ctx context.Context, s *view.Snapshot, f *code.File) (string, error) {
	p, err := purpose.FilePurpose(ctx, s, f)
	if err != nil || p.From == purpose.Unknown || p.From == purpose.Place {
		return "", err
	}
	return p.Text, nil
}

// readme returns the first sentence of a directory's README.
func readme(ctx context.Context, s *view.Snapshot, dir string) (Quote, error) {
	text, from, err := purpose.Introduction(ctx, s, dir)
	return Quote{text, from}, err
}
