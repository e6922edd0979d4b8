package convention

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Pattern is a convention as it is shown in a summary, with little of its evidence.
type Pattern struct {
	About   string // "file names, go"; "" for a folder
	Dir     string // the folder to which it applies, "" for the whole project
	Pattern string
	Agree   int
	Samples int
}

// shownTopics are the topics of which conventions near a file and in a summary are shown, the most informative first. Types are in
// PascalCase nearly everywhere, so they are not worth a line.
var shownTopics = []Topic{
	ErrorBases, Results, DataAccess, Middleware, Injection, FileNames, Exports, TestNames, FunctionNames, TestPlaces,
	ErrorTypes, Imports, ConstantNames,
}

// maxOfProject is the number of conventions that a summary shows, and minTelling the percentage of samples that agree with one of
// them: with less, a newcomer can do as he likes.
const (
	maxOfProject = 2
	minTelling   = 80
)

// Patterns returns the conventions that a newcomer to the project would get wrong: those that the language does not suggest, of the
// languages with most files first, without those with less than a quarter of the files of the first, then endings of the file names
// of a folder.
func (f *Found) Patterns() (out []Pattern) {
	most := 0
	for _, n := range f.files {
		most = max(most, n)
	}
	var list []Convention
	for _, c := range f.Conventions {
		isRare := c.Lang != "" && f.files[c.Lang]*4 < most
		if c.Dir == "" && c.Confidence() >= minTelling && !isRare && !c.isNormal() {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b Convention) int {
		byTopic := cmp.Compare(slices.Index(shownTopics, a.Topic), slices.Index(shownTopics, b.Topic))
		of := func(c Convention) int {
			if slices.Contains(structural, c.Topic) {
				return 0
			}
			return 1
		}
		return cmp.Or(of(a)-of(b), cmp.Compare(f.files[b.Lang], f.files[a.Lang]), strings.Compare(string(a.Lang), string(b.Lang)), byTopic)
	})
	isTold := func(d Directory) bool { // by a line about names of tests
		return !strings.HasPrefix(d.Pattern, "*.") || slices.ContainsFunc(list, func(c Convention) bool { return c.Pattern == d.Pattern })
	}
	dirs := slices.DeleteFunc(slices.Clone(f.Directories), isTold)
	slices.SortStableFunc(dirs, func(a, b Directory) int { return cmp.Compare(b.Files, a.Files) })
	ofStructure := 0
	for i := range list {
		if slices.Contains(structural, list[i].Topic) {
			ofStructure++
		}
	}
	most = max(min(ofStructure, maxOfProject), maxOfProject-min(1, len(dirs)))
	for i := range list[:min(len(list), most)] {
		c := &list[i]
		out = append(out, Pattern{About: c.subjectText(), Pattern: c.Pattern, Agree: c.Agree, Samples: c.Samples})
	}
	for _, d := range dirs[:min(len(dirs), maxOfProject-len(out))] {
		out = append(out, Pattern{Dir: d.Path, Pattern: d.Pattern, Agree: d.Agree, Samples: d.Files})
	}
	return out
}

// isNormal reports whether the users of a language expect a convention, or see it from the paths of files alone.
func (c *Convention) isNormal() bool {
	switch c.Topic {
	case TypeNames, ConstantNames, Imports, ErrorTypes:
		return true
	}
	return c.FollowsNorm()
}

// FollowsNorm reports whether a convention is the norm of its language, which a project that follows it need not state.
func (c *Convention) FollowsNorm() bool {
	row := lang.Of(c.Lang)
	switch c.Topic {
	case FileNames:
		return c.Pattern == row.Norm.Files
	case FunctionNames:
		return c.Pattern == row.Norm.Functions
	case ConstantNames:
		return c.Pattern == row.Norm.Constants
	case TypeNames:
		return c.Pattern == pascal || row.CapitalExports && c.Pattern == camel
	case TestNames: // the names that all runners look for
		isUsual := func(begin string) bool { return strings.HasPrefix(c.Pattern, begin) }
		return slices.ContainsFunc([]string{"test_*", "*Test.", "*_spec.", "*_test."}, isUsual)
	case TestPlaces:
		return c.Pattern != beside
	case ErrorTypes:
		return c.Pattern == "*Error" || c.Pattern == "*Exception"
	}
	return false
}

func (c *Convention) subjectText() string {
	if c.Lang == "" || slices.Contains(structural, c.Topic) {
		return c.Counted()
	}
	return c.Counted() + ", " + string(c.Lang)
}

// maxNear is the number of files of a folder that Near reads.
const maxNear = 100

// NearFolder returns the conventions of a folder that are no norms of a language, counted in its own files alone, so that the cost does
// not grow with the project: by language, then by topic. It fails if the index cannot be read.
func NearFolder(ctx context.Context, s *view.Snapshot, dir string) ([]Convention, error) {
	files, err := s.Index.FilesIn(dir)
	if err != nil {
		return nil, err
	}
	var list []source
	for i := range files {
		if f := &files[i]; hasFreeName(f) && len(list) < maxNear {
			list = append(list, newSource(f))
		}
	}
	t := newVoteCount()
	countFileNames(t, list)
	countTestFiles(t, list)
	for i := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := countDeclarations(ctx, t, s, &list[i]); err != nil {
			return nil, err
		}
	}
	found := slices.DeleteFunc(t.conventions(), func(c Convention) bool { return c.FollowsNorm() })
	for i := range found {
		found[i].Dir = dir
	}
	found = slices.DeleteFunc(found, func(c Convention) bool { return !slices.Contains(shownTopics, c.Topic) })
	slices.SortStableFunc(found, func(a, b Convention) int { return cmp.Compare(a.Lang, b.Lang) })
	return found, nil
}

// newSource returns a file with the parts of its name.
func newSource(f *code.File) source {
	base := path.Base(f.Path)
	ext := path.Ext(base)
	return source{*f, base, strings.TrimSuffix(base, ext), ext, f.Flags&code.FlagTest != 0}
}
