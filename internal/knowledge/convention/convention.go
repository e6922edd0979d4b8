// Package convention counts how the people of a project write code: names of files and declarations, endings of file names,
// places of tests, imports and exports, names of error types. The habit of a clear majority is a convention; each carries
// its numbers and examples for and against, so that the reader can judge. A form that a language forces does not count. Its
// neighbours in internal/knowledge keep texts that agents and people wrote.
package convention

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Convention is a form that most of a project's code has in common.
type Convention struct {
	Topic    Topic
	Lang     code.Lang // "" if it holds for all
	Dir      string    // the folder to which it applies, "" for the whole project
	Pattern  string    // "kebab-case", "*.test.ts", "beside what it tests", …
	Agree    int       // samples that follow it
	Samples  int       // samples that could follow it or not
	Examples []string  // at most three that do, by path
	Counter  []string  // at most three that do not, by path
}

// Topic is the subject of a convention.
type Topic string

// The topics, in the order of answers.
const (
	FileNames     Topic = "file names"
	FunctionNames Topic = "function names"
	TypeNames     Topic = "type names"
	ConstantNames Topic = "constant names"
	TestNames     Topic = "test file names"
	TestPlaces    Topic = "where tests are"
	Imports       Topic = "imports"
	Exports       Topic = "exports"
	ErrorTypes    Topic = "error types"
)

var topics = [...]Topic{ErrorBases, Results, Injection, Middleware, DataAccess, FileNames, FunctionNames, TypeNames, ConstantNames,
	TestNames, TestPlaces, Imports, Exports, ErrorTypes}

// The least number of samples, and the least percentage of them that agree, for a convention.
const (
	MinSamples   = 5
	MinAgreement = 70
)

// Confidence returns the share of the samples that follow the convention, in percent, rounded down.
func (c *Convention) Confidence() int { return c.Agree * 100 / max(c.Samples, 1) }

// Counted returns the names that were counted, in words: where capitals export, the names of exported declarations are not.
func (c *Convention) Counted() string {
	switch c.Topic {
	case FunctionNames, TypeNames, ConstantNames:
		if lang.Of(c.Lang).CapitalExports {
			return "unexported " + string(c.Topic)
		}
	}
	return string(c.Topic)
}

// isSupported reports whether enough samples agree with the convention.
func (c *Convention) isSupported() bool {
	return c.Samples >= MinSamples && c.Agree*100 >= MinAgreement*c.Samples
}

// maxExamples is the number of examples that a convention lists for, and against, itself.
const maxExamples = 3

// Found are the conventions of a project.
type Found struct {
	Conventions []Convention // by topic, language, folder
	Directories []Directory  // by path
	Suffixes    []Suffix     // most files first
	files       map[code.Lang]int
}

// Directory is a folder whose files have something in common.
type Directory struct {
	Path    string
	Files   int
	Pattern string // "*.service.ts", "PascalCase.tsx"
	Agree   int    // files of the pattern
}

// Suffix is an ending that several file names have before their extension.
type Suffix struct {
	Ending  string // ".service.ts"
	Purpose string // "" if frameworks do not agree on it
	Count   int
}

// source is one file that people wrote.
type source struct {
	code.File
	base, stem, ext string
	test            bool
}

// hasFreeName reports whether the author of a file could choose its name freely.
func hasFreeName(f *code.File) bool {
	const others = code.ClassFixture | code.ClassExample | code.ClassDocument | code.ClassData | code.ClassTranslation |
		code.ClassGenerated | code.ClassVendored | code.ClassOther
	const flags = code.FlagGenerated | code.FlagVendored | code.FlagMinified | code.FlagConfig
	return !f.Class.Has(others) && f.Flags&flags == 0 && f.Problem == code.ProblemNone && isProgram(f.Lang)
}

// isProgram reports whether a language is one of programs whose declarations are read. Files of other languages often share an extension
// with one: settings of ProGuard have that of Prolog.
func isProgram(l code.Lang) bool {
	row := lang.Of(l)
	return row.Sort == lang.Programming && row.Tier >= lang.Symbols && !row.Builds
}

