package history

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/engine/words"
)

const (
	// maxSubject bounds a subject, in bytes.
	maxSubject = 200
	// maxTerms bounds the distinct terms of one message.
	maxTerms = 400
	// cutTail is how much of the end of a cut message is dropped, because a secret
	// that runs over the cut may not be recognised.
	cutTail = 4 << 10
)

// clean makes a message safe to print and to store: it is valid UTF-8, has no control characters except tabs and line
// feeds, and its secrets are masked. isCut is set if the end of the message is missing.
func (b *Builder) clean(message []byte, isCut bool) []byte {
	text := bytes.ToValidUTF8(message, []byte("\ufffd"))
	text = bytes.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return ' '
		}
		return r
	}, text)
	b.mask(text)
	if isCut {
		text = text[:max(0, len(text)-cutTail)]
	}
	return bytes.TrimLeft(text, " \t\n")
}

// firstLine returns the first line of a clean message.
func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line = bytes.TrimSpace(line)
	if len(line) > maxSubject {
		line = line[:maxSubject]
		for len(line) > 0 && !utf8.Valid(line) {
			line = line[:len(line)-1]
		}
	}
	return string(line)
}

// terms returns the words of a clean message, without those unrelated to its subject: ids, trailers, addresses.
func (b *Builder) terms(text []byte) []Word {
	set := b.set[:0]
	add := func(line []byte, mark Word) {
		b.split.Each(line, func(start, end int, toks []words.Token) {
			if isHash(line[start:end]) {
				return
			}
			for _, t := range toks {
				set = append(set, Word(t.Term)<<1|mark)
			}
		})
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	add(blank(first), 1)
	for line := range bytes.Lines(rest) {
		if len(set) > 4*maxTerms {
			break
		}
		if !isTrailer(line) {
			add(blank(line), 0)
		}
	}
	b.set = set
	// If a term is in subject and body, the subject's mark wins, which sorts last.
	slices.Sort(set)
	out := make([]Word, 0, min(len(set), maxTerms))
	for i, w := range set {
		if i+1 < len(set) && set[i+1].Term() == w.Term() {
			continue
		}
		if len(out) < maxTerms {
			out = append(out, w)
		}
	}
	return out
}

// blank overwrites web addresses and numbers of issues, because they would be
// split into words.
func blank(line []byte) []byte {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '#' && (i == 0 || line[i-1] != '&'):
			for j := i + 1; j < len(line) && line[j] >= '0' && line[j] <= '9'; j++ {
				line[j] = ' '
			}
		case line[i] == ':' && bytes.HasPrefix(line[i:], []byte("://")):
			from := i
			for from > 0 && line[from-1] >= 'a' && line[from-1] <= 'z' {
				from--
			}
			for from < len(line) && line[from] > ' ' && line[from] != ')' && line[from] != '>' {
				line[from] = ' '
				from++
			}
			i = from - 1
		}
	}
	return line
}

// isTrailer reports whether a line names people and tools: "Signed-off-by: …", "Change-Id: …", "(cherry picked from
// commit …)". Keys: git-interpret-trailers(1), and those Gerrit, Phabricator and git-svn write.
func isTrailer(line []byte) bool {
	line = bytes.TrimSpace(line)
	if bytes.HasPrefix(line, []byte("(cherry picked from")) || bytes.HasPrefix(line, []byte("This reverts commit ")) {
		return true
	}
	key, _, ok := bytes.Cut(line[:min(len(line), 64)], []byte(":"))
	if !ok || len(key) == 0 || bytes.IndexByte(key, ' ') >= 0 && !bytes.Equal(key, []byte("Differential Revision")) {
		return false
	}
	k := strings.ToLower(string(key))
	if _, last, hyphen := strings.Cut(k, "-"); hyphen {
		last = last[strings.LastIndexByte(last, '-')+1:]
		return slices.Contains(trailerEnds, last)
	}
	return slices.Contains(trailerKeys, k)
}

var (
	trailerEnds = []string{"by", "id", "url", "on", "to", "from", "queue", "submit", "bug", "ref", "resolved", "author"}
	trailerKeys = []string{"cc", "link", "bug", "issue", "refs", "ref", "pr", "gitorigin", "differential revision", "reviewers", "subscribers", "tags", "url"}
)

// isHash reports whether a word looks like the id of a git object.
func isHash(w []byte) bool {
	if len(w) < 7 {
		return false
	}
	digits := 0
	for _, c := range w {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c < 'a' || c > 'f':
			return false
		}
	}
	return digits > 0
}
