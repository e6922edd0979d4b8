package source

import (
	"bytes"

	"ken/internal/engine/source/secret"
)

// allowMark hides a secret from `ken secrets` if it is on the line of the
// secret, or in a comment on the line above. The value stays masked
// everywhere.
const allowMark = "ken:allow-secret"

// hasAllowMark reports whether a comment with allowMark belongs to the value at [start, end).
func hasAllowMark(text []byte, start, end int) bool {
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
	return bytes.Contains(above, []byte(allowMark)) && IsComment(above)
}

// IsComment reports whether a line is a comment in any common language.
func IsComment(line []byte) bool {
	for _, mark := range [...]string{"//", "#", "--", "/*", "*", "<!--", ";", "%", "'", "(*", "{-", "rem ", "REM "} {
		if bytes.HasPrefix(line, []byte(mark)) {
			return true
		}
	}
	return false
}

// maxNote is the maximal distance, in bytes, of allowMark from a value.
const maxNote = 500

// Allow is an entry of the allow-list. It hides one value in one file from
// `ken secrets`; the value stays masked.
type Allow struct{ Rule, Path, Hash string }

// SecretRule is one rule of the secret engine.
type SecretRule = secret.Rule

// Unsearched is the rule of findings that are no credentials: the rest of a file that was not searched, which is masked.
const Unsearched = secret.Unsearched

// Redact returns a text with its credentials masked. It is for shown text that did not come
// through the index, such as messages and names given by others.
func Redact(text string) string {
	b := []byte(text)
	secret.New().MaskAll(nil, b, nil)
	return string(b)
}
