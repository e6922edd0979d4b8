package engine

import (
	"bytes"
	"context"
	"iter"
	"path"
	"regexp"
	"regexp/syntax"
	"runtime"
	"strings"

	"ken/internal/code"
)

// maxGrepLine is how much of a long line around a match is shown, in bytes.
const maxGrepLine = 400

// Grep searches the text of indexed files line by line, in the order of paths.
// Files are read on all cores, a few at a time.
func (s *Snapshot) Grep(ctx context.Context, q GrepQuery) iter.Seq2[GrepMatch, error] {
	return func(yield func(GrepMatch, error) bool) {
		g, err := s.newGrep(q)
		if err != nil {
			yield(GrepMatch{}, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		n := 0
		for batch := range g.search(ctx) {
			if batch.err != nil {
				yield(GrepMatch{}, batch.err)
				return
			}
			if len(batch.matches) == 0 {
				continue
			}
			if err := s.enclose(batch.file, batch.matches); err != nil {
				yield(GrepMatch{}, err)
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
			yield(GrepMatch{}, err)
		}
	}
}

type grep struct {
	tree  *Tree
	re    *regexp.Regexp
	must  []byte // bytes every match holds
	limit int
	files []code.File
}

func (s *Snapshot) newGrep(q GrepQuery) (*grep, error) {
	if len(q.Regex) > maxRegex {
		return nil, usagef("the regular expression is longer than %d bytes", maxRegex)
	}
	expr := q.Regex
	if q.IgnoreCase {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile("(?m:" + expr + ")")
	if err != nil {
		return nil, usagef("%v", err)
	}
	g := &grep{tree: s.tree, re: re, limit: q.Limit}
	if tree, err := syntax.Parse(expr, syntax.Perl); err == nil {
		g.must = []byte(longestLiteral(tree.Simplify()))
	}
	if q.only != nil {
		g.files = q.only
		return g, nil
	}
	for f, err := range s.r.Files() {
		if err != nil {
			return nil, err
		}
		if (f.Problem == "" || f.Problem == code.ProblemParseLimit || f.Problem == code.ProblemMinified) && below(f.Path, q.Paths) {
			g.files = append(g.files, f)
		}
	}
	return g, nil
}

func below(p string, roots []string) bool {
	for _, r := range roots {
		r = path.Clean(r)
		if r == "." || p == r || strings.HasPrefix(p, r+"/") {
			return true
		}
	}
	return len(roots) == 0
}

type grepBatch struct {
	file    code.File
	matches []GrepMatch
	err     error
}

// search reads and matches files on all cores and hands them on in order.
func (g *grep) search(ctx context.Context) <-chan grepBatch {
	out := make(chan grepBatch)
	cores := runtime.GOMAXPROCS(0)
	order := make(chan chan grepBatch, 8*cores)
	todo := make(chan func(r *SourceReader))
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
			case todo <- func(r *SourceReader) { c <- grepBatch{file: f, matches: g.file(ctx, r, f)} }:
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

// file matches one file; one that cannot be read any more has no matches. What
// is searched is the text with its secrets masked.
func (g *grep) file(ctx context.Context, r *SourceReader, f code.File) []GrepMatch {
	return g.lines(f.Path, r.Masked(ctx, f.Path, func(text []byte) bool {
		return (len(g.must) == 0 || bytes.Contains(text, g.must)) && g.re.Match(text)
	}))
}

// lines finds the first match of every line that has one.
func (g *grep) lines(p string, text []byte) []GrepMatch {
	var out []GrepMatch
	line, counted := uint32(1), 0
	for at := 0; at <= len(text); {
		loc := g.re.FindIndex(text[at:])
		if loc == nil {
			break
		}
		start, end := at+loc[0], at+loc[1]
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
		out = append(out, GrepMatch{Path: p, Line: line, Start: uint32(start), End: uint32(end), Text: cutLine(text[first:last], start-first)})
		if g.limit > 0 && len(out) == g.limit {
			break
		}
		at = last + 1
	}
	return out
}

// cutLine shows a line, or of a long one the part around the match.
func cutLine(line []byte, start int) string {
	line = bytes.TrimRight(line, "\r")
	if len(line) <= maxGrepLine {
		return string(line)
	}
	from := max(0, min(start-maxGrepLine/4, len(line)-maxGrepLine))
	to := min(len(line), from+maxGrepLine)
	return strings.ToValidUTF8(string(line[from:to]), "")
}

// innermost is the smallest symbol around a reference.
func innermost(rows []SymbolRow, r *Reference) *Symbol {
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
	return &Symbol{Symbol: rows[best].Symbol, ID: rows[best].ID().Pack(), Path: r.Path}
}

// enclose fills the symbols around matches.
func (s *Snapshot) enclose(f code.File, matches []GrepMatch) error {
	rows, err := s.r.Symbols(f.ID)
	if err != nil {
		return err
	}
	for i := range matches {
		m := &matches[i]
		r := Reference{Path: f.Path, Start: m.Start, End: m.Start}
		if sym := innermost(rows, &r); sym != nil {
			m.In, m.InKind = sym.Qualified, sym.Kind
		}
	}
	return nil
}
