// Package project is a project as operations see it: Open finds it, its methods ask package engine for answers as fresh as the
// operation needs, and turn paths and names as users write them into those of the index. notfound.go turns the engine's "not found"
// into the error that users see. Its neighbours are operation, whose errors it uses, and delivery/op, whose operations use it.
package project

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/git"
	"ken/internal/knowledge/convention"
	"ken/internal/knowledge/entity"
	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/outcome"
	"ken/internal/knowledge/session"
	"ken/internal/operation"
	"ken/internal/statefile"
)

// Project is an open project.
type Project struct {
	Root   string // absolute, without symbolic links
	State  string // the user's state directory, "" if there is none
	Dir    string // absolute, the Env's
	Engine *engine.Engine
	// Temporary: the project was not set up. Its index has to be made, and is deleted in the end.
	Temporary bool
	// Built reports whether another process builds the index; may be nil.
	Built func() bool
	// Missing reports whether there is no index; may be nil.
	Missing func() bool
	// Foreign reports whether there is an index that was made with another state directory; may be nil.
	Foreign func() bool
	// Memory opens the project's memory. With create it makes one or fails with ErrNoMemory; without, it returns nil if there is none.
	Memory func(create bool) (*Memory, error)
	// OtherMemory reads the items of a memory that is another user's.
	OtherMemory func(ctx context.Context, path string) ([]memory.Item, error)
	Gauge       Gauge // may be nil
	// Lock waits until this process alone may change text files of knowledge; release ends that.
	Lock func(ctx context.Context) (release func(), err error)
	// NoQueryLog keeps queries out of the logs.
	NoQueryLog bool
	// Logs returns the logs of outcomes and queries, or nil if none can be kept.
	Logs func() *outcome.Logs
	// Counted is what was counted last, so that a session can begin with it without counting. It may be nil.
	Counted *statefile.JSON[Counted]
	// Deciding is the decision that is being written, so that one of a process that was killed is completed. It may be nil.
	Deciding *statefile.JSON[session.Note]
	// Guards are the optional checks of hooks.
	Guards Guards
	// PlanHooks reads what the settings of the planning folder ask of hooks. It may be nil.
	PlanHooks func() PlanHooks
	// Bound may be nil: then no session can be bound to a guarded task.
	Bound Bindings
	// Events may be nil.
	Events EventTimes
	// Record returns the file in the user's state directory that vouches for .ken, or ""; it may be nil.
	Record func() string
	// Session is the id of the agent's session that runs ken, "" if none does.
	Session string

	known source.LatestKnown
	pages sync.Map // *view.Snapshot of a call of Ask → func() *Pages
}

// Counted holds the parts of a summary that take long to count: how the code is written, and the state of the written pages.
type Counted struct {
	Patterns []convention.Pattern
	Pages    entity.Standing
}

// Tool and Env are an operation over a project and the surroundings of a call of one.
type (
	Tool = operation.Tool[*Project]
	Env  = operation.Env[*Project]
)

// Guards are checks that hooks do only if the settings ask for them.
type Guards struct {
	Read        bool // advise of changes to files that were not read
	Workflow    bool // advise of changes that belong to no plan
	StopQueries bool // answer the queries in an agent's last message
	Advise      bool // of a write that a guarded task gives no leave for, instead of stopping it
	Dependents  int  // files that may depend on a change before a guarded task demands an analysis; 0: the default
}

// PlanHooks are the settings of a planning folder about hooks. All that they turn on is advice, so the project may decide.
type PlanHooks struct {
	WorkflowGuard     bool // as Guards.Workflow
	Checks            bool // advise of messages of commits, and of changes by hand in the planning folder
	NoContextWarnings bool
}

// KnownSecrets returns the secrets that the index knows; nil if it knows none. Everything that is printed is masked with it. Commands
// that do not use the index print paths, too.
func (p *Project) KnownSecrets() *source.Known {
	return p.known.Get(p.Engine.KnownSecrets)
}

// PrintMasked declares that the caller masks further output itself, so that it is not masked twice.
func (p *Project) PrintMasked() { p.known.Put(nil) }