// Find returns the conventions of a project. It fails if the index cannot be read.
func Find(ctx context.Context, s *view.Snapshot) (*Found, error) {
	var list []source
	for f, err := range s.Index.Files() {
		if err != nil {
			return nil, err
		}
		if !hasFreeName(&f) {
			continue
		}
		list = append(list, newSource(&f))
	}
	found := &Found{Suffixes: findSuffixes(list), Directories: findDirectories(list)}
	found.files = map[code.Lang]int{}
	for i := range list {
		found.files[list[i].Lang]++
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
	t.addDataAccess()
	found.Conventions = t.conventions()
	return found, nil
}

// ForFile returns the conventions for a new file: those of its language, and those of its folder or the nearest folder above
// that has some.
func (f *Found) ForFile(file string, l code.Lang) (list []Convention, dir *Directory) {
	at := code.Dir(file)
	best := map[Topic]int{}
	for i := range f.Conventions {
		c := &f.Conventions[i]
		inside := c.Dir == "" || at == c.Dir || strings.HasPrefix(at, c.Dir+"/")
		if !inside || c.Lang != "" && c.Lang != l {
			continue
		}
		if k, ok := best[c.Topic]; ok && len(c.Dir) > len(list[k].Dir) { // a nearer folder takes precedence
			list[k] = *c
			continue
		}
		best[c.Topic] = len(list)
		list = append(list, *c)
	}
	for i := range f.Directories {
		if d := &f.Directories[i]; d.Path == at {
			return list, d
		}
	}
	return list, nil
}

// key identifies a question about style on which the code of a project votes, for example the naming of Go files.
type key struct {
	topic Topic
	lang  code.Lang
	dir   string
	part  string // of a topic with several questions
}

// votes holds the samples for one question, with the patterns that each follows or violates.
type votes struct {
	patterns []string
	samples  []sample
}

type sample struct {
	what    string // the example that is shown
	follows []bool // by place in patterns
	against []bool
}

type voteCount struct {
	by   map[key]*votes
	keys []key
	// Of the structure of the code:
	types   map[string]bool     // declared types
	drivers map[string][]string // files that import a driver of a database, by its name
	users   map[string][]string // files that import a file, by its path
}

func newVoteCount() *voteCount {
	return &voteCount{by: map[key]*votes{}, types: map[string]bool{}, drivers: map[string][]string{}, users: map[string][]string{}}
}

// addVote adds a sample to a question: the patterns that it follows and those that it violates. what is the sample as it is shown.
func (t *voteCount) addVote(k key, what string, follows, against []string) {
	v := t.by[k]
	if v == nil {
		v = &votes{}
		t.by[k] = v
		t.keys = append(t.keys, k)
	}
	sm := sample{what: what}
	set := func(list []string, to *[]bool) {
		for _, p := range list {
			i := slices.Index(v.patterns, p)
			if i < 0 {
				i = len(v.patterns)
				v.patterns = append(v.patterns, p)
			}
			for len(*to) <= i {
				*to = append(*to, false)
			}
			(*to)[i] = true
		}
	}
	set(follows, &sm.follows)
	set(against, &sm.against)
	v.samples = append(v.samples, sm)
}

// addChoice adds a sample that follows one pattern and is against all others of its question.
func (t *voteCount) addChoice(k key, what, pattern string) {
	t.addVote(k, what, []string{pattern}, nil)
}

// conventions returns the conventions that the votes show: one for each question with enough agreement.
func (t *voteCount) conventions() (out []Convention) {
	whole := map[key]string{}
	for _, k := range t.keys { // a question about the project comes before that about a folder
		c, ok := t.by[k].winner(k)
		if !ok || !t.holds(&c) || c.Dir != "" && whole[key{topic: k.topic, lang: k.lang, part: k.part}] == c.Pattern {
			continue // a convention of the whole project is not repeated for each folder
		}
		if c.Dir == "" {
			whole[k] = c.Pattern
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Convention) int {
		byTopic := cmp.Compare(slices.Index(topics[:], a.Topic), slices.Index(topics[:], b.Topic))
		return cmp.Or(byTopic, cmp.Compare(a.Lang, b.Lang), cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.Pattern, b.Pattern))
	})
	return out
}

// winner returns the pattern that most samples follow among those with enough evidence.
func (v *votes) winner(k key) (best Convention, ok bool) {
	for i, p := range v.patterns {
		c := Convention{Topic: k.topic, Lang: k.lang, Dir: k.dir, Pattern: p}
		for s := range v.samples {
			c.countSample(&v.samples[s], i)
		}
		if c.isSupported() && (!ok || cmp.Or(cmp.Compare(c.Confidence(), best.Confidence()), cmp.Compare(c.Agree, best.Agree)) > 0) {
			best, ok = c, true
		}
	}
	return best, ok
}

// countSample counts one sample for or against a pattern.
func (c *Convention) countSample(s *sample, pattern int) {
	has := func(list []bool) bool { return pattern < len(list) && list[pattern] }
	switch {
	case has(s.follows):
		c.Agree++
		c.Samples++
		c.Examples = addExample(c.Examples, s.what)
	case has(s.against), s.against == nil: // a choice is against all other patterns
		c.Samples++
		c.Counter = addExample(c.Counter, s.what)
	}
}

// addExample adds an example to a list that has fewer than maxExamples, or puts it in the place of one of a file that has another, so
// that examples are of different files where there are such.
func addExample(list []string, what string) []string {
	if slices.Contains(list, what) {
		return list
	}
	if len(list) < maxExamples {
		return append(list, what)
	}
	if slices.ContainsFunc(list, func(e string) bool { return exampleFile(e) == exampleFile(what) }) {
		return list
	}
	for i := len(list) - 1; i > 0; i-- {
		if slices.ContainsFunc(list[:i], func(e string) bool { return exampleFile(e) == exampleFile(list[i]) }) {
			return append(slices.Delete(list, i, i+1), what)
		}
	}
	return list
}

// exampleFile returns the file of an example such as "a.go: name".
func exampleFile(example string) string {
	file, _, _ := strings.Cut(example, ": ")
	return file
}
