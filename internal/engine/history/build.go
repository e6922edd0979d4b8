package history

import (
	"hash/fnv"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/words"
)

// Builder makes a State from the commits of a log, or brings one up to date.
type Builder struct {
	state   *State
	mask    func([]byte)
	prefix  string // of the project in the working tree, "" or with a slash at its end
	split   *words.Splitter
	set     []Word
	paths   map[string]uint32
	authors map[uint64]uint32
	orders  map[ID]int64
	shallow map[ID]bool
	added   []Commit
	parents map[ID][]ID // of the commits added
	anew    map[ID][]ID // see Reorder
}

// NewBuilder returns a builder that continues a state, which it then owns. prefix is the project's directory in the
// working tree; mask overwrites the secrets of a text; shallow are the commits whose parents are missing.
func NewBuilder(s *State, prefix string, shallow []string, mask func([]byte)) *Builder {
	b := &Builder{
		state: s, mask: mask, prefix: prefix, split: words.NewSplitter(),
		paths: make(map[string]uint32, len(s.Paths)), authors: make(map[uint64]uint32, len(s.Authors)),
		orders: make(map[ID]int64, len(s.Commits)), shallow: map[ID]bool{}, parents: map[ID][]ID{},
	}
	for i, p := range s.Paths {
		b.paths[p] = uint32(i)
	}
	for i, a := range s.Authors {
		b.authors[a] = uint32(i)
	}
	for i := range s.Commits {
		b.orders[s.Commits[i].ID] = s.Commits[i].Order
	}
	for _, id := range shallow {
		if id, ok := ParseID(id); ok {
			b.shallow[id] = true
		}
	}
	return b
}

// Add adds a commit of the log, unless it is known.
func (b *Builder) Add(c *code.LogCommit) {
	id, ok := ParseID(c.ID)
	if _, known := b.orders[id]; !ok || known {
		return
	}
	k := Commit{ID: id, Time: c.Time, Author: b.author(c.Email), Merge: len(c.Parents) > 1, Cut: b.shallow[id], Files: c.Files}
	b.orders[id] = c.Time
	for _, p := range c.Parents {
		if p, ok := ParseID(p); ok {
			b.parents[id] = append(b.parents[id], p)
		}
	}
	if !k.Merge && !k.Cut {
		b.changes(&k, c)
	}
	if !k.Merge {
		text := b.clean(c.Message, c.Cut)
		k.Subject = firstLine(text)
		if k.Touched != nil {
			k.Terms = b.terms(text)
		}
	}
	b.added = append(b.added, k)
}

// changes adds the files of the project that a commit changed.
func (b *Builder) changes(k *Commit, c *code.LogCommit) {
	bulk := c.Files > MaxFiles
	for _, ch := range c.Changes {
		if len(b.state.Paths) >= maxPaths {
			break
		}
		path, ok := strings.CutPrefix(ch.Path, b.prefix)
		if !ok {
			continue
		}
		if from, ok := strings.CutPrefix(ch.From, b.prefix); ok && ch.Status == 'R' && from != path {
			k.Renames = append(k.Renames, Rename{b.path(from), b.path(path)})
		}
		if !bulk {
			k.Touched = append(k.Touched, b.path(path))
		}
	}
	slices.Sort(k.Touched)
	k.Touched = slices.Compact(k.Touched)
}

func (b *Builder) path(p string) uint32 {
	id, ok := b.paths[p]
	if !ok {
		id = uint32(len(b.state.Paths))
		b.state.Paths = append(b.state.Paths, p)
		b.paths[p] = id
	}
	return id
}

// author keeps a hash instead of a mail address, because only the number of distinct
// authors is needed.
func (b *Builder) author(mail string) uint32 {
	h := fnv.New64a()
	h.Write([]byte(strings.ToLower(mail)))
	id, ok := b.authors[h.Sum64()]
	if !ok {
		id = uint32(len(b.state.Authors))
		b.state.Authors = append(b.state.Authors, h.Sum64())
		b.authors[h.Sum64()] = id
	}
	return id
}

