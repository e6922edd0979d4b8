// Package export writes the index, the memory and findings in formats that others defined: index.json (index.go), the codemap
// (codemap.go), the compressed codemap (compressed.go), the manifest (manifest.go), sessions, the queue of pages and the graph of
// memory (session.go, queue.go, memory.go), and findings of credentials as SARIF 2.1.0 (sarif.go). Each is a value whose JSON is the
// format; docs/formats.md describes them. Its neighbour is delivery/op, whose operation export offers them, and which also writes SCIP.
package export

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"path"
	"strings"
	"time"
	"unicode/utf8"
)

// timestamp returns a time in RFC 3339, UTC, as the exports have it. Without git it is
// that of the epoch, so that the same tree gives the same bytes.
func timestamp(t time.Time) string {
	if t.IsZero() {
		t = time.Unix(0, 0)
	}
	return t.UTC().Format(time.RFC3339)
}

// extension returns a path's extension with its dot, in lower case; "" if it has none.
func extension(p string) string {
	ext := path.Ext(p)
	if ext == path.Base(p) { // .gitignore
		return ""
	}
	return strings.ToLower(ext)
}

// keySet makes keys of paths.
type keySet map[string]struct{}

// key returns the path. For one that is not UTF-8 it is a form of it that no other path
// has, with the raw bytes in base64.
func (k keySet) key(path string) (key, raw string) {
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
