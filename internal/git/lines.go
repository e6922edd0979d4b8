package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// LineChange is a replacement of lines: lines From to From+Drop of the old text, counted from 0, became lines To to To+Add
// of the new text.
type LineChange struct{ From, Drop, To, Add int }

// IDPair is an old content and the new one that replaced it.
type IDPair struct{ Old, New string }

// maxPathspecs is the maximal number of paths that are passed to one run of git.
const maxPathspecs = 200

// LineChanges compares the texts of paths in two trees. The caller has checked that they are texts. It fails if git does or
// its output is invalid.
func (g Git) LineChanges(ctx context.Context, r *Repo, from, to string, paths []string) (map[IDPair][]LineChange, error) {
	if !isHex(from) || !isHex(to) {
		return nil, fmt.Errorf("compare: %w: no object id", ErrNotFound)
	}
	all := map[IDPair][]LineChange{}
	for len(paths) > 0 {
		n := min(len(paths), maxPathspecs)
		err := g.pipeOutput(ctx, r, nil, func(out io.Reader) error { return readLineChanges(out, all) },
			append([]string{"diff-tree", "-r", "-p", "-U0", "--text", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index",
				"--diff-algorithm=myers", "--no-indent-heuristic", "--inter-hunk-context=0", from, to, "--"}, paths[:n]...)...)
		if err != nil {
			return nil, err
		}
		paths = paths[n:]
	}
	return all, nil
}

// readLineChanges reads a patch without context lines. The line "index OLD..NEW" of each file has the ids of the compared
// contents, so that paths, which git quotes, need not be read. The head of each hunk has its number of lines, so that a line
// of a text is never taken for a head.
func readLineChanges(out io.Reader, all map[IDPair][]LineChange) error {
	br := bufio.NewReaderSize(out, 64<<10)
	var pair IDPair
	for {
		line, err := readHead(br)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if ids, ok := strings.CutPrefix(line, "index "); ok {
			ids, _, _ = strings.Cut(ids, " ")
			pair.Old, pair.New, _ = strings.Cut(ids, "..")
			continue
		}
		if !strings.HasPrefix(line, "@@ -") {
			continue
		}
		c, ok := parseHunkHead(line)
		if !ok {
			return fmt.Errorf("read diff: %w: %.120q", ErrUnsupported, line)
		}
		all[pair] = append(all[pair], c)
		for range c.Drop + c.Add {
			if err := skipLine(br); err != nil {
				return truncatedError(err)
			}
		}
	}
}

// parseHunkHead reads the head of a hunk, "@@ -FROM,DROP +TO,ADD @@". Git leaves out a count of 1; if a count is 0, it gives the line
// before the hunk.
func parseHunkHead(line string) (c LineChange, ok bool) {
	f := strings.Fields(line)
	if len(f) < 4 || f[1][0] != '-' || f[2][0] != '+' {
		return c, false
	}
	side := func(s string) (at, n int, ok bool) {
		first, count, counted := strings.Cut(s, ",")
		at, err := strconv.Atoi(first)
		n = 1
		if err == nil && counted {
			n, err = strconv.Atoi(count)
		}
		if n > 0 {
			at--
		}
		return at, n, err == nil && at >= 0 && n >= 0
	}
	var from, to bool
	c.From, c.Drop, from = side(f[1][1:])
	c.To, c.Add, to = side(f[2][1:])
	return c, from && to
}

// maxHead is the maximal number of bytes that are kept of a line outside hunks.
const maxHead = 4096

// readHead reads a line, or the beginning of a very long one.
func readHead(br *bufio.Reader) (string, error) {
	var b strings.Builder
	for {
		part, err := br.ReadSlice('\n')
		b.Write(part[:min(len(part), max(0, maxHead-b.Len()))])
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && b.Len() > 0 && errors.Is(err, io.EOF) {
			err = nil
		}
		return strings.TrimSuffix(b.String(), "\n"), err
	}
}

// skipLine skips a line of any length.
func skipLine(br *bufio.Reader) error {
	for {
		_, err := br.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}
