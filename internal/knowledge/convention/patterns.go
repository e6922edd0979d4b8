package convention

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// Pattern is a convention as it is shown in a summary, with little of its evidence.
type Pattern struct {
	About   string // "file names, go"; "" for a folder
	Dir     string // the folder to which it applies, "" for the whole project
	Pattern string
	Agree   int
	Samples int
}

// shownTopics are the topics that a summary shows, the most informative first. Types are in PascalCase nearly everywhere, so
// they are not worth a line.
var shownTopics = []Topic{FileNames, FunctionNames, TestNames, TestPlaces, ErrorTypes, Exports, Imports, ConstantNames}

// The numbers of conventions that a summary shows: of the whole project, of one language, of folders.
const (
	maxOfProject  = 8
	maxOfLanguage = 5
	maxOfFolders  = 4
)

// Patterns returns the conventions that are worth a line in a summary: those of the whole project, those of the languages
// with most samples first, then folders whose files have an ending in common, those with most files first.
func (f *Found) Patterns() (out []Pattern) {
	weight := map[code.Lang]int{}
	var list []Convention
	for _, c := range f.Conventions {
		if c.Dir == "" && slices.Contains(shownTopics, c.Topic) {
			list = append(list, c)
		}
		if c.Dir == "" && c.Topic == FunctionNames {
			weight[c.Lang] = c.Samples
		}
	}
	slices.SortStableFunc(list, func(a, b Convention) int {
		byTopic := cmp.Compare(slices.Index(shownTopics, a.Topic), slices.Index(shownTopics, b.Topic))
		return cmp.Or(cmp.Compare(weight[b.Lang], weight[a.Lang]), strings.Compare(string(a.Lang), string(b.Lang)), byTopic)
	})
	count := map[code.Lang]int{}
	for i := range list {
		c := &list[i]
		if count[c.Lang]++; len(out) < maxOfProject && count[c.Lang] <= maxOfLanguage {
			out = append(out, Pattern{About: c.subjectText(), Pattern: c.Pattern, Agree: c.Agree, Samples: c.Samples})
		}
	}
	dirs := slices.DeleteFunc(slices.Clone(f.Directories), func(d Directory) bool { return !strings.HasPrefix(d.Pattern, "*.") })
	slices.SortStableFunc(dirs, func(a, b Directory) int { return cmp.Compare(b.Files, a.Files) })
	for _, d := range dirs[:min(len(dirs), maxOfFolders)] {
		out = append(out, Pattern{Dir: d.Path, Pattern: d.Pattern, Agree: d.Agree, Samples: d.Files})
	}
	return out
}

func (c *Convention) subjectText() string {
	if c.Lang == "" {
		return string(c.Topic)
	}
	return string(c.Topic) + ", " + string(c.Lang)
}

// maxNear is the number of files of a folder that Near reads.
const maxNear = 100

// NearFolder returns the conventions of a folder, counted in its own files alone, so that the cost does not grow with the project:
// by language, then by topic. It fails if the index cannot be read.
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
	t := &voteCount{by: map[key]*votes{}}
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
	found := t.conventions()
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
