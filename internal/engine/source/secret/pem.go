package secret

import "bytes"

// maxPEM bounds a private key: 16,384-bit RSA with its escapes and line ends fits.
const maxPEM = 32 << 10

// scanPEM finds a private key block from its "-----BEGIN" to the end of its END line, whichever way it is written: over lines, in
// one literal with \n, in joined literals. A block without an end reaches as far as base64 goes.
func scanPEM(text []byte, lo, hi int) (int, int, bool) {
	head := text[hi:min(len(text), hi+48)]
	close := bytes.Index(head, []byte("-----"))
	if close < 0 || !bytes.Contains(head[:close], []byte("PRIVATE KEY")) {
		return 0, 0, false
	}
	body := hi + close + 5
	win := text[body:min(len(text), body+maxPEM)]
	n := bytes.Index(win, []byte("-----"))
	if n >= 0 && bytes.HasPrefix(win[n:], []byte("-----END")) {
		if !keyMaterial(win[:n]) {
			return 0, 0, false
		}
		tail := win[n+8 : min(len(win), n+64)]
		if m := bytes.Index(tail, []byte("-----")); m >= 0 {
			return lo, body + n + 8 + m + 5, true
		}
		return lo, body + n + 8, true
	}
	end := base64End(win)
	if !keyMaterial(win[:end]) {
		return 0, 0, false
	}
	return lo, body + end, true
}

// keyMaterial reports a body with enough base64 that is neither filler nor template: "...", "<key>" and bare headers are not keys.
func keyMaterial(b []byte) bool {
	run, longest, at := 0, 0, 0
	for i, c := range b {
		if isAlnum(c) || c == '+' || c == '/' || c == '=' {
			if run++; run > longest {
				longest, at = run, i+1
			}
			continue
		}
		run = 0
	}
	best := b[at-longest : at]
	return longest >= 24 && !isFiller(best) && entropy(best) >= 3.2 && !isPlaceholder(best)
}

// base64End is the end of the base64 lines that follow a header, with their indentation, quotes and escapes.
func base64End(b []byte) int {
	end := 0
	for i := 0; i < len(b); {
		stop := i
		for stop < len(b) && (isAlnum(b[stop]) || b[stop] == '+' || b[stop] == '/' || b[stop] == '=') {
			stop++
		}
		if stop-i >= 16 {
			end = stop
		} else if stop > i && !(end > 0 && stop-i <= 2 && i > 0 && b[i-1] == '\\') && !(i > 0 && b[i-1] == '\\') {
			return end
		}
		for i = stop; i < len(b) && bytes.IndexByte([]byte(" \t\r\n\"'`\\,+"), b[i]) >= 0; i++ {
			if b[i] == '\n' {
				i += commentLeader(b[i+1:])
			}
		}
		if i == stop {
			return end
		}
	}
	return end
}
