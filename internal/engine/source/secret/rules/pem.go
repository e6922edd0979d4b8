package rules

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// maxPEM is the maximal length of a private key in PEM. Those of 16,384-bit RSA have a tenth of it, with escapes and line ends.
const maxPEM = 128 << 10

// scanPEM finds a private key block from its "-----BEGIN" to the end of its END line, in any way of writing: over lines, in one literal
// with \n, in joined literals. A block without an END line ends where the base64 ends.
func scanPEM(text []byte, lo, hi int) (int, int, bool) {
	head := look.Clip(text, hi, hi+48)
	dashes := bytes.Index(head, []byte("-----"))
	if dashes < 0 || !look.Contains(head[:dashes], "PRIVATE KEY") {
		return 0, 0, false
	}
	body := hi + dashes + len("-----")
	rest := look.Clip(text, body, body+maxPEM)
	size := bytes.Index(rest, []byte("-----"))
	end := size
	if size >= 0 && look.HasAt(rest, size, "-----END") {
		end += len("-----END")
		if n := bytes.Index(look.Clip(rest, end, size+64), []byte("-----")); n >= 0 {
			end += n + len("-----")
		}
	} else {
		size = base64End(rest)
		end = size
	}
	return lo, body + end, isKeyMaterial(rest[:size])
}

// isKeyMaterial reports whether a body has enough base64 that is neither filler nor template: "...", "<key>" and bare headers are no keys.
func isKeyMaterial(body []byte) bool {
	var longest []byte
	for i := 0; i < len(body); i++ {
		end := base64Run(body, i)
		if end-i > len(longest) {
			longest = body[i:end]
		}
		i = end
	}
	if len(longest) < 24 || look.Entropy(longest) < 3.2 {
		return false
	}
	return !look.IsFiller(longest) && !look.IsPlaceholder(longest)
}

// base64End returns the end of the base64 lines that follow a header, with their indentation, quotes and escapes.
func base64End(b []byte) int {
	end := 0
	for i := 0; i < len(b); {
		stop := base64Run(b, i)
		switch {
		case stop-i >= 16:
			end = stop
		case stop > i && look.At(b, i-1) != '\\': // not the n of an escape
			return end
		}
		for i = stop; look.IsAt(b, i, look.Blank|look.Line|look.Quote|look.Escape|look.LineJoin); i++ {
			if b[i] == '\n' {
				i += look.CommentLeader(b[i+1:])
			}
		}
		if i == stop {
			return end
		}
	}
	return end
}

// scanPFX finds PKCS #12 files in base64 (RFC 7292): a SEQUENCE with a length of two bytes, the version 3 and another SEQUENCE,
// "MII…IBAzCC". The keyword begins six characters after the start.
func scanPFX(text []byte, lo, _ int) (int, int, bool) {
	start := lo - 6
	switch {
	case start < 0, !look.HasAt(text, start, "MII"), !look.HasAt(text, lo, "IBAzCC"), look.IsAt(text, start-1, look.Alnum):
		return 0, 0, false
	}
	return start, base64Run(text, start), base64Head(text, start, 200)-start == 200
}

// maxBack is the maximal length of the base64 before the keyword.
const maxBack = 4096

// scanKeyInBase64 finds a private key within a longer text in base64, as if bag attributes or a certificate are before it. The
// keyword is "PRIVATE KEY-" encoded, in each of its three alignments. The first of several keys in one run counts for all.
func scanKeyInBase64(text []byte, lo, hi int) (int, int, bool) {
	start := look.RunStart(text, lo, maxBack, look.Alnum|look.Slash)
	if bytes.Contains(text[start:lo], text[lo:hi]) {
		return 0, 0, false
	}
	head := base64Head(text, hi, 1024)
	if head-hi < 100 || look.Entropy(text[hi:head]) < 4 {
		return 0, 0, false
	}
	return start, base64Run(text, hi), true
}
