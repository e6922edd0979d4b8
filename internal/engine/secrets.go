package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"io"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/source/secret"
)

// Secret is a credential that stands in a file. Of its value only Hash is kept.
type Secret struct {
	Rule  string
	Start uint32 // bytes [Start, End) of the value, without quotes
	End   uint32
	Line  uint32 // place of Start, both from 1; Column in bytes
	Col   uint32
	// Hash names the value: an HMAC under the index's salt. Equal values have
	// equal hashes, in one project.
	Hash [16]byte
	// Noted says that a comment beside it allows it.
	Noted bool
}

// allowMark on a line of a secret, or in a comment that is the line above,
// hides the finding from `ken secrets`. The value stays masked everywhere.
const allowMark = "ken:allow-secret"

// mask overwrites every credential in text with as many bytes and returns what
// may be known of them. It is the one way file bytes come into ken: what is
// counted, hashed or told binary before it is told by numbers alone.
func (w *worker) mask(text []byte) []Secret {
	var out []Secret
	w.found = w.secrets.MaskAll(w.found, text, func(found []secret.Finding) {
		for _, f := range found {
			x := Secret{Rule: f.Rule, Start: f.Start, End: f.End, Line: f.Line, Col: f.Column}
			if w.salt != nil { // without one the hash stays zero
				x.Hash = secret.Hash(w.salt, text[f.Start:f.End])
			}
			out = append(out, x)
		}
	})
	out = joinSecrets(out)
	for i := range out { // after masking: a value cannot allow itself
		out[i].Noted = noted(text, int(out[i].Start), int(out[i].End))
	}
	return out
}

// joinSecrets orders findings of several rounds, and makes one of those that
// overlap: a later round may find a rest that begins where an earlier finding
// did. The first round's name and hash stay.
func joinSecrets(list []Secret) []Secret {
	slices.SortStableFunc(list, func(a, b Secret) int { return cmp.Compare(a.Start, b.Start) })
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

// hide masks every credential in text, for what is read outside of the index.
func (e *Engine) hide(text []byte) { e.secrets().MaskAll(nil, text, nil) }

// headTail is how much of the end of a cut text is dropped: a value that runs
// over the cut may not be told for one, and would stay readable in part. Only
// private keys are longer, and those are told without their end.
const headTail = 4 << 10

// maskHead masks the beginning of a text whose rest is not held.
func (w *worker) maskHead(head []byte) []byte {
	w.mask(head)
	return head[:max(0, len(head)-headTail)]
}

// maxSearched is how much of an over-size file is searched for secrets, in
// bytes: a quarter of a second's work.
const maxSearched = 64 << 20

// search finds the secrets of an over-size file. One that cannot be read any
// more has none; the next look sees that it changed.
func (w *worker) search(path string) (found []Secret) {
	err := w.scan.Stream(path, func(r io.Reader) (err error) {
		found, err = findIn(w.secrets, w.salt, io.LimitReader(r, maxSearched))
		return err
	})
	if err != nil {
		return nil
	}
	return found
}

// noted reports whether a comment allows what stands at [start, end).
func noted(text []byte, start, end int) bool {
	first := bytes.LastIndexByte(text[:start], '\n') + 1
	last := len(text)
	if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
		last = end + i
	}
	first, last = max(first, start-maxNote), min(last, end+maxNote)
	if bytes.Contains(text[first:start], []byte(allowMark)) || bytes.Contains(text[end:last], []byte(allowMark)) {
		return true
	}
	if first == 0 || text[first-1] != '\n' {
		return false
	}
	above := text[max(0, first-1-maxNote) : first-1]
	above = bytes.TrimLeft(above[bytes.LastIndexByte(above, '\n')+1:], " \t")
	return bytes.Contains(above, []byte(allowMark)) && isComment(above)
}

// isComment reports whether a line is a comment in some language.
func isComment(line []byte) bool {
	for _, mark := range [...]string{"//", "#", "--", "/*", "*", "<!--", ";", "%", "'", "(*", "{-", "rem ", "REM "} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true
		}
	}
	return false
}

// maxNote is how far from a value a note is looked for, in bytes.
const maxNote = 500

// Allow is an entry of the allow-list: it hides one value in one file from
// `ken secrets`, and does nothing else.
type Allow struct{ Rule, Path, Hash string }

// FoundSecret is a secret to report.
type FoundSecret struct {
	Secret
	Path   string
	Kind   string // api_key, private_key, password, token, secret, credential
	Commit string // of the history: the first commit that has it, "" if none could be told
}

// HashText is the hash as it is printed and written in allow-lists.
func (s *Secret) HashText() string { return hex.EncodeToString(s.Hash[:]) }

// Secrets are the credentials in the indexed files at or below paths, all if
// there are none, by path and place. Allowed ones are left out and counted.
func (s *Snapshot) Secrets(_ context.Context, paths []string) (list []FoundSecret, allowed int, err error) {
	rep := s.e.newReporter()
	for row, err := range s.r.Secrets() {
		if err != nil {
			return nil, 0, err
		}
		if below(row.Path, paths) {
			rep.add(row)
		}
	}
	return rep.list, rep.allowed, nil
}

// reporter gathers what is to be reported.
type reporter struct {
	kinds   map[string]string
	allow   []Allow
	list    []FoundSecret
	allowed int
}

func (e *Engine) newReporter() *reporter {
	r := &reporter{kinds: map[string]string{}, allow: e.opt.AllowSecrets}
	for _, rule := range e.secrets().Rules() {
		r.kinds[rule.ID] = rule.Kind
	}
	return r
}

func (r *reporter) add(f FoundSecret) bool {
	if f.Noted || slices.Contains(r.allow, Allow{Rule: f.Rule, Path: f.Path, Hash: f.HashText()}) {
		r.allowed++
		return false
	}
	f.Kind = r.kinds[f.Rule]
	r.list = append(r.list, f)
	return true
}

// SecretRule is one rule of the secret engine.
type SecretRule = secret.Rule

// SecretRules lists the rules findings can come from.
func (e *Engine) SecretRules() []SecretRule { return e.secrets().Rules() }

// Redact masks the credentials in a text that is about to be shown and did not
// come through the index: messages, names given by others.
func Redact(text string) string {
	b := []byte(text)
	secret.New().MaskAll(nil, b, nil)
	return string(b)
}

// heldWhole reports whether all bytes of a file of this problem are at hand.
func heldWhole(p code.Problem) bool { return p == code.ProblemNone || p == code.ProblemMinified }

// masked reads a file as it is now and returns its text with every secret
// masked, nil if there is none or the text is not wanted. What is refused must
// be refused for what cannot tell a secret; wanted sees the text as it is, so
// that a search need not look for secrets in files without a match.
func (w *worker) masked(ctx context.Context, path string, wanted func([]byte) bool) []byte {
	c, err := w.scan.ReadInto(ctx, path, &w.buf)
	if err != nil || c.Problem == code.ProblemBinary || !wanted(c.Bytes) {
		return nil
	}
	if c.Problem == code.ProblemTooLarge {
		return w.maskHead(c.Bytes)
	}
	w.mask(c.Bytes)
	return c.Bytes
}
