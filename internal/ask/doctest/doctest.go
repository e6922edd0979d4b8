// Package doctest reads blocks of code in comments that are run as tests, as Rust has them: each is a program of its own, which uses the
// package around it from outside. Its neighbour ask/unused finds the names in such comments.
package doctest

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Block is the code between two fences in a comment.
type Block struct {
	at   int    // first byte of its first line in the file
	code []byte // its lines, with spaces in the place of the marks of the comment
}

// Use is a name in a block.
type Use struct {
	File  int64
	Path  string
	Name  string
	At    uint32 // first byte of the name in the file
	Block *Block
}

// The text around a block that has no function where programs begin.
const (
	blockHead = "fn t() {\n"
	blockEnd  = "\n}\n"
)

// maxBlocks is the number of blocks that are read for one name.
const maxBlocks = 64

// firstBlock is the id of the first block among the files; an index has fewer files.
const firstBlock = 1 << 30

// NewBlock returns the block around byte i of a text: the lines between the fences before and behind it.
func NewBlock(text []byte, i int) *Block {
	from, to := lineStart(text, i), lineEnd(text, i)
	for from > 0 && !isFence(text, from-1) {
		from = lineStart(text, from-1)
	}
	for to < len(text) && !isFence(text, to+1) {
		to = lineEnd(text, to+1)
	}
	d := &Block{at: from, code: bytes.Clone(text[from:to])}
	for at := 0; at < len(d.code); at = lineEnd(d.code, at) + 1 {
		line := d.code[at:lineEnd(d.code, at)]
		blank(line[:len(docMark().Find(line))])
		if m := hiddenMark().FindSubmatchIndex(line); m != nil {
			line[m[2]] = ' '
		}
	}
	return d
}

// isFence reports whether the line around byte i of a text begins or ends a block of code.
func isFence(text []byte, i int) bool {
	line := text[lineStart(text, i):lineEnd(text, i)]
	return bytes.HasPrefix(bytes.TrimSpace(line[len(docMark().Find(line)):]), []byte("```"))
}

