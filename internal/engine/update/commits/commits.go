// Package commits brings the history in an index to the commit of HEAD: commits that HEAD reaches anew are read from
// git, those it reaches no more are dropped.
package commits

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/engine/history"
	"ken/internal/engine/store"
	"ken/internal/git"
)

// historyKey returns everything that the history depends on: the commit of HEAD, the number of commits to store, and the
// parents that a shallow clone lacks. It starts no process. It is "" without git, before the first commit, and if no
// commits are to be stored.
func (w *Reader) historyKey(ctx context.Context) (key string, repo *git.Repo, head string) {
	if store.HistoryLimit(w.Limit) == 0 {
		return "", nil, ""
	}
	repo, err := git.Find(w.Tree.Root())
	if err != nil {
		return "", nil, ""
	}
	h, err := git.Git{}.Head(ctx, repo)
	if err != nil || h.Commit == "" {
		return "", repo, ""
	}
	return fmt.Sprintf("%s %d %x", h.Commit, store.HistoryLimit(w.Limit), shallowPrint(repo)), repo, h.Commit
}

func shallowPrint(repo *git.Repo) uint64 {
	list := repo.ShallowCommits()
	if len(list) == 0 {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(strings.Join(list, " ")))
	return h.Sum64()
}

// HasMoved reports whether the index, or its history, belongs to another commit than HEAD's. It returns an error if the
// index cannot be read.
func (w *Reader) HasMoved(ctx context.Context, r store.Reader) (bool, error) {
	past, err := r.Meta(store.MetaHistory)
	if err != nil {
		return false, err
	}
	was, err := r.Meta(store.MetaCommit)
	if err != nil {
		return false, err
	}
	key, _, head := w.historyKey(ctx)
	if key == "" {
		head = w.Tree.HeadCommit(ctx)
	}
	return key != past || head != was, nil
}

// UpdateToHead updates the history in the index to the commit of HEAD: from the stored state if onward is set, else it
// reads all commits again. It returns nil if there was nothing to do. If git cannot read the history, an empty one is
// stored with the problem; that is not an error, and tried again when HEAD moves. It returns an error if the index
// cannot be read or written.
func (w *Reader) UpdateToHead(ctx context.Context, tx store.Tx, onward bool) (*Update, error) {
	start := time.Now()
	key, repo, head := w.historyKey(ctx)
	was, err := tx.Meta(store.MetaHistory)
	if err != nil || key == was {
		return nil, err
	}
	h := historyUpdate{w: w, ctx: ctx, tx: tx, repo: repo, head: head, key: key, out: &Update{}}
	// If the parents that a clone lacks have changed, stored commits have changed, too.
	_, lacked, _ := strings.Cut(was, " ")
	_, lacks, _ := strings.Cut(key, " ")
	if err := h.runUpdate(onward && lacked == lacks); err != nil {
		return nil, err
	}
	h.out.Elapsed = time.Since(start)
	return h.out, tx.SetMeta(store.MetaHistory, key)
}

// IsFreshReadCheaper reports whether HEAD has so few ancestors, compared with the stored commits, that reading them
// costs less than finding the stored commits that are not ancestors: after a checkout from far back, git walks the
// whole history for that. It is true for a damaged history. It returns an error if ctx ends or the index cannot be
// read.
func (w *Reader) IsFreshReadCheaper(ctx context.Context, r store.Reader) (bool, error) {
	held, err := history.CommitCount(r.History)
	if errors.Is(err, code.ErrDamaged) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	_, repo, head := w.historyKey(ctx)
	few := held / 4
	if repo == nil || head == "" || few == 0 {
		return false, nil
	}
	list, err := git.Git{}.Ancestors(ctx, repo, head, few+1)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	return err == nil && len(list) <= few, nil // an error comes again where the history is read, and is reported there
}

// Tree is a working tree, as source.Tree knows it.
type Tree interface {
	Root() string
	HeadCommit(ctx context.Context) string
	Prefix(repo *git.Repo) (string, error)
	Mask(text []byte)
	MaskString(text string) string
}

