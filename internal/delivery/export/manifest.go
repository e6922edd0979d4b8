package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
	"ken/internal/operation"
)

// Manifest lists each file with its hash, size and kind.
type Manifest struct {
	Version   string                          `json:"version" doc:"1.0.0"`
	CreatedAt string                          `json:"createdAt" doc:"time of HEAD's commit, RFC 3339; 1970 without git"`
	Revision  string                          `json:"revision" doc:"SHA-256 over every path and hash, hexadecimal: equal for equal trees"`
	Files     operation.Entries[manifestFile] `json:"files" doc:"text files, by path"`
}

type manifestFile struct {
	Hash       string `json:"hash" doc:"SHA-256 of its bytes, hexadecimal"`
	Tokens     uint32 `json:"tokens" doc:"tokens in cl100k_base"`
	Kind       string `json:"kind" doc:"module, service, component, util, api, config, model, test or hook"`
	Documented bool   `json:"documented" doc:"it begins with a doc comment of its own that says what it is for"`
	PathBase64 string `json:"path_base64,omitempty" doc:"the raw bytes of the path; only if it is not UTF-8"`
	fileTimes
}

// NewManifest returns the manifest of an index. t is the time of HEAD's commit, real are the real times of files, nil to leave
// them out. It returns an error if the index cannot be read.
func NewManifest(ctx context.Context, s *view.Snapshot, t time.Time, real *Times) (*Manifest, error) {
	sum := sha256.New()
	for f, err := range s.Files(ctx) {
		if err != nil {
			return nil, err
		}
		if isReadable(&f) {
			sum.Write(append(append([]byte(f.Path), 0), f.Hash[:]...))
		}
	}
	a := &Manifest{Version: "1.0.0", CreatedAt: timestamp(t), Revision: hex.EncodeToString(sum.Sum(nil))}
	keys := keySet{}
	a.Files = func(yield func(operation.Entry[manifestFile], error) bool) {
		for f, err := range s.Files(ctx) {
			if err == nil && !isReadable(&f) {
				continue
			}
			row := manifestFile{Hash: hex.EncodeToString(f.Hash[:]), Tokens: f.CL100K, Kind: lang.NodeType(f), Documented: code.Purpose(f) != ""}
			key, raw := keys.key(f.Path)
			row.PathBase64, row.fileTimes = raw, real.text(&f)
			if !yield(operation.Entry[manifestFile]{Key: key, Value: row}, err) || err != nil {
				return
			}
		}
	}
	return a, nil
}
