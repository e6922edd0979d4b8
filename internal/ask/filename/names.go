package filename

import (
	"cmp"
	"path"
	"strings"
	"unicode"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Names holds the names of all indexed paths. They are folded to lower case and split into words once for all comparisons.
type Names struct {
	Rows   []store.PathRow
	folded string      // of all rows, see foldName
	ends   []int       // of each row, in folded
	parts  []*pathName // of each row, nil until it is needed
}

// NewNames reads the names. It returns an error if the index cannot be read.
func NewNames(s *view.Snapshot) (*Names, error) {
	rows, err := s.AllPaths()
	if err != nil {
		return nil, err
	}
	n := &Names{Rows: rows, ends: make([]int, len(rows)), parts: make([]*pathName, len(rows))}
	var all strings.Builder
	var one []byte
	for i := range rows {
		one = foldName(one[:0], rows[i].Path)
		all.Write(one)
		n.ends[i] = all.Len()
	}
	n.folded = all.String()
	return n, nil
}

// Fold returns the name of a row's path in lower case.
func (n *Names) Fold(row int) string {
	if row == 0 {
		return n.folded[:n.ends[0]]
	}
	return n.folded[n.ends[row-1]:n.ends[row]]
}

// Subject returns the words of the subject of a row's name: those that do not tell the kind of the file.
func (n *Names) Subject(row int) []string { return n.of(row).root }

// of returns the name of a row's path, split into words.
func (n *Names) of(row int) *pathName {
	if n.parts[row] == nil {
		p := splitName(n.Rows[row].Path)
		n.parts[row] = &p
	}
	return n.parts[row]
}

// pathName is the name of a file, split into the words of its subject and the words that tell its kind.
type pathName struct {
	dir   string
	root  []string // words that remain without those of the tables
	layer string   // the removed word of a layer, "" if there is none
	kind  string   // "" plain source
	lang  code.Lang
}

// Subject returns the words of the subject of a file's name: those that do not tell the kind of the file.
func Subject(p string) []string { return splitName(p).root }

// splitName splits the name of the file at path p into words, and finds its kind.
func splitName(p string) pathName {
	dir, base := path.Split(p)
	n := pathName{dir: strings.TrimSuffix(dir, "/"), lang: lang.Detect(p, nil)}
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	if ext == ".snap" { // Button.test.tsx.snap
		stem = strings.TrimSuffix(stem, path.Ext(stem))
	}
	style := companionExts[strings.ToLower(ext)] == CompanionStyle
	if style {
		stem = strings.TrimSuffix(stem, ".module")
	}
	if i := strings.LastIndexByte(stem, '.'); i > 0 && dottedVariants[stem[i+1:]] {
		stem, n.kind = stem[:i], CompanionVariant
	}
	words, kind := takeAffixes(Words(stem), &n.layer)
	n.kind = cmp.Or(kind, n.kind)
	if len(words) == 1 && companionDirs[words[0]] == CompanionTest && n.dir != "" && companionDirs[path.Base(n.dir)] == "" {
		n.kind = CompanionTest
		words, n.dir = Words(path.Base(n.dir)), code.Dir(n.dir)
	}
	if len(words) == 1 && folderNames[words[0]] && n.dir != "" {
		words, n.dir = Words(path.Base(n.dir)), code.Dir(n.dir)
	}
	n.root = words
	if k := companionExts[strings.ToLower(ext)]; k != "" && (n.kind == "" || n.kind == CompanionStyle || k == CompanionSnapshot) {
		n.kind = k
	}
	if n.kind == "" || n.kind == CompanionDoc || n.kind == CompanionTemplate {
		n.kind = cmp.Or(dirKind(n.dir), n.kind)
	}
	return n
}

// takeAffixes removes words that tell the kind of a file from the ends of its name, up to three times, as long as one word remains. It
// stores a removed word of a layer in layer.
func takeAffixes(words []string, layer *string) (rest []string, kind string) {
	for range 3 {
		k, left := affix(words)
		if k == "" {
			break
		}
		if k == CompanionLayer {
			if *layer != "" || len(words)-len(left) == 0 {
				break
			}
			*layer = strings.Join(words[len(left):], " ")
			words = left
			continue
		}
		if kind == "" || kind == CompanionVariant {
			kind = k
		}
		words = left
	}
	return words, kind
}

// affix removes the first entry of companionAffixes with which a name ends or begins. It returns the kind of the entry.
func affix(words []string) (kind string, rest []string) {
	for i := range companionAffixes {
		for _, a := range companionAffixes[i].words {
			if tail, ok := strings.CutPrefix(a, "+"); ok {
				if n := tailWords(words, tail); n > 0 && n < len(words) {
					return companionAffixes[i].kind, words[:len(words)-n]
				}
			} else if head := strings.TrimSuffix(a, "+"); headWords(words, head) {
				if n := strings.Count(head, " ") + 1; n < len(words) {
					return companionAffixes[i].kind, words[n:]
				}
			}
		}
	}
	return "", nil
}

// tailWords returns the number of words in tail, which blanks separate, if words end with them, else 0.
func tailWords(words []string, tail string) int {
	for n := 1; ; n++ {
		i := strings.LastIndexByte(tail, ' ')
		if n > len(words) || words[len(words)-n] != tail[i+1:] {
			return 0
		}
		if i < 0 {
			return n
		}
		tail = tail[:i]
	}
}

func headWords(words []string, head string) bool {
	for i := 0; ; i++ {
		first, rest, more := strings.Cut(head, " ")
		if i == len(words) || words[i] != first {
			return false
		}
		if !more {
			return true
		}
		head = rest
	}
}

// dirKind returns the kind of the deepest directory on a path that companionDirs has.
func dirKind(dir string) string {
	for dir != "" {
		i := strings.LastIndexByte(dir, '/')
		if k := companionDirs[dir[i+1:]]; k != "" {
			return k
		}
		dir = dir[:max(i, 0)]
	}
	return ""
}

// Words cuts a name into words in lower case, at '.', '_', '-', blanks and
// changes of case: "HTTPServer_v2" is http, server, v2.
func Words(stem string) []string {
	var out []string
	runes := []rune(stem)
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			start = i + 1
		case i > start && unicode.IsUpper(r):
			beforeSmall := i+1 < len(runes) && unicode.IsLower(runes[i+1]) // the S of HTTPServer
			if !unicode.IsUpper(runes[i-1]) || beforeSmall {
				flush(i)
				start = i
			}
		}
	}
	flush(len(runes))
	return out
}

