package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/memory"
)

// Limits of one consolidation.
const (
	maxEditedFiles  = 60 // files whose edits are read
	leastSessions   = 3  // that edited a file before it is worth an item
	lookedSessions  = 20 // of a file, the latest, for the files edited with it
	maxSessionFiles = 40 // a session that changed more does not show which belong together
	maxCompanions   = 3
	keptSessions    = 50 // of a file
	keptPoints      = 400
	surplusShare    = 20 // one in so many items is dropped at once, so that this is rare
)

// Consolidate updates the ranks and topics of items; see memory.Store. It computes on a snapshot of the memory and writes at
// the end, so that other processes wait only for the writing. Of two concurrent consolidations the second is discarded. It
// fails if the memory cannot be read or written.
func (s *Store) Consolidate(ctx context.Context, w memory.Work) (r memory.Report, err error) {
	if w.Most <= 0 {
		w.Most = memory.DefaultMost
	}
	if w.Items <= 0 {
		w.Items = memory.DefaultWork
	}
	due := w.Exists != nil
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		return eachRow(c, "SELECT EXISTS (SELECT 1 FROM item_fresh) OR EXISTS (SELECT 1 FROM edited WHERE fresh>0) OR "+
			"EXISTS (SELECT 1 FROM notes WHERE id>(SELECT value FROM learned WHERE name='notes'))", func(st *sqlite.Stmt) {
			due = due || st.ColumnInt(0) != 0
		})
	})
	if err != nil || !due {
		return r, err
	}
	if err = s.writeTransaction(ctx, func(c *sqlite.Conn) error { return prepareItems(c, w, &r) }); err != nil {
		return r, err
	}
	g := &itemGraph{}
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error { return g.computeGraph(c, w) })
	if errors.Is(err, errPages) {
		return r, s.writeTransaction(ctx, relateAllAgain)
	}
	if err != nil || len(g.fresh) == 0 {
		return r, err
	}
	err = s.writeTransaction(ctx, func(c *sqlite.Conn) error { return g.saveResults(c, w.Now) })
	r.Related, r.Waiting = g.related, g.waiting
	return r, err
}

// errPages is the error of damaged relations between items, which can be computed again.
var errPages = errors.New("relations of items are damaged")

// relateAllAgain marks all items, so that the next consolidation computes their relations again.
func relateAllAgain(c *sqlite.Conn) error {
	err := execStatement(c, "DELETE FROM item_pages")
	if err == nil {
		err = execStatement(c, "INSERT INTO item_fresh (item) SELECT id FROM items")
	}
	return err
}

// prepareItems makes items of notes and edits, marks those whose code is gone, and deletes surplus ones.
func prepareItems(c *sqlite.Conn, w memory.Work, r *memory.Report) (err error) {
	if err = learnNotes(c, w.Items); err != nil {
		return err
	}
	if r.Insights, err = learnEdits(c, w.Now); err != nil {
		return err
	}
	if w.Exists != nil {
		if r.Moved, err = followRenames(c, w); err != nil {
			return err
		}
		if r.Marked, err = markGoneItems(c, w.Exists); err != nil {
			return err
		}
	}
	r.Removed, err = dropSurplus(c, w)
	return err
}

