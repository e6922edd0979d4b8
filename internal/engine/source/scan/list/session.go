package list

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ken/internal/engine/source/scan/ignore"
	"ken/internal/engine/source/scan/nofollow"
	"ken/internal/git"
	"ken/internal/statefile"
)

// session is one listing or comparison of the tree, with the files that it opened and read first.
type session struct {
	*Lister
	root    *nofollow.Root
	began   int64
	repo    *git.Repo // nil: a tree without git
	cfg     *git.Config
	exFile  string // the user's ignore file, "" for none
	rules   outerRules
	tracked *trackedPaths
	top     *dirRules // the frame of the root directory, with those above as parents
	outside []source
	fresh   []source // the sources of the listing before with present stats
	// rewritten is set if git's index was written again, even with the same content.
	rewritten bool
	// detached is set for a root that a repository above ignores and tracks nothing
	// of. It counts as a tree without git, since git would list nothing.
	detached bool

	mu           sync.Mutex
	inside       []source // guarded by mu: ignore files found in the tree
	gitWouldHang bool     // guarded by mu: an ignore file git would hang on
}

// beginSession opens the root and finds the repository around it. It fails if the root cannot be opened. A repository that
// cannot be read counts as none.
func (s *Lister) beginSession() (*session, error) {
	r, err := nofollow.Open(s.root)
	if err != nil {
		return nil, fmt.Errorf("open root: %w", err)
	}
	x := &session{Lister: s, root: r, began: time.Now().UnixNano()}
	repo, err := git.Find(s.root)
	if err != nil && !errors.Is(err, git.ErrNoRepository) {
		r.Close()
		return nil, err
	}
	x.repo = repo
	return x, nil
}

// closeFiles closes the files that begin opened.
func (x *session) closeFiles() { x.root.Close() }

// optionsHash returns a hash that differs for listings that must not be compared, because of other
// options or of another repository.
func (x *session) optionsHash() [32]byte {
	var repo git.Repo
	if x.repo != nil {
		repo = *x.repo
	}
	blob, err := json.Marshal([]any{x.Lister.root, x.opt.Include, x.opt.Exclude, x.opt.NoDefaultIgnores, repo, rulesVersion})
	if err != nil { // strings only: cannot happen
		panic(err)
	}
	return sha256.Sum256(blob)
}

// rulesVersion grows when the rules of listing change.
const rulesVersion = 1

// loadOuterRules reads the rules outside the tree. It stats each file before reading it, so
// that the next look sees a change in between.
func (x *session) loadOuterRules() {
	x.outside, x.inside, x.gitWouldHang, x.detached, x.exFile = nil, nil, false, false, ""
	x.cfg = git.ReadConfig(x.repo)
	for _, f := range x.cfg.Files {
		x.watchFile(f)
	}
	x.rules = outerRules{include: x.Lister.include, exclude: x.Lister.exclude}
	x.top = &dirRules{}
	if x.repo != nil {
		if rel, err := filepath.Rel(x.repo.Root, x.Lister.root); err == nil && rel != "." {
			x.rules.prefix = filepath.ToSlash(rel) + "/"
		}
		x.rules.fold = x.cfg.Bool("core.ignorecase")
		x.watchFile(filepath.Join(x.repo.GitDir, "index"))
		x.addOuterIgnoreFile(filepath.Join(x.repo.CommonDir, "info", "exclude"))
	}
	if f := x.cfg.ExcludesFile(x.repo); f != "" && x.addOuterIgnoreFile(f) {
		x.exFile = f
	}
	if x.repo != nil {
		x.loadParentRules()
	}
	// ken does not read .ken, but git reads its ignore file.
	_, k := nofollow.StatPath(filepath.Join(x.Lister.root, ".ken", ".gitignore"))
	x.gitWouldHang = x.gitWouldHang || k == nofollow.Special
}

// watchFile records a file outside the tree on which the listing depends. It notes one
// that is not regular (a pipe), because that would hang git.
func (x *session) watchFile(path string) {
	st, k := nofollow.StatPath(path)
	x.gitWouldHang = x.gitWouldHang || k == nofollow.Special
	x.outside = append(x.outside, source{path, st})
}

// addOuterIgnoreFile adds an ignore file outside the tree, whose rules have the
// lowest priority. It reports whether the file can be read.
func (x *session) addOuterIgnoreFile(path string) bool {
	x.watchFile(path)
	data, err := statefile.ReadFollow(path, maxIgnoreFile)
	if err != nil {
		return false
	}
	x.rules.base = append(x.rules.base, ignore.Parse("", data, x.rules.fold))
	return true
}

// addDefaults adds ken's own ignores for a tree without git.
func (x *session) addDefaults() {
	if x.repo != nil && !x.detached || x.opt.NoDefaultIgnores {
		return
	}
	text := defaultIgnores
	if _, err := os.Lstat(filepath.Join(x.Lister.root, ".gitignore")); err != nil {
		text += guessedIgnores
	}
	x.rules.base = append(x.rules.base, ignore.Parse("", []byte(text), x.rules.fold))
}

// loadParentRules makes the rules of the directories from the top of the
// working tree down to the root, whose own ignore files are read when it is
// walked.
func (x *session) loadParentRules() {
	f := &dirRules{}
	at := x.repo.Root
	for _, name := range strings.Split(strings.TrimSuffix(x.rules.prefix, "/"), "/") {
		if name == "" {
			break
		}
		ignoreFile := filepath.Join(at, ".gitignore")
		x.watchFile(ignoreFile)
		if data, err := statefile.Read(ignoreFile, maxIgnoreFile); err == nil {
			f.git = ignore.Parse(f.path, data, x.rules.fold)
		}
		ignored := f.ignored || x.rules.isIgnored(f, f.path+name, len(f.path), true)
		f = &dirRules{parent: f, path: f.path + name + "/", ignored: ignored}
		at = filepath.Join(at, name)
	}
	x.top = f
}

// loadTracked reads git's index, which completes the rules. If that fails, git must
// list the tree, and setListed completes them.
func (x *session) loadTracked() error {
	if x.repo == nil {
		x.setTracked(nil)
		return nil
	}
	list, err := x.repo.ReadIndex(x.cfg)
	if err == nil {
		x.setTracked(list)
	}
	return err
}

// setListed takes the tracked files from git's listing of the root. Without one,
// nothing counts as tracked.
func (x *session) setListed(l *git.Listing) {
	if l == nil {
		x.setTracked(nil)
		return
	}
	list := make([]git.Tracked, len(l.Tracked))
	for i, t := range l.Tracked {
		t.Path = x.rules.prefix + t.Path
		list[i] = t
	}
	x.setTracked(list)
}

func (x *session) setTracked(list []git.Tracked) {
	x.tracked = newTrackedPaths(list, x.rules.fold)
	x.top.lo, x.top.hi = x.tracked.rangeBelow(x.rules.prefix, 0, len(list))
	if x.top.ignored && !x.tracked.hasEntryBelow(x.rules.prefix, x.top.lo, x.top.hi) {
		x.detached = true
		x.top = &dirRules{path: x.rules.prefix}
		x.rules.base = nil
		if x.exFile != "" {
			x.addOuterIgnoreFile(x.exFile)
		}
	}
	x.addDefaults()
}
