package git

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Head is the branch and commit of a working tree.
type Head struct {
	Ref    string // "refs/heads/main"; "" when HEAD is detached
	Commit string // hex object id; "" when the branch has no commit yet
}

// maxSymref is the maximal length of a chain of refs that name each other; it is git's own limit.
const maxSymref = 5

// Head reads HEAD from the repository's files, without starting git unless the refs have a form that only git reads
// (reftable). It fails if HEAD is invalid or cannot be read, or if git fails.
func (g Git) Head(ctx context.Context, r *Repo) (Head, error) {
	data, err := readSmall(filepath.Join(r.GitDir, "HEAD"))
	if err != nil {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	var head Head
	for range maxSymref {
		text := strings.TrimSpace(string(data))
		to, symbolic := strings.CutPrefix(text, "ref:")
		if !symbolic {
			if (len(text) == 40 || len(text) == 64) && isHex(text) {
				head.Commit = text
				return head, nil
			}
			break
		}
		ref := strings.TrimSpace(to)
		if !ValidRef(ref) {
			return Head{}, fmt.Errorf("read HEAD: %w: names %q", ErrUnsupported, ref)
		}
		if ref == "refs/heads/.invalid" {
			return g.askHead(ctx, r)
		}
		if head.Ref == "" {
			head.Ref = ref
		}
		if data, err = readSmall(filepath.Join(r.CommonDir, ref)); err != nil {
			head.Commit = r.packedRef(ref)
			return head, nil
		}
	}
	return g.askHead(ctx, r)
}

// ValidRef reports whether a ref has a name below refs/ that is safe to use as a path.
func ValidRef(ref string) bool {
	if !strings.HasPrefix(ref, "refs/") || strings.ContainsAny(ref, "\x00\\:") {
		return false
	}
	for seg := range strings.SplitSeq(ref, "/") {
		if seg == "" || seg == "." || seg == ".." {
			return false
		}
	}
	return true
}

// packedRef returns the commit of a ref in packed-refs; "" if it is not there.
func (r *Repo) packedRef(ref string) string {
	f, err := openRegular(filepath.Join(r.CommonDir, "packed-refs"))
	if err != nil {
		return ""
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		id, name, ok := bytes.Cut(sc.Bytes(), []byte(" "))
		if ok && string(name) == ref && isHex(string(id)) {
			return string(id)
		}
	}
	return ""
}

// askHead starts git to read HEAD.
func (g Git) askHead(ctx context.Context, r *Repo) (Head, error) {
	var head Head
	if out, err := g.run(ctx, r, r.Root, "symbolic-ref", "--quiet", "HEAD"); err == nil {
		head.Ref = strings.TrimSpace(string(out))
	} else if ctx.Err() != nil {
		return Head{}, err
	}
	out, err := g.run(ctx, r, r.Root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil && head.Ref == "" {
		return Head{}, fmt.Errorf("read HEAD: %w", err)
	}
	head.Commit = strings.TrimSpace(string(out))
	return head, nil
}

// CommitTime returns the committer's time of a commit. Exports take their times from it, so that the same commit exports the
// same bytes. It fails with ErrNotFound if there is no such commit, or if git does.
func (g Git) CommitTime(ctx context.Context, r *Repo, commit string) (time.Time, error) {
	if !isHex(commit) {
		return time.Time{}, fmt.Errorf("commit time: %w: %q is no object id", ErrNotFound, commit)
	}
	out, err := g.run(ctx, r, r.Root, "cat-file", "commit", commit)
	if err != nil {
		return time.Time{}, err
	}
	return committerTime(out)
}

// committerTime returns the time in the line "committer NAME <MAIL> SECONDS ZONE" of a commit's header.
func committerTime(commit []byte) (time.Time, error) {
	for line := range bytes.Lines(commit) {
		if len(line) == 1 {
			break
		}
		who, ok := bytes.CutPrefix(line, []byte("committer "))
		if !ok {
			continue
		}
		f := strings.Fields(string(who[bytes.LastIndexByte(who, '>')+1:]))
		if len(f) == 0 {
			break
		}
		sec, err := strconv.ParseInt(f[0], 10, 64)
		if err != nil {
			break
		}
		return time.Unix(sec, 0).UTC(), nil
	}
	return time.Time{}, fmt.Errorf("commit time: %w: no committer line", ErrUnsupported)
}
