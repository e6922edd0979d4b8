// Package brief gathers the context of a goal before work begins: files to read and modify, in which order, reusable code, dependents
// that may break, and tests. It is built on find and refs; delivery/op renders it.
package brief

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"

	"ken/internal/ask/find"
	"ken/internal/ask/rank"
	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/view"
	"ken/internal/engine/words"
	"ken/internal/knowledge/convention"
)

// Brief is the context of a goal. Its lists are short and best first unless a field states otherwise.
type Brief struct {
	Goal     string
	Keywords []string // words of the goal that occur in the repository, the rarest first
	Missing  []string // words of the goal that do not occur in it
	Modify   []find.Card
	Read     []BriefRead
	Blast    []BlastRadius
	Reuse    []Reusable
	Tests    []BriefTest
	Commands []TestCommand // as far as the build files leave no doubt
	Commits  []view.PastCommit
	Here     []convention.Convention // of the folders of Modify, by folder
	Steps    []BriefStep             // in the order to work in
}

// BriefRead is a file to read without changing it.
type BriefRead struct{ Path, Why string }

// Limits of a brief's lists.
const (
	briefFound   = 40 // files of the search that are looked at
	briefModify  = 12
	briefRead    = 2
	briefWords   = 12
	briefTests   = 30
	briefReuse   = 5
	briefCommits = 3
	briefFolders = 3
)

// briefShare is the share of the best file's score that a file needs to be among those likely to be changed, once there are three.
// With trees, scores are further apart.
const (
	briefShare       = 0.4
	briefShareByTree = 0.2
)