// Open opens the project an operation is about. It fails with a NoIndexError if the operation needs an index and there is none.
func Open(e *operation.Env[*Project], need operation.Need) (*Project, error) {
	p, err := e.Open(e.Dir, need)
	if errors.Is(err, store.ErrNoIndex) {
		return nil, &operation.NoIndexError{Dir: e.Dir, Main: indexedMainTree(e.Dir)}
	}
	return p, err
}

// indexedMainTree returns the main work tree of the repository of a directory that is in another one, "" if it has no index.
func indexedMainTree(dir string) string {
	r, err := git.Find(dir)
	if err != nil || r.GitDir == r.CommonDir || filepath.Base(r.CommonDir) != ".git" {
		return ""
	}
	main := filepath.Dir(r.CommonDir)
	if st, err := os.Lstat(filepath.Join(main, ".ken", "index.db")); err != nil || !st.Mode().IsRegular() {
		return ""
	}
	return main
}

// Query computes an answer from a snapshot and returns the paths it shows.
type Query func(ctx context.Context, s *view.Snapshot) (paths []string, err error)

// Ask runs f over a snapshot as fresh as asked. It fails with a NoIndexError if there is no index, and with the error of f.
func (p *Project) Ask(ctx context.Context, fresh engine.Freshness, f Query) error {
	var last error // Answer returns no error if a file stays unknown after it was looked at
	err := p.Engine.Answer(ctx, fresh, func(ctx context.Context, s *view.Snapshot) (paths []string, err error) {
		known, err := s.KnownSecrets()
		if err != nil {
			return nil, err
		}
		p.known.Put(known)
		p.pages.Store(s, sync.OnceValue(func() *Pages { return p.readPages(s) }))
		defer p.pages.Delete(s)
		paths, last = f(ctx, s)
		return paths, last
	})
	switch {
	case errors.Is(err, store.ErrNoIndex):
		e := &operation.NoIndexError{Dir: p.Dir, Main: indexedMainTree(p.Dir)}
		if p.IsDir(".ken") {
			e.Root, e.Built = p.Root, p.Built != nil && p.Built()
		}
		return e
	case err == nil:
		return last
	}
	return err
}

// AskShown asks with the shown files re-read. It compares the whole tree before it answers that something does not exist, because only
// then is that certain; f runs during the comparison, because finding similar names takes as long. It fails as Ask does.
func (p *Project) AskShown(ctx context.Context, f Query) error {
	err := p.Ask(ctx, engine.Shown, f)
	if _, ok := AsNotFound(err); ok {
		err = p.Ask(ctx, engine.Checked, f)
	}
	return err
}

// AskChecked asks for an answer that must be complete. The comparison of the tree goes on while f runs, so f may run twice: it must set
// its answer, not add to it. It fails as Ask does.
func (p *Project) AskChecked(ctx context.Context, f func(ctx context.Context, s *view.Snapshot) error) error {
	return p.Ask(ctx, engine.Checked, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		return nil, f(ctx, s)
	})
}

// AskCheckedPaths is AskChecked for an f that also returns the paths it shows. It fails as Ask does.
func (p *Project) AskCheckedPaths(ctx context.Context, f Query) error {
	return p.Ask(ctx, engine.Checked, f)
}

// AskWhole does the same as AskChecked for an f that must run only once, because it emits rows as it finds them. It fails as Ask does.
func (p *Project) AskWhole(ctx context.Context, f func(ctx context.Context, s *view.Snapshot) error) error {
	return p.Ask(ctx, engine.WholeTree, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		return nil, f(ctx, s)
	})
}

// Path returns a path for an answer, if the index may not have it: of a deleted file, of one that was not read, or of one that only git
// has. Secret tokens in it are masked here; paths in the index are masked with all other output.
func (p *Project) Path(rel string) operation.Path { return operation.Path(p.Engine.ShownPath(rel)) }

// Excluded counts the files and directories that the project's own settings leave out. It fails if the list cannot be read.
func (p *Project) Excluded(s *view.Snapshot) (e Excluded, err error) {
	paths, err := s.ExcludedPaths()
	for _, path := range paths {
		if p.IsDir(path) {
			e.Directories++
		} else {
			e.Files++
		}
	}
	return e, err
}

