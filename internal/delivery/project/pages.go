package project

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/ask/find"
	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/knowledge/entity"
	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/textfile"
)

// Bounds of the written pages that a question uses.
const (
	// maxPages is the number of pages that are kept, and maxUnkept that of pages which one question reads because the index does not
	// have them as they are.
	maxPages  = 5000
	maxUnkept = 2000
	// maxMatched is the number of pages whose text is compared with a question, those with the heaviest common words.
	maxMatched  = 32
	maxPageHits = 64
	// leastOfPage is the least relevance of a page to a question at which its file becomes a candidate. Long questions share some words with
	// many pages.
	leastOfPage = 0.35
	maxPageText = 300
	// youngPage is the age up to which a file may change again without a new time stamp.
	youngPage = 50 * time.Millisecond
)

// Pages is the written pages of a project at the time of a question. The index keeps their words, so that only pages changed since are
// read: opening, parsing and splitting 274 pages takes 30 ms, and comparing their times 1 ms.
type Pages struct {
	p      *Project
	rows   []pageRow
	byPath map[string]*pageRow
	folder entity.Folder
	nested map[string]bool // folders that may have pages of their own
	others map[string]bool // names of pages that another program keeps; nil before they were listed
}

// Pages returns the written pages of the project. A folder that cannot be read counts as none, because a repository could otherwise
// keep questions from being answered; ken entity names it. All calls of one question get the same.
func (p *Project) Pages(s *view.Snapshot) *Pages {
	if read, ok := p.pages.Load(s); ok {
		return read.(func() *Pages)()
	}
	return p.readPages(s)
}

func newPages(p *Project) *Pages {
	return &Pages{p: p, byPath: map[string]*pageRow{}, folder: entity.Folder{Root: p.Root}, nested: map[string]bool{}}
}

func (p *Project) readPages(s *view.Snapshot) *Pages {
	g := newPages(p)
	if hasPages(p.Root) {
		kept, err := s.Index.Meta(store.MetaPageWords)
		if err != nil {
			kept = "" // all pages are read
		}
		g.rows, _ = currentRows(g.folder, unpackRows(kept), maxUnkept, p.Engine.Hide)
	}
	for i := range g.rows {
		g.byPath[g.rows[i].Path] = &g.rows[i]
	}
	return g
}

// currentRows returns the rows of the pages in the folder, and whether they differ from the kept ones. It reads at most the given
// number of pages.
func currentRows(folder entity.Folder, kept []pageRow, most int, hide func(string) string) (rows []pageRow, changed bool) {
	if !hasPages(folder.Root) {
		return nil, len(kept) > 0
	}
	// Names are looked up below the open folder, which takes half the time of doing so from the root of the file system.
	dir, err := os.OpenRoot(filepath.Join(folder.Root, filepath.FromSlash(entity.Dir)))
	if err != nil {
		return nil, len(kept) > 0
	}
	defer dir.Close()
	byName := make(map[string]*pageRow, len(kept))
	for i := range kept {
		byName[kept[i].Name] = &kept[i]
	}
	rows = make([]pageRow, 0, len(kept))
	var split *memory.Splitter
	for _, name := range pageNames(dir) {
		st, err := dir.Lstat(name)
		if err != nil || st.IsDir() {
			continue
		}
		if k := byName[name]; k != nil && k.Size == st.Size() && k.Time == st.ModTime().UnixNano() && !k.Young {
			rows = append(rows, *k)
			continue
		}
		if most--; most < 0 {
			break
		}
		row := pageRow{Name: name, Size: st.Size(), Time: st.ModTime().UnixNano(), Young: time.Since(st.ModTime()) < youngPage}
		if k := folder.Read(name); k.Page != nil {
			if split == nil {
				split = memory.NewSplitter()
			}
			row.fill(k.Page, split, hide)
		}
		rows, changed = append(rows, row), true
	}
	return rows, changed || len(rows) != len(kept)
}

// hasPages reports whether there is a folder of pages below root, reached without a link.
func hasPages(root string) bool {
	ok, err := textfile.FolderExists(root, entity.Dir)
	return ok && err == nil
}

