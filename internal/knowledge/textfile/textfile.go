// Package textfile reads and writes the text files of knowledge, which agents and people write and commit with a project.
// Anyone may have changed them by hand, so it follows no link and refuses a large file and one with a merge conflict; a file
// is replaced as a whole. head.go reads front matter. Its neighbours in internal/knowledge know the content of the files.
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

// FormatError reports a line of a text file that does not have the expected form.
type FormatError struct {
	Line int // from 1
	Why  string
}

func (e *FormatError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Why) }

// FolderExists reports whether a folder below root exists. It fails if a part of the path is a link or a file, because a link
// could lead out of the project.
func FolderExists(root, dir string) (bool, error) {
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

// MakeDir makes a folder below root, one part after the other, so that nothing is made through a link. It fails if a part
// cannot be made or is not a folder.
func MakeDir(root, dir string) error {
	at := ""
	for part := range strings.SplitSeq(dir, "/") {
		at = path.Join(at, part)
		if err := os.Mkdir(filepath.Join(root, filepath.FromSlash(at)), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if _, err := FolderExists(root, at); err != nil {
			return err
		}
	}
	return nil
}

// Read returns the text of a file below root, without byte order mark and carriage returns at the ends of lines; ok is
// false if there is none. most is the size of the largest that is read, in bytes. It fails if the file cannot be read,
// is not a regular file or is too large, and with a FormatError if Clean does.
func Read(root, file string, most int64) (text string, ok bool, err error) {
	if in, err := FolderExists(root, path.Dir(file)); !in {
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
	text, err = CleanText(string(b), most)
	return text, true, err
}

// CleanText returns a text without byte order mark and without carriage returns at the ends of lines. It fails with a FormatError if the
// text is too large, not UTF-8, or has an unresolved merge conflict.
func CleanText(text string, most int64) (string, error) {
	if int64(len(text)) > most {
		return "", &FormatError{1, fmt.Sprintf("larger than %d KB", most>>10)}
	}
	if !utf8.ValidString(text) {
		return "", &FormatError{1, "no UTF-8"}
	}
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "<<<<<<< ") || strings.HasPrefix(l, ">>>>>>> ") {
			return "", &FormatError{i + 1, "a merge conflict is not resolved"}
		}
		lines[i] = strings.TrimRight(l, "\r")
	}
	return strings.Join(lines, "\n"), nil
}

// Replace writes a file below root and the folders above it. It fails if one of them is a link or cannot be written.
func Replace(root, file, text string) error {
	if err := MakeDir(root, path.Dir(file)); err != nil {
		return err
	}
	return statefile.Replace(filepath.Join(root, filepath.FromSlash(file)), []byte(text), statefile.Options{Perm: 0o644, Sync: true})
}

// MarkdownFiles returns the names of the Markdown files in a folder below root, at most most. It fails if the folder cannot
// be read or has more.
func MarkdownFiles(root, dir string, most int) (names []string, err error) {
	if ok, err := FolderExists(root, dir); !ok {
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
