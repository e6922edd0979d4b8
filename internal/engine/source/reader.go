package source

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"math"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/source/known"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/source/secret"
	"ken/internal/engine/source/sketch"
	"ken/internal/engine/store"
	"ken/internal/git"
	"ken/internal/token"
)

// Reader reads files one after the other, reusing its buffers. It is not safe
// for concurrent use. A text that it returns is masked, and valid until the next
// file is read.
type Reader struct {
	tree    *Tree
	scan    *scan.Scanner
	buf     scan.Buffer
	secrets *secret.Engine
	salt    []byte // key of the secrets' hashes, nil if they are not needed
	found   []secret.Finding
}

// NewReader returns a Reader. salt is the key of the hashes of secrets, nil
// if no hash is needed. It fails if the root is no directory.
func (t *Tree) NewReader(salt []byte) (*Reader, error) {
	s, err := t.Scanner()
	if err != nil {
		return nil, err
	}
	return &Reader{tree: t, scan: s, secrets: t.secrets(), salt: salt}, nil
}

// Stat returns the stat of a file, and reports whether it is a regular file.
func (r *Reader) Stat(p string) (code.Stat, bool) { return r.scan.Stat(p) }

// Opened is a file that was read. It has all properties of the file except its bytes. It
// returns the text only with secrets masked.
type Opened struct {
	scan.Content // without Bytes
	text         []byte
	r            *Reader
	path         string
}

// Open reads a file. It fails with fs.ErrNotExist or fs.ErrInvalid in the same cases as scan.Scanner.ReadInto.
func (r *Reader) Open(ctx context.Context, path string) (Opened, error) {
	c, err := r.scan.ReadInto(ctx, path, &r.buf)
	o := Opened{Content: c, text: c.Bytes, r: r, path: path}
	o.Bytes = nil
	return o, err
}

// IsHeldWhole reports whether ken reads a file with this problem completely.
func IsHeldWhole(p code.Problem) bool { return p == code.ProblemNone || p == code.ProblemMinified }

// Tokens counts the tokens of the text of the file. It must be called before MaskedText, which overwrites the secrets.
func (o *Opened) Tokens(pair *token.Pair) (cl100k, o200k int) { return pair.Count(o.text) }

// MaskedText returns the text with every secret masked, and the secrets. For a file of which
// only the beginning is held, it returns that with the secrets of the whole file. It returns
// nil for a file that is no text.
func (o *Opened) MaskedText() (text []byte, found []store.Secret) {
	switch {
	case IsHeldWhole(o.Problem):
		found = o.r.Mask(o.text)
		return o.text, found
	case o.Problem == code.ProblemTooLarge:
		text = o.r.maskHead(o.text)
		return text, o.r.searchOversized(o.path)
	}
	return nil, nil
}

// MaskedText reads a file as it is now and returns its text with every secret
// masked, or nil if there is no text or wanted returns false. wanted gets the text
// unmasked, so that a search need not mask files without a match; its result must
// not depend on a secret.
func (r *Reader) MaskedText(ctx context.Context, path string, wanted func([]byte) bool) []byte {
	return r.readMasked(ctx, &code.File{Path: path}, false, wanted)
}

// Sketches are small summaries of texts by which a search recognises files that cannot contain some bytes.
type Sketches = sketch.Set

// CertainlyLacks reports whether an indexed file certainly does not contain some bytes. It costs less than the other ways of reading,
// because the content is neither hashed nor classified if the file has the stat of the index. It adds the text to
// the sketches, if there are any.
func (r *Reader) CertainlyLacks(f *code.File, part []byte, sketches *Sketches) bool {
	if len(part) == 0 || r.scan.TooLarge(f.Stat.Size) {
		return false
	}
	text, same := r.scan.ReadHead(f.Path, f.Stat, int(f.Stat.Size), &r.buf)
	if same {
		sketches.Add(f, text)
	}
	return same && !bytes.Contains(text, part)
}

// MaskedFile does the same as MaskedText for an indexed file. clean states that the index has no secret in the file; then an
// unchanged content is not searched for secrets again; see Clean.
func (r *Reader) MaskedFile(ctx context.Context, f *code.File, clean bool, wanted func([]byte) bool) []byte {
	return r.readMasked(ctx, f, clean, wanted)
}

