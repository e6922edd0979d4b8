package export

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/engine/view"
	"ken/internal/knowledge/convention"
	"ken/internal/knowledge/entity"
	"ken/internal/knowledge/purpose"
	"ken/internal/operation"
)

// Index is index.json, version 2. Its keys are that format's, in its order.
type Index struct {
	Version     int                          `json:"version" doc:"2"`
	Updated     int64                        `json:"updated" doc:"time of HEAD's commit in milliseconds since 1970; 0 without git"`
	ProjectName string                       `json:"projectName" doc:"name of the root directory"`
	Files       operation.Entries[indexFile] `json:"files" doc:"by path"`
	Conventions indexConventions             `json:"conventions" doc:"what most of the code has in common"`
	Stats       *indexStats                  `json:"stats" doc:"sums over files"`
	keys        keySet
	pages       map[string]*entity.Page // written ones, by path of their file
	hide        func(string) string
	times       *Times
}

type indexFile struct {
	Exports      []string `json:"exports" doc:"names the file offers, in source order, each once"`
	Imports      []string `json:"imports" doc:"specifiers it imports, in source order, each once"`
	Indexed      int64    `json:"indexed" doc:"as updated"`
	Lines        uint32   `json:"lines" doc:"lines"`
	Language     string   `json:"language" doc:"language, or unknown"`
	EntityStatus string   `json:"entityStatus" doc:"of the written page: current, stale or missing"`
	Purpose      string   `json:"purpose,omitempty" doc:"of a file with a written page: its first sentence, unless the page is worded as an order to an agent"`
	Type         string   `json:"type,omitempty" doc:"of a file with a written page: the type that it gives"`
	Status       string   `json:"status,omitempty" doc:"of a file with a written page: active, stale or deprecated"`
	Complexity   string   `json:"complexity,omitempty" doc:"of a file with a written page: low, medium or high"`
	PathBase64   string   `json:"path_base64,omitempty" doc:"the raw bytes of the path; only if it is not UTF-8"`
	fileMillis
}

type indexConventions struct {
	Naming      operation.Entries[indexNaming]    `json:"naming" doc:"exports, files: how they are written"`
	Directories operation.Entries[indexDirectory] `json:"directories" doc:"folders whose files have something in common, by path"`
	Suffixes    operation.Entries[indexSuffix]    `json:"suffixes" doc:"endings of file names"`
}

type indexNaming struct {
	Dominant   string `json:"dominant" doc:"camelCase, PascalCase, snake_case, kebab-case or UPPER_CASE"`
	Confidence int    `json:"confidence" doc:"share of the samples, in percent"`
	Samples    int    `json:"samples" doc:"names that could be written so or not, in the language that has most"`
}

type indexDirectory struct {
	Purpose   string `json:"purpose" doc:"first sentence of its README, empty if there is none"`
	Pattern   string `json:"pattern" doc:"pattern of its files' names"`
	FileCount int    `json:"fileCount" doc:"source files in it"`
}

type indexSuffix struct {
	Purpose string `json:"purpose" doc:"what frameworks mean by it, empty if they do not agree"`
	Count   int    `json:"count" doc:"files that have it"`
}

type indexStats struct {
	TotalFiles   int            `json:"totalFiles" doc:"number of files"`
	TotalExports int            `json:"totalExports" doc:"sum of their exports"`
	TotalImports int            `json:"totalImports" doc:"sum of their imports"`
	Languages    map[string]int `json:"languages" doc:"number of files by language"`
}

// NewIndex returns index.json. root is the project's directory, t the time of HEAD's commit, pages are the written pages of files,
// whose texts hide masks; real are the real times of files, nil to leave them out. It returns an error if the index cannot be read.
func NewIndex(
	ctx context.Context, root string, s *view.Snapshot, t time.Time, pages []entity.KeptPage, hide func(string) string, real *Times,
) (*Index, error) {
	a := &Index{Version: 2, ProjectName: filepath.Base(root), Stats: &indexStats{Languages: map[string]int{}}}
	a.keys, a.pages, a.hide, a.times = keySet{}, map[string]*entity.Page{}, hide, real
	if !t.IsZero() {
		a.Updated = t.UnixMilli()
	}
	for _, k := range pages {
		if k.Page != nil {
			a.pages[k.Page.Head.Path] = k.Page
		}
	}
	found, err := convention.Find(ctx, s)
	if err == nil {
		err = a.Conventions.fill(ctx, s, found)
	}
	a.Files = func(yield func(operation.Entry[indexFile], error) bool) { a.each(ctx, s, yield) }
	return a, err
}

