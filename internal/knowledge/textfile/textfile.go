// Package textfile reads and writes the text files of knowledge: those that agents and people
// write and that are committed with a project. Anybody may have changed them by hand, so
// nothing is read behind a link, nothing large, and nothing with a merge conflict; a file is
// written all or nothing. head.go reads front matter. Its neighbours in internal/knowledge say
// what is in the files.
package textfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"ken/internal/statefile"
)

// FormatError says where a file is not of the form that is read.
type FormatError struct {
	Line int // from 1
	Why  string
}

func (e *FormatError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Why) }

// Inside reports whether a folder below root is there and is one, and none on the way to it
// is a link: a link could lead out of the project.
func Inside(root, dir string) (bool, error) {
	at := root
	for _, part := range strings.Split(dir, "/") {
		at = filepath.Join(at, part)
		st, err := os.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if !st.IsDir() {
			return false, fmt.Errorf("%s is no folder: it is not used", at)
		}
	}
	return true, nil
}

// MakeDir makes a folder below root, one part after the other, so that nothing is made behind
// a link.
func MakeDir(root, dir string) error {
	at := ""
	for part := range strings.SplitSeq(dir, "/") {
		at = path.Join(at, part)
		if err := os.Mkdir(filepath.Join(root, filepath.FromSlash(at)), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if _, err := Inside(root, at); err != nil {
			return err
		}
	}
	return nil
}

// Read is the text of a file below root, without byte order mark and carriage returns at the
// ends of lines; ok is false if there is none. most is the size of the largest that is read, in bytes.
// The error of a text that cannot be read as one is a FormatError.
func Read(root, file string, most int64) (text string, ok bool, err error) {
	if in, err := Inside(root, path.Dir(file)); !in {
		return "", false, err
	}
	b, err := statefile.Read(filepath.Join(root, filepath.FromSlash(file)), most)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case errors.Is(err, statefile.ErrNotRegular):
		return "", true, statefile.ErrNotRegular
	case err != nil:
		if size, ok := errors.AsType[*statefile.SizeError](err); ok {
			err = size
		}
		return "", true, err
	}
	text, err = Clean(string(b), most)
	return text, true, err
}

// Clean is a text as Read gives it, or a FormatError: it is too large, no UTF-8, or has a merge
// conflict that nobody has resolved.
func Clean(text string, most int64) (string, error) {
	if int64(len(text)) > most {
		return "", &FormatError{1, fmt.Sprintf("larger than %d KB", most>>10)}
	}
	if !utf8.ValidString(text) {
		return "", &FormatError{1, "no UTF-8"}
	}
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	n := 0
	for l := range strings.SplitSeq(text, "\n") {
		n++
		if strings.HasPrefix(l, "<<<<<<< ") || strings.HasPrefix(l, ">>>>>>> ") {
			return "", &FormatError{n, "a merge conflict is not resolved"}
		}
	}
	return text, nil
}

// Replace writes a file below root beside the one that it replaces and renames it. Its folder
// is made if it is not there.
func Replace(root, file, text string) error {
	if err := MakeDir(root, path.Dir(file)); err != nil {
		return err
	}
	return statefile.Replace(filepath.Join(root, filepath.FromSlash(file)), []byte(text), statefile.Options{Perm: 0o644, Sync: true})
}

// Markdown are the names of the Markdown files in a folder below root, at most so many; the
// error says that there are more, or what is wrong with the folder.
func Markdown(root, dir string, most int) (names []string, err error) {
	if ok, err := Inside(root, dir); !ok {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".md") {
			continue
		}
		if len(names) == most {
			return names, fmt.Errorf("%s holds more than %d pages: the others are not read", dir, most)
		}
		names = append(names, e.Name())
	}
	return names, nil
}
