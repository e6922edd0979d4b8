package export

import (
	"cmp"
	"context"
	"encoding/hex"
	"iter"
	"maps"
	"slices"
	"time"

	"ken/internal/ask/secrets"
	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

// Codemap is the codemap: every text file with its counts, and sums.
type Codemap struct {
	Version     string                      `json:"version" doc:"1.0.0"`
	CreatedAt   string                      `json:"createdAt" doc:"time of HEAD's commit, RFC 3339; 1970 without git"`
	ProjectRoot string                      `json:"projectRoot" doc:"\".\": paths are relative to it"`
	Files       operation.Rows[codemapFile] `json:"files" doc:"text files, by path"`
	TotalFiles  *int                        `json:"totalFiles" doc:"number of files"`
	TotalTokens *int64                      `json:"totalTokens" doc:"sum of their tokens"`
	Summary     *codemapSummary             `json:"summary" doc:"sums"`
}

type codemapFile struct {
	Path          operation.Path `json:"path" doc:"file"`
	Hash          string         `json:"hash" doc:"SHA-256 of its bytes, hexadecimal"`
	Extension     string         `json:"extension" doc:"with the dot, lower case"`
	Language      string         `json:"language,omitempty" doc:"language"`
	Size          int64          `json:"size" doc:"bytes"`
	LineCount     uint32         `json:"lineCount" doc:"lines"`
	TokenCount    uint32         `json:"tokenCount" doc:"tokens in cl100k_base"`
	TokensPerLine float64        `json:"tokensPerLine" doc:"tokens divided by lines; 0 of an empty file"`
	HasSecrets    bool           `json:"hasSecrets" doc:"ken secrets has findings in it"`
	SecretTypes   []string       `json:"secretTypes,omitempty" doc:"their kinds, each once"`
	LastModified  string         `json:"lastModified" doc:"as createdAt: times of files differ between clones"`
	fileTimes
}

type codemapSummary struct {
	ByExtension     operation.Entries[codemapSum] `json:"byExtension" doc:"files by extension"`
	TopFiles        []codemapFile                 `json:"topFiles" doc:"the ten files with most tokens"`
	IgnoredPatterns []string                      `json:"ignoredPatterns" doc:"patterns of the root's ignore files and of the settings, in order"`
	sums            map[string]codemapSum
}

type codemapSum struct {
	Count  int   `json:"count" doc:"number of files"`
	Tokens int64 `json:"tokens" doc:"their tokens"`
}

// codemapTop is the number of top files.
const codemapTop = 10

// NewCodemap returns the codemap. ignored are the patterns by which files are left out, t is the time of HEAD's commit, real are the
// real times of files, nil to leave them out. It fails if the index cannot be read.
func NewCodemap(ctx context.Context, s *view.Snapshot, ignored []string, t time.Time, real *Times) (*Codemap, error) {
	secrets, _, err := secrets.Secrets(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	kinds := map[string][]string{}
	for _, f := range secrets {
		kinds[f.Path] = append(kinds[f.Path], f.Kind)
	}
	sum := &codemapSummary{IgnoredPatterns: ignored, sums: map[string]codemapSum{}}
	sum.ByExtension = func(yield func(operation.Entry[codemapSum], error) bool) {
		for _, ext := range slices.Sorted(maps.Keys(sum.sums)) {
			if !yield(operation.Entry[codemapSum]{Key: ext, Value: sum.sums[ext]}, nil) {
				return
			}
		}
	}
	a := &Codemap{Version: "1.0.0", CreatedAt: timestamp(t), ProjectRoot: ".", TotalFiles: new(int), TotalTokens: new(int64), Summary: sum}
	a.Files = operation.Rows[codemapFile](codemapRows(ctx, s, func(f *code.File) (codemapFile, error) {
		row := newCodemapFile(f, kinds[f.Path], a.CreatedAt)
		row.fileTimes = real.text(f)
		*a.TotalFiles++
		*a.TotalTokens += int64(f.CL100K)
		sum.add(row)
		return row, nil
	}))
	return a, nil
}

// codemapRows makes a row of every text file.
func codemapRows[T any](ctx context.Context, s *view.Snapshot, row func(*code.File) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for f, err := range s.Files(ctx) {
			if err == nil && !isReadable(&f) {
				continue
			}
			var r T
			if err == nil {
				r, err = row(&f)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// isReadable reports whether a file is text that could be read.
func isReadable(f *code.File) bool {
	return f.Problem != code.ProblemBinary && f.Problem != code.ProblemUnreadable
}

func newCodemapFile(f *code.File, kinds []string, modified string) codemapFile {
	row := codemapFile{
		Path: operation.Path(f.Path), Hash: hex.EncodeToString(f.Hash[:]), Extension: extension(f.Path), Language: string(f.Lang), Size: f.Stat.Size,
		LineCount: f.Lines, TokenCount: f.CL100K, HasSecrets: len(kinds) > 0, LastModified: modified,
	}
	if f.Lines > 0 {
		row.TokensPerLine = float64(f.CL100K) / float64(f.Lines)
	}
	slices.Sort(kinds)
	row.SecretTypes = slices.Compact(kinds)
	return row
}

func (c *codemapSummary) add(f codemapFile) {
	e := c.sums[f.Extension]
	c.sums[f.Extension] = codemapSum{e.Count + 1, e.Tokens + int64(f.TokenCount)}
	byTokens := func(a, b codemapFile) int {
		return cmp.Or(cmp.Compare(b.TokenCount, a.TokenCount), cmp.Compare(a.Path, b.Path))
	}
	i, _ := slices.BinarySearchFunc(c.TopFiles, f, byTokens)
	if i < codemapTop {
		c.TopFiles = slices.Insert(c.TopFiles, i, f)
		c.TopFiles = c.TopFiles[:min(len(c.TopFiles), codemapTop)]
	}
}
