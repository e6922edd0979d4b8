package rules

import (
	"bytes"
	"encoding/base64"

	"ken/internal/engine/source/secret/look"
)

// KubernetesSecret returns the rule of the values of Kubernetes Secrets. All that such an object has under data and stringData is a secret
// by its kind, whatever an entry is called, so that neither a name nor the form of a value has to hint at it. It reads YAML and JSON just
// far enough for that, around the words "kind: Secret".
//
// A text is read line by line, by indentation, because a manifest may be one document of several, an item of a list, or a part of a
// template or of a manual that no parser of YAML would take.
func KubernetesSecret() Rule {
	return List("kubernetes-secret", KindSecret, scanManifest, manifestKinds[:]...)
}

// manifestKinds are the kind of a Secret as YAML, JSON, JSON in a string, and Python write it.
var manifestKinds = [...]string{
	"kind: secret", `kind: "secret`, "kind: 'secret", `"kind":"secret`, `"kind": "secret`, `"kind" : "secret`,
	`'kind': 'secret`, `'kind':'secret`, `\"kind\":\"secret`, `\"kind\": \"secret`,
}

// maxIndent is the maximal indentation of a key.
const maxIndent = 1 << 10

// maxAround bounds the bytes of an object on either side of its kind; a value that begins within it is read to its end.
const maxAround = 64 << 10

// scanManifest calls found with each value of the Kubernetes Secret whose kind is at text[lo:hi].
func scanManifest(text []byte, lo, hi int, found func(start, end int)) {
	lo = look.RunEnd(text, lo, 2, look.Quote|look.Escape)
	isKind := look.HasAt(text, lo, "kind") && look.EqualFold(text[hi-len("Secret"):hi], "secret") // some write it in small letters
	if !isKind || look.IsAt(text, hi, look.Name) {
		return // such as SecretStore
	}
	if open := objectStart(text, lo); open >= 0 {
		f := jsonReader{text: text[:min(len(text), lo+maxAround)], found: found}
		f.readDataObject(open + 1)
		return
	}
	lo = look.RunStart(text, lo, 1, look.Quote)
	start := look.RunStart(text, lo, maxIndent, look.Blank|look.Dash)
	if start > 0 && text[start-1] != '\n' {
		return // not the first key on its line
	}
	if l := lineAt(text, start); l.start+l.indent == lo {
		m := yamlMapping{text: text, column: l.indent, kind: lo, found: found}
		m.readLines()
	}
}

// isEntryValue reports whether the value of an entry is a secret: no template, no placeholder, and no text that everybody may read.
func isEntryValue(v []byte, isEncoded bool) bool {
	if look.ContainsAny(v, []string{"{{", "${", "$(", "<%"}) || look.All(v, look.Mask|look.Space) {
		return false
	}
	if isEncoded {
		var buf [maxPlain]byte
		if plain, ok := decodeBase64(buf[:], v); ok {
			v = plain
		}
	}
	if look.AnyAt(v, 0, publicValues[:]) > 0 {
		return false
	}
	x := look.New(bytes.TrimSpace(v), true)
	return x.Has(look.Entry)
}

// publicValues are the beginnings of values that everybody may read, of encrypted values, and of references to the place of a value.
var publicValues = [...]string{
	"-----BEGIN CERTIFICATE", "-----BEGIN PUBLIC KEY", "-----BEGIN X509 CRL", "ssh-rsa ", "ssh-ed25519 ", "ENC[", "ENC(", "vault:", "ref+",
}

// maxPlain is the maximal number of bytes of a base64 value that are decoded to judge it.
const maxPlain = 768

// decodeBase64 decodes the beginning of v from base64, over lines or not, into buf. It reports whether v is base64 and not empty.
func decodeBase64(buf, v []byte) ([]byte, bool) {
	var packed [maxPlain / 3 * 4]byte
	n := 0
	for _, c := range v {
		if n == len(packed) {
			break
		}
		if !look.Is(c, look.Space) {
			packed[n] = c
			n++
		}
	}
	n, err := base64.StdEncoding.Decode(buf, packed[:n])
	return buf[:n], err == nil && n > 0
}
