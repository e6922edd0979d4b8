// Package git is the only package that reads repositories: it finds them, reads HEAD,
// refs, the index and the configuration from their files without starting anything,
// and starts the git program if that is not enough. A repository's own
// configuration can name programs that git starts; run.go overrides every such
// setting, because the repository is not trusted. Nothing here writes; foldercommit and plumbing,
// below it, do.
//
// engine/source/scan/list asks it for the tracked files; engine/update reads the log,
// which engine/history keeps, and engine/source old contents.
package git

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/statefile"
)

// The errors that callers compare with.
var (
	ErrNoRepository = errors.New("not in a git repository")
	ErrNoGit        = errors.New("the git program is not installed")
	ErrNotFound     = errors.New("not in the repository")
	ErrUnsupported  = errors.New("git file format not supported")
)

// Repo is one working tree and its repository. It is immutable and safe for
// concurrent use.
type Repo struct {
	Root      string // top of the working tree, absolute
	GitDir    string // files of this working tree alone: HEAD, index
	CommonDir string // files that all working trees share: objects, refs, config, info/exclude
}

// Find returns the working tree that contains dir. It looks for .git in dir and the folders above it, as git does,
// without starting git. It ignores core.worktree, because ken reads the files around .git whatever a configuration
// contains. It fails with ErrNoRepository if there is none, and with another error if dir is relative and the current
// directory is unknown. A .git that cannot be read counts as none.
func Find(dir string) (*Repo, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find repository: %w", err)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	for {
		if gitDir, ok := LocateGitDir(abs); ok {
			return &Repo{Root: abs, GitDir: gitDir, CommonDir: commonDir(gitDir)}, nil
		}
		up := filepath.Dir(abs)
		if up == abs {
			return nil, ErrNoRepository
		}
		abs = up
	}
}

// LocateGitDir returns the git directory of the working tree dir: dir/.git itself or, if that is a file, the directory
// that it names. It returns false if git would not accept dir as the top of a working tree.
func LocateGitDir(dir string) (string, bool) {
	dot := filepath.Join(dir, ".git")
	st, err := os.Stat(dot)
	if err != nil {
		return "", false
	}
	if st.IsDir() {
		return dot, isGitDir(dot)
	}
	data, err := readSmall(dot)
	if err != nil {
		return "", false
	}
	to, ok := strings.CutPrefix(string(data), "gitdir: ")
	if !ok {
		return "", false
	}
	to = strings.TrimRight(to, "\r\n")
	if !filepath.IsAbs(to) {
		to = filepath.Join(dir, to)
	}
	return to, isGitDir(to)
}

// isGitDir reports whether dir is a git directory, by git's own test (is_git_directory): it has a valid HEAD, objects and refs.
func isGitDir(dir string) bool {
	common := commonDir(dir)
	return isValidHead(filepath.Join(dir, "HEAD")) && isDir(filepath.Join(common, "objects")) && isDir(filepath.Join(common, "refs"))
}

// isValidHead reports whether path is a valid HEAD file, by git's own test
// (validate_headref): it is a link into refs/, names a ref under refs/, or
// holds an object id.
func isValidHead(path string) bool {
	if to, err := os.Readlink(path); err == nil {
		return strings.HasPrefix(to, "refs/")
	}
	data, err := readSmall(path)
	if err != nil {
		return false
	}
	if ref, ok := bytes.CutPrefix(data, []byte("ref:")); ok {
		return bytes.HasPrefix(bytes.TrimLeft(ref, " \t\r\n\v\f"), []byte("refs/"))
	}
	return len(data) >= 40 && isHex(string(data[:40]))
}

// commonDir returns the git directory that all working trees of a repository share, which the file commondir of a linked working tree
// names.
func commonDir(gitDir string) string {
	data, err := readSmall(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return gitDir
	}
	to := strings.TrimRight(string(data), "\r\n")
	if !filepath.IsAbs(to) {
		to = filepath.Join(gitDir, to)
	}
	return filepath.Clean(to)
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// IsID reports whether a text can be the id of an object.
func IsID(s string) bool { return isHex(s) }

func isHex(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return s != ""
}

// maxSmallFile is the maximal size, in bytes, of files that git itself keeps small (HEAD, a ref, a .git file).
const maxSmallFile = 1 << 20

func readSmall(path string) ([]byte, error) { return readRegular(path, maxSmallFile) }

// readRegular reads a whole file. It fails with ErrUnsupported if it is no regular file or larger than limit bytes, because a pipe
// or device in a hostile .git must not hang ken.
func readRegular(path string, limit int64) ([]byte, error) {
	data, err := statefile.ReadFollow(path, limit)
	if errors.Is(err, statefile.ErrNotRegular) || errors.As(err, new(*statefile.SizeError)) {
		err = fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return data, err
}

// openRegular opens a regular file for reading. It checks the kind of the file
// first, because opening a pipe would wait for a writer.
func openRegular(path string) (*os.File, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrUnsupported}
	}
	return os.Open(path)
}