// Drop removes the commits for which gone is true.
func (b *Builder) Drop(gone func(ID) bool) {
	had := len(b.state.Commits)
	defer func() {
		if len(b.state.Commits) != had {
			b.state.base, b.state.stored = 0, 0
		}
	}()
	b.state.Commits = slices.DeleteFunc(b.state.Commits, func(c Commit) bool {
		if gone(c.ID) {
			delete(b.orders, c.ID)
			return true
		}
		return false
	})
}

// Has reports whether a commit is in the state.
func (b *Builder) Has(id ID) bool { _, ok := b.orders[id]; return ok }

// AddedCount returns the number of commits added so far.
func (b *Builder) AddedCount() int { return len(b.added) }

// Reorder makes Finish order all commits of the state again, by these parents.
func (b *Builder) Reorder(parents map[ID][]ID) { b.anew = parents }

// Finish returns the state with the added commits.
func (b *Builder) Finish() *State {
	list := make([]*Commit, len(b.added))
	for i := range b.added {
		list[i] = &b.added[i]
	}
	order(list, b.parents, b.orders)
	b.state.arrange(b.added)
	if b.anew != nil {
		b.state.Reorder(b.anew)
	}
	b.added, b.anew = nil, nil
	return b.state
}

// OrderedByDropped returns the commits whose order may come from a commit that arrange dropped: their order is later
// than their time, and a line of such commits leads down to a dropped one.
func (s *State) OrderedByDropped() (out []ID) {
	reached := s.dropped
	for i := range s.Commits {
		c := &s.Commits[i]
		if s.dropped == 0 || c.Order > reached+1 {
			break
		}
		if c.Order > c.Time {
			out, reached = append(out, c.ID), max(reached, c.Order)
		}
	}
	return out
}

// Reorder computes the order of the commits whose parents are given again.
func (s *State) Reorder(parents map[ID][]ID) {
	orders := make(map[ID]int64, len(s.Commits))
	var list []*Commit
	var was []int64
	for i := len(s.Commits) - 1; i >= 0; i-- {
		c := &s.Commits[i]
		orders[c.ID] = c.Order
		if _, ok := parents[c.ID]; ok {
			list, was = append(list, c), append(was, c.Order)
			c.Order = 0
		}
	}
	order(list, parents, orders)
	changed := false
	for i, c := range list {
		changed = changed || c.Order != was[i]
	}
	if changed {
		slices.SortFunc(s.Commits, compareCommits)
		s.base, s.stored = 0, 0
	}
}

// order sets the Order of the commits of a list, which have none yet. orders holds the order of all other commits and
// may hold that of listed ones. A log mostly lists children first, so that going backward finds parents done. Where it
// does not, the walk goes down to them, with a stack of its own instead of recursion, because a line of parents may be a
// million commits long.
func order(list []*Commit, parents map[ID][]ID, orders map[ID]int64) {
	at := make(map[ID]int, len(list))
	for i, c := range list {
		at[c.ID] = i
	}
	for i := len(list) - 1; i >= 0; i-- {
		stack := []int{i}
		for len(stack) > 0 {
			c := list[stack[len(stack)-1]]
			if c.Order != 0 {
				stack = stack[:len(stack)-1]
				continue
			}
			order, waits := c.Time, false
			for _, p := range parents[c.ID] {
				if j, ok := at[p]; ok && list[j].Order == 0 && len(stack) <= len(list) {
					stack, waits = append(stack, j), true
				} else if o, ok := orders[p]; ok {
					order = max(order, o+1)
				}
			}
			if waits {
				continue
			}
			if order == 0 {
				order = 1
			}
			c.Order = order
			orders[c.ID] = order
			stack = stack[:len(stack)-1]
		}
	}
}
