package source

import (
	"cmp"
	"encoding/base64"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"ken/internal/code"
	"ken/internal/engine/source/known"
	"ken/internal/engine/source/secret"
	"ken/internal/engine/store"
)

// A token may be part of the name of a file or directory: of a dump, of a cache, of a folder for each customer. The index must
// keep such a name, because a path is the address of its file. It keeps a finding beside it, so that the token is reported
// as others are, and ken prints the name with the token masked.

// PathSecrets returns the secret tokens in a path. Their places are byte offsets in the path, and their Line is 0. Each is
// within one element, so that a directory has the same tokens in the paths of all its files.
func (t *Tree) PathSecrets(salt []byte, path string) []store.Secret {
	if !mayHoldToken(path) {
		return nil
	}
	var out []store.Secret
	for _, f := range t.secrets().Find(nil, []byte(path)) {
		value := path[f.Start:f.End]
		if strings.Contains(value, "/") || len(value) < known.MinLength || !known.IsRun(value) {
			continue
		}
		x := store.Secret{Rule: f.Rule, Start: f.Start, End: f.End, Col: f.Start + 1}
		if salt != nil {
			x.Hash = secret.Hash(salt, []byte(value))
		}
		out = append(out, x)
	}
	return out
}

// mayHoldToken reports whether a path has a run of characters that is long enough for a token and has letters and digits. Few paths
// have one, and for the others the rules need not be built.
func mayHoldToken(path string) bool {
	letters, digits, n := false, false, 0
	for i := range len(path) {
		c := path[i]
		switch {
		case c >= '0' && c <= '9':
			digits = true
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			letters = true
		case c == '/', !known.IsRun(path[i : i+1]):
			letters, digits, n = false, false, -1
		}
		if n++; n >= known.MinLength && letters && digits {
			return true
		}
	}
	return false
}

// ShownPath returns a path for display: it replaces each token by as many bytes that begin with the token's hash. It is for paths that
// the index does not have: of files that are gone, ignored or of another commit. Paths of the index are masked with all other output.
func (t *Tree) ShownPath(path string) string {
	if !mayHoldToken(path) {
		return path
	}
	return shownPath(path, t.PathSecrets(t.ReadSalt(), path))
}

func shownPath(path string, found []store.Secret) string {
	for _, f := range found {
		path = path[:f.Start] + known.ShownPart(int(f.End-f.Start), f.Hash) + path[f.End:]
	}
	return path
}

// IsShownPath reports whether path may be a result of ShownPath, in which a token is replaced.
func IsShownPath(path string) bool { return strings.Contains(path, known.PartMark) }

// HiddenPath returns the real path that is displayed as p, of a file with tokens in its name or of a directory, or p itself if there is
// none.
func HiddenPath(p string, found iter.Seq2[store.FoundSecret, error]) string {
	hidden, last := "", store.FoundSecret{} // a path that is masked so far, and its last finding
	for f, err := range found {
		if err != nil {
			break
		}
		if f.Line != 0 {
			continue
		}
		if f.Path != last.Path {
			hidden = f.Path
		}
		last = f
		hidden = shownPath(hidden, []store.Secret{f.Secret})
		if rest, ok := strings.CutPrefix(hidden, p); ok && (rest == "" || rest[0] == '/') {
			return f.Path[:len(p)] // both have the same length
		}
	}
	return p
}

// Known is the set of secrets of an index, to mask copies of them in output.
type Known = known.Set

// LatestKnown holds the set of secrets of the latest snapshot; see known.Latest.
type LatestKnown = known.Latest

// KnownSecrets returns the set of texts to mask wherever they occur in output: values of the index's findings, and tokens in its
// paths. A finding that a comment or the allow-list allows is no secret to the user, so copies of it stay as they are. It fails if the
// index cannot be read.
func (t *Tree) KnownSecrets(index store.Reports, allow []Allow) (*Known, error) {
	found := index.MaskedSecrets()
	if len(allow) > 0 { // an allow-list names paths
		found = index.Secrets()
	}
	var set *Known
	var inPaths []store.FoundSecret
	for f, err := range found {
		if err != nil {
			return nil, err
		}
		inPath := f.Line == 0
		isAllowed := f.Noted || slices.Contains(allow, Allow{Rule: f.Rule, Path: f.Path, Hash: f.HashText()})
		if !inPath && (isAllowed || !f.Copied) {
			continue
		}
		if set == nil {
			set = known.New(t.ReadSalt())
		}
		if inPath {
			inPaths = append(inPaths, f)
		} else {
			set.Add(f.Hash, int(f.End-f.Start))
		}
	}
	slices.SortFunc(inPaths, func(a, b store.FoundSecret) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
	})
	for i := range inPaths {
		addPathToken(set, &inPaths[i])
	}
	return set, nil
}

// addPathToken adds a token in a path to the set, in each form in which the path is printed.
func addPathToken(set *Known, f *store.FoundSecret) {
	token := f.Path[f.Start:f.End]
	set.AddPart(token, known.ShownPart(len(token), f.Hash))
	slug := code.Slug(token + ".x") // with an extension for Slug to cut off
	set.AddPart(slug, known.ShownPart(len(slug), f.Hash))
	if !utf8.ValidString(f.Path) { // then JSON has all its bytes in base64 too
		encode := base64.StdEncoding.EncodeToString
		set.AddPart(encode([]byte(f.Path)), encode([]byte(shownPath(f.Path, []store.Secret{f.Secret}))))
	}
}
