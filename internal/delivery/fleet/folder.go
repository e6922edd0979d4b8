package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"ken/internal/ask/fleet"
	"ken/internal/ask/surface"
	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

// maxRepositories is the number of repositories that are joined, and maxEntries that of names in a folder that are looked at.
const (
	maxRepositories = 50
	maxEntries      = 10_000
)

// stateRead is the state of a repository that was read, and stateTwice that of a file beside it with its surface.
const (
	stateRead  = "read"
	stateTwice = "the checkout of that name was read"
)

// folder is what was found in a folder.
type folder struct {
	members []fleet.Member
	rows    []repositoryRow
}

// readFolder reads the repositories of a folder. Links in it are not followed, and what cannot be read is a row with the reason. It
// returns a *code.UsageError if the folder cannot be listed, and an error if ctx ends.
func readFolder(ctx context.Context, env *project.Env, dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, code.Usagef("%s cannot be read: it is no folder, or not yours", operation.Quote(dir))
	}
	defer root.Close()
	list, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, code.Usagef("%s cannot be read", operation.Quote(dir))
	}
	var f folder
	for _, e := range list[:min(len(list), maxEntries)] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		isFile := strings.HasSuffix(e.Name(), ".jsonl")
		isTree := e.IsDir() && isCheckout(root, e.Name())
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			f.leaveOut(e.Name(), "it is a link, which is not followed")
		case !isTree && !(isFile && e.Type().IsRegular()):
			continue
		case len(f.members) == maxRepositories:
			f.leaveOut(e.Name(), fmt.Sprintf("only %d repositories are joined", maxRepositories))
		case isFile && f.hasRead(strings.TrimSuffix(e.Name(), ".jsonl")):
			f.leaveOut(e.Name(), stateTwice)
		case isFile:
			f.readFile(env, root, e.Name())
		default:
			f.readCheckout(ctx, env, filepath.Join(dir, e.Name()), e.Name())
		}
	}
	if len(list) > maxEntries {
		f.leaveOut("…", fmt.Sprintf("only %d names of the folder are looked at", maxEntries))
	}
	slices.SortFunc(f.rows, func(a, b repositoryRow) int { return cmp.Compare(a.Name, b.Name) })
	return &f, ctx.Err()
}

// isCheckout reports whether a folder is the work tree of a repository or has an index.
func isCheckout(root *os.Root, name string) bool {
	for _, inside := range []string{".ken", ".git"} {
		if _, err := root.Lstat(filepath.Join(name, inside)); err == nil {
			return true
		}
	}
	return false
}

func (f *folder) hasRead(name string) bool {
	return slices.ContainsFunc(f.members, func(m fleet.Member) bool { return m.Name == name })
}

func (f *folder) leaveOut(name, why string) {
	f.rows = append(f.rows, repositoryRow{Name: name, State: why})
}

// readFile reads the output of ken surface.
func (f *folder) readFile(env *project.Env, root *os.Root, name string) {
	file, err := root.Open(name)
	if err != nil {
		f.leaveOut(name, "it cannot be opened")
		return
	}
	defer file.Close()
	records, err := fleet.ReadRecords(file)
	if err != nil {
		f.leaveOut(name, err.Error())
		return
	}
	f.add(strings.TrimSuffix(name, ".jsonl"), records, "")
}

// add adds a repository that was read.
func (f *folder) add(name string, records []surface.Record, stale string) {
	row := repositoryRow{Name: name, State: stateRead, Commit: records[0].Commit, Stale: stale}
	for i := range records {
		if records[i].Type == surface.TypePackage {
			row.Packages = append(row.Packages, records[i].Manager+":"+records[i].Package)
		}
	}
	slices.Sort(row.Packages)
	row.Packages = slices.Compact(row.Packages)
	f.members, f.rows = append(f.members, fleet.Member{Name: name, Records: records}), append(f.rows, row)
}

// readCheckout reads a checkout through its index as it is. Nothing is written there. What has changed since is counted and not read.
func (f *folder) readCheckout(ctx context.Context, env *project.Env, dir, name string) {
	if st, err := os.Lstat(filepath.Join(dir, ".ken", "index.db")); err != nil || !st.Mode().IsRegular() {
		f.leaveOut(name, "not indexed")
		return
	}
	p, err := env.Open(dir, operation.Existing)
	if err != nil {
		f.leaveOut(name, reason(err))
		return
	}
	if p.Root != project.RealPath(dir) {
		f.leaveOut(name, "not indexed")
		return
	}
	var records []surface.Record
	stale := ""
	_, err = p.Engine.AnswerSoon(ctx, 0, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		known, err := s.KnownSecrets()
		if err != nil {
			return nil, err
		}
		if records, err = surface.Read(ctx, s); err != nil {
			return nil, err
		}
		for i := range records {
			mask(known, &records[i])
		}
		stale, err = difference(ctx, s, records[0].Commit)
		return nil, err
	})
	if err != nil {
		f.leaveOut(name, reason(err))
		return
	}
	f.add(name, records, stale)
}

// reason returns why an index was not read.
func reason(err error) string {
	for _, known := range []error{store.ErrNoIndex, store.ErrOldSchema, store.ErrNewerSchema, store.ErrForeign, code.ErrDamaged} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "its index cannot be read"
}

// difference returns how a checkout differs from its index, "" if it does not.
func difference(ctx context.Context, s *view.Snapshot, commit string) (string, error) {
	n, err := s.Pending(ctx)
	if err != nil {
		return "", err
	}
	var what []string
	if head := s.Tree.HeadCommit(ctx); head != commit {
		what = append(what, "the checkout is at "+short(head))
	}
	if n > 0 {
		what = append(what, operation.Plural(n, "file")+" changed since it was indexed")
	}
	return strings.Join(what, "; "), nil
}

// mask overwrites the copies of secrets that a repository's index knows in the texts of a record.
func mask(known *source.Known, r *surface.Record) {
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(known.MaskString(f.String()))
		case reflect.Slice:
			for j := range f.Len() {
				f.Index(j).SetString(known.MaskString(f.Index(j).String()))
			}
		}
	}
}
