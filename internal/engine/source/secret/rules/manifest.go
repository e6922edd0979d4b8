// Package manifest finds the values of Kubernetes Secrets. All that such an object has under data and stringData is a secret by its
// kind, whatever an entry is called, so that neither a name nor the form of a value has to hint at it. It reads YAML and JSON just far
// enough for that, around the words "kind: Secret"; package secret knows every other place of a secret.
//
// A text is read line by line, by indentation, because a manifest may be one document of several, an item of a list, or a part of a
// template or of a manual that no parser of YAML would take.
package manifest

import (
	"bytes"
	"encoding/base64"

	"ken/internal/engine/source/secret/chars"
	"ken/internal/engine/source/secret/look"
)

// Keys are the literals at which Values looks: the kind of an object as YAML, JSON, JSON in a string, and Python write it.
func Keys() []string {
	return []string{
		"kind: secret", `kind: "secret`, "kind: 'secret", `"kind":"secret`, `"kind": "secret`, `"kind" : "secret`,
		`'kind': 'secret`, `'kind':'secret`, `\"kind\":\"secret`, `\"kind\": \"secret`,
	}
}

// maxIndent bounds how far a key is indented.
const maxIndent = 1 << 10

// maxAround bounds how far an object reaches from its kind, in bytes, to either side; a value that begins within it is read to its end.
const maxAround = 64 << 10

// Values calls found with each value of the Secret whose kind is text[lo:hi].
func Values(text []byte, lo, hi int, found func(start, end int)) {
	lo = chars.RunEnd(text, lo, 2, chars.Quote|chars.Escape)
	if !isSecret(text, lo, hi) {
		return
	}
	if open := objectStart(text, lo); open >= 0 {
		f := flow{text: text[:min(len(text), lo+maxAround)], found: found}
		f.object(open + 1)
		return
	}
	lo = chars.RunStart(text, lo, 1, chars.Quote)
	start := chars.RunStart(text, lo, maxIndent, chars.Blank|chars.Dash)
	if start > 0 && text[start-1] != '\n' {
		return // not the first key on its line
	}
	if l := lineAt(text, start); l.start+l.indent == lo {
		m := mapping{text: text, column: l.indent, kind: lo, found: found}
		m.read()
	}
}

// isSecret reports the kind, of which nothing is cut: not SecretStore. Some write it in small letters.
func isSecret(text []byte, lo, hi int) bool {
	return chars.HasAt(text, lo, "kind") && chars.EqualFold(text[hi-len("Secret"):hi], "secret") && !chars.IsAt(text, hi, chars.Name)
}

// isValue reports that what an entry has is a value: no template, nothing that says of itself that it is none, and nothing that everybody
// may read.
func isValue(v []byte, isEncoded bool) bool {
	if chars.HoldsAny(v, []string{"{{", "${", "$(", "<%"}) || chars.All(v, chars.Mask|chars.Space) {
		return false
	}
	if isEncoded {
		var buf [maxPlain]byte
		if plain, ok := decoded(buf[:], v); ok {
			v = plain
		}
	}
	if chars.AnyAt(v, 0, noValues[:]) > 0 {
		return false
	}
	x := look.New(bytes.TrimSpace(v), true)
	return x.Has(look.Entry)
}

// noValues are the beginnings of what everybody may read, of what is encrypted, and of what says where a value is.
var noValues = [...]string{
	"-----BEGIN CERTIFICATE", "-----BEGIN PUBLIC KEY", "-----BEGIN X509 CRL", "ssh-rsa ", "ssh-ed25519 ", "ENC[", "ENC(", "vault:", "ref+",
}

// maxPlain is how much of a value in base64 is decoded to judge it.
const maxPlain = 768

// decoded is the beginning of what v says in base64, over lines or not, and whether it says anything.
func decoded(buf, v []byte) ([]byte, bool) {
	var packed [maxPlain / 3 * 4]byte
	n := 0
	for _, c := range v {
		if n == len(packed) {
			break
		}
		if !chars.Is(c, chars.Space) {
			packed[n] = c
			n++
		}
	}
	n, err := base64.StdEncoding.Decode(buf, packed[:n])
	return buf[:n], err == nil && n > 0
}
