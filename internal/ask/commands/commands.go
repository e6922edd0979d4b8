// Package commands finds the commands that build, test, check and run a project. They are read from manifests (tools.go), from the
// targets of Makefiles and the scripts of packages (scripts.go), and from workflows of CI (workflow.go); the commands for one test
// file and one test follow from the test runner that these name (runners.go). Nothing is guessed: each command has the file that it is
// read from, and ken runs none. Its neighbours are summary, which shows the commands, and brief, which names those of the tests it lists.
package commands

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Kind is the purpose of a command.
type Kind uint8

// The kinds, in the order in which they are shown.
const (
	Setup    Kind = iota // installs what the project needs
	Build                // compiles or bundles it
	Test                 // runs all tests
	TestFile             // runs the tests of one file
	TestOne              // runs one test
	Lint                 // checks the style of the code
	Run                  // starts the program
	kinds
)

// String returns the name of a kind as answers print it.
func (k Kind) String() string {
	return [kinds]string{"set up", "build", "test", "one file", "one test", "lint", "run"}[k]
}

// Command is a command line of a project. In the commands for one file or one test, words in capitals stand for its names.
type Command struct {
	Kind   Kind
	Dir    string // working directory, "" is the root
	Line   string
	Source string // path of the file that it is read from
}

// Limits of what is read.
const (
	maxDirs = 3       // directories of a project whose root has no commands
	maxText = 1 << 20 // bytes of a file
)

// Find returns the commands of a project, by directory, then by kind, at most one of each kind: those of the root, or of the
// directories with most code directly below it if the root has none for its tests. It fails if the index cannot be read, or if ctx ends.
func Find(ctx context.Context, s *view.Snapshot) ([]Command, error) {
	all, err := takeCensus(s)
	if err != nil {
		return nil, err
	}
	out, err := inDirectory(ctx, s, "", all[""])
	if err != nil || slices.ContainsFunc(out, func(c Command) bool { return c.Kind == Test }) {
		return out, err
	}
	delete(all, "")
	dirs := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(all[b].files, all[a].files), strings.Compare(a, b))
	})
	found := 0
	for _, d := range dirs {
		list, err := inDirectory(ctx, s, d, all[d])
		if err != nil {
			return nil, err
		}
		if len(list) > 0 && found < maxDirs {
			out = append(out, list...)
			found++
		}
	}
	return out, nil
}

// census is the number of source files below a directory.
type census struct {
	files   int
	langs   map[code.Lang]int
	entries []string // paths in which programs start
}

// takeCensus counts the source files of the root, "", and of each directory directly below it.
func takeCensus(s *view.Snapshot) (map[string]*census, error) {
	all := map[string]*census{"": {langs: map[code.Lang]int{}}}
	for r, err := range s.Index.Ranked() {
		if err != nil {
			return nil, err
		}
		const other = code.ClassGenerated | code.ClassVendored | code.ClassDocument | code.ClassExample | code.ClassFixture
		if l := lang.Of(r.Lang); r.Class.Has(other) || !l.IsKnown() || l.Sort != lang.Programming {
			continue
		}
		all[""].add(&r)
		if top, _, below := strings.Cut(r.Path, "/"); below && isPlain(top) {
			if all[top] == nil {
				all[top] = &census{langs: map[code.Lang]int{}}
			}
			all[top].add(&r)
		}
	}
	return all, nil
}

func (c *census) add(f *code.File) {
	c.files++
	c.langs[f.Lang]++
	if f.Flags&code.FlagEntry != 0 && !f.Class.Has(code.ClassTest) {
		c.entries = append(c.entries, f.Path)
	}
}

// finder collects the commands of one directory. The first command of a kind counts.
type finder struct {
	ctx   context.Context
	s     *view.Snapshot
	dir   string
	names []string // of the files in the directory, sorted
	*census
	texts map[string]string // of files that were read, by path
	found [kinds]Command
	err   error // the first error of a reading
}