// hiddenMark matches the beginning of a line that readers do not see.
var hiddenMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[ \t]*(#)([ #]|$)`) })

func blank(text []byte) {
	for i := range text {
		if text[i] != '\t' {
			text[i] = ' '
		}
	}
}

// mainFunction matches the function where a block begins that is a program as it is.
var mainFunction = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bfn\s+main\s*\(`) })

// source returns the text of a block as a program, and where the block begins in it.
func (d *Block) source() ([]byte, int) {
	if mainFunction().Match(d.code) {
		return d.code, 0
	}
	return slices.Concat([]byte(blockHead), d.code, []byte(blockEnd)), len(blockHead)
}

// Contains reports whether a block has a text.
func (d *Block) Contains(text string) bool { return bytes.Contains(d.code, []byte(text)) }

// Questions are those of ask/refs that blocks are asked.
type Questions struct {
	References func(ctx context.Context, s *view.Snapshot, targets []view.Symbol) (view.References, error) // and those that are dropped
	Overriding func(ctx context.Context, s *view.Snapshot, t *view.Symbol) (list []view.Symbol, outside bool, err error)
}

// Meanings returns what uses of the name of targets in blocks mean. All are MeansUnknown where more blocks hold the name than are read. It
// returns an error if the index cannot be read or ctx ends.
func (q Questions) Meanings(ctx context.Context, s *view.Snapshot, targets []view.Symbol, uses []Use) ([]Meaning, error) {
	out := make([]Meaning, len(uses))
	var texts []view.DraftText
	ids := map[spot]int64{}
	for i := range uses {
		u := &uses[i]
		key := spot{u.File, u.Block.at}
		if ids[key] != 0 {
			continue
		}
		row, err := blockFile(s, u, firstBlock+int64(len(texts)))
		if err != nil || row.Path == "" || len(texts) == maxBlocks {
			return out, err
		}
		text, _ := u.Block.source()
		texts = append(texts, view.DraftText{Row: row, Text: text})
		ids[key] = row.ID
	}
	if len(texts) == 0 {
		return nil, nil
	}
	index, after, err := view.NewDraft(s, texts)
	if err != nil {
		return nil, err
	}
	index.Alone()
	a := answer{Questions: q, ctx: ctx, s: after, index: index, targets: slices.Clone(targets)}
	if err := a.addRelated(texts); err != nil {
		return nil, err
	}
	if a.found, err = q.References(ctx, after, a.targets); err != nil {
		return nil, err
	}
	for i := range uses {
		if out[i], err = a.meaning(index.File(ids[spot{uses[i].File, uses[i].Block.at}]), &uses[i]); err != nil {
			return nil, err
		}
	}
	return out, after.Lookup.Err
}

// spot is the place of a block.
type spot struct {
	file int64
	at   int
}

// blockFile returns the row of a block as a file among the tests of its package, which use that as others do; its path is empty if the
// package is not known.
func blockFile(s *view.Snapshot, u *Use, id int64) (code.File, error) {
	f, err := s.FileByID(u.File)
	if err != nil {
		return code.File{}, err
	}
	for dir := code.Dir(u.Path); ; dir = code.Dir(dir) {
		manifest, err := s.Index.FileID(path.Join(dir, "Cargo.toml"))
		if err != nil {
			return code.File{}, err
		}
		if manifest != 0 {
			p := path.Join(dir, "tests", fmt.Sprintf("doc_%d.rs", id))
			return code.File{ID: id, Path: p, Lang: f.Lang, Flags: code.FlagTest}, nil
		}
		if dir == "" {
			return code.File{}, nil
		}
	}
}

// answer is what the references of targets in blocks of code mean.
type answer struct {
	Questions
	ctx     context.Context
	s       *view.Snapshot
	index   *view.Draft
	targets []view.Symbol
	found   view.References
	inDoubt map[int64]bool // the declarations in blocks that override a target and a member from outside
}

// Meaning is the meaning of a name in a block.
type Meaning uint8

// The meanings.

const (
	MeansUnknown Meaning = iota
	MeansTarget
	MeansOther
)

// meaning returns what the name of a use means in its block. Where the block has no reference, import or declaration with the name, it is
// in a string, or one of a local variable.
func (a *answer) meaning(f *view.DraftFile, u *Use) (Meaning, error) {
	if f.Row.ErrorBytes > 0 || f.Row.Problem != code.ProblemNone {
		return MeansUnknown, nil
	}
	_, head := u.Block.source()
	at := uint32(int(u.At) - u.Block.at + head)
	isHere := func(r view.Reference) bool { return r.Path == f.Row.Path && r.Start == at }
	if i := slices.IndexFunc(a.found.List, isHere); i >= 0 {
		r := &a.found.List[i]
		if r.Confidence >= code.ImportResolved || r.Through != "" || r.Settled {
			return MeansTarget, nil
		}
		return MeansUnknown, nil
	}
	if i := slices.IndexFunc(a.found.Dropped, isHere); i >= 0 {
		if why := a.found.Dropped[i].Dropped; why.Proves() && why != bind.NotVisible { // a block that is not compiled may leave imports out
			return MeansOther, nil
		}
		return MeansUnknown, nil
	}
	if slices.ContainsFunc(f.Facts.Refs, func(r code.Ref) bool { return r.Start == at }) {
		return MeansUnknown, nil
	}
	for i := range f.Facts.Symbols {
		if s := &f.Facts.Symbols[i]; s.NameStart == at {
			return a.declared(f, i)
		}
	}
	return a.imported(f, u)
}

// declared returns what a declaration in a block means: a target if it is one of a.targets, by addRelated.
func (a *answer) declared(f *view.DraftFile, ord int) (Meaning, error) {
	sym := symbolIn(f, ord)
	if slices.ContainsFunc(a.targets, func(t view.Symbol) bool { return t.ID == sym.ID }) {
		return MeansTarget, nil
	}
	if a.inDoubt[sym.ID] {
		return MeansUnknown, nil
	}
	return MeansOther, nil
}

func symbolIn(f *view.DraftFile, ord int) view.Symbol {
	return view.RowSymbol(&store.SymbolRow{Symbol: f.Facts.Symbols[ord], FileID: f.Row.ID, Path: f.Row.Path, Ord: int32(ord)})
}

// addRelated adds the members that blocks declare and that override a target to the targets, because both are renamed together.
func (a *answer) addRelated(texts []view.DraftText) error {
	asked := len(a.targets)
	a.inDoubt = map[int64]bool{}
	for i := range texts {
		f := a.index.File(texts[i].Row.ID)
		for ord := range f.Facts.Symbols {
			sym := symbolIn(f, ord)
			isNamed := slices.ContainsFunc(a.targets[:asked], func(t view.Symbol) bool { return t.Name == sym.Name })
			if !isNamed || sym.Symbol.Container() == "" || sym.Kind.IsType() {
				continue
			}
			related, outside, err := a.Overriding(a.ctx, a.s, &sym)
			if err != nil {
				return err
			}
			isTarget := slices.ContainsFunc(related, func(o view.Symbol) bool {
				return slices.ContainsFunc(a.targets[:asked], func(t view.Symbol) bool { return t.ID == o.ID })
			})
			switch {
			case isTarget && !outside:
				a.targets = append(a.targets, sym)
			case isTarget:
				a.inDoubt[sym.ID] = true
			}
		}
	}
	return nil
}

// imported returns what a name in a block means that is neither a reference nor a declaration: one in an import, in a string or comment, or
// of a variable that the block declares.
func (a *answer) imported(f *view.DraftFile, u *Use) (Meaning, error) {
	at := int(u.At) - u.Block.at
	from := useStart(u.Block.code[:at])
	switch {
	case from < 0 && isLocalName(u.Block.code, at, u.Name):
		return MeansOther, nil
	case from < 0:
		return MeansUnknown, nil
	}
	t, err := a.s.Site(f.Row.ID)
	if err != nil {
		return MeansUnknown, err
	}
	_, head := u.Block.source()
	first := uint32(1 + bytes.Count(u.Block.code[:from], []byte("\n")) + min(head, 1))
	last := uint32(1 + bytes.Count(u.Block.code[:at], []byte("\n")) + min(head, 1))
	out := MeansUnknown
	for i := range t.Imports[:min(len(t.Imports), len(t.Links))] {
		if imp := &t.Imports[i]; imp.Line < first || imp.Line > last {
			continue
		}
		for _, n := range t.Imports[i].Names {
			if n.Name != u.Name && n.Alias != u.Name {
				continue
			}
			if n.Alias != n.Name && n.Alias != "" || !a.leadsToTarget(&t.Links[i], n.Name) {
				return MeansUnknown, nil
			}
			out = MeansTarget
		}
	}
	return out, nil
}

// leadsToTarget reports whether an imported name is that of a target.
func (a *answer) leadsToTarget(link *graph.Link, name string) bool {
	if link.File == 0 {
		return false
	}
	file, in, declared, _ := a.s.InferredTypes().Linker().FollowDeclared(link.File, name)
	return slices.ContainsFunc(a.targets, func(s view.Symbol) bool {
		return code.UnpackSymbolID(s.ID).File == file && s.Name == declared && s.Symbol.Container() == in
	})
}

// useStart returns where the import begins in which a text of Rust ends, -1 if it ends in none.
func useStart(text []byte) int {
	at := useStatement().FindAllIndex(text, -1)
	if len(at) == 0 || bytes.IndexByte(text[at[len(at)-1][0]:], ';') >= 0 {
		return -1
	}
	return at[len(at)-1][0]
}

var useStatement = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*(pub )?use\s`) })