func (r *Reader) readMasked(ctx context.Context, f *code.File, clean bool, wanted func([]byte) bool) []byte {
	c, err := r.scan.ReadInto(ctx, f.Path, &r.buf)
	if err != nil || c.Problem == code.ProblemBinary || !wanted(c.Bytes) {
		return nil
	}
	if clean && c.Hash == f.Hash && IsHeldWhole(c.Problem) && IsHeldWhole(f.Problem) {
		return c.Bytes
	}
	if c.Problem == code.ProblemTooLarge {
		return r.maskHead(c.Bytes)
	}
	r.Mask(c.Bytes)
	return c.Bytes
}

// MaxText is the size, in bytes, up to which Text returns a whole file, even if it
// is too large to be parsed.
const MaxText = 16 << 20

// Text returns a file's text, masked, or its beginning if it is larger than MaxText.
// It returns nil if there is none.
func (r *Reader) Text(ctx context.Context, p string) []byte {
	t := r.MaskedText(ctx, p, func([]byte) bool { return true })
	st, ok := r.scan.Stat(p)
	if t == nil || !ok || !r.scan.TooLarge(st.Size) || st.Size > MaxText {
		return t
	}
	whole, err := r.scan.ReadWhole(p)
	if err != nil {
		return t
	}
	r.Mask(whole)
	return whole
}

// UnmaskedIfClean returns the text of a file in which the index has no secret, and reports whether it is
// the indexed content. Such a text needs no masking, and searching it for secrets again would
// be half the work of packing a repository. The hash is SHA-256 of all bytes; every masked
// value is recorded in the index.
func (r *Reader) UnmaskedIfClean(ctx context.Context, f *code.File) ([]byte, bool) {
	c, err := r.scan.ReadInto(ctx, f.Path, &r.buf)
	return c.Bytes, err == nil && IsHeldWhole(c.Problem) && IsHeldWhole(f.Problem) && c.Hash == f.Hash
}

// Holds reports whether wanted returns true for the text of a file of at most MaxText bytes; isText is false if there is no such text.
// wanted gets the text unmasked, as that of MaskedText, because masking megabytes only to see that they lack a name would take a second.
func (r *Reader) Holds(path string, wanted func([]byte) bool) (holds, isText bool) {
	st, ok := r.scan.Stat(path)
	if !ok || st.Size > MaxText {
		return false, false
	}
	text, err := r.scan.ReadWhole(path)
	if err != nil || bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		return false, false
	}
	return wanted(text), true
}

// Head returns the beginning of an indexed file, at most limit bytes, with
// secrets masked at their places in the index. It returns nil if the file has
// changed since it was indexed.
func (r *Reader) Head(ctx context.Context, f *code.File, secrets []store.Secret, limit int) []byte {
	if f.Problem == code.ProblemBinary {
		return nil
	}
	text, same := r.scan.ReadHead(f.Path, f.Stat, limit, &r.buf)
	if !same {
		c, err := r.scan.ReadInto(ctx, f.Path, &r.buf)
		if err != nil || c.Hash != f.Hash {
			return nil
		}
		text = c.Bytes[:min(len(c.Bytes), limit)]
	}
	for _, x := range secrets {
		if x.Line == 0 {
			continue // in the path
		}
		for i := x.Start; i < x.End && int(i) < len(text); i++ {
			text[i] = '*'
		}
	}
	return text
}

// PathSecrets returns the tokens in a path; see Tree.PathSecrets.
func (r *Reader) PathSecrets(path string) []store.Secret { return r.tree.PathSecrets(r.salt, path) }

// Differs reports whether the hash of a file's content is not hash.
func (r *Reader) Differs(ctx context.Context, p string, hash [32]byte) bool {
	c, err := r.scan.ReadInto(ctx, p, &r.buf)
	return err != nil || c.Hash != hash
}

// IsBlob reports whether a file of the working tree has the content of git's object
// id.
func (r *Reader) IsBlob(p, id string) bool {
	st, ok := r.scan.Stat(p)
	if !ok {
		return false
	}
	got := ""
	err := r.scan.Stream(p, func(in io.Reader) (err error) {
		got, err = git.BlobID(in, st.Size, id)
		return err
	})
	return err == nil && got == id
}

// RawContent returns a file's content as it is, for callers that compare it and keep
// only places, counts and names that the index has: a type checker and the check of
// an imported index, because a mask may cover a name. It fails as scan.Scanner.ReadInto does.
func (r *Reader) RawContent(ctx context.Context, p string) (scan.Content, error) {
	return r.scan.ReadInto(ctx, p, &r.buf)
}

