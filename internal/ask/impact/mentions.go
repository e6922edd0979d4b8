package impact

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ken/internal/ask/filename"
	"ken/internal/ask/impact/describe"
	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/engine/view"
)

// Limits of the search of documents. Users see the exported ones.
const (
	MaxKeywords        = 10
	MaxMentioning      = 20
	MaxMentionSamples  = 3
	maxMentionBytes    = 8 << 20 // searched text of documents
	maxChangelogBytes  = 1 << 20 // searched text of changelogs
	maxMentionFiles    = 4000    // documents that are read
	maxKeyword         = 80      // bytes of a keyword
	minKeyword         = 3
	maxMentionLineShow = 200 // bytes of a sample line
)

// Mentions are the documents that mention changed code.
type Mentions struct {
	Files []Mentioning // changelogs last, most keywords first, then most matches, then path
	// Keywords are the searched words, surest first: those quoted in the description of
	// the change, then its technical terms and names of changed code, then names of
	// files.
	Keywords []string
	Total    int   // files that mention a keyword, including those beyond MaxMentioning
	Searched int   // documents read
	Left     int   // documents not read because of a bound
	Bytes    int64 // of text searched
}

// Mentioning is a document that mentions keywords.
type Mentioning struct {
	Path     string
	Matches  int
	Keywords []string // as in Mentions
	Samples  []MentionLine
	past     bool // a changelog
}

// MentionLine is a line of a document that mentions a keyword of the change. Secrets in its text are masked.
type MentionLine struct {
	Line    uint32
	Text    string
	Keyword string
}

// Keywords returns the words to look for in documents: quoted strings of the description of a change, then terms such as CamelCase
// and snake_case from the description and from the names of changed symbols, then the names of changed files. It returns at most
// MaxKeywords.
func Keywords(change string, symbols, files []string) []string {
	var out []string
	add := func(list []string) {
		for _, k := range list {
			k = strings.TrimSpace(k)
			if len(k) < minKeyword || len(k) > maxKeyword || len(out) == MaxKeywords || slices.Contains(out, k) {
				continue
			}
			out = append(out, k)
		}
	}
	change = source.Redact(change)
	add(quotedIn(change))
	add(termsIn(change))
	add(symbols)
	var names []string
	for _, f := range files {
		names = append(names, path.Base(f))
	}
	for _, f := range files {
		stem := view.Stem(f)
		isPlainWord := strings.ToLower(stem) == stem && !strings.ContainsAny(stem, "-_") // may be a word of prose
		if len(stem) >= describe.MaxCommon && !filename.IsGeneric(stem) && !isPlainWord {
			names = append(names, stem)
		}
	}
	add(names)
	return out
}

// quotes matches quoted text in the description of a change: straight, typographic and code quotes.
var quotes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\"([^\"\n]+)\"|“([^”\n]+)”|`([^`\n]+)`|«([^»\n]+)»|「([^」\n]+)」|(?:^|[\\s(])'([^'\n]+)'")
})

func quotedIn(text string) []string {
	var out []string
	for _, m := range quotes().FindAllStringSubmatch(text, 4*MaxKeywords) {
		for _, g := range m[1:] {
			if g != "" {
				out = append(out, g)
			}
		}
	}
	return out
}

// termsIn returns the words of a text that are written as names in code: with an
// underscore inside, a capital after a small letter, or with dots or colons
// between names.
func termsIn(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.:", r)
	}) {
		w = strings.Trim(w, ".:")
		if describe.IsTerm(w) {
			out = append(out, w)
		}
	}
	return out
}

// FindMentions returns the documents that mention keywords. It reads the documents nearest to the paths in near first, up to
// maxMentionBytes, and changelogs last, up to maxChangelogBytes, because they are not rewritten for a change. wanted selects the
// documents; nil selects all. It returns an error if the index or the documents cannot be read or ctx ends.
func FindMentions(ctx context.Context, s *view.Snapshot, keywords, near []string, wanted func(path string) bool) (Mentions, error) {
	m, err := searchMentions(ctx, s, keywords, nil, near, wanted)
	if err != nil {
		return m.out, err
	}
	return m.wait(ctx)
}