// pageNames returns the names of the first pages of a folder, sorted. It asks for names alone, in half the time of os.ReadDir.
func pageNames(dir *os.Root) []string {
	list, err := dir.Open(".")
	if err != nil {
		return nil
	}
	defer list.Close()
	names, _ := list.Readdirnames(-1) // those read before an error count
	names = slices.DeleteFunc(names, func(n string) bool { return !strings.HasSuffix(n, ".md") })
	slices.Sort(names)
	return names[:min(len(names), maxPages)]
}

// fill sets the fields of a row that come from the page.
func (r *pageRow) fill(p *entity.Page, split *memory.Splitter, hide func(string) string) {
	h := &p.Head
	r.Path, r.Type, r.Status, r.API, r.Author, r.Updated = h.Path, hide(h.Type), string(h.Status), h.API, hide(h.Author), h.Updated
	r.Orders = len(injection.Scan(p.String())) > 0
	r.Purpose = hide(p.Section(entity.Purpose))
	for _, t := range split.SplitItem(r.item()).Terms {
		r.Terms = append(r.Terms, uint32(t))
	}
	slices.Sort(r.Terms)
}

// item returns the page in the form in which texts are compared.
func (r *pageRow) item() *memory.Item {
	return &memory.Item{Kind: memory.Note, Subject: r.Path, Text: r.Purpose}
}

// firstSentence returns the first sentence of the page's purpose.
func (r *pageRow) firstSentence() string { return entity.FirstSentenceIn(r.Purpose) }

// row returns the page of a file, also one of a sub-folder with pages of its own or of another program; nil if there is none.
func (g *Pages) row(file string) *pageRow {
	if r := g.byPath[file]; r != nil {
		return r
	}
	page := g.folder.NestedPage(file, g.hasPages)
	if page == nil && g.kept(file) {
		page = g.folder.OtherPage(code.Slug(file), file)
	}
	if page == nil {
		return nil
	}
	r := &pageRow{}
	r.fill(page, memory.NewSplitter(), g.p.Engine.Hide)
	g.byPath[file] = r
	return r
}

// hasPages reports whether a sub-folder has a folder of pages.
func (g *Pages) hasPages(dir string) bool {
	has, known := g.nested[dir]
	if !known {
		has = g.folder.HasNested(dir)
		g.nested[dir] = has
	}
	return has
}

// kept reports whether another program may keep a page of a file.
func (g *Pages) kept(file string) bool {
	if g.others == nil {
		g.others = map[string]bool{}
		names, _ := textfile.MarkdownFiles(g.p.Root, entity.OtherDir, maxPages)
		for _, n := range names {
			g.others[n] = true
		}
	}
	return g.others[code.Slug(file)+".md"]
}

// Type returns the type that the page of a file states, "" if it has no page or states none that there is. It does not look for pages
// in sub-folders, because files are asked about by the thousand.
func (g *Pages) Type(file string) string {
	r := g.byPath[file]
	if r == nil && g.kept(file) {
		r = g.row(file)
	}
	if r == nil || !slices.Contains(entity.Types(), r.Type) {
		return ""
	}
	return r.Type
}

// Purpose returns the purpose that the page of a file gives, or derived if the file has no page. The page may have come with the
// repository, so its text is masked, and a page worded as an order to an agent is ignored. The text of a stale page begins with "(may be
// outdated)". It returns an error if the index cannot be read.
func (g *Pages) Purpose(ctx context.Context, s *view.Snapshot, file, derived string) (string, error) {
	r := g.row(file)
	if r == nil || r.Orders {
		return derived, nil
	}
	text := r.firstSentence()
	if text == "" {
		return derived, nil
	}
	f, err := s.File(ctx, file)
	if err != nil {
		return derived, err
	}
	current, err := r.isCurrent(ctx, s, &f)
	if err == nil && !current {
		text = "(may be outdated) " + text
	}
	return text, err
}

// IsEmpty reports whether the project has no written page of its own.
func (g *Pages) IsEmpty() bool { return len(g.rows) == 0 }

