package source

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
)

// IgnorePatterns returns the patterns that exclude files, relative to the root: those of its .gitignore and
// .kenignore, then those of the excluding settings. It leaves out the patterns of deeper directories and of
// git's own files, which apply as well. It fails if a file cannot be read.
func (t *Tree) IgnorePatterns() ([]string, error) {
	s, err := t.Scanner()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range []string{".gitignore", ".kenignore"} {
		text, err := s.ReadWhole(name)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			continue
		}
		if err != nil {
			return nil, err
		}
		t.Mask(text)
		for line := range bytes.Lines(text) {
			if l := strings.TrimRight(string(line), " \t\r\n"); l != "" && l[0] != '#' {
				out = append(out, l)
			}
		}
	}
	return append(out, t.opt.Exclude...), nil
}