// learnEdits makes items of the files that sessions edited since the last consolidation.
func learnEdits(c *sqlite.Conn, now time.Time) (n int, err error) {
	type file struct {
		path     string
		sessions int
	}
	var list []file
	err = eachRow(c, "SELECT path,sessions FROM edited WHERE fresh>0 ORDER BY path LIMIT ?", func(st *sqlite.Stmt) {
		list = append(list, file{st.ColumnText(0), st.ColumnInt(1)})
	}, maxEditedFiles)
	if err != nil {
		return 0, err
	}
	l := &itemWriter{c, memory.NewSplitter()}
	for _, f := range list {
		if err := execStatement(c, "UPDATE edited SET fresh=0 WHERE path=?", f.path); err != nil {
			return n, err
		}
		if f.sessions < leastSessions {
			continue
		}
		it, err := editItem(c, f.path, f.sessions)
		if err != nil {
			return n, err
		}
		if it.At.IsZero() {
			it.At = now
		}
		if _, _, err := l.addItem(it); err != nil {
			return n, err
		}
		n++
		err = execStatement(c, "DELETE FROM edits WHERE path=?1 AND at<(SELECT at FROM edits WHERE path=?1 ORDER BY at DESC LIMIT 1 OFFSET ?2)", f.path, keptSessions)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// editItem returns the item that describes the edits of a file: the number of sessions that edited it, and the files that
// most of them edited with it.
func editItem(c *sqlite.Conn, path string, sessions int) (it memory.Item, err error) {
	it = memory.Item{Kind: memory.Edit, Subject: path, Pins: []memory.Pin{{Target: path}}, From: "edits"}
	var ids []string
	err = eachRow(c, "SELECT session,at FROM edits WHERE path=? ORDER BY at DESC LIMIT ?", func(st *sqlite.Stmt) {
		if ids = append(ids, st.ColumnText(0)); it.At.IsZero() {
			it.At = columnTime(st, 1)
		}
	}, path, lookedSessions)
	if err != nil {
		return it, err
	}
	with := map[string]int{}
	for _, id := range ids {
		var files []string
		err := eachRow(c, "SELECT path FROM files WHERE session=? LIMIT ?", func(st *sqlite.Stmt) { files = append(files, st.ColumnText(0)) }, id, maxSessionFiles+1)
		if err != nil {
			return it, err
		}
		if len(files) > maxSessionFiles {
			continue
		}
		for _, f := range files {
			if f != path {
				with[f]++
			}
		}
	}
	it.Text = editText(path, sessions, len(ids), with)
	return it, nil
}

func editText(path string, sessions, looked int, with map[string]int) string {
	text := fmt.Sprintf("%s was edited in %d sessions", path, sessions)
	var others []string
	for f, n := range with {
		if n >= leastSessions && 2*n >= looked {
			others = append(others, f)
		}
	}
	slices.SortFunc(others, func(a, b string) int {
		if d := with[b] - with[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for i, f := range others[:min(len(others), maxCompanions)] {
		if i == 0 {
			text += fmt.Sprintf("; of the last %d it was edited with", looked)
		} else {
			text += ","
		}
		text += fmt.Sprintf(" %s in %d", f, with[f])
	}
	return text
}

// followRenames updates items about renamed files: if a file is gone and another has its text, it renames the file in the items. It
// returns the number of updated items.
func followRenames(c *sqlite.Conn, w memory.Work) (n int, err error) {
	if w.Moved == nil {
		return 0, nil
	}
	var missing []string
	err = eachRow(c, "SELECT DISTINCT path FROM item_paths", func(st *sqlite.Stmt) {
		if path := st.ColumnText(0); !w.Exists(path) {
			missing = append(missing, path)
		}
	})
	l := &itemWriter{c, memory.NewSplitter()}
	for _, path := range missing {
		if err != nil {
			break
		}
		var moved int
		moved, err = l.renameFile(path, w.Moved)
		n += moved
	}
	return n, err
}

// renameFile renames the file path in the items about it; moved returns the new path of the file that had a content hash.
func (l *itemWriter) renameFile(path string, moved func(hash string) string) (n int, err error) {
	var items []memory.Item
	err = eachRow(l.c, itemColumns+"WHERE id IN (SELECT item FROM item_paths WHERE path=?) AND kind<>?", func(st *sqlite.Stmt) {
		items = append(items, scanItem(st))
	}, path, string(memory.Edit))
	to := ""
	for i := range items {
		for _, p := range items[i].Pins {
			if to == "" && p.Target == path && p.Hash != "" {
				to = moved(p.Hash)
			}
		}
	}
	if err != nil || to == "" {
		return 0, err
	}
	for i := range items {
		is := items[i]
		is.Gone, is.Pins = false, nil
		for _, p := range items[i].Pins {
			if p.Path() == path {
				p.Target = to + p.Target[len(path):]
			}
			is.Pins = append(is.Pins, p)
		}
		if err := l.replaceItem(&items[i], &is); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// markGoneItems marks each item by whether its files still exist.
func markGoneItems(c *sqlite.Conn, exists func(string) bool) (n int, err error) {
	var wrong []string
	var gone []bool
	err = eachRow(c, "SELECT path,min(gone) FROM item_paths GROUP BY path", func(st *sqlite.Stmt) {
		if is := !exists(st.ColumnText(0)); is != (st.ColumnInt(1) != 0) {
			wrong, gone = append(wrong, st.ColumnText(0)), append(gone, is)
		}
	})
	for i, path := range wrong {
		if err != nil {
			break
		}
		var changed int
		changed, err = markItemsOfFile(c, path, gone[i])
		n += changed
	}
	return n, err
}

// dropSurplus deletes the least valuable items if there are too many.
func dropSurplus(c *sqlite.Conn, w memory.Work) (int, error) {
	n, err := readCounter(c, "items")
	if err != nil || n <= int64(w.Most) {
		return 0, err
	}
	var items []memory.Item
	r := rankReader{c: c}
	err = eachRow(c, "SELECT id,kind,at,good,bad,judged,used,gone FROM items ORDER BY id", func(st *sqlite.Stmt) {
		items = append(items, memory.Item{
			ID: st.ColumnInt64(0), Kind: memory.Kind(st.ColumnText(1)), At: columnTime(st, 2), Used: st.ColumnInt(6), Gone: st.ColumnInt(7) != 0,
			Evidence: memory.Evidence{For: st.ColumnInt(3), Against: st.ColumnInt(4), Last: columnTime(st, 5)},
		})
	})
	if err != nil {
		return 0, err
	}
	for i := range items {
		if err := r.setRank(&items[i]); err != nil {
			return 0, err
		}
	}
	l := &itemWriter{c, memory.NewSplitter()}
	surplus := memory.SurplusItems(items, w.Most-w.Most/surplusShare, w.Now)
	for _, i := range surplus {
		if _, err := l.deleteItem(items[i].ID); err != nil {
			return 0, err
		}
	}
	return len(surplus), nil
}

// itemGraph is the state of a consolidation: the items and the relations between them.
type itemGraph struct {
	revision int64
	last     int64   // mark of the last fresh item
	fresh    []int64 // items to relate, sorted; some may be gone
	ids      []int64 // of all items, sorted
	edges    map[int64][]linkedItem
	pages    map[int64][]byte // edges of the pages that changed
	ranks    map[int64][]byte
	count    int // edges
	// confidence is the mean over all items.
	confidence float64
	related    int
	waiting    int
}

// computeGraph relates new items to others and ranks all items.
func (g *itemGraph) computeGraph(c *sqlite.Conn, w memory.Work) (err error) {
	if g.revision, err = readCounter(c, "revision"); err != nil {
		return err
	}
	seen := map[int64]bool{}
	err = eachRow(c, "SELECT mark,item FROM item_fresh ORDER BY mark LIMIT ?", func(st *sqlite.Stmt) {
		g.last = st.ColumnInt64(0)
		if id := st.ColumnInt64(1); !seen[id] {
			seen[id] = true
			g.fresh = append(g.fresh, id)
		}
	}, w.Items)
	if err != nil || len(g.fresh) == 0 {
		return err
	}
	slices.Sort(g.fresh)
	if err = eachRow(c, "SELECT count(*) FROM item_fresh WHERE mark>?", func(st *sqlite.Stmt) { g.waiting = st.ColumnInt(0) }, g.last); err != nil {
		return err
	}
	if err = g.loadRelations(c); err != nil {
		return err
	}
	if err = g.relateNewItems(c); err != nil {
		return err
	}
	g.rankItems()
	return g.meanConfidence(c, w.Now)
}

// meanConfidence computes the mean confidence of the items.
func (g *itemGraph) meanConfidence(c *sqlite.Conn, now time.Time) error {
	sum := 0.0
	err := eachRow(c, "SELECT kind,at,good,bad,judged FROM items", func(st *sqlite.Stmt) {
		it := memory.Item{Kind: memory.Kind(st.ColumnText(0)), At: columnTime(st, 1),
			Evidence: memory.Evidence{For: st.ColumnInt(2), Against: st.ColumnInt(3), Last: columnTime(st, 4)}}
		sum += it.Confidence(now)
	})
	g.confidence = sum / float64(max(len(g.ids), 1))
	return err
}

// loadRelations reads the stored relations between items.
func (g *itemGraph) loadRelations(c *sqlite.Conn) (err error) {
	g.edges = map[int64][]linkedItem{}
	var damaged error
	err = eachRow(c, "SELECT page,edges FROM item_pages ORDER BY page", func(st *sqlite.Stmt) {
		blob := make([]byte, st.ColumnLen(1))
		st.ColumnBytes(1, blob)
		e := unpackEdges(st.ColumnInt64(0), blob, func(id int64, edges []linkedItem) { g.edges[id] = slices.Clone(edges) })
		if damaged == nil {
			damaged = e
		}
	})
	if err == nil && damaged != nil {
		err = fmt.Errorf("%w: %w", errPages, damaged)
	}
	return err
}

// relateNewItems relates the new items to others, and removes the relations of deleted items.
func (g *itemGraph) relateNewItems(c *sqlite.Conn) error {
	v := &dbVocabulary{c: c, split: memory.NewSplitter(), holders: map[uint64][]int32{}, with: map[uint64]int{},
		texts: map[int32]*memory.Text{}}
	for _, id := range g.fresh {
		text, err := v.itemText(int32(id))
		if err != nil {
			return err
		}
		if text == nil {
			delete(g.edges, id)
			continue
		}
		near, err := memory.Neighbours(int32(id), text, v)
		if err != nil {
			return err
		}
		var edges []linkedItem
		for _, e := range near {
			if !isRelated(g.edges[int64(e.To)], id) {
				edges = append(edges, linkedItem{int64(e.To), memory.Similar, e.Weight})
			}
		}
		before, err := v.olderItems(id)
		if err != nil {
			return err
		}
		for _, other := range before {
			edges = append(edges, linkedItem{other, memory.Temporal, memory.TemporalWeight})
		}
		g.edges[id] = edges
		g.related++
	}
	return nil
}

// isRelated reports whether edges include the item with an id as a similar one, so that the two need not be compared again.
func isRelated(edges []linkedItem, id int64) bool {
	return slices.ContainsFunc(edges, func(e linkedItem) bool { return e.to == id && e.relation == memory.Similar })
}

// rankItems ranks all items and packs the changed results.
func (g *itemGraph) rankItems() {
	g.ids = make([]int64, 0, len(g.edges))
	for id := range g.edges {
		g.ids = append(g.ids, id)
	}
	slices.Sort(g.ids)
	place := make(map[int64]int32, len(g.ids))
	for i, id := range g.ids {
		place[id] = int32(i)
	}
	var list []memory.Edge
	for i, id := range g.ids {
		for _, e := range g.edges[id] {
			to, known := place[e.to]
			if !known {
				continue
			}
			from := int32(i)
			if e.relation == memory.Temporal { // it leads from the older to the newer, which stores it
				from, to = to, from
			}
			list = append(list, memory.Edge{From: from, To: to, Relation: e.relation, Weight: e.weight})
		}
	}
	g.count = len(list)
	ranks, labels := memory.Rank(len(g.ids), list), memory.Communities(len(g.ids), list)
	changed := map[int64]bool{}
	for _, id := range g.fresh {
		changed[id/pageItems] = true
	}
	g.pages, g.ranks = map[int64][]byte{}, map[int64][]byte{}
	for number := range changed {
		g.pages[number] = []byte{}
		g.ranks[number] = make([]byte, pageItems*rankSize)
	}
	for i, id := range g.ids {
		number := id / pageItems
		if changed[number] {
			g.pages[number] = packEdges(g.pages[number], id, g.edges[id])
		}
		if g.ranks[number] == nil {
			g.ranks[number] = make([]byte, pageItems*rankSize)
		}
		packRank(g.ranks[number], id, ranks[i], g.ids[labels[i]])
	}
}

// saveResults writes the results, unless another consolidation was first.
func (g *itemGraph) saveResults(c *sqlite.Conn, now time.Time) error {
	if is, err := readCounter(c, "revision"); err != nil || is != g.revision {
		return err
	}
	if err := addToCounter(c, "revision", 1); err != nil {
		return err
	}
	if err := execStatement(c, "DELETE FROM item_fresh WHERE mark<=?", g.last); err != nil {
		return err
	}
	for number, ranks := range g.ranks {
		edges, changed := g.pages[number]
		sql, args := "UPDATE item_pages SET ranks=?2 WHERE page=?1", []any{number, ranks}
		if changed {
			sql, args = "INSERT OR REPLACE INTO item_pages VALUES (?1,?3,?2)", append(args, edges)
		}
		if err := execStatement(c, sql, args...); err != nil {
			return err
		}
	}
	return g.storeStatistics(c, now)
}

// storeStatistics stores the present statistics of the memory, so that trends can be shown.
func (g *itemGraph) storeStatistics(c *sqlite.Conn, now time.Time) error {
	good, err := readCounter(c, "good")
	if err != nil {
		return err
	}
	bad, err := readCounter(c, "bad")
	if err != nil {
		return err
	}
	err = execStatement(c, "INSERT OR REPLACE INTO item_stats VALUES (?,?,?,?,?,?)", now.UnixMilli(), len(g.ids), g.count, good, bad, g.confidence)
	if err != nil {
		return err
	}
	return execStatement(c, "DELETE FROM item_stats WHERE at<(SELECT at FROM item_stats ORDER BY at DESC LIMIT 1 OFFSET ?)", keptPoints)
}

// dbVocabulary implements memory.Vocabulary with the database.
type dbVocabulary struct {
	c       *sqlite.Conn
	split   *memory.Splitter
	holders map[uint64][]int32
	with    map[uint64]int
	texts   map[int32]*memory.Text
}

func (v *dbVocabulary) With(term uint64) (n int, err error) {
	n, known := v.with[term]
	if !known {
		err = eachRow(v.c, "SELECT items FROM item_words WHERE term=?", func(st *sqlite.Stmt) { n = st.ColumnInt(0) }, int64(term))
		v.with[term] = n
	}
	return n, err
}

func (v *dbVocabulary) Holders(term uint64) (list []int32, err error) {
	list, known := v.holders[term]
	if !known {
		err = eachRow(v.c, "SELECT item FROM item_terms WHERE term=? ORDER BY item DESC LIMIT ?", func(st *sqlite.Stmt) {
			list = append(list, int32(st.ColumnInt64(0)))
		}, int64(term), memory.MaxHolders)
		v.holders[term] = list
	}
	return list, err
}

func (v *dbVocabulary) Grams(item int32) ([]uint32, error) {
	t, err := v.itemText(item)
	if err != nil || t == nil {
		return nil, err
	}
	return t.Grams, nil
}

// itemText returns the text of an item, or nil if there is no such item.
func (v *dbVocabulary) itemText(id int32) (*memory.Text, error) {
	t, known := v.texts[id]
	if known {
		return t, nil
	}
	err := eachRow(v.c, "SELECT topic,text,pins FROM items WHERE id=?", func(st *sqlite.Stmt) {
		cut := v.split.SplitItem(&memory.Item{Topic: st.ColumnText(0), Text: st.ColumnText(1), Pins: unpackPins(st.ColumnText(2))})
		t = &cut
	}, int64(id))
	v.texts[id] = t
	return t, err
}

// olderItems returns, for each file that an item is about, the last older item about the file.
func (v *dbVocabulary) olderItems(id int64) (out []int64, err error) {
	var paths []string
	if err := eachRow(v.c, "SELECT path FROM item_paths WHERE item=? ORDER BY path", func(st *sqlite.Stmt) { paths = append(paths, st.ColumnText(0)) }, id); err != nil {
		return nil, err
	}
	for _, p := range paths {
		err := eachRow(v.c, "SELECT max(item) FROM item_paths WHERE path=? AND item<?", func(st *sqlite.Stmt) {
			if other := st.ColumnInt64(0); other > 0 && !slices.Contains(out, other) {
				out = append(out, other)
			}
		}, p, id)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