// mentionSearch is a search of documents that runs at the same time as the other parts, because it reads files and not the index.
type mentionSearch struct {
	s         *view.Snapshot
	out       Mentions
	names     describe.Names // whose descriptions are wanted
	found     []Mentioning
	described []Described
	err       error
	cancel    context.CancelFunc
	done      chan struct{} // closed when the results and err are set
}

// searchMentions starts a search for keywords in documents. The caller must call wait or end.
func searchMentions(
	ctx context.Context, s *view.Snapshot, keywords []string, names describe.Names, near []string, wanted func(path string) bool,
) (*mentionSearch, error) {
	m := &mentionSearch{s: s, out: Mentions{Keywords: keywords}, names: names, cancel: func() {}, done: make(chan struct{})}
	if len(keywords) == 0 && len(names) == 0 {
		close(m.done)
		return m, nil
	}
	docs, err := documents(ctx, s, near, wanted)
	if err == nil {
		_, err = s.Tree.Scanner() // is made once, and may fail
	}
	if err != nil {
		close(m.done)
		return m, err
	}
	docs = m.withinLimits(docs)
	ctx, m.cancel = context.WithCancel(ctx)
	go func() {
		defer close(m.done)
		m.err = m.read(ctx, docs)
	}()
	return m, nil
}

// withinLimits returns the documents that fit into the limits on the bytes that are read.
func (m *mentionSearch) withinLimits(docs []code.File) []code.File {
	var sum, past int64
	docs = slices.DeleteFunc(docs, func(f code.File) bool {
		changelog := f.Class.Has(code.ClassChangelog)
		if sum+f.Stat.Size > maxMentionBytes || changelog && past+f.Stat.Size > maxChangelogBytes {
			m.out.Left++
			return true
		}
		if sum += f.Stat.Size; changelog {
			past += f.Stat.Size
		}
		return false
	})
	m.out.Searched, m.out.Bytes = len(docs), sum
	return docs
}

// end stops the search.
func (m *mentionSearch) end() {
	m.cancel()
	<-m.done
}

// wait waits for the search and returns its result.
func (m *mentionSearch) wait(ctx context.Context) (Mentions, error) {
	<-m.done
	defer m.end()
	if m.err != nil {
		return m.out, m.err
	}
	m.out.Total = len(m.found)
	slices.SortFunc(m.found, func(a, b Mentioning) int {
		past := cmp.Compare(refs.BoolToInt(a.past), refs.BoolToInt(b.past))
		return cmp.Or(past, len(b.Keywords)-len(a.Keywords), b.Matches-a.Matches, cmp.Compare(a.Path, b.Path))
	})
	m.out.Files = m.found[:min(len(m.found), MaxMentioning)]
	return m.out, sampleMentions(ctx, m.s, m.out.Files)
}

// documents lists the documents to search: those in and above the directories of near first, then the others, then changelogs.
func documents(ctx context.Context, s *view.Snapshot, near []string, wanted func(path string) bool) ([]code.File, error) {
	type doc struct {
		path  string
		id    int64
		order int
	}
	var list []doc
	for row, err := range s.Index.Documents() {
		if err != nil {
			return nil, err
		}
		if !row.Class.Has(code.ClassVendored) && (wanted == nil || wanted(row.Path)) {
			d := doc{row.Path, row.ID, 1}
			if row.Class.Has(code.ClassChangelog) {
				d.order = 2
			} else if slices.ContainsFunc(near, func(p string) bool { return strings.HasPrefix(p, code.Dir(row.Path)) }) {
				d.order = 0
			}
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b doc) int { return cmp.Compare(a.order, b.order) })
	var out []code.File
	for _, d := range list[:min(len(list), maxMentionFiles)] {
		f, err := s.FileByID(d.id)
		if err != nil {
			return nil, err
		}
		if f.Problem == "" && f.Flags&code.FlagGenerated == 0 {
			out = append(out, f)
		}
	}
	return out, ctx.Err()
}

