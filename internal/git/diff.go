package git

import (
	"bufio"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Compared is a path that differs between two trees.
type Compared struct {
	Status           byte   // A added, D deleted, M modified, R renamed, C copied, T changed its type, U in conflict
	Old, Path        string // relative to the top of the working tree; Old equals Path unless renamed or copied
	OldID, NewID     string // object ids; all zeros if there is none
	OldMode, NewMode uint32
}

// Commit returns the id of the commit of a revision, as git understands revisions: "HEAD~3", a branch, a tag, an abbreviated
// id. It fails with ErrNotFound if there is none, or if git fails.
func (g Git) Commit(ctx context.Context, r *Repo, rev string) (string, error) {
	if rev == "" || strings.ContainsAny(rev, "\x00\n") {
		return "", fmt.Errorf("find revision: %w: %q", ErrNotFound, rev)
	}
	out, err := g.run(ctx, r, r.Root, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if ctx.Err() != nil {
		return "", err
	}
	if id := strings.TrimSpace(string(out)); err == nil && isHex(id) {
		return id, nil
	}
	return "", fmt.Errorf("find revision: %w: %q", ErrNotFound, rev)
}

// MergeBase returns the best common ancestor of two commits. It fails with ErrNotFound if they have none, or if git fails.
func (g Git) MergeBase(ctx context.Context, r *Repo, a, b string) (string, error) {
	if !isHex(a) || !isHex(b) {
		return "", fmt.Errorf("merge base: %w: no object id", ErrNotFound)
	}
	out, err := g.run(ctx, r, r.Root, "merge-base", a, b)
	if ctx.Err() != nil {
		return "", err
	}
	if id := strings.TrimSpace(string(out)); err == nil && isHex(id) {
		return id, nil
	}
	return "", fmt.Errorf("merge base: %w: of %s and %s", ErrNotFound, a, b)
}

// EmptyTree returns the id of the tree without entries, in r's object format.
func (r *Repo) EmptyTree() string {
	if r.sha256() {
		return emptyTrees[64]
	}
	return emptyTrees[40]
}

func (r *Repo) sha256() bool { return ReadConfig(r).Get("extensions.objectformat") == "sha256" }

// Compare returns the paths that differ between a tree or commit and another, or the index (to is ""), in git's order.
// Renames are found by content. It reads only objects and no file of the working tree, so that no filter runs. It fails if
// git does or its output is invalid.
func (g Git) Compare(ctx context.Context, r *Repo, from, to string) ([]Compared, error) {
	if !isHex(from) || to != "" && !isHex(to) {
		return nil, fmt.Errorf("compare: %w: no object id", ErrNotFound)
	}
	args := []string{"diff-tree", "-r", "-z", "--raw", "--no-abbrev", "-M", from, to}
	if to == "" {
		args = []string{"diff-index", "--cached", "-z", "--raw", "--no-abbrev", "-M", from}
	}
	var list []Compared
	err := g.pipeOutput(ctx, r, nil, func(out io.Reader) (err error) {
		list, err = readRaw(out)
		return err
	}, args...)
	return list, err
}

// Differences is Compare between two trees without renames: each path occurs once. It fails as Compare does.
func (g Git) Differences(ctx context.Context, r *Repo, from, to string) ([]Compared, error) {
	if !isHex(from) || !isHex(to) {
		return nil, fmt.Errorf("compare: %w: no object id", ErrNotFound)
	}
	var list []Compared
	err := g.pipeOutput(ctx, r, nil, func(out io.Reader) (err error) {
		list, err = readRaw(out)
		return err
	}, "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", from, to)
	return list, err
}

// readRaw reads git's raw format of differences (-z): ":MODE MODE ID ID STATUS"
// and a path; for renames and copies two paths.
func readRaw(out io.Reader) ([]Compared, error) {
	sc := bufio.NewScanner(out)
	sc.Buffer(make([]byte, 64<<10), maxRecord)
	sc.Split(scanNUL)
	var list []Compared
	for sc.Scan() {
		rec := sc.Text()
		f := strings.Fields(strings.TrimPrefix(rec, ":"))
		if len(f) != 5 || rec[0] != ':' || f[4] == "" || !sc.Scan() {
			return nil, fmt.Errorf("read diff: %w: record %.120q", ErrUnsupported, rec)
		}
		from, err1 := strconv.ParseUint(f[0], 8, 32)
		to, err2 := strconv.ParseUint(f[1], 8, 32)
		if err := errors.Join(err1, err2); err != nil {
			return nil, fmt.Errorf("read diff: %w: record %.120q", ErrUnsupported, rec)
		}
		c := Compared{Status: f[4][0], Old: sc.Text(), Path: sc.Text(), OldID: f[2], NewID: f[3], OldMode: uint32(from), NewMode: uint32(to)}
		if c.Status == 'R' || c.Status == 'C' {
			if !sc.Scan() {
				return nil, fmt.Errorf("read diff: %w: rename without a second path", ErrUnsupported)
			}
			c.Path = sc.Text()
		}
		list = append(list, c)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("read diff: %w", err)
	}
	return list, nil
}

// Entry is an entry of git's index. It includes the recorded stat (times, size,
// inode), which shows whether the file in the working tree is still the one that
// was added.
type Entry struct {
	Tracked
	ID    string
	Stage int    // 0; in conflict 1 (base), 2 (ours) or 3 (theirs)
	Size  uint32 // of the file, modulo 2³²
	// MTime and CTime of the file, nanoseconds since 1970. MTime is 0 if it is
	// unknown, or so young that the file may have been written again in the same moment.
	MTime, CTime int64
}

// Entries reads the index with stats and ids, in git's order. If only git can read it (split, sparse), git lists it, without
// stats. It fails if the index cannot be read.
func (g Git) Entries(ctx context.Context, r *Repo) ([]Entry, error) {
	file := filepath.Join(r.GitDir, "index")
	data, err := readRegular(file, maxIndex)
	if isNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read index: %w", err)
	}
	idLen := 20
	if r.sha256() {
		idLen = 32
	}
	list, err := parseEntries(data, idLen)
	if errors.Is(err, ErrUnsupported) {
		return g.listEntries(ctx, r)
	}
	if st, serr := os.Stat(file); err == nil && serr == nil {
		for i := range list {
			if isRacilyClean(list[i].MTime, st.ModTime().UnixNano()) {
				list[i].MTime = 0
			}
		}
	}
	return list, err
}

// clockTick is the longest time, in nanoseconds, during which the kernel's clock of file times may stand still: two writes within
// it may have the same time.
const clockTick = 20e6

// isRacilyClean reports whether a file with the time mtime may have been written again after
// the index, whose time is given, without getting another time (git calls that
// "racily clean"). A time in whole seconds may come from a file system that keeps no
// fractions.
func isRacilyClean(mtime, index int64) bool {
	if mtime%1e9 == 0 {
		return mtime >= index/1e9*1e9
	}
	return mtime >= index-clockTick
}

// parseEntries does the same as parseIndex, but returns all fields of each entry.
func parseEntries(data []byte, idLen int) ([]Entry, error) {
	p, count, err := newIndexParser(data, idLen)
	if err != nil {
		return nil, err
	}
	list := make([]Entry, 0, count)
	for range count {
		b := p.data[min(p.at, len(p.data)):]
		t, err := p.nextEntry()
		if err != nil {
			return nil, err
		}
		word := func(i int) uint32 { return binary.BigEndian.Uint32(b[i:]) }
		list = append(list, Entry{
			Tracked: t, ID: hex.EncodeToString(b[40 : 40+idLen]), Size: word(36),
			Stage: int(binary.BigEndian.Uint16(b[40+idLen:])&flagStage) >> 12,
			MTime: int64(word(8))*1e9 + int64(word(12)), CTime: int64(word(0))*1e9 + int64(word(4)),
		})
	}
	return list, p.checkExtensions()
}

// listEntries has git list the index: "MODE ID STAGE\tPATH".
func (g Git) listEntries(ctx context.Context, r *Repo) ([]Entry, error) {
	out, err := g.run(ctx, r, r.Root, "ls-files", "-z", "-s")
	if err != nil {
		return nil, err
	}
	var list []Entry
	for rec := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if rec == "" {
			continue
		}
		t, err := parseStage(rec)
		if err != nil {
			return nil, err
		}
		head, _, _ := strings.Cut(rec, "\t")
		f := strings.Fields(head)
		if len(f) != 3 {
			return nil, fmt.Errorf("read ls-files: %w: entry %.120q", ErrUnsupported, rec)
		}
		stage, _ := strconv.Atoi(f[2])
		list = append(list, Entry{Tracked: t, ID: f[1], Stage: stage})
	}
	return list, nil
}

// BlobID returns the object id of size bytes of content without filters, as `git hash-object --no-filters` does. like
// is any id of the repository, whose length shows the object format. It fails if the content cannot be read. It does
// not check that the content has that size.
func BlobID(content io.Reader, size int64, like string) (string, error) {
	var h hash.Hash = sha1.New()
	if len(like) == 64 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", size)
	_, err := io.Copy(h, content)
	return hex.EncodeToString(h.Sum(nil)), err
}
