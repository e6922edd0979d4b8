package execute

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/statefile"
	"ken/internal/workflow/plan/planop"
	"ken/internal/worktree"
)

// records keeps the executors of a project in a folder: ID.json has an Executor, and ID.tree.json the record of its work tree. A file
// is always replaced as a whole, so that a crash leaves the old text or the new one. It has the user's seal, because what it tells is
// merged and removed; of one without nothing is done.
type records struct{ dir, state string }

const sealKind = "executors"

var _ worktree.Store = (*records)(nil)

const (
	version  = 1
	treeEnd  = ".tree.json"
	plainEnd = ".json"
	maxBytes = 1 << 20
)

// treeFile is the form of a work tree's record in its file.
type treeFile struct {
	Version int
	worktree.Record
}

// stateName returns the name of the folder for the records of a project that has no repository.
func stateName(project string) string {
	sum := sha256.Sum256([]byte(project))
	return hex.EncodeToString(sum[:8])
}

func (s *records) recordPath(id, end string) string { return filepath.Join(s.dir, id+end) }

// writeRecord replaces a file as a whole. It waits until the file is on the disk, because the next step depends on it.
func (s *records) writeRecord(name string, value any) error {
	b, err := json.Marshal(value)
	if err != nil {
		return err
	}
	seal, err := statefile.UserSeal(s.state, sealKind, true)
	if err != nil {
		return fmt.Errorf("keep the executor: %w", err)
	}
	if seal == nil {
		return errors.New("there is no state directory for the key of the executor's seal; KEN_STATE names one")
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("keep the executor: %w", err)
	}
	if st, err := os.Lstat(s.dir); err != nil || !st.IsDir() {
		return fmt.Errorf("%s is not a folder", s.dir)
	}
	if err := statefile.Replace(name, seal.Make(b), statefile.Options{Sync: true}); err != nil {
		return fmt.Errorf("keep the executor: %w", err)
	}
	return nil
}

// readRecord reads a file. It fails with a Fault if the file does not have the user's seal.
func readRecord[V any](s *records, name string) (v V, err error) {
	b, err := statefile.Read(name, maxBytes)
	if err != nil {
		return v, err
	}
	seal, err := statefile.UserSeal(s.state, sealKind, false)
	if err != nil {
		return v, err
	}
	if b, err = seal.Check(b); err != nil {
		return v, planop.Faultf("not_sealed", "%s has no seal of yours: it came with the repository or was made under another state directory, "+
			"so nothing is done with its work tree; look at it, and remove the file if you do not know it", name)
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return v, fmt.Errorf("read %s: %w", name, err)
	}
	return v, nil
}

// recordIDs returns the sorted IDs for which there is a file with an ending.
func (s *records) recordIDs(end string) ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the executors: %w", err)
	}
	var ids []string
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), end)
		if ok && worktree.ValidID(id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// KeepWorktree implements worktree.Store. It returns an error if the file cannot be written.
func (s *records) KeepWorktree(_ context.Context, r worktree.Record) error {
	return s.writeRecord(s.recordPath(r.ID, treeEnd), treeFile{version, r})
}

// Worktree implements worktree.Store. It fails with worktree.ErrUnknown if there is no such record, and if the file cannot be read.
func (s *records) Worktree(_ context.Context, id string) (worktree.Record, error) {
	if !worktree.ValidID(id) {
		return worktree.Record{}, worktree.ErrUnknown
	}
	f, err := readRecord[treeFile](s, s.recordPath(id, treeEnd))
	if errors.Is(err, fs.ErrNotExist) {
		return f.Record, worktree.ErrUnknown
	}
	if err == nil && f.Version > version {
		err = fmt.Errorf("executor %s was made by a newer ken", id)
	}
	return f.Record, err
}

// Worktrees implements worktree.Store. It returns an error if a record cannot be read.
func (s *records) Worktrees(ctx context.Context) ([]worktree.Record, error) {
	ids, err := s.recordIDs(treeEnd)
	if err != nil {
		return nil, err
	}
	var list []worktree.Record
	for _, id := range ids {
		r, err := s.Worktree(ctx, id)
		if errors.Is(err, worktree.ErrUnknown) {
			continue // the record was removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b worktree.Record) int { return a.Began.Compare(b.Began) })
	return list, nil
}

// ForgetWorktree implements worktree.Store. It returns an error if the file cannot be removed.
func (s *records) ForgetWorktree(_ context.Context, id string) error {
	return s.removeRecord(id, treeEnd)
}

func (s *records) removeRecord(id, end string) error {
	err := os.Remove(s.recordPath(id, end))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (s *records) putExecutor(e *Executor) error {
	e.Version = version
	return s.writeRecord(s.recordPath(e.ID, plainEnd), e)
}

// listExecutors returns all recorded executors.
func (s *records) listExecutors() ([]*Executor, error) {
	ids, err := s.recordIDs(plainEnd)
	if err != nil {
		return nil, err
	}
	var list []*Executor
	for _, id := range ids {
		e, err := readRecord[Executor](s, s.recordPath(id, plainEnd))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if e.Version > version || e.ID != id {
			return nil, fmt.Errorf("executor %s was made by a newer ken, or its file was changed", id)
		}
		list = append(list, &e)
	}
	return list, nil
}

// removeOldTempFiles removes the temporary files of crashed processes, if they are so old that no process still writes them.
func (s *records) removeOldTempFiles(now time.Time) {
	entries, _ := os.ReadDir(s.dir)
	for _, e := range entries {
		st, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), statefile.TempPrefix) && now.Sub(st.ModTime()) > time.Minute {
			os.Remove(filepath.Join(s.dir, e.Name()))
		}
	}
}