// Rel converts a path as the user wrote it into one relative to the root. Links in its directories are followed, but a link in the
// last element is not, because it is the file that is meant. If answers mask a token in a name, the masked name is accepted, too. It
// fails with a code.UsageError if the path is outside the project.
func (p *Project) Rel(arg string) (string, error) {
	rel, err := p.relativePath(arg)
	if err != nil || p.Exists(rel) {
		return rel, err
	}
	return p.Engine.HiddenPath(rel), nil
}

// relativePath converts a path as Rel does, without support for masked names.
func (p *Project) relativePath(arg string) (string, error) {
	abs := arg
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(p.Dir, arg)
	}
	abs = filepath.Clean(abs)
	if abs != p.Root {
		abs = filepath.Join(RealPath(filepath.Dir(abs)), filepath.Base(abs))
	}
	r, err := filepath.Rel(p.Root, abs)
	if err != nil || r == ".." || strings.HasPrefix(r, ".."+string(filepath.Separator)) {
		return "", code.Usagef("%s is not inside the project %s", operation.Quote(arg), operation.Escape(p.Root))
	}
	return p.Engine.Canonical(filepath.ToSlash(r)), nil
}

// RealPath resolves the links of a path; only its beginning has to exist.
func RealPath(dir string) string {
	rest := ""
	for d := dir; ; d = filepath.Dir(d) {
		if real, err := filepath.EvalSymlinks(d); err == nil {
			return filepath.Join(real, rest)
		}
		if d == filepath.Dir(d) {
			return dir
		}
		rest = filepath.Join(filepath.Base(d), rest)
	}
}

// Locate converts a path as the user wrote it into one relative to the root. It is first taken relative to the user's directory, as
// Rel does; if nothing exists there it is taken relative to the root, as in paths of answers. found reports whether the path
// exists. It fails as Rel does.
func (p *Project) Locate(arg string) (rel string, found bool, err error) {
	rel, err = p.Rel(arg)
	if err != nil || p.Exists(rel) {
		return rel, err == nil, err
	}
	if filepath.IsAbs(arg) {
		return rel, false, nil
	}
	other := p.Engine.HiddenPath(filepath.ToSlash(filepath.Clean(arg)))
	if !strings.HasPrefix(other, "../") && p.Exists(other) {
		return other, true, nil
	}
	return rel, false, nil
}

// Absolute returns the absolute form of a path of the project.
func (p *Project) Absolute(rel string) string { return filepath.Join(p.Root, filepath.FromSlash(rel)) }

func (p *Project) Exists(rel string) bool {
	_, err := os.Lstat(filepath.Join(p.Root, filepath.FromSlash(rel)))
	return err == nil
}

func (p *Project) IsDir(rel string) bool {
	st, err := os.Lstat(filepath.Join(p.Root, filepath.FromSlash(rel)))
	return err == nil && st.IsDir()
}

// File returns an indexed file by its path. It fails with a NotIndexedError if the file exists but is not indexed, and with a
// code.NotFoundError if it does not exist.
func (p *Project) File(ctx context.Context, s *view.Snapshot, arg string) (code.File, error) {
	rel, _, err := p.Locate(arg)
	if err != nil {
		return code.File{}, err
	}
	f, err := s.File(ctx, rel)
	return f, p.Explain(ctx, s, rel, err)
}

// Explain turns a "not found" error into a NotIndexedError if the file exists, or a code.UsageError if it is a directory. It returns
// any other error as it is.
func (p *Project) Explain(ctx context.Context, s *view.Snapshot, rel string, err error) error {
	if _, ok := AsNotFound(err); !ok {
		return err
	}
	st, serr := os.Lstat(filepath.Join(p.Root, filepath.FromSlash(rel)))
	if serr != nil {
		return err
	}
	skipped, serr := s.Skipped(ctx)
	if serr != nil {
		return serr
	}
	reason := "ignored"
	for _, sk := range skipped {
		if sk.Path == rel {
			reason = string(sk.Problem)
		}
	}
	if st.IsDir() && reason == "ignored" {
		return code.Usagef("%s is a directory", operation.Quote(rel))
	}
	return &operation.NotIndexedError{Path: rel, Reason: reason, Cause: err}
}