// foldName appends the letters and digits of the last two segments of a path, in
// lower case. It takes two because index.ts is named by its folder.
func foldName(dst []byte, p string) []byte {
	from := strings.LastIndexByte(p, '/')
	if from > 0 {
		from = strings.LastIndexByte(p[:from], '/')
	}
	for i := from + 1; i < len(p); i++ {
		switch c := p[i]; {
		case c >= 'A' && c <= 'Z':
			dst = append(dst, c+'a'-'A')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c >= 0x80:
			dst = append(dst, c)
		}
	}
	return dst
}

// Endings of English words: plurals that are two letters longer than the
// singular, and words that end in s and are no plural.
var (
	longPlurals = []string{"sses", "xes", "ches", "shes"}
	noPlurals   = []string{"ss", "us", "is"}
)

func hasOneSuffix(w string, list []string) bool {
	for _, end := range list {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// Singular removes the plural ending of an English word, as well as comparing names requires.
func Singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 4 && hasOneSuffix(w, longPlurals):
		return w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !hasOneSuffix(w, noPlurals):
		return w[:len(w)-1]
	}
	return w
}

// sameWords reports whether two names have the same words, singular or plural.
func sameWords(a, b []string) bool {
	if len(a) != len(b) || len(a) == 0 {
		return strings.Join(a, "") == strings.Join(b, "") && len(a) > 0
	}
	for i := range a {
		if a[i] != b[i] && Singular(a[i]) != Singular(b[i]) {
			return false
		}
	}
	return true
}

// holdsWords reports whether words contains the words of inner one after the other.
func holdsWords(words, inner []string) bool {
	for i := 0; len(inner) > 0 && i+len(inner) <= len(words); i++ {
		if sameWords(words[i:i+len(inner)], inner) {
			return true
		}
	}
	return false
}
