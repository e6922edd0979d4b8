package git

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// firstBytes is the number of bytes of the index that TrackedBelow reads first: enough for the names that begin with a
// dot of nearly every repository.
const firstBytes = 16 << 10

// TrackedBelow returns the tracked paths in a directory of the working tree, relative to it, without starting git. Entries
// are sorted by path, so that for a directory that sorts early only the beginning of the index is read. If file names differ
// by case alone, a directory of another spelling counts if it is the same on disk. It fails if the index cannot be read or
// is damaged.
func (r *Repo) TrackedBelow(dir string) ([]string, error) {
	f, err := openRegular(filepath.Join(r.GitDir, "index"))
	if isNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read index: %w", err)
	}
	defer f.Close()
	idLen, split := r.indexFormat()
	t := entriesBelow{repo: r, dir: dir + "/", idLen: idLen, split: split}
	if !split {
		head := make([]byte, firstBytes)
		n, err := io.ReadFull(f, head)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("read index: %w", err)
		}
		if done, err := t.readEntries(head[:n]); err != nil || done {
			return t.found, err
		}
	}
	data, err := readRegular(f.Name(), maxIndex)
	if err != nil {
		return nil, fmt.Errorf("read index: %w", err)
	}
	t.found = nil
	if _, err = t.readEntries(data); err != nil {
		return t.found, err
	}
	return t.found, t.readShared(data)
}

// indexFormat reads from the repository's own configuration how long object ids are and
// whether the index may be split.
func (r *Repo) indexFormat() (idLen int, split bool) {
	data, err := readSmall(filepath.Join(r.CommonDir, "config"))
	if err != nil {
		return 20, false
	}
	data = bytes.ToLower(data)
	idLen = 20
	if bytes.Contains(data, []byte("objectformat")) && bytes.Contains(data, []byte("sha256")) {
		idLen = 32
	}
	return idLen, bytes.Contains(data, []byte("splitindex"))
}

// entriesBelow collects the entries of the index that are in one directory.
type entriesBelow struct {
	repo  *Repo
	dir   string // ends in "/"
	idLen int
	split bool // some entries may be in another file, named at the end of the index
	found []string
	at    int // after the last entry, once all are read
}

// readEntries reads entries until one sorts after the directory. It returns false if the data end before that.
func (t *entriesBelow) readEntries(data []byte) (done bool, err error) {
	if len(data) < 12 || string(data[:4]) != "DIRC" {
		return true, badIndexError("no index")
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return true, badIndexError(fmt.Sprintf("version %d", version))
	}
	p := &indexParser{data: data, at: 12, idLen: t.idLen, version: version, sparse: true, split: true}
	after := []byte(t.dir[:len(t.dir)-1] + "0") // '0' follows '/'
	for range count {
		_, path, err := p.nextRawEntry()
		if err != nil {
			if len(data) == firstBytes {
				return false, nil
			}
			return true, err
		}
		if len(path) == 0 { // it replaces an entry of the shared index, which has the name
			t.split = true
			continue
		}
		if !t.split && bytes.Compare(path, after) >= 0 {
			return true, nil
		}
		n := len(t.dir)
		if len(path) > n && bytes.EqualFold(path[:n], []byte(t.dir)) && t.isSameDir(string(path[:n])) {
			t.found = append(t.found, string(path[n:]))
		}
	}
	t.at = p.at
	return true, nil
}

// isSameDir reports whether dir, a spelling of the directory's name with other case, names the same directory on disk.
func (t *entriesBelow) isSameDir(dir string) bool {
	return dir == t.dir || sameFile(filepath.Join(t.repo.Root, dir), filepath.Join(t.repo.Root, t.dir))
}

// readShared adds the entries of the shared file of a split index. That file may name paths that are no longer tracked.
func (t *entriesBelow) readShared(data []byte) error {
	if t.at == 0 || t.at+8+t.idLen > len(data) || string(data[t.at:t.at+4]) != "link" {
		return nil
	}
	name := "sharedindex." + hex.EncodeToString(data[t.at+8:t.at+8+t.idLen])
	rest, err := readRegular(filepath.Join(t.repo.GitDir, name), maxIndex)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil {
		_, err = t.readEntries(rest)
	}
	if err != nil {
		return fmt.Errorf("read the shared index: %w", err)
	}
	return nil
}
