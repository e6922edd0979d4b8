package refs_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/graph"
	"ken/internal/engine/store"
	kenupdate "ken/internal/engine/update"
	"ken/internal/engine/view"
	"ken/internal/lang"
	"ken/internal/store/sqlite"
)

// partitionNames is how many names of a corpus are looked at.
const partitionNames = 1000

// TestPartition lexes files itself: on random names of each corpus every token
// outside comments and strings that has the name of a definition is recorded (a
// definition, an import or export, a reference) or local. The made-up tree is read
// always, the corpora of KEN_CORPORA (a folder of clones) on request; those are
// reported by language, and more than unrecordedShare fails.
func TestPartition(t *testing.T) {
	tree := enginetest.NewTree(t)
	for path, text := range partitionTree {
		tree.Write(path, text)
	}
	p := tree.Index()
	for l, n := range partition(t, p.Engine, partitionNames) {
		t.Logf("made up, %s: %d tokens, %d unrecorded", l, n.tokens, n.missing)
		for _, m := range n.sample {
			t.Errorf("%s: %s", l, m)
		}
	}
	dir := os.Getenv("KEN_CORPORA")
	if dir == "" {
		return
	}
	repos, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range repos {
		t.Run(filepath.Base(root), func(t *testing.T) {
			e := engine.New(engine.Options{Root: root, Store: sqlite.New(filepath.Join(t.TempDir(), "index.db")), HistoryCommits: -1})
			defer e.Close()
			if _, err := e.Update(context.Background(), kenupdate.Request{Create: true}); err != nil {
				t.Fatal(err)
			}
			for l, n := range partition(t, e, partitionNames) {
				t.Logf("%s: %d tokens, %d local, %d unrecorded (%.2f %%)", l, n.tokens, n.local, n.missing, 100*float64(n.missing)/float64(n.tokens))
				for _, m := range n.sample {
					t.Logf("   %s", m)
				}
				if float64(n.missing) > unrecordedShare*float64(n.tokens) {
					t.Errorf("%s: more than %.1f %% of the tokens are not recorded", l, 100*unrecordedShare)
				}
			}
		})
	}
}

// unrecordedShare is the share of tokens that may be unrecorded in a corpus.
const unrecordedShare = 0.02

// partitionTree has the ways in which a name can be written.
var partitionTree = map[string]string{
	"a.py":         "import os\nfrom b import alpha, beta as gamma\n\ndef delta(epsilon, *, zeta=1):\n    '''alpha in a text'''\n    eta = alpha(epsilon)  # beta\n    return gamma(eta, zeta=zeta)\n\nclass Theta(Base):\n    iota = 1\n    def kappa(self): return self.iota + delta(2)\n",
	"b.py":         "def alpha(x): pass\ndef beta(x, zeta): pass\nclass Base: pass\niota = 2\n__all__ = ['alpha']\n",
	"a.ts":         "import { one, two as three } from './b'\nexport { one }\nexport function four(five: Six): Six { const seven = one(five); return three(seven) }\nexport interface Six { eight: number; nine(): void }\nexport class Ten implements Six { eight = 1; nine() { this.eight = four(this).eight } }\n",
	"b.ts":         "export const one = (x: any) => x\nexport function two(x: any) { return one(x) }\nexport default two\n",
	"A.java":       "package p;\nimport p.q.Other;\nclass A extends Base { int count; Other other; A(int count) { this.count = count; } int twice() { return count * 2 + other.once(); } }\nclass Base { void run() { new A(1).twice(); } }\n",
	"q/Other.java": "package p.q;\npublic class Other { public int once() { return 1; } }\n",
	"go.mod":       "module m\n",
	"g/g.go":       "package g\n\ntype Store struct{ items []Item }\ntype Item struct{ name string }\n\nfunc (s *Store) Add(item Item) { s.items = append(s.items, item); log(item.name) }\nfunc log(name string) {}\nfunc New() *Store { return &Store{items: nil} }\n",
	"r/Cargo.toml": "[package]\nname = \"r\"\nversion = \"0.1.0\"\n",
	"r/src/lib.rs": "pub struct Pool { size: usize }\nimpl Pool { pub fn new(size: usize) -> Self { Pool { size } } pub fn grow(&mut self) { self.size += step(); } }\nfn step() -> usize { 1 }\n",
	"c/a.c":        "#include \"a.h\"\nstatic int helper(int value) { return value + LIMIT; }\nint api(struct point *at) { return helper(at->x); }\n",
	"c/a.h":        "#define LIMIT 3\nstruct point { int x; };\nint api(struct point *at);\n",
}

