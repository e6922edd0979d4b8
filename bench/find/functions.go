package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ken/internal/ask/find"
	"ken/internal/ask/rank"
	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// functionRow is a task with the functions of the first files, for learning which of them change. Its features are those of
// rank.SymbolVector and the yardstick.
type functionRow struct {
	ID, Lang, Source string
	Gold             int      // functions that were changed
	Paths            []string // PATH:NAME:LINE
	Right            []int    // places of the changed ones
	Features         [][]float32
}

// functionNames returns the columns of a table of functions. The last is the yardstick: BM25 over the bodies of these functions alone.
func functionNames() (out []string) {
	for i := range rank.SymbolTable {
		out = append(out, rank.SymbolTable[i].Name)
	}
	return append(out, "bm25")
}

// changedFunctions returns the innermost functions around the lines that a task changed, as PATH:NAME:LINE.
func changedFunctions(s *view.Snapshot, t *task) (out []string, err error) {
	for path, spans := range t.Lines {
		file, err := s.File(context.Background(), path)
		if err != nil {
			continue // not in the index
		}
		rows, err := s.Index.SymbolsOf(file.ID, math.MaxInt32, code.Kind.IsFunction)
		if err != nil {
			return nil, err
		}
		for _, span := range spans {
			for line := span[0]; line <= span[1]; line++ {
				if id := innermost(rows, line); id >= 0 {
					out = append(out, functionID(path, &rows[id]))
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// innermost returns the place of the shortest declaration around a line, -1 if there is none.
func innermost(rows []store.SymbolRow, line int) int {
	best := -1
	for i := range rows {
		from, to := int(rows[i].Span.Line), int(rows[i].Span.EndLine)
		if from <= line && line <= to && (best < 0 || to-from < int(rows[best].Span.EndLine-rows[best].Span.Line)) {
			best = i
		}
	}
	return best
}

func functionID(path string, row *store.SymbolRow) string {
	return fmt.Sprintf("%s:%s:%d", path, row.Qualified, row.Span.Line)
}

// newFunctionRow gathers the functions of the first files with their features.
func newFunctionRow(s *view.Snapshot, t *task, found *find.Found) (*functionRow, error) {
	gold, err := changedFunctions(s, t)
	if err != nil || len(gold) == 0 {
		return nil, err
	}
	row := &functionRow{ID: t.ID, Lang: t.Lang, Source: t.Source, Gold: len(gold)}
	var bodies [][]string
	lines := map[string][]string{}
	for i := range found.Rated {
		x := &found.Rated[i]
		if !x.Row.Kind.IsFunction() {
			continue
		}
		id := functionID(x.Path, &x.Row)
		if slices.Contains(gold, id) {
			row.Right = append(row.Right, len(row.Paths))
		}
		row.Paths = append(row.Paths, id)
		row.Features = append(row.Features, append(x.Features[:], 0))
		if lines[x.Path] == nil {
			text, err := s.Text(context.Background(), x.Path)
			if err != nil {
				return nil, err
			}
			lines[x.Path] = strings.Split(string(text), "\n")
		}
		of := lines[x.Path]
		from, to := min(int(x.Row.Span.Line)-1, len(of)), min(int(x.Row.Span.EndLine), len(of))
		bodies = append(bodies, plainWords(strings.Join(of[from:to], "\n")))
	}
	for i, v := range bm25(plainWords(t.Query), bodies) {
		row.Features[i][len(row.Features[i])-1] = v
	}
	return row, nil
}

var wordLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Z]+(?:[^A-Za-z]|$)|[A-Z]?[a-z]+|[A-Z]+|[0-9]+`)
})

// plainWords returns the words of a text in lower case, identifiers in parts.
func plainWords(text string) (out []string) {
	for _, w := range wordLike().FindAllString(text, -1) {
		w = strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
		if len(w) > 1 {
			out = append(out, w)
		}
	}
	return out
}

// bm25 scores documents by a query, with the usual parameters 1.2 and 0.75 (Robertson and Zaragoza, 2009).
func bm25(query []string, docs [][]string) []float32 {
	holds, total := map[string]int{}, 0
	counts := make([]map[string]int, len(docs))
	for i, d := range docs {
		counts[i] = map[string]int{}
		for _, w := range d {
			counts[i][w]++
		}
		for w := range counts[i] {
			holds[w]++
		}
		total += len(d)
	}
	out := make([]float32, len(docs))
	mean := float64(total) / float64(max(1, len(docs)))
	for i, d := range docs {
		for _, w := range query {
			tf, n := float64(counts[i][w]), float64(len(docs))
			idf := math.Log(1 + (n-float64(holds[w])+0.5)/(float64(holds[w])+0.5))
			out[i] += float32(idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*float64(len(d))/mean)))
		}
	}
	return out
}

// writeFunctions writes the table of a repository's functions.
func (b *bench) writeFunctions(repo string, list []taskResult) error {
	f, err := os.Create(filepath.Join(b.functions, strings.ReplaceAll(repo, "/", "+")+".jsonl.gz"))
	if err != nil {
		return err
	}
	zip := gzip.NewWriter(f)
	out := json.NewEncoder(zip)
	err = out.Encode(functionNames())
	for i := range list {
		if list[i].Functions != nil {
			err = errors.Join(err, out.Encode(list[i].Functions))
		}
	}
	return errors.Join(err, zip.Close(), f.Close())
}