// Reader reads histories. Its fields are set once.
type Reader struct {
	Tree  Tree
	Limit int // commits to store; 0 means history.DefaultLimit, below 0 none
	Log   *slog.Logger
}

// Update is the result of bringing a history to HEAD.
type Update struct {
	Added   int // commits
	Dropped int // commits that are not ancestors of HEAD any more, or too far back
	Commits int // stored now
	Full    bool
	Problem string // why there is none, "" if there is one
	Elapsed time.Duration
}

// Changed reports whether the history differs now; a nil update changed nothing.
func (u *Update) Changed() bool { return u != nil && (u.Full || u.Added > 0 || u.Dropped > 0) }

// historyUpdate updates the history of one repository.
type historyUpdate struct {
	w    *Reader
	ctx  context.Context
	tx   store.Tx
	repo *git.Repo
	head string
	key  string
	out  *Update
}

func (h *historyUpdate) runUpdate(onward bool) error {
	var old *history.State
	if onward {
		s, err := history.Unpack(h.tx.History)
		if err != nil && !errors.Is(err, code.ErrDamaged) {
			return err
		}
		if err == nil && s != nil && s.Problem == "" && s.Head != "" {
			old = s
		}
	}
	s, err := h.readHistory(old)
	if err != nil && old != nil && h.ctx.Err() == nil {
		h.out = &Update{}
		s, err = h.readHistory(nil)
	}
	if h.ctx.Err() != nil {
		return h.ctx.Err()
	}
	if err != nil {
		h.w.Log.Debug("read the history: " + err.Error())
		s = &history.State{Head: h.head, Limit: store.HistoryLimit(h.w.Limit), Problem: h.describeProblem(err)}
	}
	h.out.Problem, h.out.Commits = s.Problem, len(s.Commits)
	return h.storePieces(s)
}

func (h *historyUpdate) shallowCommits() []string {
	if h.repo == nil {
		return nil
	}
	return h.repo.ShallowCommits()
}

// readHistory updates the history old to HEAD, or reads the whole history if old is nil.
func (h *historyUpdate) readHistory(old *history.State) (*history.State, error) {
	if h.head == "" {
		h.out.Full = true
		return &history.State{Limit: store.HistoryLimit(h.w.Limit)}, nil
	}
	s := old
	if s == nil {
		s = &history.State{Limit: store.HistoryLimit(h.w.Limit)}
		h.out.Full = true
	}
	b, err := h.newBuilder(s)
	if err != nil {
		return nil, err
	}
	had, from := len(s.Commits), s.Head
	s.Head, s.Shallow = h.head, len(h.shallowCommits()) > 0
	if old == nil {
		err = h.addLog(git.LogOptions{From: h.head, Limit: s.Limit}, b)
	} else {
		err = h.addOnward(b, from, s)
	}
	if err != nil {
		return nil, err
	}
	added := b.AddedCount()
	s = b.Finish()
	h.out.Added, h.out.Dropped = added, had+added-len(s.Commits)
	return s, h.reorderCommits(s)
}

// reorderCommits computes the order of those commits again that may be ordered after a dropped commit, so that the
// history is the same as if it had been read at once.
func (h *historyUpdate) reorderCommits(s *history.State) error {
	ids := s.OrderedByDropped()
	if len(ids) == 0 {
		return nil
	}
	parents := make(map[history.ID][]history.ID, len(ids))
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i], parents[id] = id.String(), nil
	}
	err := git.Git{}.Log(h.ctx, h.repo, git.LogOptions{Only: names, ExactRenames: true}, func(c *code.LogCommit) error {
		if id, ok := history.ParseID(c.ID); ok {
			parents[id] = parseIDs(c.Parents)
		}
		return nil
	})
	if err == nil {
		s.Reorder(parents)
	}
	return err
}

func parseIDs(list []string) (out []history.ID) {
	for _, s := range list {
		if id, ok := history.ParseID(s); ok {
			out = append(out, id)
		}
	}
	return out
}