// isLocalName reports whether the name at byte i of code of Rust is in a string or comment, or is that of a variable of the code.
func isLocalName(text []byte, i int, name string) bool {
	before := bytes.TrimRight(text[lineStart(text, i):i], " ")
	if bytes.Contains(before, []byte("//")) || bytes.Count(before, []byte(`"`))%2 == 1 {
		return true
	}
	if bytes.HasSuffix(before, []byte(".")) || bytes.HasSuffix(before, []byte("::")) {
		return false
	}
	n := regexp.QuoteMeta(name)
	local := regexp.MustCompile(`\blet\s[^=;]*\b` + n + `\b|\|[^|\n]*\b` + n + `\b[^|\n]*\||\bfor\s[^{;]*\b` + n + `\b[^{;]*\bin\b`)
	return local.Match(text)
}

// In reports whether byte i of a text, in a comment, is in a block of code that is run as a test: between fences without a
// language, or with one of testWords.
func In(text []byte, i int) bool {
	from := lineStart(text, i)
	if open := bytes.LastIndex(text[:i], []byte("/*")); open >= 0 && !bytes.Contains(text[open:i], []byte("*/")) {
		if from = open; !bytes.HasPrefix(text[open:], []byte("/**")) && !bytes.HasPrefix(text[open:], []byte("/*!")) {
			return false
		}
	} else {
		for from > 0 && docMark().Match(text[lineStart(text, from-1):from-1]) {
			from = lineStart(text, from-1)
		}
		if !docMark().Match(text[from:lineEnd(text, from)]) {
			return false
		}
	}
	return InFence(text[from:lineStart(text, i)])
}

// InFence reports whether a text ends inside of a block of code that is run as a test.
func InFence(text []byte) bool {
	isOpen, isTest := false, false
	for line := range bytes.Lines(text) {
		info, ok := bytes.CutPrefix(bytes.TrimSpace(docMark().ReplaceAll(line, nil)), []byte("```"))
		if !ok {
			continue
		}
		isOpen = !isOpen
		words := strings.FieldsFunc(string(info), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		isTest = !slices.ContainsFunc(words, func(word string) bool {
			return !slices.Contains(testWords, word) && !strings.HasPrefix(word, "edition")
		})
	}
	return isOpen && isTest
}

func lineStart(text []byte, i int) int { return bytes.LastIndexByte(text[:i], '\n') + 1 }

func lineEnd(text []byte, i int) int {
	if k := bytes.IndexByte(text[i:], '\n'); k >= 0 {
		return i + k
	}
	return len(text)
}

// docMark matches what begins a line of a comment that documents a declaration.
var docMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(//[/!]|/?\*[*!]?)`) })

// testWords are the words behind the fence of a block that is run, or at least compiled.
var testWords = strings.Fields("rust no_run should_panic ignore compile_fail standalone standalone_crate")
