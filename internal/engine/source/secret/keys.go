package secret

import (
	"bytes"
	"encoding/base64"
)

// scanJWK finds the private members of a JSON Web Key (RFC 7518, 6.2.2, 6.3.2, 6.4.1): d, p, q, dp, dq, qi and, of a symmetric key, k.
// Their names are too short to mean anything alone, so "kty" has to be near.
func scanJWK(text []byte, lo, hi int) (int, int, bool) {
	if isAt(text, lo-1, nameChar) {
		return 0, 0, false
	}
	i := lo + bytes.LastIndexByte(text[lo:hi], ':') + 1
	for i = skipBlank(text, i); at(text, i) == '\\'; {
		i++
	}
	if !isAt(text, i, quoteChar) {
		return 0, 0, false
	}
	i++
	end := runEnd(text, i, 1024, wordChar|dashChar)
	if end < len(text) && !isAt(text, end, quoteChar|escapeChar) {
		return 0, 0, false
	}
	v := newValue(text[i:end], true)
	return i, end, hasBytes(clip(text, lo-1500, end+1500), "kty") && v.has(looksPrivateMember)
}

// maxEncoded bounds a key that is read line by line.
const maxEncoded = 64 << 10

// base64Run is the end of the base64 that begins at lo. It has no bound, so what is there is to be judged by its head first: a
// finding that long is not looked into again.
func base64Run(text []byte, lo int) int { return base64Head(text, lo, len(text)) }

// base64Head is base64Run within n bytes.
func base64Head(text []byte, lo, n int) int { return runEnd(text, lo, n, base64Char) }

// scanEncodedPEM finds a private key block in base64, as Kubernetes keeps its secrets: the keyword is "-----BEGIN " encoded.
func scanEncodedPEM(text []byte, lo, _ int) (int, int, bool) {
	if base64Head(text, lo, 120) < lo+120 {
		return 0, 0, false
	}
	var plain [48]byte
	n, err := base64.StdEncoding.Decode(plain[:], text[lo:lo+64])
	if err != nil || !hasBytes(plain[:n], "PRIVATE KEY") {
		return 0, 0, false
	}
	return lo, base64Run(text, lo), true
}

// derHeads are how private keys in the ASN.1 forms of PKCS #1 and #8 begin in base64, after "MI" or "MH": a SEQUENCE that begins with
// the version 0 or 1, which no certificate and no public key does. A dot is a character of the length.
var derHeads = [...]string{"MII...IBAA", "MII...IBAD", "MIG.AgEAM", "MIG.AgEB", "MH.CAQEE"}

// scanDER finds those keys without a PEM header.
func scanDER(text []byte, lo, hi int) (int, int, bool) {
	if isAt(text, lo-1, alnumChar) {
		return 0, 0, false
	}
	v := text[lo:base64Head(text, lo, 1024)]
	if len(v) < 100 {
		return 0, 0, false
	}
	for _, head := range derHeads {
		if fitsPattern(v, head) {
			return lo, base64Run(text, lo), entropy(v) >= 4
		}
	}
	return 0, 0, false
}

// fitsPattern reports that v begins with a pattern in which a dot is any character; v is longer.
func fitsPattern(v []byte, pattern string) bool {
	for i := range len(pattern) {
		if pattern[i] != '.' && v[i] != pattern[i] {
			return false
		}
	}
	return true
}

// scanPPK finds the private part of a PuTTY key: base64 lines behind "Private-Lines: N".
func scanPPK(text []byte, _, hi int) (int, int, bool) {
	i := len(text) - len(bytes.TrimLeft(text[hi:], " 0123456789"))
	i = runEnd(text, i, len(text), lineChar)
	end := i
	for next := i; next < len(text); {
		stop := base64Head(text, next, maxEncoded)
		if stop-next < 16 || stop-i > maxEncoded {
			break
		}
		end, next = stop, runEnd(text, stop, len(text), lineChar)
	}
	if end-i < 32 || entropy(text[i:end]) < 3.5 {
		return 0, 0, false
	}
	return i, end, true
}

// defines are the names that PHP applications keep their secrets under, by how they end, and what their values look like.
var defines = [...]struct {
	suffix string
	looks  property
}{
	{"PASSWORD", looksLogin}, {"PASS", looksLogin}, {"PASSWD", looksLogin}, {"PWD", looksLogin}, {"PASSPHRASE", looksLogin},
	{"_KEY", looksApplicationKey}, {"_SALT", looksApplicationKey}, {"_SECRET", looksApplicationKey}, {"_TOKEN", looksApplicationKey},
}

// scanDefine finds the keys, salts and passwords of PHP's define('NAME', 'value'), as WordPress keeps them; they hold every mark
// there is, blanks too.
func scanDefine(text []byte, _, hi int) (int, int, bool) {
	i := skipBlank(text, hi)
	if !isAt(text, i, quoteChar) {
		return 0, 0, false
	}
	end := runEnd(text, i+1, maxName, nameChar)
	name := bytes.ToUpper(text[i+1 : end])
	if i = skipBlank(text, end+1); at(text, i) != ',' {
		return 0, 0, false
	}
	var a assignment
	if i = skipBlank(text, i+1); !isAt(text, i, quoteChar) || !a.literal(text, i) {
		return 0, 0, false
	}
	v := newValue(text[a.start:a.end], true)
	for _, d := range defines {
		if bytes.HasSuffix(name, []byte(d.suffix)) {
			return a.start, a.end, v.has(d.looks)
		}
	}
	return 0, 0, false
}

// registryAuth is the check of a registry's login: base64 of user:password, or what may be one.
func registryAuth(v []byte) bool {
	if user, password, ok := encodedLogin(v); ok {
		return isLoginPassword(user, password)
	}
	x := newValue(v, false)
	return x.has(looksUnworded)
}

// encodedLogin is the user and the password that v says in base64.
func encodedLogin(v []byte) (user, password []byte, ok bool) {
	plain, ok := decoded(v)
	if !ok || !allIn(plain, printChar) {
		return nil, nil, false
	}
	return bytes.Cut(plain, []byte(":"))
}

// isLoginPassword reports that a password beside a user is worth the name.
func isLoginPassword(user, password []byte) bool {
	return len(password) >= minValue && isURLPassword(user, password)
}

// basicAuth is the check of what follows "Basic": base64 of user:password.
func basicAuth(v []byte) bool {
	if plain, _ := decoded(v); !allIn(plain, printChar) && v[len(v)-1] == '=' {
		n := newValue(v, false).counts
		return min(n[lower], n[upper], n[digits]) > 0 // a password in another character set
	}
	_, password, ok := encodedLogin(v)
	return ok && len(password) > 2 && !isPlaceholder(password)
}

// decoded decodes the first characters of v from base64, of either alphabet.
func decoded(v []byte) ([]byte, bool) {
	var buf [192]byte
	v = bytes.TrimRight(v, "=")
	v = v[:min(len(v), 256)]
	if len(v)%4 == 1 {
		v = v[:len(v)-1]
	}
	n, err := base64.RawStdEncoding.Decode(buf[:], v)
	if err != nil {
		n, err = base64.RawURLEncoding.Decode(buf[:], v)
	}
	return buf[:n], err == nil
}