func (h *historyUpdate) newBuilder(s *history.State) (*history.Builder, error) {
	prefix, err := h.w.Tree.Prefix(h.repo)
	if err != nil {
		return nil, err
	}
	return history.NewBuilder(s, prefix, h.shallowCommits(), h.w.Tree.Mask), nil
}

// addLog adds the commits of a log to the builder. In a partial clone, or one that lacks contents for another reason,
// renames are recognised only by equal ids.
func (h *historyUpdate) addLog(opt git.LogOptions, b *history.Builder) error {
	opt.ExactRenames = h.repo.IsPartialClone()
	add := func(c *code.LogCommit) error {
		b.Add(c)
		return nil
	}
	err := git.Git{}.Log(h.ctx, h.repo, opt, add)
	if err != nil && !opt.ExactRenames && h.ctx.Err() == nil && !errors.Is(err, git.ErrNoGit) {
		opt.ExactRenames = true
		err = git.Git{}.Log(h.ctx, h.repo, opt, add) // the builder keeps the commits it has
	}
	return err
}

// addOnward adds the commits that HEAD reaches and the commit before did not, and drops those it reaches no more.
func (h *historyUpdate) addOnward(b *history.Builder, from string, s *history.State) error {
	full := s.Full()
	var left map[history.ID]bool
	var right []string
	err := git.Git{}.CommitsBetween(h.ctx, h.repo, from, h.head, func(id string, isLeft bool) {
		if k, ok := history.ParseID(id); ok && isLeft {
			if left == nil {
				left = map[history.ID]bool{}
			}
			left[k] = true
		} else {
			right = append(right, id)
		}
	})
	if err != nil {
		return err
	}
	if full && left != nil { // older commits move into the window
		return h.keepLatest(b, s.Limit)
	}
	b.Drop(func(id history.ID) bool { return left[id] })
	return h.keepOnly(b, right[:min(len(right), s.Limit)])
}

// keepLatest limits the history to the latest ancestors of HEAD, at most limit: it adds those that are missing and drops
// all other commits.
func (h *historyUpdate) keepLatest(b *history.Builder, limit int) error {
	list, err := git.Git{}.Ancestors(h.ctx, h.repo, h.head, limit)
	if err != nil {
		return err
	}
	parents := make(map[history.ID][]history.ID, len(list))
	var missing []string
	for _, c := range list {
		k, _ := history.ParseID(c.ID)
		parents[k] = parseIDs(c.Parents)
		if !b.Has(k) {
			missing = append(missing, c.ID)
		}
	}
	b.Drop(func(id history.ID) bool { _, stays := parents[id]; return !stays })
	b.Reorder(parents)
	return h.keepOnly(b, missing)
}

func (h *historyUpdate) keepOnly(b *history.Builder, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	return h.addLog(git.LogOptions{Only: ids}, b)
}

// describeProblem returns a short text about the reason why there is no history.
func (h *historyUpdate) describeProblem(err error) string {
	switch {
	case errors.Is(err, git.ErrNoGit):
		return "git is not installed"
	case errors.Is(err, git.ErrNoRepository):
		return "no git repository"
	}
	return "git could not read it: " + h.w.Tree.MaskString(err.Error())
}

// storePieces writes the pieces that changed.
func (h *historyUpdate) storePieces(s *history.State) error {
	keys, err := h.tx.HistoryKeys()
	if err != nil {
		return err
	}
	gone := make(map[store.HistoryKey]bool, len(keys))
	for _, k := range keys {
		gone[k] = true
	}
	for _, b := range s.PackOnto() {
		if gone[b.Key] {
			delete(gone, b.Key)
			if b.Data == nil {
				continue
			}
			if was, err := h.tx.History(b.Key); err != nil {
				return err
			} else if bytes.Equal(was, b.Data) {
				continue
			}
		}
		if b.Data == nil {
			return fmt.Errorf("%w: part %d %d is missing", code.ErrDamaged, b.Part, b.N)
		}
		if err := h.tx.PutHistory(b.Key, b.Data); err != nil {
			return err
		}
	}
	for k := range gone {
		if err := h.tx.PutHistory(k, nil); err != nil {
			return err
		}
	}
	return nil
}
