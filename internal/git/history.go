package git

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Staged is a file of the index that differs from HEAD.
type Staged struct {
	Path string // relative to the top of the working tree
	ID   string // object id of the staged content
}

// emptyTrees are the ids of the empty tree by their length. Git knows that tree without storing it.
var emptyTrees = map[int]string{
	40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
	64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}

// maxRecord is the maximal length of one line or record of git's output: a path and its ids.
const maxRecord = 1 << 20

// StagedFiles returns the regular files whose staged content is new or differs from HEAD, by path. Before the first commit that
// is all of the index. It fails if git does or its output is invalid.
func (g Git) StagedFiles(ctx context.Context, r *Repo) ([]Staged, error) {
	head, err := g.Head(ctx, r)
	if err != nil {
		return nil, err
	}
	tree := head.Commit
	if tree == "" {
		tree = emptyTrees[40]
		if ReadConfig(r).Get("extensions.objectformat") == "sha256" {
			tree = emptyTrees[64]
		}
	}
	var list []Staged
	err = g.pipeOutput(ctx, r, nil, func(out io.Reader) error {
		return eachRaw(out, func(_, id, path string) { list = append(list, Staged{path, id}) })
	}, "diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--diff-filter=AM", tree)
	return list, err
}

// eachRaw reads git's raw format of differences (-z), with the ids of commits
// between them. It calls f for every regular file after the change.
func eachRaw(out io.Reader, f func(commit, id, path string)) error {
	sc := bufio.NewScanner(out)
	sc.Buffer(make([]byte, 64<<10), maxRecord)
	sc.Split(scanNUL)
	commit := ""
	for sc.Scan() {
		rec := sc.Text()
		if !strings.HasPrefix(rec, ":") {
			commit, _, _ = strings.Cut(rec, " ")
			continue
		}
		fields := strings.Fields(rec[1:]) // mode, mode, id, id, status
		if len(fields) != 5 || !sc.Scan() {
			return fmt.Errorf("read diff: %w: record %.120q", ErrUnsupported, rec)
		}
		if strings.HasPrefix(fields[1], "100") {
			f(commit, fields[3], sc.Text())
		}
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("read diff: %w", err)
	}
	return nil
}

// Blob is the git object of one content of a file.
type Blob struct {
	ID   string
	Path string // a present or former path; "" if unknown
	Size int64
}

// Blobs reads the blobs with the ids in list, one after the other. f gets the content of each, valid until f returns, and
// need not read it. Blobs ignores ids of missing objects and of objects that are no blobs. It fails with the error of f, or
// if git does.
func (g Git) Blobs(ctx context.Context, r *Repo, list []Staged, f func(Blob, io.Reader) error) error {
	return g.catBlobs(ctx, r, func(w io.Writer) error {
		for _, s := range list {
			if strings.IndexByte(s.Path, '\n') >= 0 {
				s.Path = ""
			}
			if _, err := fmt.Fprintf(w, "%s %s\n", s.ID, s.Path); err != nil {
				return err
			}
		}
		return nil
	}, f)
}

// AllBlobs reads every blob that can be reached from a ref or HEAD, each once. It fails with the error of f, or if git does.
func (g Git) AllBlobs(ctx context.Context, r *Repo, f func(Blob, io.Reader) error) error {
	return g.catBlobs(ctx, r, func(w io.Writer) error {
		return g.pipeOutput(ctx, r, nil, func(out io.Reader) error {
			_, err := io.Copy(w, out)
			return err
		}, "rev-list", "--objects", "--all", "--filter=object:type=blob", "--filter-provided-objects", "--missing=allow-any")
	}, f)
}

// catBlobs has git print the blobs that feed writes, "ID PATH" a line, and calls f with each.
func (g Git) catBlobs(ctx context.Context, r *Repo, feed func(io.Writer) error, f func(Blob, io.Reader) error) error {
	return g.pipeOutput(ctx, r, feed, func(out io.Reader) error {
		br := bufio.NewReaderSize(out, 256<<10)
		for {
			head, err := br.ReadSlice('\n')
			if err == io.EOF && len(head) == 0 {
				return nil
			}
			if err != nil {
				return fmt.Errorf("read blobs: %w", err)
			}
			if err := readBlob(br, head, f); err != nil {
				return err
			}
		}
	}, "cat-file", "--buffer", "--batch=%(objectname) %(objecttype) %(objectsize) %(rest)")
}

// readBlob reads one record of the output of git cat-file: "ID TYPE SIZE
// PATH", a line feed, the content and a line feed; or "ID missing".
func readBlob(br *bufio.Reader, head []byte, f func(Blob, io.Reader) error) error {
	fields := bytes.SplitN(bytes.TrimSuffix(head, []byte("\n")), []byte(" "), 4)
	if len(fields) < 3 {
		return nil // missing
	}
	size, err := strconv.ParseInt(string(fields[2]), 10, 64)
	if err != nil {
		return fmt.Errorf("read blobs: %w: %.120q", ErrUnsupported, head)
	}
	b := Blob{ID: string(fields[0]), Size: size}
	if len(fields) == 4 {
		b.Path = string(fields[3])
	}
	content := &io.LimitedReader{R: br, N: size}
	if string(fields[1]) == "blob" {
		if err := f(b, content); err != nil {
			return err
		}
	}
	if _, err := io.Copy(io.Discard, content); err != nil {
		return fmt.Errorf("read blobs: %w", err)
	}
	_, err = br.Discard(1)
	return err
}

// Origin is a commit that added a blob, and the path at which it did.
type Origin struct{ Commit, Path string }

// Origins returns for each of the blobs the oldest commit that has it, parents before children, and its path there. Blobs in
// no commit are left out. It fails if git does or its output is invalid.
func (g Git) Origins(ctx context.Context, r *Repo, ids map[string]bool) (map[string][]Origin, error) {
	found := map[string][]Origin{}
	if len(ids) == 0 {
		return found, nil
	}
	err := g.pipeOutput(ctx, r, func(w io.Writer) error {
		return g.pipeOutput(ctx, r, nil, func(out io.Reader) error {
			_, err := io.Copy(w, out)
			return err
		}, "rev-list", "--all", "--reverse", "--topo-order")
	}, func(out io.Reader) error {
		return eachRaw(out, func(commit, id, path string) {
			if had := found[id]; ids[id] && (len(had) == 0 || had[0].Commit == commit) {
				found[id] = append(had, Origin{commit, path})
			}
		})
	}, "diff-tree", "--stdin", "-r", "-z", "--root", "--diff-merges=first-parent", "--no-renames", "--no-abbrev", "--raw")
	return found, err
}