// Waiting reports whether the page of a file waits to be written: the file deserves one and has none, or what it offers has changed
// since. It returns an error if the index cannot be read.
func (g *Pages) Waiting(ctx context.Context, s *view.Snapshot, file string) (bool, error) {
	f, ok, err := s.Index.FileByPath(file)
	if err != nil || !ok {
		return false, err
	}
	r := g.row(file)
	if r == nil {
		return entity.DeservesPage(&f), nil
	}
	current, err := r.isCurrent(ctx, s, &f)
	return r.API != "" && !current, err
}

// Standing returns the state of the pages of the project's own folder. It fails if the index cannot be read.
func (g *Pages) Standing(ctx context.Context, s *view.Snapshot) (entity.Standing, error) {
	heads := make([]*entity.Head, 0, len(g.rows))
	for i := range g.rows {
		if r := &g.rows[i]; r.Path != "" {
			heads = append(heads, &entity.Head{Path: r.Path, Status: entity.Status(r.Status)})
		}
	}
	return entity.CountPages(ctx, s, heads, func(ctx context.Context, h *entity.Head) (bool, error) {
		f, ok, err := s.Index.FileByPath(h.Path)
		if err != nil || !ok {
			return !ok, err
		}
		return g.byPath[h.Path].isCurrent(ctx, s, &f)
	})
}

// PageHit is a written page that is about a text.
type PageHit struct {
	Path, Text      string // file, and first sentence of its page
	Author, Updated string
	memory.Reason
	Score float64
}

// Match returns the pages that are about a text, the best first. Their files need not have a word of it.
func (g *Pages) Match(text string) []PageHit {
	if len(g.rows) == 0 {
		return nil
	}
	split := memory.NewSplitter()
	q := memory.Prepare(split, memory.Query{Text: text, Now: time.Now()})
	shared := make([][]uint64, len(g.rows))
	with := map[uint64]int{}
	for i := range g.rows {
		for _, t := range q.Terms() {
			if _, has := slices.BinarySearch(g.rows[i].Terms, uint32(t)); has && !g.rows[i].Orders {
				shared[i] = append(shared[i], t)
				with[t]++
			}
		}
	}
	q.Weigh(len(g.rows), func(t uint64) int { return with[t] })
	sum := map[int32]float64{}
	for i, list := range shared {
		for _, t := range list {
			sum[int32(i)] += q.Weight(t)
		}
	}
	var hits []memory.Hit
	for _, i := range memory.Candidates(sum, maxMatched) {
		it := g.rows[i].item()
		t := split.SplitItem(it)
		if h, ok := q.Score(it, &t); ok && h.Reason.Relevance >= leastOfPage {
			hits = append(hits, h)
		}
	}
	var out []PageHit
	for _, h := range memory.BestHits(hits, maxPageHits) {
		if r := g.byPath[h.Item.Subject]; r != nil {
			why := code.Cut(r.firstSentence(), maxPageText)
			out = append(out, PageHit{Path: r.Path, Text: why, Author: r.Author, Updated: r.Updated, Reason: h.Reason, Score: h.Score})
		}
	}
	return out
}

// Known returns the pages about a text as values that find ranks files by.
func (g *Pages) Known(text string) find.Known {
	k := find.Known{WrittenType: g.Type}
	for _, h := range g.Match(text) {
		k.Said = append(k.Said, find.Said{Path: h.Path, Like: h.Relevance, Text: pageText(h.Text)})
	}
	k.About = func(_ context.Context, paths []string) (out []find.Said, err error) {
		x := memory.NewIndex()
		for _, file := range paths {
			if r := g.row(file); r != nil && !r.Orders {
				if why := r.firstSentence(); why != "" {
					x.Add(memory.Item{Kind: memory.Note, Subject: file, Text: why})
				}
			}
		}
		for _, h := range x.Match(memory.Query{Text: text, Now: time.Now()}, 0) {
			out = append(out, find.Said{Path: h.Item.Subject, Like: h.Reason.Relevance, Text: pageText(code.Cut(h.Item.Text, maxPageText))})
		}
		return out, nil
	}
	return k
}

// pageText returns the first sentence of a page as a reason, in quotes that it cannot end.
func pageText(s string) string { return `page "` + strings.ReplaceAll(s, `"`, "'") + `"` }
