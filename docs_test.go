package ken

import (
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/bench/style/count"
)

// guides are the pages a newcomer works from. What they name in backticks is
// checked, because a page that sends its reader to a file that has moved costs
// more trust than it saves time.
var guides = []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "AGENTS.md"}

// foreign are names in backticks that are not of this source.
var foreign = names("git ast syn tiktoken main init()")

// missing are names that the pages still have and the source has no more. It
// may only shrink.
var missing = map[string][]string{
	"ARCHITECTURE.md": nil,
	"CONTRIBUTING.md": nil,
}

// TestGuides: every path and symbol that the guides name in backticks exists.
func TestGuides(t *testing.T) {
	s := readNamed(t)
	for _, page := range guides {
		text, err := os.ReadFile(page)
		if os.IsNotExist(err) && page == "AGENTS.md" {
			continue // not written yet
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, span := range spans(string(text)) {
			known := slices.Contains(missing[page], span)
			switch err := s.check(span); {
			case err != "" && !known:
				t.Errorf("%s: `%s`: %s", page, span, err)
			case err == "" && known:
				t.Errorf("%s: `%s` exists: take it out of the table", page, span)
			}
		}
		for _, m := range missing[page] {
			if !strings.Contains(string(text), "`"+m+"`") {
				t.Errorf("%s does not name `%s`: take it out of the table", page, m)
			}
		}
	}
}

// TestGuidesNotice: what is wrong in a page is noticed, each kind of name.
func TestGuidesNotice(t *testing.T) {
	s := readNamed(t)
	wrong := names("engine/quux.go internal/quux/ quux.go engine.Quux code.Lang.Quux KEN_" + "QUUX=1 --quux quuxAtAll testdata/quux/*.txtar")
	wrong = append(wrong, "ken quux FILE", "go test ./internal/quux", ".ci/quux 300", "go test ./internal/code -run TestQuux")
	for _, span := range wrong {
		if s.check(span) == "" {
			t.Errorf("`%s` passes", span)
		}
	}
	for _, span := range []string{"layers_test.go", "internal/code", "code.Lang", "ken find", ".ci/fuzz 300", "index.db.lock", "testdata/NAME/*.txtar", "go test ./..."} {
		if err := s.check(span); err != "" {
			t.Errorf("`%s`: %s", span, err)
		}
	}
}

var (
	fence = regexp.MustCompile("(?ms)^```.*?^```")
	ticks = regexp.MustCompile("`([^`\n]+)`")
)

// spans returns what a page has in backticks, once each; fenced blocks are
// examples of output.
func spans(text string) []string {
	var out []string
	for _, m := range ticks.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		if !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// named is all that a page can name.
type named struct {
	paths    []string                   // files and folders
	packages map[string]bool            // names of packages, and paths of those imported from outside
	members  map[string]map[string]bool // what a package or type has, by its name
	words    map[string]bool            // declared names and texts of string literals
	texts    []string                   // the same, for parts of them
}

func readNamed(t *testing.T) *named {
	t.Helper()
	n := &named{packages: map[string]bool{}, members: map[string]map[string]bool{}, words: map[string]bool{}}
	for _, f := range source(t).Files {
		n.addSource(f)
	}
	declared := regexp.MustCompile(`(?m)^(?:func|var) (?:\([^)]*\) )?(\w+)|\b(KEN_[A-Z_]+)\b|flag\.\w+\("([\w.-]+)"`)
	err := fs.WalkDir(os.DirFS("."), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ".ken") {
			return fs.SkipDir
		}
		n.paths = append(n.paths, p)
		if !d.IsDir() && (strings.HasSuffix(p, "_test.go") || strings.HasPrefix(p, ".ci/")) {
			text, err := os.ReadFile(p)
			for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
				n.words[m[1]+m[2]+m[3]] = true
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// addSource adds what a file declares and the texts it holds.
func (n *named) addSource(f *count.File) {
	pkg := f.AST.Name.Name
	n.packages[pkg] = true
	for _, imp := range f.Imports() {
		n.packages[imp] = true
	}
	owner := pkg
	ast.Inspect(f.AST, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.TypeSpec:
			n.declare(pkg, x.Name.Name)
			owner = x.Name.Name
		case *ast.FuncDecl:
			if x.Recv == nil {
				n.declare(pkg, x.Name.Name)
			} else {
				n.declare(receiver(x.Recv.List[0].Type), x.Name.Name)
				n.declare(pkg, x.Name.Name)
			}
		case *ast.ValueSpec:
			for _, id := range x.Names {
				n.declare(pkg, id.Name)
			}
		case *ast.Field:
			for _, id := range x.Names {
				n.declare(owner, id.Name)
			}
		case *ast.BasicLit:
			if s, err := strconv.Unquote(x.Value); x.Kind == token.STRING && err == nil {
				n.words[s] = true
				n.texts = append(n.texts, s)
			}
		}
		return true
	})
}

func (n *named) declare(owner, name string) {
	if n.members[owner] == nil {
		n.members[owner] = map[string]bool{}
	}
	n.members[owner][name] = true
	n.words[name] = true
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

var (
	environment = regexp.MustCompile(`^KEN_[A-Z_]+`)
	qualified   = regexp.MustCompile(`^\w+(\.\w+)+(\(\))?$`)
	fileName    = regexp.MustCompile(`\.(go|md|c|h|bin|txtar|yml|db|txt|json|mod|sum)$`)
)

// check returns what is wrong with a name, or "".
func (n *named) check(span string) string {
	switch {
	case slices.Contains(foreign, span), strings.HasPrefix(span, "$"), strings.HasPrefix(span, ".ken"):
		return ""
	case strings.Contains(span, " "):
		return n.checkCommand(strings.Fields(span))
	case environment.MatchString(span):
		return n.checkWord(environment.FindString(span))
	case strings.HasPrefix(span, "-"):
		return n.checkWord(strings.TrimLeft(span, "-"))
	case n.writes(span):
		return ""
	case strings.Contains(span, "/"), fileName.MatchString(span):
		return n.checkPath(span)
	case qualified.MatchString(span):
		return n.checkQualified(strings.Split(strings.TrimSuffix(span, "()"), "."))
	}
	return n.checkWord(strings.TrimSuffix(span, "()"))
}

// checkCommand looks at the words of a command that name something of ours.
func (n *named) checkCommand(words []string) string {
	if words[0] == "ken" && !n.words[words[1]] {
		return "there is no such command"
	}
	for i, w := range words {
		problem := ""
		target, name, _ := strings.Cut(w, ":")
		switch {
		case environment.MatchString(w):
			problem = n.checkWord(environment.FindString(w))
		case i > 0 && words[i-1] == "-run":
			test, _, _ := strings.Cut(w, "/") // without its subtest
			problem = n.checkTests(test)
		case strings.HasPrefix(w, "./") && !strings.Contains(w, "..."), strings.HasPrefix(w, ".ci/"), strings.HasPrefix(w, "internal/"):
			problem = n.checkPath(strings.TrimPrefix(target, "./"))
			if name != "" && problem == "" {
				problem = n.checkWord(name)
			}
		}
		if problem != "" {
			return w + ": " + problem
		}
	}
	return ""
}

// checkTests looks for tests that a pattern names: with alternatives and parts of names.
func (n *named) checkTests(pattern string) string {
	pattern = strings.Trim(strings.ReplaceAll(pattern, `\|`, "|"), `'"()$^`)
	for _, name := range strings.Split(pattern, "|") {
		isPart := func(w string) bool { return strings.HasPrefix(w, "Test") && strings.Contains(w, name) }
		if n.checkWord(name) != "" && !slices.ContainsFunc(slices.Collect(maps.Keys(n.words)), isPart) {
			return "nothing has the name " + name
		}
	}
	return ""
}

// checkPath finds a path from the root or from any folder; NAME is a name the
// reader chooses, as * is.
func (n *named) checkPath(span string) string {
	if n.packages[span] {
		return "" // one of the standard library
	}
	pattern := strings.Split(strings.TrimSuffix(strings.ReplaceAll(span, "NAME", "*"), "/"), "/")
	for _, p := range n.paths {
		parts := strings.Split(p, "/")
		if len(parts) < len(pattern) {
			continue
		}
		if fits, err := path.Match(strings.Join(pattern, "/"), strings.Join(parts[len(parts)-len(pattern):], "/")); fits && err == nil {
			return ""
		}
	}
	return "there is no such file or folder"
}

// writes reports whether a name is that of a file that ken writes, which the
// source has as a text, or of one beside it: index.db, index.db.lock.
func (n *named) writes(span string) bool {
	for stem := span; stem != ""; stem = strings.TrimSuffix(stem, path.Ext(stem)) {
		if fileName.MatchString(stem) && !strings.HasSuffix(stem, ".go") && n.words[stem] {
			return true
		}
		if path.Ext(stem) == "" {
			break
		}
	}
	return false
}

// checkQualified looks up package.Name, package.Type.Member and Type.Member.
func (n *named) checkQualified(chain []string) string {
	for i, owner := range chain[:len(chain)-1] {
		if !n.members[owner][chain[i+1]] {
			return owner + " has no " + chain[i+1]
		}
	}
	return ""
}

// checkWord takes a package, a declared name and a text the source holds.
func (n *named) checkWord(w string) string {
	if n.packages[w] || n.words[w] || slices.ContainsFunc(n.paths, func(p string) bool { return path.Base(p) == w }) {
		return ""
	}
	whole := regexp.MustCompile(`\b` + regexp.QuoteMeta(w) + `\b`)
	if slices.ContainsFunc(n.texts, func(s string) bool { return strings.Contains(s, w) && whole.MatchString(s) }) {
		return ""
	}
	return "nothing has that name"
}

// TestDependencies: CONTRIBUTING.md has a reason for every direct dependency beside the grammars, and for no other module.
func TestDependencies(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	var required, explained []string
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1) {
		if !strings.Contains(m[1], "sitter") {
			required = append(required, m[1])
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^\| (\S+\.\S+/\S+) \| `).FindAllStringSubmatch(string(page), -1) {
		explained = append(explained, m[1])
	}
	if diff := cmp.Diff(required, explained); diff != "" {
		t.Errorf("-required +explained:\n%s", diff)
	}
}