// Target returns the file or the symbols that an argument names. A name that does not exist and does not look like a path is not looked
// up as a file, because suggesting similar files means reading the names of all. It fails with a code.NotFoundError if nothing has the
// name.
func (p *Project) Target(ctx context.Context, s *view.Snapshot, arg string) (view.Target, error) {
	_, found, ferr := p.Locate(arg)
	if found || strings.Contains(arg, "/") && !strings.Contains(arg, ":") {
		f, err := p.File(ctx, s, arg)
		var bad *code.UsageError
		if !errors.As(err, &bad) {
			return view.Target{File: f.Path}, err
		}
		ferr = err // a directory, or a path outside the project: it may be a name too
	}
	t, err := s.Target(ctx, p.SymbolName(arg))
	if err != nil && ferr != nil {
		return t, ferr
	}
	return t, err
}

// SymbolName converts a symbol's name for the engine: in path:Name, path:line:column and path::Name, the path is made relative to the root
// if it was written relative to another directory.
func (p *Project) SymbolName(arg string) string {
	i, isFile := p.pathEnd(arg)
	if i <= 0 {
		return arg
	}
	where := arg[:i]
	if !isFile && !filepath.IsAbs(where) && where[0] != '.' {
		return arg
	}
	if rel, err := p.Rel(where); err == nil {
		return rel + arg[i:]
	}
	return arg
}

// maxColons is the number of colons in a name behind a path that are tried.
const maxColons = 20

// pathEnd returns the offset of the colon behind the path of a symbol's name: the first behind that of a file, for which isFile is set,
// else the last one, but none of a name that is qualified by A::b.
func (p *Project) pathEnd(arg string) (end int, isFile bool) {
	for i, n := strings.IndexByte(arg, ':'), 0; i >= 0 && n < maxColons; n++ {
		where := arg[:i]
		if !filepath.IsAbs(where) {
			where = filepath.Join(p.Dir, where)
		}
		if st, err := os.Lstat(where); err == nil && !st.IsDir() {
			return i, true
		}
		next := strings.IndexByte(arg[i+1:], ':')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	if strings.Contains(arg, "::") {
		return -1, false
	}
	return strings.LastIndexByte(arg, ':'), false
}

// CompleteNames returns the first most names with a definition that begin with a prefix, for completion in a shell. It uses the
// index as it is, because a shell does not wait. It returns an error if the index cannot be read.
func (p *Project) CompleteNames(ctx context.Context, prefix string, most int) (out []string, err error) {
	err = p.Ask(ctx, engine.AsIndexed, func(_ context.Context, s *view.Snapshot) ([]string, error) {
		out = nil
		for name, err := range s.Index.Names() {
			if err != nil {
				return nil, err
			}
			if strings.HasPrefix(name, prefix) {
				out = append(out, name)
			}
		}
		slices.Sort(out)
		out = out[:min(len(out), most)]
		return nil, nil
	})
	return out, err
}

// CompletePaths returns the first most indexed files whose paths begin with a prefix, for completion in a client, from the index as it
// is. It fails if the index cannot be read.
func (p *Project) CompletePaths(ctx context.Context, prefix string, most int) (out []string, err error) {
	err = p.Ask(ctx, engine.AsIndexed, func(_ context.Context, s *view.Snapshot) ([]string, error) {
		out = nil
		for f, err := range s.Index.Files() {
			if err != nil {
				return nil, err
			}
			if strings.HasPrefix(f.Path, prefix) && len(out) < most {
				out = append(out, f.Path)
			}
		}
		return nil, nil
	})
	return out, err
}

// WithDirectories replaces each directory among arguments by the indexed files below it for which pass is true. It fails with a
// NothingError if a directory has none.
func (p *Project) WithDirectories(s *view.Snapshot, args []string, pass func(*code.File) bool) (out []string, err error) {
	for _, arg := range args {
		rel, found, err := p.Locate(arg)
		if err != nil || !found || !p.IsDir(rel) {
			out = append(out, arg) // the error is reported when it is looked up
			continue
		}
		before := len(out)
		for f, err := range s.Index.Files() {
			if err != nil {
				return nil, err
			}
			if pass(&f) && (rel == "." || strings.HasPrefix(f.Path, rel+"/")) {
				out = append(out, filepath.Join(p.Root, filepath.FromSlash(f.Path)))
			}
		}
		if len(out) == before {
			return nil, operation.Nothingf("no file below %s", operation.Quote(rel))
		}
	}
	return out, nil
}