// Mask overwrites every secret in text with as many bytes and returns the secrets.
// All text of files comes into ken this way; only counts, hashes and the check for
// binary files come before.
func (r *Reader) Mask(text []byte) []store.Secret {
	var out []store.Secret
	r.found = r.secrets.MaskAll(r.found, text, func(found []secret.Finding) {
		for _, f := range found {
			x := store.Secret{Rule: f.Rule, Start: f.Start, End: f.End, Line: f.Line, Col: f.Column}
			x.Copied = known.IsCertain(text[f.Start:f.End])
			if r.salt != nil { // without one the hash stays zero
				x.Hash = secret.Hash(r.salt, text[f.Start:f.End])
			}
			out = append(out, x)
		}
	})
	out = joinSecrets(out)
	for i := range out { // after masking: a value cannot allow itself
		out[i].Noted = out[i].Rule != Unsearched && hasAllowMark(text, int(out[i].Start), int(out[i].End))
	}
	return out
}

// joinSecrets sorts the secrets that several rounds found, and joins those
// that overlap: a later round may find a remainder that begins where an
// earlier secret did. It keeps the name and the hash of the first round.
func joinSecrets(list []store.Secret) []store.Secret {
	slices.SortStableFunc(list, func(a, b store.Secret) int { return cmp.Compare(a.Start, b.Start) })
	out := list[:0]
	for _, x := range list {
		if n := len(out); n > 0 && x.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, x.End)
			continue
		}
		out = append(out, x)
	}
	return out
}

// headTail is the number of bytes that are dropped at the end of a cut text. A secret
// that the cut divides may not be recognised, and a part of it would stay readable.
// Only private keys are longer, and those are recognised without their end.
const headTail = 4 << 10

// maskHead masks the beginning of a text, of which only that part was read.
func (r *Reader) maskHead(head []byte) []byte {
	r.Mask(head)
	return head[:max(0, len(head)-headTail)]
}

// maxSearched is the maximal number of bytes of an over-size file that are searched
// for secrets: a quarter of a second's work.
const maxSearched = 64 << 20

// searchOversized returns the secrets of an over-size file. It returns none if the file can
// no longer be read; the next look at the tree detects that it changed.
func (r *Reader) searchOversized(path string) (found []store.Secret) {
	err := r.scan.Stream(path, func(in io.Reader) (err error) {
		found, err = findSecretsIn(r.secrets, r.salt, in, maxSearched)
		return err
	})
	if err != nil {
		return nil
	}
	return found
}

// FindSecrets returns the secrets of a text that is too long for memory. salt is the key of their hashes. It fails if r does.
func (t *Tree) FindSecrets(salt []byte, r io.Reader) ([]store.Secret, error) {
	return findSecretsIn(t.secrets(), salt, r, math.MaxInt64)
}

// findSecretsIn does the same as FindSecrets with a given engine, in the first most bytes. The rest is a finding of the rule Unsearched.
func findSecretsIn(e *secret.Engine, salt []byte, r io.Reader, most int64) ([]store.Secret, error) {
	var out []store.Secret
	in := &limited{r: scan.TextReader(r), left: most}
	err := e.FindIn(in, func(f secret.Finding, window []byte, lo, hi int) {
		x := store.Secret{Rule: f.Rule, Start: f.Start, End: f.End, Line: f.Line, Col: f.Column, Hash: secret.Hash(salt, window[lo:hi])}
		x.Noted, x.Copied = f.Rule != Unsearched && hasAllowMark(window, lo, hi), known.IsCertain(window[lo:hi])
		out = append(out, x)
	})
	if in.left < 0 && (len(out) == 0 || out[len(out)-1].Rule != Unsearched) {
		out = append(out, store.Secret{Rule: Unsearched, Start: math.MaxUint32, End: math.MaxUint32, Line: in.lines + 1, Col: 1})
	}
	return out, err
}

// limited reads a text up to a number of bytes, and counts its lines.
type limited struct {
	r     io.Reader
	left  int64 // negative: there is more
	lines uint32
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		if n, err := l.r.Read(p[:min(1, len(p))]); n == 0 {
			return 0, err
		}
		l.left = -1
		return 0, io.EOF
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	l.lines += uint32(bytes.Count(p[:n], []byte{'\n'}))
	return n, err
}
