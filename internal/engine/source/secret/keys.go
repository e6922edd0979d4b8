package secret

import (
	"bytes"
	"encoding/base64"
)

// scanJWK finds the private members of a JSON Web Key (RFC 7518, 6.2.2, 6.3.2, 6.4.1): d, p, q, dp, dq, qi and, of a symmetric key, k.
// Their names are too short to tell anything, so "kty" has to stand near.
func scanJWK(text []byte, lo, hi int) (int, int, bool) {
	if lo > 0 && (isAlnum(text[lo-1]) || text[lo-1] == '_' || text[lo-1] == '-' || text[lo-1] == '.') {
		return 0, 0, false
	}
	for text[hi-1] != ':' {
		hi--
	}
	i := skipBlank(text, hi)
	for at(text, i) == '\\' {
		i++
	}
	if !isQuote(at(text, i)) {
		return 0, 0, false
	}
	i++
	end := i
	for end < len(text) && end-i < 1024 && (isAlnum(text[end]) || text[end] == '_' || text[end] == '-') {
		end++
	}
	if end-i < 20 || end < len(text) && !isQuote(text[end]) && text[end] != '\\' {
		return 0, 0, false
	}
	v := text[i:end]
	near := text[max(0, lo-1500):min(len(text), end+1500)]
	if !bytes.Contains(near, []byte("kty")) || isFiller(v) || isPlaceholder(v) || entropy(v) < 3.3 {
		return 0, 0, false
	}
	return i, end, true
}

// maxEncoded bounds a key that is told line by line.
const maxEncoded = 64 << 10

// base64Run is the end of the base64 that begins at lo. It has no bound, so what stands there is to be judged by its head first: a
// finding that long is not looked into again.
func base64Run(text []byte, lo int) int {
	i := lo
	for i < len(text) && (isAlnum(text[i]) || text[i] == '+' || text[i] == '/' || text[i] == '=') {
		i++
	}
	return i
}

// base64Head is base64Run within n bytes.
func base64Head(text []byte, lo, n int) int { return base64Run(text[:min(len(text), lo+n)], lo) }

// scanEncodedPEM finds a private key block in base64, as Kubernetes keeps its secrets: the keyword is "-----BEGIN " encoded.
func scanEncodedPEM(text []byte, lo, _ int) (int, int, bool) {
	end := base64Head(text, lo, 120)
	head := text[lo:min(end, lo+64)]
	head = head[:len(head)&^3]
	var plain [48]byte
	if len(head) < 32 || end-lo < 120 {
		return 0, 0, false
	}
	n, err := base64.StdEncoding.Decode(plain[:], head)
	if err != nil || !bytes.Contains(plain[:n], []byte("PRIVATE KEY")) {
		return 0, 0, false
	}
	return lo, base64Run(text, lo), true
}

// scanDER finds private keys in the ASN.1 forms of PKCS #1 and #8, base64 without a PEM header: a SEQUENCE that begins with the
// version 0 or 1, which no certificate and no public key does.
func scanDER(text []byte, lo, hi int) (int, int, bool) {
	if text[lo] != 'M' || text[lo+1] != 'I' && text[lo+1] != 'H' || lo > 0 && isAlnum(text[lo-1]) {
		return 0, 0, false
	}
	v := text[lo:base64Head(text, lo, 1024)]
	if len(v) < 100 {
		return 0, 0, false
	}
	rsa := v[2] == 'I' && string(v[6:9]) == "IBA" && (v[9] == 'A' || v[9] == 'D')
	ec := v[2] == 'G' && (string(v[4:9]) == "AgEAM" || string(v[4:8]) == "AgEB") || v[1] == 'H' && string(v[3:8]) == "CAQEE"
	if !rsa && !ec || entropy(v) < 4 {
		return 0, 0, false
	}
	return lo, base64Run(text, lo), true
}

