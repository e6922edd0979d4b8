// Package grep searches by regular expression: lines of masked text, and declarations by the shape of their names and signatures
// (pattern.go). names.go finds the files that contain a name. Its neighbours ask/unused and ask/imported search for uses that leave no
// reference.
package grep

import (
	"bytes"
	"context"
	"iter"
	"regexp"
	"regexp/syntax"
	"runtime"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// maxGrepLine is the number of bytes of a long line that are shown around a match.
const maxGrepLine = 400

// Grep searches the text of indexed files line by line, in the order of paths. Files are read on all cores, a few at a time. The
// sequence ends with an error if the expression is invalid (a *code.UsageError), if the index cannot be read, or if ctx ends.
func Grep(ctx context.Context, s *view.Snapshot, q view.GrepQuery) iter.Seq2[view.GrepMatch, error] {
	return func(yield func(view.GrepMatch, error) bool) {
		g, err := newGrep(s, q)
		if err != nil {
			yield(view.GrepMatch{}, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		n := 0
		for batch := range g.search(ctx) {
			if batch.err != nil {
				yield(view.GrepMatch{}, batch.err)
				return
			}
			if len(batch.matches) == 0 {
				continue
			}
			if err := enclose(s, batch.file, batch.matches); err != nil {
				yield(view.GrepMatch{}, err)
				return
			}
			for _, m := range batch.matches {
				if !yield(m, nil) {
					return
				}
				if n++; n == q.Limit {
					return
				}
			}
		}
		if err := ctx.Err(); err != nil {
			yield(view.GrepMatch{}, err)
		}
	}
}

type grep struct {
	tree   *source.Tree
	re     *regexp.Regexp
	must   []byte // bytes that every match contains
	inLine bool   // must is not empty, and no match spans lines
	limit  int    // of each file
	around int    // lines of context
	files  []code.File
	known  *source.Known
	secret map[string]bool  // files that held secrets when they were indexed
	lack   *source.Sketches // rules out files, nil if there are none
}

func newGrep(s *view.Snapshot, q view.GrepQuery) (*grep, error) {
	if len(q.Regex) > maxRegex {
		return nil, code.Usagef("the regular expression is longer than %d bytes", maxRegex)
	}
	expr := q.Regex
	if q.Word {
		expr = `\b(?:` + expr + `)\b`
	}
	if q.IgnoreCase {
		expr = "(?i)" + expr
	}
	expr = "(?m:" + expr + ")"
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, code.Usagef("%v", err)
	}
	known, err := s.KnownSecrets()
	if err != nil {
		return nil, err
	}
	secret, err := s.WithSecrets()
	if err != nil {
		return nil, err
	}
	g := &grep{tree: s.Tree, re: re, limit: q.Limit, around: q.Context, known: known, secret: secret, lack: s.Sketches()}
	if q.OnePerFile {
		g.limit = 1
	}
	if tree, err := syntax.Parse(expr, syntax.Perl); err == nil {
		tree = tree.Simplify()
		g.must = []byte(longestLiteral(tree))
		g.inLine = len(g.must) > 0 && !spansLines(tree)
	}
	if q.Only != nil {
		g.files = q.Only
		return g, nil
	}
	for f, err := range s.Index.Files() {
		if err != nil {
			return nil, err
		}
		isText := f.Problem == "" || f.Problem == code.ProblemParseLimit || f.Problem == code.ProblemMinified
		included := code.IsUnder(f.Path, q.Paths) && (q.Include == nil || q.Include.Match(f.Path))
		excluded := q.Exclude != nil && q.Exclude.Match(f.Path)
		if isText && included && !excluded && !g.lack.Lacks(&f, g.must) {
			g.files = append(g.files, f)
		}
	}
	return g, nil
}

type grepBatch struct {
	file    code.File
	matches []view.GrepMatch
	err     error
}

// search reads and matches files on all cores and passes the results on in order.
func (g *grep) search(ctx context.Context) <-chan grepBatch {
	out := make(chan grepBatch)
	cores := runtime.GOMAXPROCS(0)
	order := make(chan chan grepBatch, 8*cores)
	todo := make(chan func(r *source.Reader))
	_, err := g.tree.Scanner()
	for range cores {
		go func() {
			if err != nil {
				return
			}
			r, err := g.tree.NewReader(nil)
			if err != nil {
				return // the scanner was made above
			}
			for f := range todo {
				f(r)
			}
		}()
	}
	go func() {
		defer close(order)
		defer close(todo)
		if err != nil {
			c := make(chan grepBatch, 1)
			c <- grepBatch{err: err}
			order <- c
			return
		}
		for _, f := range g.files {
			c := make(chan grepBatch, 1)
			select {
			case order <- c:
			case <-ctx.Done():
				return
			}
			select {
			case todo <- func(r *source.Reader) { c <- grepBatch{file: f, matches: g.file(ctx, r, f)} }:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		defer close(out)
		for c := range order {
			var b grepBatch
			select {
			case b = <-c:
			case <-ctx.Done():
				return
			}
			select {
			case out <- b:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// file matches one file; a file that cannot be read any more has no matches. The searched text has its secrets masked.
func (g *grep) file(ctx context.Context, r *source.Reader, f code.File) []view.GrepMatch {
	if r.CertainlyLacks(&f, g.must, g.lack) {
		return nil
	}
	return g.lines(f.Path, r.MaskedFile(ctx, &f, !g.secret[f.Path], func(text []byte) bool {
		return (len(g.must) == 0 || bytes.Contains(text, g.must)) && g.next(text, 0) != nil
	}))
}

// next finds the first match after the beginning of a line. If every match lies in one line and contains known bytes, only lines with
// those are matched, because looking for bytes takes a small part of the time.
func (g *grep) next(text []byte, at int) []int {
	if !g.inLine {
		loc := g.re.FindIndex(text[at:])
		if loc == nil {
			return nil
		}
		return []int{at + loc[0], at + loc[1]}
	}
	for at <= len(text) {
		i := bytes.Index(text[at:], g.must)
		if i < 0 {
			return nil
		}
		first, last := bytes.LastIndexByte(text[:at+i], '\n')+1, len(text)
		if end := bytes.IndexByte(text[at+i:], '\n'); end >= 0 {
			last = at + i + end
		}
		if loc := g.re.FindIndex(text[first:last]); loc != nil {
			return []int{first + loc[0], first + loc[1]}
		}
		at = last + 1
	}
	return nil
}

// lines finds the first match of every line that has one.
func (g *grep) lines(p string, text []byte) []view.GrepMatch {
	var out []view.GrepMatch
	line, counted := uint32(1), 0
	for at := 0; at <= len(text); {
		loc := g.next(text, at)
		if loc == nil {
			break
		}
		start, end := loc[0], loc[1]
		line += uint32(bytes.Count(text[counted:start], []byte{'\n'}))
		counted = start
		first := bytes.LastIndexByte(text[:start], '\n') + 1
		last := len(text)
		if i := bytes.IndexByte(text[start:], '\n'); i >= 0 {
			last = start + i
		}
		if start == len(text) && first == start {
			break // an empty match after the last line
		}
		m := view.GrepMatch{Path: p, Line: line, Start: uint32(start), End: uint32(end), Text: g.cutLine(text[first:last], start-first)}
		m.Before, m.After = g.context(text, first, last)
		out = append(out, m)
		if g.limit > 0 && len(out) == g.limit {
			break
		}
		at = last + 1
	}
	return out
}

// context returns the lines around the one between two places of a text.
func (g *grep) context(text []byte, first, last int) (before, after []string) {
	for range g.around {
		if first == 0 {
			break
		}
		from := bytes.LastIndexByte(text[:first-1], '\n') + 1
		before = append(before, g.cutLine(text[from:first-1], 0))
		first = from
	}
	slices.Reverse(before)
	for range g.around {
		if last >= len(text)-1 { // the last line, or what follows its end
			break
		}
		to := len(text)
		if i := bytes.IndexByte(text[last+1:], '\n'); i >= 0 {
			to = last + 1 + i
		}
		after = append(after, g.cutLine(text[last+1:to], 0))
		last = to
	}
	return before, after
}

// cutLine returns a line, or of a long one the part around the match. Known secrets are masked before a line is cut, because half of a
// value would not be recognised when the answer is printed.
func (g *grep) cutLine(line []byte, start int) string {
	line = bytes.TrimRight(line, "\r")
	if len(line) <= maxGrepLine {
		return string(line)
	}
	g.known.Mask(line)
	from := max(0, min(start-maxGrepLine/4, len(line)-maxGrepLine))
	to := min(len(line), from+maxGrepLine)
	return strings.ToValidUTF8(string(line[from:to]), "")
}

// innermost returns the smallest symbol around a reference.
func innermost(rows []store.SymbolRow, r *view.Reference) *view.Symbol {
	best := -1
	for i := range rows {
		sp := rows[i].Span
		if sp.Start <= r.Start && r.End <= sp.End && (best < 0 || sp.Start >= rows[best].Span.Start) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return &view.Symbol{Symbol: rows[best].Symbol, ID: rows[best].ID().Pack(), Path: r.Path}
}

// enclose sets the symbol around each match.
func enclose(s *view.Snapshot, f code.File, matches []view.GrepMatch) error {
	rows, err := s.Index.Symbols(f.ID)
	if err != nil {
		return err
	}
	for i := range matches {
		m := &matches[i]
		r := view.Reference{Path: f.Path, Start: m.Start, End: m.Start}
		if sym := innermost(rows, &r); sym != nil {
			m.In, m.InKind = sym.Qualified, sym.Kind
		}
	}
	return nil
}
