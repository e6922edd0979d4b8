package grep

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/engine/words"
	"ken/internal/lang"
)

// NameFiles finds the files that may hold a name, by the index of words. It keeps the index open between names.
type NameFiles struct {
	s     *view.Snapshot
	index *search.Index
}

// NewNameFiles returns a search for names in the files of a snapshot. It returns an error if the index of words cannot be read.
func NewNameFiles(s *view.Snapshot) (*NameFiles, error) {
	index, err := search.NewIndex(s.Index)
	return &NameFiles{s, index}, err
}

// Holding returns the ids of the files that hold the rarest word of a name and whose language wanted accepts. known is false if the
// index of words has no such words: those of one letter, and those of more letters than names have. It returns an error if the index
// cannot be read.
func (f *NameFiles) Holding(name string, wanted func(code.Lang) bool) (ids []int64, known bool, err error) {
	var docs []search.Posting
	for _, tok := range words.NewSplitter().Word(name) {
		list, err := f.index.Postings(nil, tok.Term)
		if err != nil {
			return nil, false, err
		}
		if !known || len(list) < len(docs) {
			docs = list
		}
		known = true
	}
	for _, p := range docs {
		if n, ok := f.s.Lookup.NodeByID(f.index.File(int(p.Doc))); ok && wanted(n.Lang) {
			ids = append(ids, n.ID)
		}
	}
	return ids, known, nil
}

// maxUnread is how many files of languages whose uses are not extracted are searched for a name.
const maxUnread = 200

// Unread returns at most maxUnread files, by path, that hold the rarest word of a name, may name declarations of some language
// families, and are written in languages whose uses ken does not extract; total counts all of them. For a name without words that the
// index of words has they are all files of such languages, and known is false if those are too many. It returns an error if the index
// cannot be read.
func (f *NameFiles) Unread(name string, families map[string]bool) (files []code.File, total int, known bool, err error) {
	first, _ := utf8.DecodeRuneInString(name)
	counts, err := f.s.Languages()
	present := slices.ContainsFunc(counts, func(c store.LangCount) bool {
		isComponentName := unicode.IsUpper(first) // names in lower case are elements of HTML
		return MayName(c.Lang, families) && (!lang.Of(c.Lang).Components || isComponentName)
	})
	if err != nil || !present {
		return nil, 0, true, err
	}
	ids, known, err := f.Holding(name, func(l code.Lang) bool { return MayName(l, families) })
	if err != nil {
		return nil, 0, false, err
	}
	if !known {
		return f.allUnread(families)
	}
	for _, id := range ids[:min(len(ids), maxUnread)] {
		file, err := f.s.FileByID(id)
		if err != nil {
			return nil, 0, false, err
		}
		files = append(files, file)
	}
	slices.SortFunc(files, func(a, b code.File) int { return strings.Compare(a.Path, b.Path) })
	return files, len(ids), known, nil
}

// maxUnreadBytes is the size of the files that are searched for a name without the index of words.
const maxUnreadBytes = 8 << 20

// allUnread returns what Unread does for a name that the index of words does not know.
func (f *NameFiles) allUnread(families map[string]bool) (files []code.File, total int, known bool, err error) {
	size := int64(0)
	for file, err := range f.s.Index.Files() {
		switch {
		case err != nil:
			return nil, 0, false, err
		case !MayName(file.Lang, families):
			continue
		}
		if size += file.Stat.Size; size > maxUnreadBytes {
			return nil, 0, false, nil
		}
		files = append(files, file)
	}
	return files, len(files), true, nil
}

// MayName reports whether files of a language whose uses are not extracted may name declarations of one of the families.
func MayName(l code.Lang, families map[string]bool) bool {
	row := lang.Of(l)
	if row.Tier == lang.Full || row.MayUse == "" {
		return false
	}
	return row.MayUse == "*" || slices.ContainsFunc(strings.Fields(row.MayUse), func(f string) bool { return families[f] })
}
