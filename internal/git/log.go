package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ken/internal/code"
)

// LogOptions selects the commits of a log.
type LogOptions struct {
	// From is the object id of the commit whose ancestors are listed, itself first.
	From string
	// Limit bounds the number of commits; 0 means no limit.
	Limit int
	// Only, if not nil, lists the commits themselves, in this order; then From and
	// Limit do not count.
	Only []string
	// ExactRenames finds only renames without a change of content. That needs no content, which a partial clone may not have.
	ExactRenames bool
}

const (
	// MaxMessage is the number of bytes of a commit's message that are read.
	MaxMessage = 12 << 10
	// maxChanges bounds the changes of one commit that are held.
	maxChanges = 1 << 17
	// maxLogField bounds an id, an address or a path.
	maxLogField = 1 << 20
)

// logFormat is the format of a commit in a log. It begins with a byte that begins no status of a file. The message ends
// at the NUL that -z puts after it, because git cuts messages at the first NUL in them.
const logFormat = "--format=tformat:%x01%H%x00%P%x00%ct%x00%ae%x00%B"

const logMark = 1

// renameLimit is the maximal number of files that git compares for renames in
// one commit, as in its own default.
const renameLimit = "-l1000"

// Log reads commits, newest first as `git log` orders them. f gets each, valid until it returns. A merge has no changes,
// because the commits it brings are listed with theirs. Diffs follow renames. Log fails with the error of f, or if git does
// or its output is invalid.
func (g Git) Log(ctx context.Context, r *Repo, opt LogOptions, f func(*code.LogCommit) error) error {
	renames := "-M50%"
	if opt.ExactRenames {
		renames = "-M100%"
	}
	args := []string{"-z", "--name-status", renames, renameLimit, "-O" + os.DevNull, logFormat, "--encoding=UTF-8",
		"--no-color", "--no-notes", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-decorate", "--no-mailmap"}
	var feed func(io.Writer) error
	switch {
	case opt.Only != nil:
		args = append(args, "--no-walk=unsorted", "--stdin")
		feed = func(w io.Writer) error { return writeIDs(w, opt.Only) }
	case !isHex(opt.From):
		return fmt.Errorf("git log: %w: %q is no object id", ErrNotFound, opt.From)
	default:
		args = append(args, opt.From)
	}
	if opt.Limit > 0 && opt.Only == nil {
		args = append(args, "-n", strconv.Itoa(opt.Limit))
	}
	args = append(args, "--")
	return g.pipeWith(ctx, r, logSettings, feed, func(out io.Reader) error { return ReadLog(out, f) }, append([]string{"log"}, args...)...)
}

// logSettings override settings of a repository that would change the log.
var logSettings = []string{"log.showRoot=true", "log.follow=false", "diff.relative=false"}

// Ancestor is the id of a commit, with the ids of its parents.
type Ancestor struct {
	ID      string
	Parents []string
}

// Ancestors returns from and its ancestors in the order of Log, at most limit (0: all). It fails if git does.
func (g Git) Ancestors(ctx context.Context, r *Repo, from string, limit int) ([]Ancestor, error) {
	if !isHex(from) {
		return nil, fmt.Errorf("git rev-list: %w: %q is no object id", ErrNotFound, from)
	}
	args := []string{"rev-list", "--parents", from}
	if limit > 0 {
		args = append(args, "-n", strconv.Itoa(limit))
	}
	var out []Ancestor
	err := g.eachLine(ctx, r, func(line string) {
		if ids := strings.Fields(line); len(ids) > 0 {
			out = append(out, Ancestor{ids[0], ids[1:]})
		}
	}, append(args, "--")...)
	return out, err
}

// CommitsBetween lists the commits that can be reached from only one of two commits, newest first. left is set for those that
// can be reached from the commit from. It fails if git does.
func (g Git) CommitsBetween(ctx context.Context, r *Repo, from, to string, f func(id string, left bool)) error {
	if !isHex(from) || !isHex(to) {
		return fmt.Errorf("git rev-list: %w: %q is no object id", ErrNotFound, from)
	}
	return g.eachLine(ctx, r, func(line string) {
		if line != "" {
			f(line[1:], line[0] == '<')
		}
	}, "rev-list", "--left-right", from+"..."+to, "--")
}

// eachLine starts git and calls f with each line of its output.
func (g Git) eachLine(ctx context.Context, r *Repo, f func(string), args ...string) error {
	return g.pipeOutput(ctx, r, nil, func(out io.Reader) error {
		sc := bufio.NewScanner(out)
		for sc.Scan() {
			f(sc.Text())
		}
		return sc.Err()
	}, args...)
}

func writeIDs(w io.Writer, ids []string) error {
	b := bufio.NewWriter(w)
	for _, id := range ids {
		if !isHex(id) {
			return fmt.Errorf("git log: %w: %q is no object id", ErrNotFound, id)
		}
		b.WriteString(id)
		b.WriteByte('\n')
	}
	return b.Flush()
}

// ReadLog reads the output of git for Log: the records of commits, each the mark and its id, the ids of its parents, its
// time, its author's address and its message, all ended by NUL; then the changes, each a status and one path or (R, C) two.
// The first status follows a line feed. It fails with the error of f, with ErrUnsupported for another record, or with
// io.ErrUnexpectedEOF if the log ends inside one.
func ReadLog(out io.Reader, f func(*code.LogCommit) error) error {
	p := logParser{r: bufio.NewReaderSize(out, 128<<10)}
	tok, err := p.readField(maxLogField)
	for err == nil {
		if len(tok) == 0 {
			tok, err = p.readField(maxLogField)
			continue
		}
		if tok[0] != logMark {
			return badLogError(tok)
		}
		if tok, err = p.readCommit(tok); err == nil || errors.Is(err, io.EOF) {
			if err := f(&p.c); err != nil {
				return err
			}
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func badLogError(tok []byte) error {
	return fmt.Errorf("read log: %w: record %.120q", ErrUnsupported, tok)
}

type logParser struct {
	r   *bufio.Reader
	buf []byte
	cut bool // the field was longer than its limit
	c   code.LogCommit
}

// readField reads up to the next NUL and returns at most limit bytes of that. The bytes are valid until the next call. It
// fails with io.EOF at the end, and io.ErrUnexpectedEOF for a field without NUL.
func (p *logParser) readField(limit int) ([]byte, error) {
	p.buf, p.cut = p.buf[:0], false
	for {
		part, err := p.r.ReadSlice(0)
		whole := err == nil
		if whole {
			part = part[:len(part)-1]
			if len(p.buf) == 0 && len(part) <= limit {
				return part, nil
			}
		}
		room := limit - len(p.buf)
		p.cut = p.cut || len(part) > room
		p.buf = append(p.buf, part[:min(len(part), room)]...)
		switch {
		case whole:
			return p.buf, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(p.buf) == 0 && len(part) == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("read log: %w", io.ErrUnexpectedEOF)
		default:
			return nil, fmt.Errorf("read log: %w", err)
		}
	}
}

// readCommit reads the commit whose first field is head into p.c, and returns the field after it. After the last commit
// there is none: then p.c is complete, and the error is io.EOF.
func (p *logParser) readCommit(head []byte) ([]byte, error) {
	if !isHex(string(head[1:])) {
		return nil, badLogError(head)
	}
	p.c = code.LogCommit{ID: string(head[1:]), Changes: p.c.Changes[:0], Message: p.c.Message[:0]}
	for i := range 4 {
		limit := maxLogField
		if i == 3 {
			limit = MaxMessage
		}
		tok, err := p.readField(limit)
		if err != nil {
			return nil, truncatedError(err)
		}
		switch i {
		case 0:
			p.c.Parents = strings.Fields(string(tok))
		case 1:
			p.c.Time, _ = strconv.ParseInt(string(tok), 10, 64)
		case 2:
			p.c.Email = string(tok)
		case 3:
			p.c.Message, p.c.Cut = append(p.c.Message, tok...), p.cut
		}
	}
	return p.readChanges()
}

// readChanges reads the changes of a commit and returns the field after them.
func (p *logParser) readChanges() ([]byte, error) {
	for {
		tok, err := p.readField(maxLogField)
		if err != nil {
			return nil, err
		}
		status := bytes.TrimPrefix(tok, []byte("\n"))
		if len(tok) == 0 || tok[0] == logMark {
			return tok, nil
		}
		if len(status) == 0 || status[0] < 'A' || status[0] > 'Z' {
			return nil, badLogError(tok)
		}
		ch := code.LogChange{Status: status[0]}
		if ch.Status == 'R' || ch.Status == 'C' {
			if tok, err = p.readField(maxLogField); err != nil {
				return nil, truncatedError(err)
			}
			ch.From = string(tok)
		}
		if tok, err = p.readField(maxLogField); err != nil {
			return nil, truncatedError(err)
		}
		ch.Path = string(tok)
		if p.c.Files++; p.c.Files <= maxChanges {
			p.c.Changes = append(p.c.Changes, ch)
		}
	}
}

// truncatedError returns io.ErrUnexpectedEOF in place of io.EOF, for a log that ends inside a commit.
func truncatedError(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("read log: %w", io.ErrUnexpectedEOF)
	}
	return err
}

// ShallowCommits returns the commits whose parents a shallow clone does not have; it returns none for a complete repository.
func (r *Repo) ShallowCommits() []string {
	data, err := readRegular(filepath.Join(r.CommonDir, "shallow"), maxLogField)
	if err != nil {
		return nil
	}
	return strings.Fields(string(data))
}

// IsPartialClone reports whether the repository is a partial clone, which may lack the
// contents of files. They are not fetched while ken runs git.
func (r *Repo) IsPartialClone() bool {
	c := ReadConfig(r)
	return c.Get("extensions.partialclone") != "" || c.Bool("remote.origin.promisor")
}
