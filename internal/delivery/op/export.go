package op

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"ken/internal/delivery/project"
	"ken/internal/delivery/tool"

	"ken/internal/engine/view"
)

type exportInput struct {
	Name string `arg:"NAME" enum:"index,codemap,compressed-codemap,manifest,scip" help:"what to export: index (index.json version 2), codemap, compressed-codemap, manifest or scip"`
}

// exportAnswer holds the one format that was asked for; its JSON is that of the
// format, without a key around it.
type exportAnswer struct {
	Index      *exportIndex      `json:"index,omitempty" doc:"of ken export index: index.json, version 2"`
	Codemap    *exportCodemap    `json:"codemap,omitempty" doc:"of ken export codemap: every file, counted"`
	Compressed *exportCompressed `json:"compressedCodemap,omitempty" doc:"of ken export compressed-codemap: every file by its signatures"`
	Manifest   *exportManifest   `json:"manifest,omitempty" doc:"of ken export manifest: every file's hash, size and kind"`
	scip       func(io.Writer) error
}

// Raw is the format asked for if it is not JSON.
func (a *exportAnswer) Raw() func(io.Writer) error { return a.scip }

// Chosen is the format asked for.
func (a *exportAnswer) Chosen() any {
	switch {
	case a.Codemap != nil:
		return a.Codemap
	case a.Compressed != nil:
		return a.Compressed
	case a.Manifest != nil:
		return a.Manifest
	}
	return a.Index
}

func exportTool() *Tool {
	return spec[exportInput, exportAnswer]{
		Name:    "export",
		Summary: "print the index in another format: index, codemap, compressed-codemap, manifest or scip",
		Long: "The output is JSON whatever the format asked for, one object: that of the format alone. The same tree at the same commit gives\n" +
			"the same bytes: times are those of HEAD's commit, and the root is \".\".\n" +
			"scip is the binary index of the SCIP protocol: all symbols, and the references that are exact or import-resolved.",
		Example: []string{"export index", "export compressed-codemap > codemap.json", "export scip > index.scip"},
		Run:     runExport,
		Text:    func(t *tool.Text, _ *exportInput, a *exportAnswer) error { return tool.WriteJSON(t.Raw(), a) },
	}.Tool()
}

func runExport(ctx context.Context, env *Env, in *exportInput, emit func(*exportAnswer) error) error {
	p, err := project.Open(env, tool.Existing)
	if err != nil {
		return err
	}
	return p.AskWhole(ctx, func(ctx context.Context, s *view.Snapshot) error {
		t, err := s.HeadTime(ctx)
		if err != nil {
			return err
		}
		a := &exportAnswer{}
		switch in.Name {
		case "index":
			a.Index = newExportIndex(ctx, p, s, t)
		case "codemap":
			a.Codemap, err = newExportCodemap(ctx, p, s, t)
		case "compressed-codemap":
			a.Compressed = exportCompressedOf(ctx, s, t)
		case "manifest":
			a.Manifest, err = exportManifestOf(ctx, s, t)
		case "scip":
			a.scip = func(w io.Writer) error { return exportSCIP(ctx, s, w) }
		}
		if err != nil {
			return err
		}
		return emit(a)
	})
}

// exportTime is a time in RFC 3339, UTC, as the exports have it. Without git it is
// that of the epoch, so that the same tree gives the same bytes.
func exportTime(t time.Time) string {
	if t.IsZero() {
		t = time.Unix(0, 0)
	}
	return t.UTC().Format(time.RFC3339)
}

// extension is a path's extension with its dot, in lower case; "" if it has none.
func extension(p string) string {
	ext := path.Ext(p)
	if ext == path.Base(p) { // .gitignore
		return ""
	}
	return strings.ToLower(ext)
}

// exportKeys makes keys of paths.
type exportKeys map[string]struct{}

// key is the path. For one that is not UTF-8 it is a form of it that no other path
// has, with the raw bytes in base64.
func (k exportKeys) key(path string) (key, raw string) {
	if utf8.ValidString(path) {
		return path, ""
	}
	key = strings.ToValidUTF8(path, "\uFFFD")
	if _, taken := k[key]; taken {
		sum := sha256.Sum256([]byte(path))
		key += "~" + hex.EncodeToString(sum[:3])
	}
	k[key] = struct{}{}
	return key, base64.StdEncoding.EncodeToString([]byte(path))
}
