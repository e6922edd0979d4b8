package formats

import (
	"context"
	"path/filepath"
	"time"

	"ken/internal/delivery/tool"

	"ken/internal/engine/view"
)

// Index is index.json, version 2. Its keys are that format's, in its order.
type Index struct {
	Version     int                     `json:"version" doc:"2"`
	Updated     int64                   `json:"updated" doc:"time of HEAD's commit in milliseconds since 1970; 0 without git"`
	ProjectName string                  `json:"projectName" doc:"name of the root directory"`
	Files       tool.Entries[indexFile] `json:"files" doc:"by path"`
	Conventions indexConventions        `json:"conventions" doc:"empty: ken does not record conventions yet"`
	Stats       *indexStats             `json:"stats" doc:"sums over files"`
	keys        keySet
}

type indexFile struct {
	Exports      []string `json:"exports" doc:"names the file offers, in source order, each once"`
	Imports      []string `json:"imports" doc:"specifiers it imports, in source order, each once"`
	Indexed      int64    `json:"indexed" doc:"as updated"`
	Lines        uint32   `json:"lines" doc:"lines"`
	Language     string   `json:"language" doc:"language, or unknown"`
	EntityStatus string   `json:"entityStatus" doc:"missing: there are no entities yet"`
	PathBase64   string   `json:"path_base64,omitempty" doc:"the raw bytes of the path; only if it is not UTF-8"`
}

type indexConventions struct {
	Naming      map[string]int `json:"naming" doc:"empty"`
	Directories map[string]int `json:"directories" doc:"empty"`
	Suffixes    map[string]int `json:"suffixes" doc:"empty"`
}

type indexStats struct {
	TotalFiles   int            `json:"totalFiles" doc:"number of files"`
	TotalExports int            `json:"totalExports" doc:"sum of their exports"`
	TotalImports int            `json:"totalImports" doc:"sum of their imports"`
	Languages    map[string]int `json:"languages" doc:"number of files by language"`
}

// NewIndex makes index.json. root is the project's directory, t the time of HEAD's commit.
func NewIndex(ctx context.Context, root string, s *view.Snapshot, t time.Time) *Index {
	a := &Index{Version: 2, ProjectName: filepath.Base(root), Stats: &indexStats{Languages: map[string]int{}}, keys: keySet{}}
	if !t.IsZero() {
		a.Updated = t.UnixMilli()
	}
	a.Files = func(yield func(tool.Entry[indexFile], error) bool) { a.each(ctx, s, yield) }
	return a
}

// each makes the entries of the files and sums them up.
func (a *Index) each(ctx context.Context, s *view.Snapshot, yield func(tool.Entry[indexFile], error) bool) {
	for f, err := range s.Files(ctx) {
		if err != nil {
			yield(tool.Entry[indexFile]{}, err)
			return
		}
		row := indexFile{Indexed: a.Updated, Lines: f.Lines, Language: string(f.Lang), EntityStatus: "missing"}
		if row.Language == "" {
			row.Language = "unknown"
		}
		if err := row.fill(ctx, s, f.Path); err != nil {
			yield(tool.Entry[indexFile]{}, err)
			return
		}
		a.Stats.TotalFiles++
		a.Stats.TotalExports += len(row.Exports)
		a.Stats.TotalImports += len(row.Imports)
		a.Stats.Languages[row.Language]++
		key, raw := a.keys.key(f.Path)
		row.PathBase64 = raw
		if !yield(tool.Entry[indexFile]{Key: key, Value: row}, nil) {
			return
		}
	}
}

func (row *indexFile) fill(ctx context.Context, s *view.Snapshot, path string) (err error) {
	row.Imports, row.Exports, err = specifiers(ctx, s, path)
	return err
}

// specifiers are what a file imports and exports, in source order, each once.
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
