package git

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
)

// The index, as Documentation/gitformat-index.txt of git describes it:
//
//	"DIRC", version (2, 3 or 4), number of entries; each 4 bytes, big endian
//	entries: ctime, mtime (8 each), dev, ino, mode, uid, gid, size (4 each),
//	         object id (20 or 32), flags (2), with version ≥ 3 and flag
//	         "extended" 2 more, path; in 2 and 3 the path ends in 1–8 NULs that
//	         fill to a multiple of 8, in 4 it is a varint (bytes to drop from
//	         the path before), a suffix and one NUL
//	extensions: signature (4), size (4), data; then a checksum
//
// The checksum is not verified: git replaces the index by renaming, so that a reader
// always sees a whole one, and hashing it would cost more than reading it.

const (
	flagExtended     = 0x4000
	flagStage        = 0x3000
	flagSkipWorktree = 0x4000 // of the second flag word
	maxIndex         = 2 << 30
)

// ReadIndex reads the tracked paths, in git's order, from the index file, which takes a hundredth of the time it takes to
// start git. It fails with ErrUnsupported for split and sparse indexes, which git must list, and for damaged ones. A
// repository without an index tracks nothing.
func (r *Repo) ReadIndex(cfg *Config) ([]Tracked, error) {
	data, err := readRegular(filepath.Join(r.GitDir, "index"), maxIndex)
	if isNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read index: %w", err)
	}
	idLen := 20
	if cfg.Get("extensions.objectformat") == "sha256" {
		idLen = 32
	}
	return parseIndex(data, idLen)
}

func badIndexError(why string) error { return fmt.Errorf("read index: %w: %s", ErrUnsupported, why) }

// parseIndex reads an index whose object ids have idLen bytes.
func parseIndex(data []byte, idLen int) ([]Tracked, error) {
	p, count, err := newIndexParser(data, idLen)
	if err != nil {
		return nil, err
	}
	list := make([]Tracked, 0, count)
	for range count {
		t, err := p.nextEntry()
		if err != nil {
			return nil, err
		}
		if n := len(list); n == 0 || list[n-1].Path != t.Path {
			list = append(list, t)
		}
	}
	return list, p.checkExtensions()
}

// newIndexParser reads the header of git's index and returns a parser that is before the first of count entries.
func newIndexParser(data []byte, idLen int) (p *indexParser, count uint32, err error) {
	if len(data) < 12+idLen || string(data[:4]) != "DIRC" {
		return nil, 0, badIndexError("no index")
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil, 0, badIndexError(fmt.Sprintf("version %d", version))
	}
	if int64(count)*int64(42+idLen) > int64(len(data)) {
		return nil, 0, badIndexError("more entries than bytes")
	}
	return &indexParser{data: data[:len(data)-idLen], at: 12, idLen: idLen, version: version}, count, nil
}

type indexParser struct {
	data    []byte
	at      int
	idLen   int
	version uint32
	prev    []byte // path of the entry before, version 4
	sparse  bool   // directories outside the checkout are entries, too
	split   bool   // an entry that replaces one of the shared index may have no name
}

// nextEntry reads the next entry of the index.
func (p *indexParser) nextEntry() (Tracked, error) {
	t, path, err := p.nextRawEntry()
	t.Path = string(path)
	return t, err
}

// nextRawEntry does the same as entry, but returns the path separately, as bytes that are valid until the next entry. That is cheaper,
// because most entries are skipped.
func (p *indexParser) nextRawEntry() (Tracked, []byte, error) {
	start := p.at
	fixed := 40 + p.idLen + 2
	if start+fixed > len(p.data) {
		return Tracked{}, nil, badIndexError("cut short")
	}
	var t Tracked
	t.Mode = binary.BigEndian.Uint32(p.data[start+24:])
	flags := binary.BigEndian.Uint16(p.data[start+fixed-2:])
	if flags&flagExtended != 0 && p.version >= 3 {
		if fixed += 2; start+fixed > len(p.data) {
			return Tracked{}, nil, badIndexError("cut short")
		}
		t.SkipWorktree = binary.BigEndian.Uint16(p.data[start+fixed-2:])&flagSkipWorktree != 0
	}
	if t.Mode == modeTree && !p.sparse {
		return Tracked{}, nil, badIndexError("sparse index")
	}
	p.at = start + fixed
	path, err := p.readPath(start)
	return t, path, err
}

// readPath reads the path of the entry that began at start.
func (p *indexParser) readPath(start int) ([]byte, error) {
	drop := 0
	if p.version == 4 {
		var err error
		if drop, err = p.readVarint(); err != nil || drop > len(p.prev) {
			return nil, badIndexError("path prefix")
		}
	}
	end := bytes.IndexByte(p.data[p.at:], 0)
	if end < 0 {
		return nil, badIndexError("path without end")
	}
	name := p.data[p.at : p.at+end]
	p.at += end + 1
	if p.version == 4 {
		p.prev = append(p.prev[:len(p.prev)-drop], name...)
		name = p.prev
	} else if pad := (p.at - start) % 8; pad != 0 {
		p.at += 8 - pad
	}
	if len(name) == 0 && !p.split || p.at > len(p.data) {
		return nil, badIndexError("empty path")
	}
	return name, nil
}

// readVarint reads a number in git's encoding of offsets (varint.c): base 128,
// most significant digit first, each further digit adding one.
func (p *indexParser) readVarint() (int, error) {
	val := -1
	for range 5 {
		if p.at >= len(p.data) {
			break
		}
		c := p.data[p.at]
		p.at++
		val = (val+1)<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return val, nil
		}
	}
	return 0, badIndexError("number")
}

// checkExtensions fails if the index has an extension that changes the meaning of its entries: "link" (split index: entries
// are in another file) and "sdir" (sparse directories).
func (p *indexParser) checkExtensions() error {
	for p.at+8 <= len(p.data) {
		sig := string(p.data[p.at : p.at+4])
		size := int64(binary.BigEndian.Uint32(p.data[p.at+4:]))
		if sig == "link" || sig == "sdir" {
			return badIndexError("extension " + sig)
		}
		if size > int64(len(p.data)-p.at-8) {
			return badIndexError("extension size")
		}
		p.at += 8 + int(size)
	}
	return nil
}
