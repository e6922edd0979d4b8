// Package sample reads the files of samples that the tests of package secret and of the packages below it run. It is imported by
// tests only.
//
// A line "+ TEXT" is a sample that must be found, "- TEXT" one that must not, "#" begins a comment; any other line begins a group and
// has its words. In TEXT, {{a-f0-9*40}} means forty random characters of that set, so that a file holds nothing that looks like a
// secret; the characters depend on the group and the text alone. «…» marks the finding, and is no part of the text. \n is a line
// end, \t a tab, \xNN a byte, \\ a backslash. {{base64(TEXT)}} and {{percent(TEXT)}} are a text in an encoding; in it, nothing
// is marked.
package sample

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

// Group is a header in a file of samples, and the samples below it.
type Group struct {
	Words   []string
	Line    int
	Samples []Sample
}

// Sample is a text in which a value must be found, or must not.
type Sample struct {
	Must  bool
	Raw   string // as in the file
	Text  []byte
	Spans [][2]int // of Text: the places that are marked in it
	Line  int
}

// Read reads a file of samples. The random characters of a group depend on its first seedWords words. It fails if the file cannot be read
// or is invalid.
func Read(path string, seedWords int) ([]Group, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var groups []Group
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		text, must := strings.CutPrefix(line, "+ ")
		if !must {
			var mustNot bool
			if text, mustNot = strings.CutPrefix(line, "- "); !mustNot {
				groups = append(groups, Group{Words: strings.Fields(line), Line: i + 1})
				continue
			}
		}
		if len(groups) == 0 {
			return nil, fmt.Errorf("%s:%d: a sample of no group", path, i+1)
		}
		g := &groups[len(groups)-1]
		s := Sample{Must: must, Raw: text, Line: i + 1}
		seed := strings.Join(g.Words[min(1, len(g.Words)):min(seedWords, len(g.Words))], " ")
		if s.Text, s.Spans, err = Expand(seed, text); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
		g.Samples = append(g.Samples, s)
	}
	return groups, nil
}

// Expand returns a sample text with random characters in place of its patterns and without its marks, and the spans that were marked. It
// fails if the text is invalid.
func Expand(seed, text string) (out []byte, spans [][2]int, err error) {
	h := fnv.New64a()
	h.Write([]byte(seed + "\x00" + strings.NewReplacer("«", "", "»", "").Replace(text)))
	return expandTemplate(rand.New(rand.NewPCG(h.Sum64(), 1)), text)
}

func expandTemplate(rnd *rand.Rand, text string) (out []byte, spans [][2]int, err error) {
	for len(text) > 0 {
		size := 1
		switch name, inner, whole := encodedPart(text); {
		case name != "":
			plain, _, err := expandTemplate(rnd, inner)
			if err != nil {
				return nil, nil, err
			}
			out, size = append(out, encodeText(name, plain)...), whole
		case strings.HasPrefix(text, "«"):
			size = len("«")
			spans = append(spans, [2]int{len(out), -1})
		case strings.HasPrefix(text, "»"):
			size = len("»")
			if len(spans) == 0 {
				return nil, nil, fmt.Errorf("a mark is not opened")
			}
			spans[len(spans)-1][1] = len(out)
		case strings.HasPrefix(text, "{{") && isPattern(text):
			set, rest, _ := strings.Cut(text[2:], "}}")
			star := strings.LastIndexByte(set, '*')
			n, err := strconv.Atoi(set[star+1:])
			if err != nil {
				return nil, nil, err
			}
			out = append(out, Random(rnd, Alphabet(set[:star]), n)...)
			size = len(text) - len(rest)
		case strings.HasPrefix(text, `\n`):
			size, out = 2, append(out, '\n')
		case strings.HasPrefix(text, `\t`):
			size, out = 2, append(out, '\t')
		case strings.HasPrefix(text, `\\`):
			size, out = 2, append(out, '\\')
		case strings.HasPrefix(text, `\x`) && len(text) >= 4:
			c, err := strconv.ParseUint(text[2:4], 16, 8)
			if err != nil {
				return nil, nil, err
			}
			size, out = 4, append(out, byte(c))
		default:
			out = append(out, text[0])
		}
		text = text[size:]
	}
	return out, spans, nil
}

// encodedPart returns the encoding, the text and the length of the encoded part with which text begins.
func encodedPart(text string) (name, inner string, size int) {
	for _, name := range [...]string{"base64", "percent"} {
		open := "{{" + name + "("
		if !strings.HasPrefix(text, open) {
			continue
		}
		depth := 0
		for i := range text {
			switch rest := text[i:]; {
			case strings.HasPrefix(rest, "{{base64("), strings.HasPrefix(rest, "{{percent("):
				depth++
			case strings.HasPrefix(rest, ")}}"):
				if depth--; depth == 0 {
					return name, text[len(open):i], i + len(")}}")
				}
			}
		}
	}
	return "", "", 0
}

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// encodeText returns a text in an encoding. By percent signs it escapes all bytes that are no letters or digits.
func encodeText(name string, plain []byte) []byte {
	if name == "base64" {
		return base64.StdEncoding.AppendEncode(nil, plain)
	}
	var out []byte
	for _, c := range plain {
		if strings.IndexByte(letters, c) >= 0 {
			out = append(out, c)
		} else {
			out = fmt.Appendf(out, "%%%02X", c)
		}
	}
	return out
}

// isPattern reports whether a text begins with a pattern for random characters: a set and a count in braces.
func isPattern(text string) bool {
	set, _, ok := strings.Cut(text[2:], "}}")
	return ok && strings.LastIndexByte(set, '*') > 0
}

// Alphabet returns the characters of a set such as "a-f0-9_".
func Alphabet(set string) string {
	var b strings.Builder
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			for c := set[i]; c <= set[i+2]; c++ {
				b.WriteByte(c)
			}
			i += 2
			continue
		}
		b.WriteByte(set[i])
	}
	return b.String()
}

// Random returns n random characters of a set. None repeats or counts on from the one before, because by chance the result would look
// like filler.
func Random(rnd *rand.Rand, set string, n int) []byte {
	out := make([]byte, 0, n)
	for len(out) < n {
		c := set[rnd.IntN(len(set))]
		if k := len(out); k > 0 && len(set) > 3 {
			if step := int(c) - int(out[k-1]); -1 <= step && step <= 1 {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}
