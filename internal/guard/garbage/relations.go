package garbage

import (
	"path"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// nameRelations holds the names in the files of a change and in its request. A new file that shares none of them was perhaps not requested.
type nameRelations struct {
	files    []nameSet
	request  map[string]bool // words of the request
	tests    bool            // the request is about tests
	allTests bool            // all changed files are tests or no code
	mends    bool            // an existing test is changed
	adds     bool            // the request is to add something
}

// nameSet holds the names that occur in the path and in the added lines of one file.
type nameSet struct {
	stem     string          // of the file's name, in lower case and without marks of tests
	words    map[string]bool // of its path
	own      map[string]bool // of its name
	declared map[string]bool // in its added lines
	text     map[string]bool // identifiers of its added lines
}

// maxNames is the number of identifiers of a file that are compared.
const maxNames = 20000

// collectNames collects the names in all files of a change.
func (f *fileRules) collectNames(c *Change) *nameRelations {
	r := &nameRelations{request: map[string]bool{}, tests: f.tests.MatchString(c.Request), adds: f.adding.MatchString(c.Request),
		allTests: true}
	for _, w := range f.word.FindAllString(c.Request[:min(len(c.Request), 20000)], -1) {
		r.request[stemWord(w)] = true
	}
	for i := range c.Files {
		file := &c.Files[i]
		isTest := file.Class.Has(code.ClassTest)
		r.allTests = r.allTests && (isTest || file.Class.Kind() != 0)
		r.mends = r.mends || isTest && !file.Created
		n := nameSet{
			stem: testStem(file.Path), words: f.pathWords(file.Path), own: f.pathWords(path.Base(file.Path)),
			declared: map[string]bool{}, text: map[string]bool{},
		}
		f.readNames(file, &n)
		r.files = append(r.files, n)
	}
	return r
}

// pathWords returns the words of a path that describe its file, without general ones such as "utils".
func (f *fileRules) pathWords(p string) map[string]bool {
	out := map[string]bool{}
	for _, w := range f.word.FindAllString(p, -1) {
		if w = stemWord(w); len(w) > 3 && !f.common[w] {
			out[w] = true
		}
	}
	return out
}

// readNames stores the identifiers in the added lines of a file in n.
func (f *fileRules) readNames(file *File, n *nameSet) {
	if file.Binary {
		return
	}
	at, count := 0, 0
	for s := range strings.Lines(file.New) {
		count++
		for at < len(file.Added) && file.Added[at].To < count {
			at++
		}
		if at == len(file.Added) || len(n.text) > maxNames {
			return
		}
		if file.Added[at].From > count || len(s) > maxLine {
			continue
		}
		for _, m := range f.declared.FindAllStringSubmatch(s, -1) {
			n.declared[m[1]+m[2]] = true
		}
		for w := range strings.FieldsFuncSeq(s, isNameEnd) {
			n.text[w] = true
		}
	}
}

// isNameEnd reports whether a rune cannot be part of an identifier.
func isNameEnd(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r >= 0x80:
		return false
	}
	return true
}

// stemWord returns a word in lower case and without an ending such as "ing", so that forms of the same word are equal.
func stemWord(w string) string {
	w = strings.ToLower(w)
	for _, end := range []string{"ing", "ed", "es", "s"} {
		if len(w) > len(end)+3 && strings.HasSuffix(w, end) {
			return w[:len(w)-len(end)]
		}
	}
	return w
}

// testStem returns the name of a file without extensions and without a mark of tests, such as "_test".
func testStem(p string) string {
	s := strings.ToLower(path.Base(p))
	if i := strings.IndexByte(s, '.'); i > 0 {
		s = s[:i]
	}
	for _, mark := range []string{"_test", "_tests", "_spec", "-test", "-spec", "tests", "test", "spec", "it"} {
		if len(s) > len(mark)+1 && strings.HasSuffix(s, mark) {
			s = s[:len(s)-len(mark)]
			break
		}
	}
	for _, mark := range []string{"test_", "test-", "test"} {
		if len(s) > len(mark)+1 && strings.HasPrefix(s, mark) {
			s = s[len(mark):]
			break
		}
	}
	return strings.Trim(s, "._-")
}

