package token_test

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"ken/internal/token"
	"ken/internal/token/vocab"
)

// reference counts tokens as plainly as can be: the published patterns as
// regular expressions, the vocabulary as a map, every join by looking at all
// pairs. It knows the Unicode of Go, a version behind.
type reference struct {
	pattern *regexp.Regexp
	ranks   map[string]int
}

// The patterns end in \s+(?!\S)|\s+, which Go's expressions cannot say: first
// gives the last character back. \s is written out, because Go's is ASCII.
var referencePatterns = map[token.Encoding]string{
	token.CL100K: `^(?:(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^WS\p{L}\p{N}]+[\r\n]*|[WS]*[\r\n]+|([WS]+))`,
	token.O200K: `^(?:[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
		`\p{N}{1,3}| ?[^WS\p{L}\p{N}]+[\r\n/]*|[WS]*[\r\n]+|([WS]+))`,
}

func newReference(e token.Encoding, table string) *reference {
	v, err := vocab.Open(table)
	if err != nil {
		panic(err)
	}
	ranks := make(map[string]int, v.Len())
	for rank := range v.Len() {
		ranks[v.Token(rank)] = rank
	}
	pattern := strings.ReplaceAll(referencePatterns[e], "WS", `\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`)
	return &reference{regexp.MustCompile(pattern), ranks}
}

func (r *reference) count(text []byte) int {
	total := 0
	for _, piece := range r.pieces(wellFormed(text)) {
		total += r.merge(piece)
	}
	return total
}

// pieces splits a text.
func (r *reference) pieces(s string) (all []string) {
	for len(s) > 0 {
		n := r.first(s)
		all = append(all, s[:n])
		s = s[n:]
	}
	return all
}

// first is the length of the first piece.
func (r *reference) first(s string) int {
	m := r.pattern.FindStringSubmatchIndex(s)
	end := m[1]
	if blank := m[2] >= 0; blank && end < len(s) {
		if _, w := utf8.DecodeLastRuneInString(s[:end]); w < end {
			return end - w
		}
	}
	return end
}

// merge is the number of tokens of a piece.
func (r *reference) merge(piece string) int {
	if _, ok := r.ranks[piece]; ok {
		return 1
	}
	var parts []string
	for i := range len(piece) {
		parts = append(parts, piece[i:i+1])
	}
	for {
		best, at := -1, 0
		for k := range len(parts) - 1 {
			if rank, ok := r.ranks[parts[k]+parts[k+1]]; ok && (best < 0 || rank < best) {
				best, at = rank, k
			}
		}
		if best < 0 {
			return len(parts)
		}
		parts[at] += parts[at+1]
		parts = append(parts[:at+1], parts[at+2:]...)
	}
}

// wellFormed puts U+FFFD in place of what is not UTF-8, following the decoder of
// the WHATWG Encoding Standard, section 8.1.1, step by step.
func wellFormed(text []byte) string {
	var out bytes.Buffer
	var point rune
	seen, needed, lower, upper := 0, 0, byte(0x80), byte(0xbf)
	for i := 0; i < len(text); i++ {
		c := text[i]
		if needed == 0 {
			switch {
			case c <= 0x7f:
				out.WriteByte(c)
			case c >= 0xc2 && c <= 0xdf:
				needed, point = 1, rune(c&0x1f)
			case c >= 0xe0 && c <= 0xef:
				if c == 0xe0 {
					lower = 0xa0
				} else if c == 0xed {
					upper = 0x9f
				}
				needed, point = 2, rune(c&0xf)
			case c >= 0xf0 && c <= 0xf4:
				if c == 0xf0 {
					lower = 0x90
				} else if c == 0xf4 {
					upper = 0x8f
				}
				needed, point = 3, rune(c&7)
			default:
				out.WriteRune(utf8.RuneError)
			}
			continue
		}
		inRange := c >= lower && c <= upper
		lower, upper = 0x80, 0xbf
		if !inRange {
			point, needed, seen = 0, 0, 0
			out.WriteRune(utf8.RuneError)
			i-- // once more, as a first byte
			continue
		}
		point = point<<6 | rune(c&0x3f)
		if seen++; seen == needed {
			out.WriteRune(point)
			point, needed, seen = 0, 0, 0
		}
	}
	if needed > 0 {
		out.WriteRune(utf8.RuneError)
	}
	return out.String()
}
