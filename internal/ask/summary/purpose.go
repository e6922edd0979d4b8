package summary

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/ask/find"
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

// maxOffered is the number of names of a file whose uses are counted, maxOffers the
// number of names that are listed.
const (
	maxOffered = 200
	maxOffers  = 4
)

// statedPurpose returns the purpose of a file as the project states it. It does not return a purpose that only follows from the
// file's place. Instead it returns offers, the names of the file that most files use, which are more informative.
func statedPurpose(ctx context.Context, s *view.Snapshot, f *code.File) (says string, offers []string, err error) {
	p, err := purpose.FilePurpose(ctx, s, f)
	if err != nil || p.From != purpose.Unknown && p.From != purpose.Place {
		return p.Text, nil, err
	}
	names, _, err := find.Offers(s, f.ID)
	if err != nil {
		return "", nil, err
	}
	names = names[:min(len(names), maxOffered)]
	uses := map[string]float64{}
	for _, n := range names {
		c, err := s.Index.NameCount(n)
		if err != nil {
			return "", nil, err
		}
		uses[n] = float64(c.Files) / float64(max(c.Defs, 1)) // uses of a name with several declarations are shared
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(uses[b], uses[a]) })
	return "", names[:min(len(names), maxOffers)], nil
}

// readme returns the first sentence of a directory's README.
func readme(ctx context.Context, s *view.Snapshot, dir string) (Quote, error) {
	text, from, err := purpose.Introduction(ctx, s, dir)
	return Quote{text, from}, err
}
