package scan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"ken/internal/code"
	"ken/internal/engine/source/scan/nofollow"
	"ken/internal/lang"
)

// Content is one file that was read.
type Content struct {
	Path string
	Stat code.Stat // of the open file that was read, not of its path a moment before
	// Bytes is the content. A file that is too large has only the first HeadSize
	// bytes, so that its imports can be read. Minified and binary files have theirs;
	// those with any other problem have none.
	Bytes []byte
	Hash  [32]byte // SHA-256 of the whole content, whatever its size
	Lines uint32   // number of '\n', and one more for a last line without
	Lang  code.Lang
	Flags code.Flags // by path and content; FlagTracked is set by the listing
	// Problem is binary, too_large, minified, or, for a file without readable
	// content, symlink, special_file or unreadable.
	Problem code.Problem
}

// HeadSize is the number of bytes of an over-size file that are kept.
const HeadSize = 256 << 10

// Buffer is the memory that ReadInto reuses for one file after the other. The zero
// value is ready. It belongs to one goroutine and to one update, because it also
// remembers the .gitattributes files that were read: otherwise every directory above
// every file would be searched for one.
type Buffer struct {
	data  []byte
	attrs map[string]*attributesFile // by directory, nil where there is none
}

// Read reads one file into memory of its own. It fails as ReadInto does.
func (s *Scanner) Read(ctx context.Context, path string) (Content, error) {
	return s.ReadInto(ctx, path, &Buffer{})
}

// ReadInto reads one file of the tree, without following links in any element
// of path. The content's Bytes are valid until buf is used again. A file that cannot
// be read has a Problem. The error means that the file is not to be listed:
// fs.ErrNotExist if there is no such file, fs.ErrInvalid if path is a directory
// or no path inside the root.
//
// A file that changes while it is read is read again; if it keeps changing, the
// Stat is that before the last reading, so that the next look finds it changed.
//
// Text in UTF-16 with a byte order mark is returned in UTF-8 (see Text), and offsets
// count in that form. Without the mark it counts as binary, as for git; so does any
// that is over-size.
func (s *Scanner) ReadInto(ctx context.Context, path string, buf *Buffer) (Content, error) {
	c := Content{Path: path}
	if !nofollow.Inside(path) {
		return c, fmt.Errorf("read %q: %w: not a path inside the root", path, fs.ErrInvalid)
	}
	r, err := nofollow.Open(s.root)
	if err != nil {
		return c, fmt.Errorf("open root: %w", err)
	}
	defer r.Close()
	for range 3 {
		settled, err := s.tryRead(ctx, r, &c, buf)
		if err != nil {
			return c, err
		}
		if settled {
			break
		}
	}
	switch c.Problem {
	case code.ProblemSymlink, code.ProblemSpecial, code.ProblemUnreadable:
		return c, nil
	}
	s.classifyContent(r, &c, buf)
	return c, nil
}

// ReadHead reads the first bytes of a file, at most n, if its Stat is still st (see
// list.Lister.List for how far that proves it unchanged). It is for files known to be
// text, because it neither hashes nor classifies them. ok is false if the text is in
// UTF-16. The bytes are valid until buf is used again.
func (s *Scanner) ReadHead(path string, st code.Stat, n int, buf *Buffer) (text []byte, ok bool) {
	if !nofollow.Inside(path) {
		return nil, false
	}
	r, err := nofollow.Open(s.root)
	if err != nil {
		return nil, false
	}
	defer r.Close()
	f, err := r.Open(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	if now, k, err := f.Stat(); err != nil || k != nofollow.Regular || now != st {
		return nil, false
	}
	n = int(min(int64(n), st.Size))
	if cap(buf.data) < n {
		buf.data = make([]byte, n, max(n+n/4, 64<<10))
	}
	text = buf.data[:n]
	if _, err := io.ReadFull(f, text); err != nil {
		return nil, false
	}
	now, _, err := f.Stat()
	return text, err == nil && now == st && wideDecoder(text) == nil
}

// tryRead opens and reads the file. It reports false if the file changed
// meanwhile; the path may name another one by then.
func (s *Scanner) tryRead(ctx context.Context, r *nofollow.Root, c *Content, buf *Buffer) (bool, error) {
	f, err := r.Open(c.Path)
	if err != nil {
		return true, c.openError(r, err)
	}
	defer f.Close()
	return s.readOnce(ctx, f, c, buf)
}

// openError sets the problem of the file if an error describes it, and returns the other errors.
func (c *Content) openError(r *nofollow.Root, err error) error {
	switch {
	case errors.Is(err, syscall.ELOOP):
		c.Stat, _, _ = r.NewStatReader().Lstat("", c.Path)
		c.Problem = code.ProblemSymlink
		return nil
	case errors.Is(err, fs.ErrPermission):
		c.Stat, _, _ = r.NewStatReader().Lstat("", c.Path)
		c.Problem = code.ProblemUnreadable
		return nil
	case errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.ENODEV): // a socket, a device without driver
		c.Stat, _, _ = r.NewStatReader().Lstat("", c.Path)
		c.Problem = code.ProblemSpecial
		return nil
	case errors.Is(err, syscall.EIO), errors.Is(err, syscall.ESTALE), errors.Is(err, syscall.EINVAL): // a bad disk, a lost mount
		c.Stat, _, _ = r.NewStatReader().Lstat("", c.Path)
		c.Problem = code.ProblemUnreadable
		return nil
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ESRCH): // ESRCH: a file of a process that ended
		return fmt.Errorf("read %q: %w", c.Path, fs.ErrNotExist)
	}
	return fmt.Errorf("read %q: %w", c.Path, err)
}