func (c *indexConventions) fill(ctx context.Context, s *view.Snapshot, found *convention.Found) error {
	naming := map[string]indexNaming{}
	for i := range found.Conventions {
		k := &found.Conventions[i]
		about := map[convention.Topic]string{convention.FunctionNames: "exports", convention.FileNames: "files"}[k.Topic]
		if about != "" && k.Dir == "" && k.Samples > naming[about].Samples {
			naming[about] = indexNaming{k.Pattern, k.Confidence(), k.Samples}
		}
	}
	directories, suffixes := map[string]indexDirectory{}, map[string]indexSuffix{}
	for _, d := range found.Directories {
		text, _, err := purpose.Introduction(ctx, s, d.Path)
		if err != nil {
			return err
		}
		directories[d.Path] = indexDirectory{text, d.Pattern, d.Files}
	}
	for _, e := range found.Suffixes {
		suffixes[e.Ending] = indexSuffix{e.Purpose, e.Count}
	}
	c.Naming, c.Directories, c.Suffixes = sortedEntries(naming), sortedEntries(directories), sortedEntries(suffixes)
	return nil
}

// sortedEntries returns the entries of a map, by key.
func sortedEntries[T any](m map[string]T) operation.Entries[T] {
	keys := keySet{}
	return func(yield func(operation.Entry[T], error) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			key, _ := keys.key(k)
			if !yield(operation.Entry[T]{Key: key, Value: m[k]}, nil) {
				return
			}
		}
	}
}

// each makes the entries of the files and sums them up.
func (a *Index) each(ctx context.Context, s *view.Snapshot, yield func(operation.Entry[indexFile], error) bool) {
	for f, err := range s.Files(ctx) {
		if err != nil {
			yield(operation.Entry[indexFile]{}, err)
			return
		}
		row := indexFile{Indexed: a.Updated, Lines: f.Lines, Language: string(f.Lang), EntityStatus: "missing",
			fileMillis: a.times.millis(&f)}
		if row.Language == "" {
			row.Language = "unknown"
		}
		err := row.fill(ctx, s, f.Path)
		if p := a.pages[f.Path]; p != nil && err == nil {
			row.EntityStatus, err = pageStatus(ctx, s, &f, p.Head.API)
			row.setPage(p, code.Complexity(f), a.hide)
		}
		if err != nil {
			yield(operation.Entry[indexFile]{}, err)
			return
		}
		a.Stats.TotalFiles++
		a.Stats.TotalExports += len(row.Exports)
		a.Stats.TotalImports += len(row.Imports)
		a.Stats.Languages[row.Language]++
		key, raw := a.keys.key(f.Path)
		row.PathBase64 = raw
		if !yield(operation.Entry[indexFile]{Key: key, Value: row}, nil) {
			return
		}
	}
}

// setPage takes over the texts of a file's page, and its present status.
func (row *indexFile) setPage(p *entity.Page, complexity string, hide func(string) string) {
	row.Type, row.Complexity, row.Status = hide(p.Head.Type), complexity, string(entity.Active)
	switch {
	case p.Head.Status == entity.Deprecated:
		row.Status = string(entity.Deprecated)
	case row.EntityStatus == "stale":
		row.Status = string(entity.Stale)
	}
	if len(injection.Scan(p.String())) == 0 {
		row.Purpose = hide(entity.FirstSentence(p))
	}
}

// pageStatus reports as a word whether a page written for an API still fits the file.
func pageStatus(ctx context.Context, s *view.Snapshot, f *code.File, api string) (string, error) {
	now, err := entity.APIHash(ctx, s, f)
	if err != nil || now == api {
		return "current", err
	}
	return "stale", nil
}

func (row *indexFile) fill(ctx context.Context, s *view.Snapshot, path string) (err error) {
	row.Imports, row.Exports, err = specifiers(ctx, s, path)
	return err
}

// specifiers returns the specifiers that a file imports and exports, in source order, each once.
func specifiers(ctx context.Context, s *view.Snapshot, path string) (imports, exports []string, err error) {
	list, err := s.Exports(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	for _, e := range list {
		if !seen[e.Name] {
			seen[e.Name] = true
			exports = append(exports, e.Name)
		}
	}
	from, err := s.Imports(ctx, path)
	clear(seen)
	for i := range from {
		if spec := from[i].Spec; !seen[spec] {
			seen[spec] = true
			imports = append(imports, spec)
		}
	}
	return imports, exports, err
}