type partitioned struct {
	tokens, local, missing int
	sample                 []string
}

// partition sorts the tokens of random names by language.
func partition(t *testing.T, e *engine.Engine, names int) map[code.Lang]*partitioned {
	t.Helper()
	out := map[code.Lang]*partitioned{}
	err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		wanted, err := randomNames(s, names)
		if err != nil {
			return nil, err
		}
		for f, err := range s.Index.Files() {
			if err != nil {
				return nil, err
			}
			if lang.LanguageTier(f.Lang) != lang.Full || f.Problem != "" || commentsOf(f.Lang) == nil {
				continue
			}
			if err := partitionFile(ctx, s, f, wanted, out); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// randomNames are names of declarations by family, the same in every run.
func randomNames(s *view.Snapshot, n int) (map[string]map[string]bool, error) {
	all := map[string]map[string]bool{}
	for f, err := range s.Index.Files() {
		if err != nil {
			return nil, err
		}
		if lang.LanguageTier(f.Lang) != lang.Full {
			continue
		}
		rows, err := s.Index.Symbols(f.ID)
		if err != nil {
			return nil, err
		}
		family := graph.Family(f.Lang)
		for i := range rows {
			if name := rows[i].Name; !rows[i].Kind.IsText() && identifier(name) {
				if all[family] == nil {
					all[family] = map[string]bool{}
				}
				all[family][name] = true
			}
		}
	}
	for family, set := range all {
		r := rand.New(rand.NewPCG(1, 1)) // of each family, because a map has no order
		list := make([]string, 0, len(set))
		for name := range set {
			list = append(list, name)
		}
		slices.Sort(list)
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		kept := map[string]bool{}
		for _, name := range list[:min(n, len(list))] {
			kept[name] = true
		}
		all[family] = kept
	}
	return all, nil
}

func identifier(s string) bool {
	for i := range len(s) {
		if !nameByte(s[i]) || i == 0 && '0' <= s[0] && s[0] <= '9' {
			return false
		}
	}
	return len(s) > 1
}

func nameByte(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

func partitionFile(ctx context.Context, s *view.Snapshot, f code.File, wanted map[string]map[string]bool, out map[code.Lang]*partitioned) error {
	text, err := s.Text(ctx, f.Path)
	if err != nil || text == nil {
		return err
	}
	site, err := s.Site(f.ID)
	if err != nil || site.Packed == nil {
		return err
	}
	rows, err := s.Index.Symbols(f.ID)
	if err != nil {
		return err
	}
	recorded := map[uint32]bool{}
	for i := range rows {
		recorded[rows[i].NameStart] = true
	}
	refs, err := site.Packed.AllRefs()
	if err != nil {
		return err
	}
	for i := range refs {
		recorded[refs[i].Start] = true
	}
	exports, err := site.Packed.Exports()
	if err != nil {
		return err
	}
	lines := map[uint32]bool{}
	for i := range exports {
		lines[exports[i].Line] = true
	}
	toks := lex(text, commentsOf(f.Lang))
	statements := importStatements(toks, site.Imports)
	got := out[f.Lang]
	if got == nil {
		got = &partitioned{}
		out[f.Lang] = got
	}
	names := wanted[graph.Family(f.Lang)]
	for i, tok := range toks {
		if !names[tok.text] || ofPackageName(toks, i, f.Lang) || ofAttribute(toks, i, f.Lang) {
			continue
		}
		got.tokens++
		switch {
		case recorded[tok.start], statements[i], lines[tok.line]:
		case localToken(toks, i, rows):
			got.local++
		default:
			got.missing++
			if len(got.sample) < 12 {
				got.sample = append(got.sample, fmt.Sprintf("%s:%d %s: %s", f.Path, tok.line, tok.text, lineAt(text, int(tok.start))))
			}
		}
	}
	return nil
}

func lineAt(text []byte, at int) string {
	start := strings.LastIndexByte(string(text[:at]), '\n') + 1
	line, _, _ := strings.Cut(string(text[start:min(len(text), start+160)]), "\n")
	return strings.TrimSpace(line)
}

// lexeme is a word or a sign.
type lexeme struct {
	text  string
	start uint32
	line  uint32
}

// comments is how a language marks what is no code.
type comments struct {
	line   []string
	block  [2]string
	nested bool
	quotes string // one-line strings, with backslashes
	raw    string // strings over lines
	triple bool   // Python's
	chars  bool   // 'a' is a character; 'a alone a lifetime
}

func commentsOf(l code.Lang) *comments {
	switch l {
	case "python":
		return &comments{line: []string{"#"}, quotes: `"'`, triple: true}
	case "typescript", "javascript":
		return &comments{line: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`, raw: "`"}
	case "go":
		return &comments{line: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`, raw: "`"}
	case "kotlin": // a name in backquotes is a test's sentence
		return &comments{line: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: "\"'`", triple: true}
	case "java", "c", "cpp":
		return &comments{line: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: `"'`, triple: l == "java"}
	case "rust":
		return &comments{line: []string{"//"}, block: [2]string{"/*", "*/"}, nested: true, raw: `"`, chars: true}
	}
	return nil
}

// lex cuts a text into words and signs, without comments and strings.
func lex(text []byte, c *comments) (out []lexeme) {
	s := string(text)
	line := uint32(1)
	for i := 0; i < len(s); {
		from := i
		switch end, skip := skipped(s, i, c); {
		case skip:
			i = end
		case nameByte(s[i]):
			for i < len(s) && nameByte(s[i]) {
				i++
			}
			out = append(out, lexeme{s[from:i], uint32(from), line})
		case s[i] == '\n':
			out = append(out, lexeme{"\n", uint32(i), line})
			i++
		case s[i] == ' ' || s[i] == '\t' || s[i] == '\r':
			i++
		default:
			out = append(out, lexeme{s[i : i+1], uint32(i), line})
			i++
		}
		line += uint32(strings.Count(s[from:i], "\n"))
	}
	return out
}

// skipped finds the end of a comment or string that begins at i.
func skipped(s string, i int, c *comments) (end int, skip bool) {
	for _, mark := range c.line {
		if strings.HasPrefix(s[i:], mark) {
			if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
				return i + n, true
			}
			return len(s), true
		}
	}
	if c.block[0] != "" && strings.HasPrefix(s[i:], c.block[0]) {
		return blockEnd(s, i, c), true
	}
	q := s[i]
	if c.triple && i+2 < len(s) && (q == '"' || q == '\'') && s[i+1] == q && s[i+2] == q {
		if n := strings.Index(s[i+3:], s[i:i+3]); n >= 0 {
			return i + 3 + n + 3, true
		}
		return len(s), true
	}
	switch {
	case strings.IndexByte(c.raw, q) >= 0 && c.raw != "", strings.IndexByte(c.quotes, q) >= 0 && c.quotes != "":
		return quoteEnd(s, i, strings.IndexByte(c.raw, q) >= 0 && c.raw != ""), true
	case c.chars && q == '\'' && i+2 < len(s) && (s[i+2] == '\'' || s[i+1] == '\\'):
		if n := strings.IndexByte(s[i+2:], '\''); n >= 0 {
			return i + 2 + n + 1, true
		}
	}
	return i, false
}

func blockEnd(s string, i int, c *comments) int {
	depth := 0
	for i < len(s) {
		switch {
		case strings.HasPrefix(s[i:], c.block[0]) && (depth == 0 || c.nested):
			depth++
			i += 2
		case strings.HasPrefix(s[i:], c.block[1]):
			depth--
			i += 2
			if depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return i
}

func quoteEnd(s string, i int, lines bool) int {
	q := s[i]
	for i++; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == q:
			return i + 1
		case s[i] == '\n' && !lines:
			return i
		}
	}
	return len(s)
}

// importStatements are the tokens of import statements, up to the end of the line
// or ";" outside of brackets.
func importStatements(toks []lexeme, imports []code.Import) map[int]bool {
	out, begins := map[int]bool{}, map[uint32]bool{}
	for i := range imports {
		if imports[i].Kind != code.ImportPath {
			begins[imports[i].Line] = true
		}
	}
	for i := 0; i < len(toks); i++ {
		if !begins[toks[i].line] {
			continue
		}
		for depth := 0; i < len(toks); i++ {
			switch toks[i].text {
			case "(", "{", "[":
				depth++
			case ")", "}", "]":
				depth--
			}
			out[i] = true
			if depth <= 0 && (toks[i].text == "\n" || toks[i].text == ";") {
				break
			}
		}
	}
	return out
}

// ofPackageName reports whether a token is a segment of a package's name: of a package
// clause, or in lower case before a qualified type (Java, Kotlin). So are words that
// Kotlin knows only in their places, and the class of Java behind one of Kotlin.
func ofPackageName(toks []lexeme, i int, l code.Lang) bool {
	if l != "java" && l != "kotlin" {
		return false
	}
	if l == "kotlin" && softKeyword(toks, i) {
		return true
	}
	first := i
	for first > 0 && toks[first-1].text != "\n" && toks[first-1].text != ";" {
		first--
	}
	if toks[first].text == "package" {
		return true
	}
	segments := 0
	for k := i; k > 0 && toks[k-1].text == "."; k -= 2 {
		if k < 2 || !lowerCase(toks[k-2].text) {
			return false
		}
		segments++
	}
	for k := i; k+1 < len(toks); k += 2 {
		switch {
		case !lowerCase(toks[k].text):
			return segments >= 2 && identifier(toks[k].text)
		case toks[k+1].text != ".":
			return false
		}
		segments++
	}
	return false
}

func softKeyword(toks []lexeme, i int) bool {
	switch toks[i].text {
	case "override", "constructor", "object", "init", "data", "open", "inline", "value", "in", "as", "when":
		next := after(toks, i)
		return before(toks, i) != "." && (identifier(next) || next == "{" || next == "(" || next == ":")
	case "java":
		return i > 2 && toks[i-2].text == "class"
	}
	return false
}

func lowerCase(s string) bool { return identifier(s) && s == strings.ToLower(s) }

// ofAttribute reports whether a token is in an attribute that Rust's compiler defines,
// whose arguments are no names of declarations: #[cfg(all(test, unix))].
func ofAttribute(toks []lexeme, i int, l code.Lang) bool {
	if l != "rust" {
		return false
	}
	depth := 0
	for k := i - 1; k > 0 && i-k < 200; k-- {
		switch toks[k].text {
		case "]", ")":
			depth++
		case "(":
			depth--
		case "[":
			if depth--; depth >= 0 || toks[k-1].text != "#" && toks[k-1].text != "!" {
				continue
			}
			switch toks[k+1].text {
			case "cfg", "cfg_attr", "doc", "test", "inline", "allow", "deny", "warn", "expect", "must_use", "repr", "path", "cold", "ignore":
				return true
			}
			return false
		case ";", "{", "}":
			return false
		}
	}
	return false
}

// localToken reports whether a token is a parameter, a local variable, a key, a
// label or a keyword argument: a token of its name is bound in the declaration
// around it.
func localToken(toks []lexeme, i int, rows []store.SymbolRow) bool {
	if binds(toks, i) {
		return true
	}
	if prev := before(toks, i); prev == "." || prev == ">" && i > 1 && toks[i-2].text == "-" {
		return false
	}
	from, to := around(rows, toks[i].start)
	first, _ := slices.BinarySearchFunc(toks, from, func(l lexeme, at uint32) int { return cmp.Compare(l.start, at) })
	for k := first; k < len(toks) && toks[k].start < to; k++ {
		if toks[k].text == toks[i].text && k != i && binds(toks, k) {
			return true
		}
	}
	return false
}

// around is the outermost declaration of code around a byte.
func around(rows []store.SymbolRow, at uint32) (from, to uint32) {
	to = ^uint32(0)
	for i := range rows {
		sp := rows[i].Span
		if rows[i].Kind.IsFunction() && sp.Start <= at && at < sp.End {
			return sp.Start, sp.End
		}
	}
	return 0, to
}

func before(toks []lexeme, i int) string {
	for i--; i >= 0; i-- {
		if toks[i].text != "\n" {
			return toks[i].text
		}
	}
	return ""
}

func after(toks []lexeme, i int) string {
	for i++; i < len(toks); i++ {
		if toks[i].text != "\n" {
			return toks[i].text
		}
	}
	return ""
}

// second is the sign behind the one after a token.
func second(toks []lexeme, i int) string {
	for i++; i < len(toks) && toks[i].text == "\n"; i++ {
	}
	return after(toks, min(i, len(toks)))
}

// binds reports whether a token is in a place where a name is bound or is a key.
func binds(toks []lexeme, i int) bool {
	prev, next := before(toks, i), after(toks, i)
	rest := prev == "." && i > 1 && toks[i-2].text == "."
	if prev == "." && !rest {
		return false
	}
	switch prev {
	case "let", "const", "var", "val", "mut", "ref", "for", "as", "lambda", "catch", "|", "goto", "break", "continue", "type", "@", "'":
		return true
	}
	switch {
	case next == "=", next == ":", next == "?" && second(toks, i) == ":":
		return true
	case next == "-" && second(toks, i) == ">": // a lambda's, and a branch of when
		return true
	case prev == "function", rest: // the own name of an expression, ...rest
		return true
	}
	if typed := identifier(prev) || prev == "*" || prev == "&" || prev == ">" || prev == "]"; typed && !keyword(prev) {
		return next == ")" || next == "," || next == ";" || next == "=" || next == "["
	}
	return inParameters(toks, i) || destructured(toks, i)
}

// inParameters reports whether a token is in the parentheses of a function that is
// declared: after def or function, or before a body or an arrow.
func inParameters(toks []lexeme, i int) bool {
	depth := 0
	for k := i - 1; k >= 0 && i-k < 400; k-- {
		switch toks[k].text {
		case ")", "}", "]":
			depth++
		case "(", "{", "[":
			if depth--; depth >= 0 || toks[k].text != "(" {
				continue
			}
			if k >= 2 && (toks[k-2].text == "def" || toks[k-2].text == "function") || k >= 1 && (toks[k-1].text == "function" || toks[k-1].text == "async") {
				return true
			}
			end := closing(toks, k)
			next := after(toks, end)
			arrow := next == "-" && end+2 < len(toks) && toks[end+2].text == ">"
			return next == "=" || arrow || next == "{" && k >= 1 && !control(toks[k-1].text) || next == ":" && end+1 < len(toks)
		}
	}
	return false
}

// control reports whether a word before parentheses makes no parameters of them.
func control(s string) bool {
	return s == "if" || s == "while" || s == "switch" || s == "for" || s == "with"
}

// closing is the place of the bracket that closes the one at k.
func closing(toks []lexeme, k int) int {
	depth := 0
	for ; k < len(toks); k++ {
		switch toks[k].text {
		case "(", "{", "[":
			depth++
		case ")", "}", "]":
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return len(toks) - 1
}

// destructured reports whether a token is in a pattern that names are taken by:
// const { a, b } = …, and a shorthand or a name before an assignment.
func destructured(toks []lexeme, i int) bool {
	for k := i - 1; k >= 0 && i-k < 100; k-- {
		switch toks[k].text {
		case "let", "const", "var", "for":
			return true
		case "=", ";", "(", ")", "return":
			return false
		case "\n":
			if k > 0 && toks[k-1].text != "," && toks[k-1].text != "{" && toks[k-1].text != "[" {
				return assigned(toks, i)
			}
		}
	}
	return assigned(toks, i)
}

// assigned reports whether a token is one of several that are assigned at once:
// a, b = f().
func assigned(toks []lexeme, i int) bool {
	for k := i + 1; k < len(toks) && k-i < 40; k++ {
		switch t := toks[k].text; {
		case t == "," || identifier(t) && !keyword(t):
		case t == "=" || t == ":" || t == "in":
			return true
		default:
			return false
		}
	}
	return false
}

func keyword(s string) bool {
	switch s {
	case "return", "new", "throw", "await", "yield", "in", "not", "and", "or", "if", "else", "case", "raise", "assert", "del", "is", "typeof", "instanceof":
		return true
	}
	return false
}