// eachDocument calls f for n files on all cores. Each goroutine has its own reader.
func eachDocument(ctx context.Context, s *view.Snapshot, n int, f func(r *source.Reader, i int)) error {
	if _, err := s.Tree.Scanner(); err != nil {
		return err
	}
	var wg sync.WaitGroup
	cores := min(runtime.GOMAXPROCS(0), n)
	for c := range cores {
		wg.Go(func() {
			r, err := s.Tree.NewReader(nil)
			if err != nil {
				return // the scanner was made above
			}
			for i := c; i < n && ctx.Err() == nil; i += cores {
				f(r, i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// read counts the keywords in documents and finds the lines that describe names. It keeps only numbers of the texts.
func (m *mentionSearch) read(ctx context.Context, docs []code.File) error {
	found, described := make([]Mentioning, len(docs)), make([]Described, len(docs))
	err := eachDocument(ctx, m.s, len(docs), func(r *source.Reader, i int) {
		r.MaskedText(ctx, docs[i].Path, func(text []byte) bool {
			past := docs[i].Class.Has(code.ClassChangelog)
			for _, k := range m.out.Keywords {
				if n := countWord(text, k); n > 0 {
					found[i].Path, found[i].Matches, found[i].past = docs[i].Path, found[i].Matches+n, past
					found[i].Keywords = append(found[i].Keywords, k)
				}
			}
			if !past {
				described[i] = Described{docs[i].Path, describe.Lines(text, m.names, maxDescribed)}
			}
			return false
		})
	})
	m.found = slices.DeleteFunc(found, func(f Mentioning) bool { return f.Matches == 0 })
	m.described = slices.DeleteFunc(described, func(d Described) bool { return len(d.Lines) == 0 })
	return err
}

// sampleMentions adds sample lines, with secrets masked, to files. Lines with the first keywords come first, in the order of the file.
func sampleMentions(ctx context.Context, s *view.Snapshot, files []Mentioning) error {
	return eachDocument(ctx, s, len(files), func(r *source.Reader, i int) {
		text := r.MaskedText(ctx, files[i].Path, func([]byte) bool { return true })
		var lines []MentionLine
		for _, k := range files[i].Keywords {
			if len(lines) < MaxMentionSamples {
				lines = appendSamples(lines, text, k)
			}
		}
		slices.SortFunc(lines, func(a, b MentionLine) int { return cmp.Compare(a.Line, b.Line) })
		files[i].Samples = lines
	})
}

// appendSamples appends the first lines of a text that contain a word and are not in lines yet.
func appendSamples(lines []MentionLine, text []byte, word string) []MentionLine {
	line, counted := uint32(1), 0
	for at := range wordsIn(text, word) {
		line += uint32(bytes.Count(text[counted:at], []byte{'\n'}))
		counted = at
		if slices.ContainsFunc(lines, func(l MentionLine) bool { return l.Line == line }) {
			continue
		}
		from := bytes.LastIndexByte(text[:at], '\n') + 1
		to := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			to = at + i
		}
		shown := bytes.TrimSpace(text[from:to])
		if len(shown) > maxMentionLineShow {
			start := max(0, min(at-from-maxMentionLineShow/4, len(shown)-maxMentionLineShow))
			shown = shown[start : start+maxMentionLineShow]
		}
		lines = append(lines, MentionLine{Line: line, Text: strings.ToValidUTF8(string(shown), ""), Keyword: word})
		if len(lines) == MaxMentionSamples {
			break
		}
	}
	return lines
}

func countWord(text []byte, word string) int {
	n := 0
	for range wordsIn(text, word) {
		n++
	}
	return n
}

// inOneName reports whether the bytes before and at an offset belong to the same name.
func inOneName(text []byte, at int) bool {
	return at > 0 && at < len(text) && refs.NameByte(text[at-1]) && refs.NameByte(text[at])
}

// wordsIn yields the offsets at which a word occurs and is not part of a longer name.
func wordsIn(text []byte, word string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		w := []byte(word)
		for at := 0; ; {
			i := bytes.Index(text[at:], w)
			if i < 0 {
				return
			}
			start, end := at+i, at+i+len(w)
			at = end
			if !inOneName(text, start) && !inOneName(text, end) && !yield(start) {
				return
			}
		}
	}
}