// Make returns the brief of a goal in plain words. known is the project's memory. It returns an error if the goal is empty, if the
// index or the history cannot be read, or if ctx ends.
func Make(ctx context.Context, s *view.Snapshot, goal string, known find.Known) (*Brief, error) {
	found, err := find.Find(ctx, s, goal, find.SearchOptions{Limit: briefFound, Known: known})
	if err != nil {
		return nil, err
	}
	b := &briefer{s: s, ctx: ctx, found: found, out: &Brief{Goal: goal}, place: map[int64]int{}, split: words.NewSplitter()}
	if err := b.words(); err != nil || len(found.Files) == 0 {
		return b.out, err
	}
	for _, step := range []func() error{b.modify, b.together, b.tests, b.read, b.blast, b.reuse, b.commits, b.conventions, b.order} {
		if err := step(); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return b.out, s.Lookup.Err
}

// briefer collects the parts of one brief.
type briefer struct {
	s      *view.Snapshot
	ctx    context.Context
	found  *find.Found
	out    *Brief
	split  *words.Splitter
	weight map[words.Term]float64 // of the goal's terms: rarity times the weight in the query
	total  float64                // sum of the weights of words
	place  map[int64]int          // file → place among the files to be changed
	past   []changedBeside
}

// changedBeside is a file that past commits changed together with files that are to be changed.
type changedBeside struct {
	view.CoChange
	id int64
}

// goalVerbs are verbs with which goals begin. They do not locate code.
var goalVerbs = map[string]bool{"add": true, "adds": true, "allow": true, "change": true, "enable": true, "ensure": true, "fix": true, "fixes": true, "implement": true,
	"improve": true, "introduce": true, "make": true, "modify": true, "refactor": true, "support": true, "update": true}

// words weighs the words of the goal by their rarity.
func (b *briefer) words() error {
	idx := b.found.Index
	b.weight = map[words.Term]float64{}
	type known struct {
		word   string
		weight float64
	}
	var list []known
	var postings []search.Posting
	var err error
	for _, t := range b.found.Query.Terms {
		if goalVerbs[strings.ToLower(t.Word)] {
			continue
		}
		if postings, err = idx.Postings(postings[:0], t.Term); err != nil {
			return err
		}
		switch n := float64(len(postings)); {
		case n > 0:
			w := math.Log(1+float64(idx.Live)/n) * float64(t.Weight)
			b.weight[t.Term] = w
			if !t.Part {
				b.total += w
				list = append(list, known{t.Word, w})
			}
		case !t.Part && !t.Compound && !slices.Contains(b.out.Missing, t.Word):
			b.out.Missing = append(b.out.Missing, t.Word)
		}
	}
	// A word of a script without blanks is many terms; one that is known will do.
	b.out.Missing = slices.DeleteFunc(b.out.Missing, func(w string) bool {
		return slices.ContainsFunc(list, func(k known) bool { return k.word == w })
	})
	b.out.Missing = b.out.Missing[:min(len(b.out.Missing), briefWords/2)]
	slices.SortStableFunc(list, func(x, y known) int { return cmp.Compare(y.weight, x.weight) })
	for _, k := range list {
		if len(b.out.Keywords) < briefWords && !slices.Contains(b.out.Keywords, k.word) {
			b.out.Keywords = append(b.out.Keywords, k.word)
		}
	}
	return nil
}

// overlap returns the part of the goal's weight that the words of a text hold, the number of different words of the goal among them,
// and the number of the text's own terms.
func (b *briefer) overlap(text string) (weight float64, hits, terms int) {
	seen := map[words.Term]bool{}
	b.split.Each([]byte(text), func(_, _ int, toks []words.Token) {
		for i, k := range toks {
			if i == 0 && len(toks) > 1 { // the compound; its parts follow
				if w := b.weight[k.Term]; w > 0 && !seen[k.Term] {
					weight += w / 2
				}
				seen[k.Term] = true
				continue
			}
			terms++
			if w := b.weight[k.Term]; w > 0 && !seen[k.Term] {
				weight += w
				hits++
			}
			seen[k.Term] = true
		}
	})
	return weight, hits, terms
}

// modify chooses the files that are likely to be changed: source files, or files of the class that the goal names, such as tests.
func (b *briefer) modify() (err error) {
	var take []find.FoundFile
	best, share := 0.0, briefShare
	if b.found.ByTrees {
		share = briefShareByTree
	}
	for i := range b.found.Files {
		f := &b.found.Files[i]
		if !b.changeable(f, i) {
			continue
		}
		best = max(best, f.Score)
		if len(take) >= 3 && f.Score < share*best || len(take) == briefModify {
			break
		}
		b.place[f.ID] = len(take)
		take = append(take, *f)
	}
	b.out.Modify, err = find.Cards(b.ctx, b.s, take)
	return err
}

// dataPlaces is the number of first files among which a data file counts as likely to change.
const dataPlaces = 4

func (b *briefer) changeable(f *find.FoundFile, place int) bool {
	q := b.found.Query
	switch {
	case f.Class.Has(code.ClassGenerated | code.ClassVendored), find.Aside(q, &f.File), isUpkeep(&f.File, f.Why):
		return false
	case strings.HasPrefix(f.Path, ".planning/"): // plans tell what to change, and are kept by ken plan
		return isNamed(f.Why)
	case f.Class.Has(code.ClassTest):
		return q.WantTest
	case f.Class.Has(code.ClassDocument):
		return q.WantDoc
	case f.Class.Has(code.ClassData):
		return place < dataPlaces
	}
	return true
}

// read chooses files that help to understand: those on which the files to be changed depend, those that change together with
// them, documents and tests that fit the goal, and first of all documents that describe a declaration the goal names.
func (b *briefer) read() error {
	list := &readList{at: map[string]int{}}
	covered := map[string]bool{}
	for _, t := range b.out.Tests {
		covered[t.Path] = true
	}
	for i := range b.found.Files {
		f := &b.found.Files[i]
		if _, ok := b.place[f.ID]; ok || covered[f.Path] || i >= 2*briefModify || b.isNoise(f) {
			continue
		}
		why := "fits the goal"
		switch {
		case f.Class.Has(code.ClassTest):
			why = "test that fits the goal, a model"
		case f.Class.Has(code.ClassExample):
			why = "example that fits the goal"
		case f.Class.Has(code.ClassDocument):
			why = "document that fits the goal"
		case f.Class.Has(code.ClassGenerated):
			why = "generated, fits the goal"
		}
		if len(f.Why) > 0 && strings.HasPrefix(f.Why[0], "named:") {
			why = f.Why[0]
		}
		list.add(f.Path, why, 0.8/float64(1+i/2))
	}
	if err := b.foundations(list); err != nil {
		return err
	}
	if err := b.mentions(list); err != nil {
		return err
	}
	for _, p := range b.past {
		if !covered[p.Path] {
			list.add(p.Path, "often changed with them", p.Score)
		}
	}
	skip := func(f *code.File) bool { return isUpkeep(f, nil) }
	docs, err := (&documentSearch{b.ctx, b.s, b.found, b.split, skip}).described()
	for i := range docs[:min(len(docs), briefDescribed)] {
		if !covered[docs[i].path] {
			b.out.Read = append(b.out.Read, BriefRead{docs[i].path, "describes " + joinNames(docs[i].names, 2)})
		}
	}
	for _, r := range list.best(briefRead + briefDescribed) {
		listed := slices.ContainsFunc(b.out.Read, func(d BriefRead) bool { return d.Path == r.Path })
		if !listed && len(b.out.Read) < briefRead+min(len(docs), briefDescribed) {
			b.out.Read = append(b.out.Read, r)
		}
	}
	return err
}

// aboutProject are the names of documents about people, rights and the past, which contain words of any goal and help with none.
var aboutProject = map[string]bool{"authors": true, "contributors": true, "maintainers": true, "codeowners": true, "license": true, "licence": true,
	"copying": true, "notice": true, "patents": true, "credits": true, "thanks": true}

// folderKeepers are files by which git keeps folders that are empty otherwise.
var folderKeepers = map[string]bool{".gitkeep": true, ".keep": true, ".hgkeep": true, ".placeholder": true, ".empty": true}

// isNamed reports whether the goal names a file, by the reasons why it was found.
func isNamed(why []string) bool {
	return len(why) > 0 && strings.HasPrefix(why[0], string(rank.ReasonNamed))
}

// isUpkeep reports whether a file lists what tools leave out, as .gitignore does, keeps an empty folder, locks versions, or is about people
// and rights, and the goal does not name it. Such files share words with goals, but no goal is reached by changing or reading them.
func isUpkeep(f *code.File, why []string) bool {
	locks := f.Class.Has(code.ClassGenerated) && f.Class.Has(code.ClassData)
	base := strings.ToLower(path.Base(f.Path))
	ignores := strings.HasPrefix(base, ".") && (strings.HasSuffix(base, "ignore") || base == ".gitattributes" || base == ".mailmap")
	about := f.Class.Has(code.ClassDocument) && aboutProject[strings.ToLower(view.Stem(f.Path))]
	if isNamed(why) {
		return false
	}
	return ignores || folderKeepers[base] || locks || about
}

// isNoise reports whether a file shares words with the goal but does not help with it: a file that find ranks last, such as a
// translation, or a document about the project, such as its changelog, that the goal does not name.
func (b *briefer) isNoise(f *find.FoundFile) bool {
	if find.Aside(b.found.Query, &f.File) || isUpkeep(&f.File, f.Why) {
		return true
	}
	if !f.Class.Has(code.ClassDocument) || b.found.Query.WantDoc {
		return false
	}
	named := isNamed(f.Why)
	stem := strings.ToLower(view.Stem(f.Path))
	return !named && (aboutProject[stem] || f.Class.Has(code.ClassChangelog))
}

// mentions adds the documents that name one of the first files to be changed, or what it declares: they may have to be changed, too.
func (b *briefer) mentions(list *readList) error {
	for i := range b.out.Modify[:min(len(b.out.Modify), nameFiles)] {
		c := &b.out.Modify[i]
		edges, err := b.s.Index.EdgesTo(c.ID)
		if err != nil {
			return err
		}
		for _, e := range edges {
			if e.Relation != code.RelMentions {
				continue
			}
			f, err := b.s.FileByID(e.Source)
			if err != nil {
				return err
			}
			if f.Class.Has(code.ClassDocument) && !f.Class.Has(code.ClassChangelog) && !isUpkeep(&f, nil) {
				said, _, _ := b.overlap(f.Path)
				list.add(f.Path, "names "+path.Base(c.Path), (0.5+said/max(b.total, 1))*placeWeight(i))
			}
		}
	}
	return nil
}

// foundations adds the files on which the files to be changed depend. A file on which very many others depend counts less.
func (b *briefer) foundations(list *readList) error {
	weight := map[int64]float64{}
	users := map[int64][]string{}
	var ids []int64
	for i := range b.out.Modify {
		c := &b.out.Modify[i]
		for _, e := range c.Edges {
			if _, ok := b.place[e.Target]; ok || !e.Relation.Depends() || e.Relation == code.RelTests || e.Relation == code.RelUses {
				continue
			}
			if weight[e.Target] == 0 {
				ids = append(ids, e.Target)
			}
			if n := len(users[e.Target]); n == 0 || users[e.Target][n-1] != c.Path {
				users[e.Target] = append(users[e.Target], c.Path)
				weight[e.Target] += 1 / float64(1+i) / (1 + math.Log1p(float64(c.DepCount))/4)
			}
		}
	}
	slices.SortStableFunc(ids, func(x, y int64) int { return cmp.Compare(weight[y], weight[x]) })
	files, err := find.Files(b.s, ids[:min(len(ids), maxFoundations)])
	if err != nil {
		return err
	}
	for i := range files {
		f := &files[i]
		said, _, _ := b.overlap(f.Path)
		w := weight[f.ID] * (1 + 2*said/max(b.total, 1)) / (1 + math.Log1p(float64(f.Dependents))/4)
		list.add(f.Path, "used by "+joinNames(users[f.ID], 2), w)
	}
	return nil
}

// maxFoundations bounds the files of which the foundations are named.
const maxFoundations = 60

// together finds the files that past commits changed together with the files to be changed.
func (b *briefer) together() error {
	var paths []string
	for i := range b.out.Modify[:min(len(b.out.Modify), 5)] {
		paths = append(paths, b.out.Modify[i].Path)
	}
	past, err := b.s.CoChangedAll(b.ctx, paths, 60)
	if err != nil {
		return err
	}
	for _, p := range past {
		if p.Together < 2 {
			continue
		}
		id, err := b.s.PathID(p.Path)
		if err != nil {
			return err
		}
		f, err := b.s.FileByID(id)
		if err != nil {
			return err
		}
		if _, ok := b.place[id]; !ok && !isUpkeep(&f, nil) {
			b.past = append(b.past, changedBeside{p, id})
		}
	}
	return nil
}

// conventions counts the conventions in the folders of the first files to be changed, because new code goes there and should look like
// its neighbours.
func (b *briefer) conventions() error {
	var dirs []string
	for i := range b.out.Modify {
		dir := code.Dir(b.out.Modify[i].Path)
		if !slices.Contains(dirs, dir) && len(dirs) < briefFolders {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		list, err := convention.NearFolder(b.ctx, b.s, dir)
		if err != nil {
			return err
		}
		b.out.Here = append(b.out.Here, list...)
	}
	return nil
}

// readList collects the files to read. If a file is found twice, its weights are added.
type readList struct {
	list   []BriefRead
	weight []float64
	at     map[string]int
}

func (l *readList) add(path, why string, weight float64) {
	i, ok := l.at[path]
	if !ok {
		l.at[path] = len(l.list)
		l.list, l.weight = append(l.list, BriefRead{path, why}), append(l.weight, weight)
		return
	}
	l.weight[i] += weight
	if l.list[i].Why != why && !strings.Contains(l.list[i].Why, ";") {
		l.list[i].Why += "; " + why
	}
}

func (l *readList) best(n int) []BriefRead {
	order := make([]int, len(l.list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		return cmp.Or(cmp.Compare(l.weight[y], l.weight[x]), strings.Compare(l.list[x].Path, l.list[y].Path))
	})
	var out []BriefRead
	for _, i := range order[:min(n, len(order))] {
		out = append(out, l.list[i])
	}
	return out
}

// terms returns the words of the goal that the repository knows, in the form the history takes.
func (b *briefer) terms() (terms []view.HistoryTerm) {
	for _, t := range b.found.Query.Terms {
		if b.weight[t.Term] > 0 {
			terms = append(terms, view.HistoryTerm{Term: t.Term, Weight: float64(t.Weight)})
		}
	}
	return terms
}

// commits chooses past commits about the same topic: those whose subject contains a good part of the goal's words.
func (b *briefer) commits() error {
	past, err := b.s.SimilarCommits(b.ctx, b.terms(), 4*briefCommits)
	for i := range past {
		w, hits, _ := b.overlap(past[i].Subject)
		fits := hits >= 2 && w >= 0.3*b.total || w >= 0.5*b.total
		if fits && len(past[i].Files) > 0 && len(b.out.Commits) < briefCommits {
			b.out.Commits = append(b.out.Commits, past[i])
		}
	}
	return err
}
