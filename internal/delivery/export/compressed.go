package export

import (
	"context"
	"encoding/hex"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/agenttext"
	"ken/internal/engine/view"
	"ken/internal/operation"
	"ken/internal/token"
)

// Compressed is the compressed codemap: every text file by its signatures.
type Compressed struct {
	Version          string                         `json:"version" doc:"1.0.0"`
	CreatedAt        string                         `json:"createdAt" doc:"time of HEAD's commit, RFC 3339; 1970 without git"`
	ProjectRoot      string                         `json:"projectRoot" doc:"\".\": paths are relative to it"`
	Files            operation.Rows[compressedFile] `json:"files" doc:"text files, by path"`
	TotalTokens      *int64                         `json:"totalTokens" doc:"sum of the outlines' tokens"`
	CompressionRatio *float64                       `json:"compressionRatio" doc:"tokens of the files that have an outline divided by those of the outlines; at least 1"`
	originals        int64
}

type compressedFile struct {
	Path               operation.Path        `json:"path" doc:"file"`
	Hash               string                `json:"hash" doc:"SHA-256 of its bytes, hexadecimal"`
	Extension          string                `json:"extension" doc:"with the dot, lower case"`
	TokenCount         int                   `json:"tokenCount" doc:"tokens of its outline in cl100k_base; 0 without one"`
	OriginalTokenCount uint32                `json:"originalTokenCount" doc:"tokens of the file"`
	Signatures         []compressedSignature `json:"signatures" doc:"declarations in source order"`
	Imports            []string              `json:"imports" doc:"specifiers, each once"`
	Exports            []string              `json:"exports" doc:"names, each once"`
	fileTimes
}

type compressedSignature struct {
	Type       string                `json:"type" doc:"function, class, interface, type or variable"`
	Name       string                `json:"name" doc:"its own name"`
	Signature  string                `json:"signature" doc:"on one line, without body"`
	LineStart  uint32                `json:"lineStart" doc:"first line"`
	LineEnd    uint32                `json:"lineEnd" doc:"last line"`
	Docstring  string                `json:"docstring,omitempty" doc:"its doc comment"`
	Parameters []compressedParameter `json:"parameters,omitempty" doc:"in order"`
	ReturnType string                `json:"returnType,omitempty" doc:"as written"`
	Exported   bool                  `json:"exported" doc:"visible outside its file or package"`
}

type compressedParameter struct {
	Name     string `json:"name" doc:"name"`
	Type     string `json:"type,omitempty" doc:"as written"`
	Optional bool   `json:"optional" doc:"it may be left out"`
	Default  string `json:"default,omitempty" doc:"as written"`
}

// NewCompressed makes the compressed codemap of an index. t is the time of HEAD's commit, real are the real times of files, nil to leave
// them out.
func NewCompressed(ctx context.Context, s *view.Snapshot, t time.Time, real *Times) *Compressed {
	a := &Compressed{Version: "1.0.0", CreatedAt: timestamp(t), ProjectRoot: ".", TotalTokens: new(int64), CompressionRatio: new(float64)}
	*a.CompressionRatio = 1
	counter := token.NewPair()
	a.Files = operation.Rows[compressedFile](codemapRows(ctx, s, func(f *code.File) (compressedFile, error) {
		row, err := newCompressedFile(ctx, s, f, counter)
		row.fileTimes = real.text(f)
		if row.TokenCount > 0 {
			*a.TotalTokens += int64(row.TokenCount)
			a.originals += int64(f.CL100K)
			*a.CompressionRatio = max(1, float64(a.originals)/float64(*a.TotalTokens))
		}
		return row, err
	}))
	return a
}

func newCompressedFile(ctx context.Context, s *view.Snapshot, f *code.File, counter *token.Pair) (compressedFile, error) {
	row := compressedFile{
		Path: operation.Path(f.Path), Hash: hex.EncodeToString(f.Hash[:]), Extension: extension(f.Path), OriginalTokenCount: f.CL100K,
	}
	symbols, err := s.Symbols(ctx, f.Path)
	if err != nil {
		return row, err
	}
	var outline strings.Builder
	depths := make([]int, len(symbols))
	for i := range symbols {
		if up := int(symbols[i].Parent); up >= 0 && up < i {
			depths[i] = depths[up] + 1
		}
		outline.WriteString(strings.Repeat("  ", depths[i]) + symbols[i].Signature + "\n")
		row.Signatures = append(row.Signatures, newCompressedSignature(&symbols[i]))
	}
	row.TokenCount, _ = counter.Count([]byte(outline.String()))
	row.Imports, row.Exports, err = specifiers(ctx, s, f.Path)
	return row, err
}

func newCompressedSignature(s *view.Symbol) compressedSignature {
	c := compressedSignature{
		Type: agenttext.EntityType(s.Kind), Name: s.Name, Signature: s.Signature, LineStart: s.Span.Line, LineEnd: s.Span.EndLine,
		Docstring: s.Doc, ReturnType: s.Returns, Exported: s.Exported,
	}
	for _, p := range s.Params {
		c.Parameters = append(c.Parameters, compressedParameter(p))
	}
	return c
}
