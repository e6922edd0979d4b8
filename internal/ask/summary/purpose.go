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

// maxDeep is how many directories with a single one below them are looked into for
// what a directory says of itself.
const maxDeep = 10

// describe is what a directory says of itself: in the doc comment of the file that
// introduces it, else in its README. Where all its code is in one directory below
// it, that is asked, too. The root says what About says.
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
		d = d.only()
	}
	return Quote{}, nil
}

// introducing are the stems of files that introduce the directory they are in, the
// surest first. A file with the directory's own name comes after them.
var introducing = []string{"doc", "package-info", "package", "__init__", "mod", "lib", "index", "main"}

// introducingDoc is the first sentence of the doc comment of the file that introduces a
// directory.
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
			if text := code.FirstSentence(f.Doc); text != "" {
				best, place = Quote{text, f.Path}, p
			}
		}
	}
	return best, nil
}

// introduces grades how surely a file introduces its directory: the smaller the surer.
func introduces(f *code.File, dir string) int {
	base := path.Base(f.Path)
	stem := strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))
	if i := slices.Index(introducing, stem); i >= 0 {
		return i
	}
	switch {
	case stem == strings.ToLower(path.Base(dir)):
		return len(introducing)
	case strings.HasPrefix(f.Doc, "Package "): // godoc's form: it is about the package, in whichever file it is
		return len(introducing) + 1
	}
	return len(introducing) + 2
}

// maxOffered bounds the names of a file whose uses are counted; maxOffers is how many
// are named.
const (
	maxOffered = 200
	maxOffers  = 4
)

// statedPurpose is what the project itself says a file is for. What only follows from its place is
// not quoted: the names that most files use are given then, which say more in less.
func statedPurpose(ctx context.Context, s *view.Snapshot, f *code.File) (says string, offers []string, err error) {
	p, err := purpose.Of(ctx, s, f)
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
		uses[n] = float64(c.Files) / float64(max(c.Defs, 1)) // of a name that several declare nobody knows whose is meant
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(uses[b], uses[a]) })
	return "", names[:min(len(names), maxOffers)], nil
}

// readme is the first sentence of a directory's README.
func readme(ctx context.Context, s *view.Snapshot, dir string) (Quote, error) {
	text, from, err := purpose.Readme(ctx, s, dir)
	return Quote{text, from}, err
}
