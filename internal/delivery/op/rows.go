package op

import (
	"math"

	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/operation"

	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Symbol is a declaration.
type Symbol struct {
	Path      operation.Path `json:"path" doc:"file that declares it"`
	Line      uint32         `json:"line" doc:"first line of the declaration, doc comment and decorators left out"`
	EndLine   uint32         `json:"end_line" doc:"last line"`
	Start     uint32         `json:"start" doc:"first byte"`
	End       uint32         `json:"end" doc:"byte after the last"`
	Name      string         `json:"name" doc:"its own name"`
	Qualified string         `json:"qualified" doc:"with the names of the declarations around it: \"Server.Start\""`
	Kind      string         `json:"kind" doc:"function, method, constructor, class, struct, interface, trait, type, enum, enum_member, field, constant, variable, module, macro, union, message, service, table, view, index, trigger, resource, target, heading, key, selector or element"`
	Signature string         `json:"signature" doc:"the declaration on one line, without body"`
	Exported  bool           `json:"exported" doc:"visible outside its file or package"`
}

func symbolRow(s *view.Symbol) Symbol {
	return Symbol{
		Path: operation.Path(s.Path), Line: s.Span.Line, EndLine: s.Span.EndLine, Start: s.Span.Start, End: s.Span.End,
		Name: s.Name, Qualified: s.Qualified, Kind: s.Kind.String(), Signature: s.Signature, Exported: s.Exported,
	}
}

func symbolRows(list []view.Symbol) []Symbol {
	out := make([]Symbol, len(list))
	for i := range list {
		out[i] = symbolRow(&list[i])
	}
	return out
}

// symbolPaths returns the paths of symbols, as a query returns them.
func symbolPaths(list []view.Symbol) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].Path
	}
	return out
}

// FileName is a row with nothing but a file's path.
type FileName struct {
	Path operation.Path `json:"path" doc:"file"`
}

func fileNames(paths []string) []FileName {
	out := make([]FileName, len(paths))
	for i, p := range paths {
		out[i] = FileName{operation.Path(p)}
	}
	return out
}

// HotFile is a file many others depend on.
type HotFile struct {
	Path       operation.Path `json:"path" doc:"file"`
	Dependents int            `json:"dependents" doc:"number of files that depend on it directly"`
	Rank       float64        `json:"rank" doc:"PageRank over file edges; the ranks of all files sum to 1"`
	Type       string         `json:"type" doc:"module, service, component, util, api, config, model, test or hook"`
	Purpose    string         `json:"purpose,omitempty" doc:"first sentence of the file's own doc comment"`
}

func hotFiles(list []view.HotFile) []HotFile {
	out := make([]HotFile, len(list))
	for i, f := range list {
		out[i] = HotFile{Path: operation.Path(f.Path), Dependents: f.Dependents, Rank: f.Rank, Type: f.Type, Purpose: injection.Shown(f.Purpose)}
	}
	return out
}

// HotSymbol is a symbol many files use.
type HotSymbol struct {
	Symbol
	Files int `json:"dependents" doc:"number of other files that use its name; only names with one definition are counted"`
}

func hotSymbols(list []view.HotSymbol) []HotSymbol {
	out := make([]HotSymbol, len(list))
	for i := range list {
		out[i] = HotSymbol{Symbol: symbolRow(&list[i].Symbol), Files: list[i].Files}
	}
	return out
}

// writeHot writes hot files and symbols.
func writeHot(t *operation.Text, files []HotFile, symbols []HotSymbol) {
	if len(files) > 0 {
		t.Heading("files most others depend on (dependents)")
		rows := make([][]string, len(files))
		for i, f := range files {
			rows[i] = []string{operation.Group(f.Dependents), string(f.Path), f.Type, f.Purpose}
		}
		t.Table("  ", 1, rows)
	}
	if len(symbols) > 0 {
		t.Heading("symbols most files use (files)")
		rows := make([][]string, len(symbols))
		for i, s := range symbols {
			rows[i] = []string{operation.Group(s.Files), s.Qualified, s.Kind, pathLine(s.Path, s.Line)}
		}
		t.Table("  ", 1, rows)
	}
}

// Package is a package outside the repository.
type Package struct {
	Name     string `json:"name" doc:"as the language's tools name it"`
	Files    int    `json:"files" doc:"number of files that import it"`
	Standard bool   `json:"standard" doc:"part of the language's standard library"`
}

func packageRows(list []store.External) []Package {
	out := make([]Package, len(list))
	for i, e := range list {
		out[i] = Package{Name: e.Name, Files: e.Files, Standard: e.Std}
	}
	return out
}

// Counts are sums over the index.
type Counts struct {
	Files      int   `json:"files" doc:"listed files"`
	Parsed     int   `json:"parsed" doc:"files whose symbols were read"`
	Symbols    int   `json:"symbols" doc:"declarations"`
	References int   `json:"references" doc:"uses of names"`
	Edges      int   `json:"edges" doc:"edges between files"`
	Lines      int64 `json:"lines" doc:"lines"`
	Bytes      int64 `json:"bytes" doc:"size of all listed files"`
	CL100K     int64 `json:"cl100k_base" doc:"tokens in that encoding"`
	O200K      int64 `json:"o200k_base" doc:"tokens in that encoding"`
}

func newCounts(i view.Info) Counts {
	return Counts{
		Files: i.Files, Parsed: i.Parsed, Symbols: i.Symbols, References: i.Refs, Edges: i.Edges,
		Lines: i.Lines, Bytes: i.Bytes, CL100K: i.CL100K, O200K: i.O200K,
	}
}

// Skip is a file that the index does not hold completely.
type Skip struct {
	Path   operation.Path `json:"path" doc:"file or directory"`
	Reason string         `json:"reason" doc:"binary, too_large, minified, parse_limit, unreadable, symlink, submodule, nested_repository, special_file, excluded or ignored"`
}

func skipRows(p *project.Project, list []store.Skipped) []Skip {
	out := make([]Skip, len(list))
	for i, s := range list {
		out[i] = Skip{Path: p.Path(s.Path), Reason: string(s.Problem)}
	}
	return out
}

// Revision is the head of every answer about an index: the state of the code it is about.
type Revision struct {
	Revision code.Rev `json:"revision" doc:"state of the index the answer was computed from"`
}

// firstN returns the first n entries of a list; 0 or nil keeps all.
func firstN[T any](list []T, n *int) []T {
	if n == nil || *n == 0 || len(list) <= *n {
		return list
	}
	return list[:*n]
}

// limitOrAll returns the limit of a list; 0 is none.
func limitOrAll(limit int) int {
	if limit == 0 {
		return math.MaxInt32
	}
	return limit
}

// textLimit is the number of rows that text shows without --limit.
const textLimit = 100

// cutForText shortens a list for text if no limit was given.
func cutForText[T any](list []T, limit *int) []T {
	if limit == nil {
		n := textLimit
		limit = &n
	}
	return firstN(list, limit)
}
