package tool

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"ken/internal/engine"
)

type exportInput struct {
	Name string `arg:"NAME" enum:"index" help:"what to export: index, the index.json of version 2"`
}

// exportAnswer is index.json, version 2. Its keys are that format's, in its order.
type exportAnswer struct {
	Version     int                 `json:"version" doc:"2"`
	Updated     int64               `json:"updated" doc:"time of HEAD's commit in milliseconds since 1970; 0 without git"`
	ProjectName string              `json:"projectName" doc:"name of the root directory"`
	Files       Entries[exportFile] `json:"files" doc:"by path"`
	Conventions exportConventions   `json:"conventions" doc:"empty: conventions are not told yet"`
	Stats       *exportStats        `json:"stats" doc:"sums over files"`
	names       map[string]struct{} // keys given to paths that are not UTF-8
}

type exportFile struct {
	Exports      []string `json:"exports" doc:"names the file offers, in source order, each once"`
	Imports      []string `json:"imports" doc:"specifiers it imports, in source order, each once"`
	Indexed      int64    `json:"indexed" doc:"as updated"`
	Lines        uint32   `json:"lines" doc:"lines"`
	Language     string   `json:"language" doc:"language, or unknown"`
	EntityStatus string   `json:"entityStatus" doc:"missing: there are no entities yet"`
	PathBase64   string   `json:"path_base64,omitempty" doc:"the raw bytes of the path; only if it is not UTF-8"`
}

type exportConventions struct {
	Naming      map[string]int `json:"naming" doc:"empty"`
	Directories map[string]int `json:"directories" doc:"empty"`
	Suffixes    map[string]int `json:"suffixes" doc:"empty"`
}

type exportStats struct {
	TotalFiles   int            `json:"totalFiles" doc:"number of files"`
	TotalExports int            `json:"totalExports" doc:"sum of their exports"`
	TotalImports int            `json:"totalImports" doc:"sum of their imports"`
	Languages    map[string]int `json:"languages" doc:"number of files by language"`
}

func exportTool() *Tool {
	return spec[exportInput, exportAnswer]{
		name:    "export",
		summary: "print the index in another format: ken export index",
		long:    "The output is JSON whatever the format asked for. The same tree at the same commit gives the same bytes.",
		run:     runExport,
		text:    func(t *Text, _ *exportInput, a *exportAnswer) error { return WriteJSON(t.w, a) },
	}.tool()
}

func runExport(ctx context.Context, env *Env, _ *exportInput, emit func(*exportAnswer) error) error {
	p, err := env.open(Existing)
	if err != nil {
		return err
	}
	return p.askWhole(ctx, func(ctx context.Context, s *engine.Snapshot) error {
		t, err := s.HeadTime(ctx)
		if err != nil {
			return err
		}
		a := exportAnswer{Version: 2, ProjectName: filepath.Base(p.Root), Stats: &exportStats{Languages: map[string]int{}}, names: map[string]struct{}{}}
		if !t.IsZero() {
			a.Updated = t.UnixMilli()
		}
		a.Files = func(yield func(Entry[exportFile], error) bool) { a.each(ctx, s, yield) }
		return emit(&a)
	})
}

// each makes the entries of the files and sums them up.
func (a *exportAnswer) each(ctx context.Context, s *engine.Snapshot, yield func(Entry[exportFile], error) bool) {
	for f, err := range s.Files(ctx) {
		if err != nil {
			yield(Entry[exportFile]{}, err)
			return
		}
		row := exportFile{Indexed: a.Updated, Lines: f.Lines, Language: string(f.Lang), EntityStatus: "missing"}
		if row.Language == "" {
			row.Language = "unknown"
		}
		if err := row.fill(ctx, s, f.Path); err != nil {
			yield(Entry[exportFile]{}, err)
			return
		}
		a.Stats.TotalFiles++
		a.Stats.TotalExports += len(row.Exports)
		a.Stats.TotalImports += len(row.Imports)
		a.Stats.Languages[row.Language]++
		if !yield(Entry[exportFile]{a.key(f.Path, &row), row}, nil) {
			return
		}
	}
}

// key is the path, or for one that is not UTF-8 a form of it no other has.
func (a *exportAnswer) key(path string, row *exportFile) string {
	if utf8.ValidString(path) {
		return path
	}
	row.PathBase64 = base64.StdEncoding.EncodeToString([]byte(path))
	key := strings.ToValidUTF8(path, "\uFFFD")
	if _, taken := a.names[key]; taken {
		sum := sha256.Sum256([]byte(path))
		key += "~" + hex.EncodeToString(sum[:3])
	}
	a.names[key] = struct{}{}
	return key
}

func (row *exportFile) fill(ctx context.Context, s *engine.Snapshot, path string) error {
	exports, err := s.Exports(ctx, path)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, e := range exports {
		if !seen[e.Name] {
			seen[e.Name] = true
			row.Exports = append(row.Exports, e.Name)
		}
	}
	imports, err := s.Imports(ctx, path)
	clear(seen)
	for i := range imports {
		if spec := imports[i].Spec; !seen[spec] {
			seen[spec] = true
			row.Imports = append(row.Imports, spec)
		}
	}
	return err
}