// scanPPK finds the private part of a PuTTY key: base64 lines behind "Private-Lines: N".
func scanPPK(text []byte, _, hi int) (int, int, bool) {
	i := hi
	for i < len(text) && (text[i] == ' ' || '0' <= text[i] && text[i] <= '9') {
		i++
	}
	for i < len(text) && (text[i] == '\r' || text[i] == '\n') {
		i++
	}
	end := i
	for {
		stop := base64Head(text, end, maxEncoded)
		if stop-end < 16 || stop-i > maxEncoded {
			break
		}
		for end = stop; end < len(text) && (text[end] == '\r' || text[end] == '\n'); end++ {
		}
		if end == len(text) {
			break
		}
	}
	for end > i && (text[end-1] == '\n' || text[end-1] == '\r') {
		end--
	}
	if end-i < 32 || entropy(text[i:end]) < 3.5 {
		return 0, 0, false
	}
	return i, end, true
}

// scanDefine finds the keys, salts and passwords of PHP's define('NAME', 'value'), as WordPress keeps them; they hold every mark
// there is, blanks too.
func scanDefine(text []byte, _, hi int) (int, int, bool) {
	i := skipBlank(text, hi)
	if !isQuote(at(text, i)) {
		return 0, 0, false
	}
	name := i + 1
	for i = name; i < len(text) && i-name < maxName && isNameByte(text[i]); i++ {
	}
	upper := bytes.ToUpper(text[name:i])
	if i = skipBlank(text, i+1); at(text, i) != ',' {
		return 0, 0, false
	}
	var a assignment
	if i = skipBlank(text, i+1); !isQuote(at(text, i)) || !a.literal(text, i) {
		return 0, 0, false
	}
	v := text[a.start:a.end]
	switch {
	case bytes.HasSuffix(upper, []byte("PASSWORD")), bytes.HasSuffix(upper, []byte("PASS")), bytes.HasSuffix(upper, []byte("PASSWD")), bytes.HasSuffix(upper, []byte("PWD")), bytes.HasSuffix(upper, []byte("PASSPHRASE")):
		if !weakPassword(v, true) && !passwordValue(v, true) {
			return 0, 0, false
		}
	case bytes.HasSuffix(upper, []byte("_KEY")), bytes.HasSuffix(upper, []byte("_SALT")), bytes.HasSuffix(upper, []byte("_SECRET")), bytes.HasSuffix(upper, []byte("_TOKEN")):
		lower, up, digit, _ := classes(v)
		if len(v) < 20 || lower+up == 0 || digit == 0 || entropy(v) < 3.5 || entropy(v) < 4.5 && isPlaceholder(v) || isWordy(v) || isPathLike(v) {
			return 0, 0, false
		}
	default:
		return 0, 0, false
	}
	return a.start, a.end, true
}

// registryAuth is the check of a registry's login: base64 of user:password, or what may be one.
func registryAuth(v []byte) bool {
	var buf [192]byte
	plain, ok := decoded(buf[:], v)
	if user, password, found := bytes.Cut(plain, []byte(":")); ok && found && isASCII(plain) {
		return len(password) >= minValue && urlPassword(user, password)
	}
	return nearValue(v)
}

// basicAuth reports base64 of user:password.
func basicAuth(v []byte) bool {
	var buf [192]byte
	plain, ok := decoded(buf[:], v)
	colon := bytes.IndexByte(plain, ':')
	password := plain[colon+1:]
	if lower, upper, digit, _ := classes(v); !isASCII(plain) && v[len(v)-1] == '=' {
		return lower > 0 && upper > 0 && digit > 0 // a password in another character set
	}
	return ok && colon >= 0 && len(plain)-colon > 3 && isASCII(plain) && !isPlaceholder(password)
}

// decoded writes to buf what the first characters of v say in base64, of either alphabet.
func decoded(buf, v []byte) ([]byte, bool) {
	v = bytes.TrimRight(v, "=")
	v = v[:min(len(v), 256)]
	if len(v)%4 == 1 {
		v = v[:len(v)-1]
	}
	n, err := base64.RawStdEncoding.Decode(buf, v)
	if err != nil {
		n, err = base64.RawURLEncoding.Decode(buf, v)
	}
	return buf[:n], err == nil
}
