package rules

import (
	"bytes"
	"encoding/base64"

	"ken/internal/engine/source/secret/look"
)

// PrivateKeys returns the rules that find private keys by the forms that keep them: PEM blocks and their remains in base64, the ASN.1 of
// PKCS #1, #8 and #12, PuTTY's files and JSON Web Keys. The rules of signed tokens are among them.
func PrivateKeys() []Rule {
	return []Rule{
		Custom("private-key", KindPrivateKey, scanPEM, "-----begin"),
		Custom("private-key-base64", KindPrivateKey, scanEncodedPEM, "ls0tls1crudjti"),
		Custom("private-key-der", KindPrivateKey, scanDER, "miie", "miic", "miij", "miib", "miig", "migh", "migt", "miga", "mhccaqee", "mhqcaqee"),
		Custom("private-key-pkcs12", KindPrivateKey, scanPFX, "ibazcc"),
		Custom("private-key-in-base64", KindPrivateKey, scanKeyInBase64, "ufjjvkfursblrvkt", "bssvzbveugs0vzl", "quklwqvrfietfws"),
		Custom("jwk-private-member", KindPrivateKey, scanJWK, `"d":`, `"k":`, `"p":`, `"q":`, `"dp":`, `"dq":`, `"qi":`, `\"d\":`, `\"k\":`, "d: '", `d: "`, "k: '", `k: "`, "p: '", `p: "`, "q: '", `q: "`, "dp: '", `dp: "`, "dq: '", `dq: "`, "qi: '", `qi: "`, "'d':", "'k':"),
		Custom("putty-private-key", KindPrivateKey, scanPPK, "private-lines:"),
		Token("nats-nkey-seed", KindPrivateKey, `S[AOU][A-Z2-7]{54,60}`, "su", "sa", "so").When(base32After),
		Token("age-secret-key", KindPrivateKey, `AGE-SECRET-KEY-1[A-Z0-9]{58}`, "age-secret-key-1"),
		TokenLong("jwt", KindToken, `ey[IJ][A-Za-z0-9_-]{10,}\.ey[A-Za-z0-9_/\\-]{6,}(?:\.[A-Za-z0-9_/\\-]*)?`, "eyj", "eyi"),
		TokenAround("jwt-like", KindToken, 300, `ey[A-Za-z0-9_-]{14,}\.ey[A-Za-z0-9_/\\-]{14,}(?:\.[A-Za-z0-9_/\\-]*={0,2})?`, ".ey").Looking(look.Mixed),
	}
}

// scanJWK finds the private members of a JSON Web Key (RFC 7518, 6.2.2, 6.3.2, 6.4.1): d, p, q, dp, dq, qi and, of a symmetric key, k.
// Their names are too short to mean anything alone, so "kty" must be near.
func scanJWK(text []byte, lo, hi int) (int, int, bool) {
	if look.IsAt(text, lo-1, look.Name) {
		return 0, 0, false
	}
	i := lo + bytes.LastIndexByte(text[lo:hi], ':') + 1
	i = look.RunEnd(text, look.SkipBlank(text, i), len(text), look.Escape)
	if !look.IsAt(text, i, look.Quote) {
		return 0, 0, false
	}
	i++
	end := look.RunEnd(text, i, 1024, look.Word|look.Dash)
	if end < len(text) && !look.IsAt(text, end, look.Quote|look.Escape) {
		return 0, 0, false
	}
	v := look.New(text[i:end], true)
	return i, end, look.Contains(look.Clip(text, lo-1500, end+1500), "kty") && v.Has(look.PrivateMember)
}

// maxEncoded is the maximal length of a key that is read line by line.
const maxEncoded = 128 << 10

// base64Run returns the end of the base64 that begins at lo, however long it is. The caller must judge its beginning first, because
// rules do not search such a long finding again.
func base64Run(text []byte, lo int) int { return base64Head(text, lo, len(text)) }

// base64Head does the same as base64Run, but reads at most n bytes.
func base64Head(text []byte, lo, n int) int { return look.RunEnd(text, lo, n, look.Base64) }

// scanEncodedPEM finds a private key block in base64, as Kubernetes keeps its secrets: the keyword is "-----BEGIN " encoded.
func scanEncodedPEM(text []byte, lo, _ int) (int, int, bool) {
	if base64Head(text, lo, 120) < lo+120 {
		return 0, 0, false
	}
	var plain [48]byte
	n, err := base64.StdEncoding.Decode(plain[:], text[lo:lo+64])
	if err != nil || !look.Contains(plain[:n], "PRIVATE KEY") {
		return 0, 0, false
	}
	return lo, base64Run(text, lo), true
}

// derHeads begin private keys in the ASN.1 forms of PKCS #1 and #8 in base64: a SEQUENCE that begins with the version 0 or 1, as no
// certificate and no public key does. A dot is any character of the length.
var derHeads = [...]string{"MII...IBAA", "MII...IBAD", "MIG.AgEAM", "MIG.AgEB", "MH.CAQEE"}

// scanDER finds private keys in these forms without a PEM header.
func scanDER(text []byte, lo, hi int) (int, int, bool) {
	if look.IsAt(text, lo-1, look.Alnum) {
		return 0, 0, false
	}
	v := text[lo:base64Head(text, lo, 1024)]
	if len(v) < 100 {
		return 0, 0, false
	}
	for _, head := range derHeads {
		if hasHead(v, head) {
			return lo, base64Run(text, lo), look.Entropy(v) >= 4
		}
	}
	return 0, 0, false
}

// hasHead reports whether v begins with an entry of derHeads, which is shorter than v.
func hasHead(v []byte, head string) bool {
	for i := range len(head) {
		if head[i] != '.' && v[i] != head[i] {
			return false
		}
	}
	return true
}

// scanPPK finds the private part of a PuTTY key: the base64 lines after "Private-Lines: N".
func scanPPK(text []byte, _, hi int) (int, int, bool) {
	i := len(text) - len(bytes.TrimLeft(text[hi:], " 0123456789"))
	i = look.RunEnd(text, i, len(text), look.Line)
	end := i
	for next := i; next < len(text); {
		stop := base64Head(text, next, maxEncoded)
		if stop-next < 16 || stop-i > maxEncoded {
			break
		}
		end, next = stop, look.RunEnd(text, stop, len(text), look.Line)
	}
	if end-i < 32 || look.Entropy(text[i:end]) < 3.5 {
		return 0, 0, false
	}
	return i, end, true
}
