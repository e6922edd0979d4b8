package secret

import "bytes"

// scanPFX finds PKCS #12 files in base64 (RFC 7292): a SEQUENCE with a length of two bytes, the version 3 and another SEQUENCE,
// "MII…IBAzCC". The keyword stands six characters behind the start.
func scanPFX(text []byte, lo, _ int) (int, int, bool) {
	start := lo - 6
	if start < 0 || string(text[start:start+3]) != "MII" || string(text[lo:lo+6]) != "IBAzCC" || start > 0 && isAlnum(text[start-1]) {
		return 0, 0, false
	}
	if base64Head(text, start, 200)-start < 200 {
		return 0, 0, false
	}
	return start, base64Run(text, start), true
}

// maxBack is how far before its mark a text in base64 may begin.
const maxBack = 4096

// scanKeyInBase64 finds a private key that stands in a longer text in base64, as bag attributes or a certificate before it do. The
// keyword is "PRIVATE KEY-" encoded, in each of its three alignments. Of several keys in one run the first speaks for all.
func scanKeyInBase64(text []byte, lo, hi int) (int, int, bool) {
	start := lo
	for start > 0 && lo-start < maxBack && (isAlnum(text[start-1]) || text[start-1] == '+' || text[start-1] == '/') {
		start--
	}
	if bytes.Contains(text[start:lo], text[lo:hi]) {
		return 0, 0, false
	}
	if head := base64Head(text, hi, 1024); head-hi < 100 || entropy(text[hi:head]) < 4 {
		return 0, 0, false
	}
	return start, base64Run(text, hi), true
}

// scanEncoded finds user:password in a call that encodes it for HTTP: b64encode(b"user:password"), btoa('user:password'),
// EncodeToString([]byte("user:password")), Buffer.from("user:password"). Other pairs are encoded as well, so that a password that
// is a word needs a name beside it.
func scanEncoded(text []byte, lo, hi int) (int, int, bool) {
	i := skipBlank(text, hi)
	for n := 0; n < 24 && i < len(text) && (isNameByte(text[i]) || text[i] == '[' || text[i] == ']' || text[i] == '('); n++ {
		i++ // b"…", []byte("…"), utf8("…")
	}
	var a assignment
	if !isQuote(at(text, i)) || !a.literal(text, i) || a.end-a.start > 160 {
		return 0, 0, false
	}
	user, v, ok := bytes.Cut(text[a.start:a.end], []byte(":"))
	if !ok || len(user) == 0 || len(v) < minValue || bytes.IndexAny(v, " :/{}") >= 0 || portLike(v) && len(v) < 6 || !urlPassword(user, v) || describes(v) || hasNameStop(v) {
		return 0, 0, false
	}
	for _, c := range user {
		if !isNameByte(c) && c != '@' && c != '+' {
			return 0, 0, false
		}
	}
	near := text[max(0, lo-160):min(len(text), a.end+100)]
	var folded [512]byte
	low := foldTo(folded[:], near)
	return a.start + len(user) + 1, a.end, passwordValue(v, true) || made(v) || bytes.Contains(low, []byte("auth")) || bytes.Contains(low, []byte("basic"))
}

// scanDefault finds the password that a manual or a help text says is the default: password of the database (default: 'v').
func scanDefault(text []byte, lo, hi int) (int, int, bool) {
	from := lineAt(text, max(0, lo-120), lo)
	var folded [128]byte
	if line := foldTo(folded[:], text[from:hi]); !hasBytes(line, "password") && !hasBytes(line, "passphrase") {
		return 0, 0, false
	}
	var a assignment
	if i := skipBlank(text, hi); !a.value(text, i) {
		return 0, 0, false
	}
	v := text[a.start:a.end]
	return a.start, a.end, len(v) < 64 && !hasPasswordStop(v) && !describes(v) && isSecretWord(v) && !isPathLike(v) && (passwordValue(v, a.quote != 0) || made(v))
}