// readOnce reads an open file. It reports whether the file stayed the same meanwhile.
func (s *Scanner) readOnce(ctx context.Context, f nofollow.File, c *Content, buf *Buffer) (bool, error) {
	st, k, err := f.Stat()
	if err != nil {
		return false, fmt.Errorf("read %q: %w", c.Path, err)
	}
	c.Stat, c.Problem = st, code.ProblemNone
	switch k {
	case nofollow.Directory:
		return false, fmt.Errorf("read %q: %w: is a directory", c.Path, fs.ErrInvalid)
	case nofollow.Special:
		c.Problem = code.ProblemSpecial
		return true, nil
	}
	if st.Size > s.maxFile {
		err = c.readStreaming(ctx, f, buf)
	} else {
		err = c.readWhole(f, buf)
	}
	if err != nil {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		c.Bytes, c.Problem = nil, code.ProblemUnreadable // EIO, EISDIR of odd file systems
		return true, nil
	}
	after, _, err := f.Stat()
	return err == nil && after == st, nil
}

// readWhole reads a file up to the size limit. It ignores bytes that were appended after the stat.
func (c *Content) readWhole(f nofollow.File, buf *Buffer) error {
	n := int(c.Stat.Size)
	if cap(buf.data) < n {
		buf.data = make([]byte, n, max(n+n/4, 64<<10))
	}
	data := buf.data[:n]
	got, err := io.ReadFull(f, data)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	c.Bytes = data[:got]
	c.Hash = sha256.Sum256(c.Bytes)
	c.Lines = countLines(c.Bytes)
	return nil
}

func countLines(b []byte) uint32 {
	n := bytes.Count(b, []byte{'\n'})
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return uint32(n)
}

// readStreaming hashes and counts an over-size file in pieces and keeps its head.
func (c *Content) readStreaming(ctx context.Context, f nofollow.File, buf *Buffer) error {
	const piece = HeadSize
	if cap(buf.data) < 2*piece {
		buf.data = make([]byte, 2*piece)
	}
	head, part := buf.data[:0:piece], buf.data[piece:2*piece]
	h := sha256.New()
	var lines uint64
	last := byte('\n')
	for left := c.Stat.Size; left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := part[:min(left, piece)]
		if len(head) == 0 {
			to = head[:min(left, piece)]
		}
		n, err := io.ReadFull(f, to)
		to = to[:n]
		if len(head) == 0 {
			head = to
		}
		h.Write(to)
		lines += uint64(bytes.Count(to, []byte{'\n'}))
		if n > 0 {
			last = to[n-1]
		}
		left -= int64(n)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		} else if err != nil {
			return err
		}
	}
	if last != '\n' {
		lines++
	}
	c.Bytes, c.Lines = head, uint32(min(lines, 1<<32-1))
	h.Sum(c.Hash[:0])
	c.Problem = code.ProblemTooLarge
	return nil
}

// classifyContent sets language, flags and problem of a file by its path and content.
func (s *Scanner) classifyContent(r *nofollow.Root, c *Content, buf *Buffer) {
	if c.Problem == code.ProblemNone && wideDecoder(c.Bytes) != nil {
		c.Bytes = Text(c.Bytes)
		c.Lines = countLines(c.Bytes)
	}
	c.Lang = lang.Detect(c.Path, c.Bytes)
	if bytes.IndexByte(c.Bytes[:min(len(c.Bytes), 8000)], 0) >= 0 { // git's rule: a NUL among the first 8,000 bytes
		c.Problem = code.ProblemBinary
		c.Flags = PathFlags(c.Path, c.Lang)
	} else {
		c.Flags = PathFlags(c.Path, c.Lang) | contentFlags(c.Path, c.Lang, c.Bytes)
	}
	c.Flags = buf.applyAttributes(r, c.Path, c.Flags)
	if c.Problem == code.ProblemNone && c.Flags&code.FlagMinified != 0 {
		c.Problem = code.ProblemMinified
	}
}