// isTied reports whether file i is related to another file of the change: they share a name, one names the other, or the index has a
// reference between them. It ignores the files for which except returns true.
func (f *fileRules) isTied(r *nameRelations, c *Change, i int, except func(int) bool) bool {
	a := &r.files[i]
	for j := range r.files {
		if j == i || except(j) {
			continue
		}
		b := &r.files[j]
		if c.Tree != nil && c.Tree.Tied(c.Files[i].Path, c.Files[j].Path) {
			return true
		}
		if a.stem == b.stem && a.stem != "" || f.usesNameOf(a, c.Files[j].Path, b) || f.usesNameOf(b, c.Files[i].Path, a) {
			return true
		}
	}
	return false
}

// usesNameOf reports whether file a uses a name that file b declares, or contains the name of b's path p.
func (f *fileRules) usesNameOf(a *nameSet, p string, b *nameSet) bool {
	base := path.Base(p)
	if i := strings.IndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	if len(base) > 3 && !f.common[strings.ToLower(base)] && a.text[base] {
		return true
	}
	for d := range b.declared {
		telling := len(d) >= 6 && d[0] != '_' && !f.common[strings.ToLower(d)]
		if telling && a.text[d] && !a.declared[d] {
			return true
		}
	}
	return false
}

// judgeNewFile returns a finding if new file i has no relation to the request and to the rest of the change.
func (f *fileRules) judgeNewFile(c *Change, r *nameRelations, i int) (Finding, bool) {
	file := &c.Files[i]
	row := lang.Of(file.Lang)
	isProgram := row.IsKnown() && row.Sort == lang.Programming
	marksFolder := strings.Count(file.New, "\n") <= 2 // for example an empty __init__.py
	rest := func(j int) bool { return c.Files[j].Created && c.Files[j].Class.Has(code.ClassTest) }
	if isProgram && file.Class.Has(code.ClassTest) && !file.Class.Has(code.ClassFixture) && !marksFolder {
		about := r.allTests && (r.adds || !r.mends)
		if about || r.requestHas(r.files[i].own) || f.isTied(r, c, i, rest) {
			return Finding{}, false
		}
		why := "a new test of nothing that changed, and the request speaks of no tests"
		if r.tests {
			why = "a new test of nothing that changed and nothing that the request names"
		}
		return Finding{Kind: UnrequestedTest, Path: file.Path, Sure: Likely, Why: why}, true
	}
	dir, ext := path.Dir(file.Path), path.Ext(file.Path)
	if file.Class.Has(code.ClassTest | code.ClassFixture) {
		dir = "." // tests create folders for their data
	}
	strange := false
	if c.Tree != nil {
		newExtension := ext != "" && !c.Tree.HasExtension(ext)
		newFolder := dir != "." && !c.Tree.HasFolder(dir)
		strange = newExtension || newFolder
	}
	// such files come with anything
	beside := file.Class.Has(code.ClassTest | code.ClassDocument | code.ClassChangelog | code.ClassTranslation)
	if beside && !strange || r.requestHas(r.files[i].words) || f.isTied(r, c, i, func(int) bool { return false }) {
		return Finding{}, false
	}
	sure := Possible
	if strange {
		sure = Likely
	}
	why := "a new file that has nothing in common with the request and the rest of the change"
	return Finding{Kind: UnrelatedFile, Path: file.Path, Sure: sure, Why: why}, true
}

// requestHas reports whether the request contains one of some words.
func (r *nameRelations) requestHas(words map[string]bool) bool {
	for w := range words {
		if r.request[w] {
			return true
		}
	}
	return false
}

// commonWords are words in the names of many files, which do not describe a file.
const commonWords = "main index test spec util helper common core base type config setup init __init__ source packag package " +
	"internal java module service model view controller component file error data conftest require import export " +
	"default readme build name value result expect assert string object option context client server request " +
	"response message content output input create update delete settings options params config_file return function " +
	"class from with"