// inDirectory returns the commands of one directory.
func inDirectory(ctx context.Context, s *view.Snapshot, dir string, c *census) ([]Command, error) {
	f := &finder{ctx: ctx, s: s, dir: dir, census: c, texts: map[string]string{}}
	files, err := s.Index.FilesIn(dir)
	if err != nil {
		return nil, err
	}
	for i := range files {
		f.names = append(f.names, path.Base(files[i].Path))
	}
	f.readTools()
	if f.err == nil {
		f.readWorkflows()
	}
	var out []Command
	for _, c := range f.found {
		needless := c.Kind == Setup && f.found[Build].Line != ""
		partial := (c.Kind == TestFile || c.Kind == TestOne) && f.found[Test].Line == ""
		if c.Line != "" && !needless && !partial {
			out = append(out, c)
		}
	}
	return out, f.err
}

// readTools asks each tool whose file is in the directory: those of the most frequent languages first, those of no language with the
// first of them.
func (f *finder) readTools() {
	most := 0
	for _, n := range f.langs {
		most = max(most, n)
	}
	type asked struct {
		t    *tool
		file string
		n    int
	}
	var list []asked
	for i := range tools {
		t := &tools[i]
		n := most
		if t.langs != "" {
			n = 0
			for _, l := range strings.Fields(t.langs) {
				n = max(n, f.langs[code.Lang(l)])
			}
		}
		if file := f.first(t.files); file != "" && n > 0 {
			list = append(list, asked{t, file, n})
		}
	}
	slices.SortStableFunc(list, func(a, b asked) int { return cmp.Compare(b.n, a.n) })
	tested := false // by a tool that also knows single tests
	for _, a := range list {
		file, one := f.found[TestFile], f.found[TestOne]
		a.t.read(f, a.file)
		if tested {
			f.found[TestFile], f.found[TestOne] = file, one
		}
		tested = tested || a.t.langs != "" && f.found[Test].Line != ""
	}
}

// offer notes a command, unless there is one of its kind. A command with a character of a name that a shell would interpret is left out
// by those who make it (see isPlain).
func (f *finder) offer(k Kind, line, file string) {
	if line != "" && f.found[k].Line == "" {
		f.found[k] = Command{Kind: k, Dir: f.dir, Line: line, Source: path.Join(f.dir, file)}
	}
}

// first returns the first file of the directory that fits one of some patterns of path.Match, separated by blanks; "" if none does.
func (f *finder) first(patterns string) string {
	for _, p := range strings.Fields(patterns) {
		for _, name := range f.names {
			if ok, err := path.Match(p, name); ok && err == nil && isPlain(name) {
				return name
			}
		}
	}
	return ""
}

// has reports whether a file is indexed at a path below the directory.
func (f *finder) has(file string) bool {
	id, err := f.s.Index.FileID(path.Join(f.dir, file))
	f.note(err)
	return id != 0
}

// holds reports whether a folder below the directory has a file with an ending.
func (f *finder) holds(dir, ending string) bool {
	files, err := f.s.Index.FilesIn(path.Join(f.dir, dir))
	f.note(err)
	return slices.ContainsFunc(files, func(file code.File) bool { return strings.HasSuffix(file.Path, ending) })
}

// text returns the first maxText bytes of a file below the directory, with secrets masked; "" if there is none.
func (f *finder) text(file string) string {
	if file == "" {
		return ""
	}
	p := path.Join(f.dir, file)
	text, ok := f.texts[p]
	if !ok {
		raw, err := f.s.Text(f.ctx, p)
		f.note(err)
		text = string(raw[:min(len(raw), maxText)])
		f.texts[p] = text
	}
	return text
}

func (f *finder) note(err error) {
	if f.err == nil {
		f.err = err
	}
}

// isPlain reports whether a path has only characters that no shell interprets.
func isPlain(p string) bool {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@"
	return p != "" && p[0] != '-' && strings.Trim(p, plain) == ""
}
