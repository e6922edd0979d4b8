package engine

import (
	"bytes"
	"context"
	"encoding/hex"
	"slices"

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
	rep := newSecretReport(s.tree, s.opt.AllowSecrets)
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

// secretReport gathers what is to be reported.
type secretReport struct {
	kinds   map[string]string
	allow   []Allow
	list    []FoundSecret
	allowed int
}

func newSecretReport(t *Tree, allow []Allow) *secretReport {
	r := &secretReport{kinds: map[string]string{}, allow: allow}
	for _, rule := range t.SecretRules() {
		r.kinds[rule.ID] = rule.Kind
	}
	return r
}

func (r *secretReport) add(f FoundSecret) bool {
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

// Redact masks the credentials in a text that is about to be shown and did not
// come through the index: messages, names given by others.
func Redact(text string) string {
	b := []byte(text)
	secret.New().MaskAll(nil, b, nil)
	return string(b)
}
