package graph

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"ken/internal/code"
)

// Link is the target of one import of a file, in the form in which the store keeps it.
type Link struct {
	File     int64    // file the specifier names, 0 if none
	Runs     int64    // file that runs where File only declares its names (a.js beside a.d.ts), 0 if none
	Dirs     []string // package directories it names, the likeliest first
	Subs     []Sub    // imported names that are files themselves, by name
	External string
	Std      bool
	// Package is the package or namespace whose files declare the imported names; IsPackage is set (C#, PHP). See resolve.Result.
	Package   string
	IsPackage bool
}

// Sub is an imported name that stands for a file, such as a submodule.
type Sub struct {
	Name string
	File int64
}

// Internal reports whether the import leads to a place in the repository.
func (l *Link) Internal() bool {
	return l.File != 0 || len(l.Dirs) > 0 || len(l.Subs) > 0 || l.IsPackage
}

// IsResolved reports whether the target of the import is known, inside the repository or outside.
func (l *Link) IsResolved() bool { return l.Internal() || l.External != "" }

// Links is the result of linking the imports of a file.
//
// Its packed form, version 2, is made of unsigned varints and length-prefixed
// strings: version; number of links, per link file, number of dirs and the
// dirs, number of subs and per sub name and file, external, 1 if std plus 2 if it is a
// package plus 4 if another file runs, then the package, then the other file; number of
// probes, per probe the difference to the one before.
type Links struct {
	Imports []Link
	Probes  []uint64 // sorted hashes of resolve.Keys, see ProbeKey
}

// ProbeKey returns the number under which a probe is stored: 40 bits of a hash. A probe is a path or name that
// a file's links depend on, so that the file is linked again when it changes. A collision costs one needless
// relinking.
func ProbeKey(key string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(key))
	return h.Sum64() >> 24
}

const linksVersion = 2

// The flags of a packed link.
const (
	linkStd = 1 << iota
	linkPackage
	linkRuns
)

// errDamaged reports a blob that Encode did not write.
var errDamaged = fmt.Errorf("packed links: %w", code.ErrDamaged)

// Encode packs the links into bytes.
func (l *Links) Encode() []byte {
	b := binary.AppendUvarint(nil, linksVersion)
	b = binary.AppendUvarint(b, uint64(len(l.Imports)))
	for i := range l.Imports {
		k := &l.Imports[i]
		b = binary.AppendUvarint(b, uint64(k.File))
		b = binary.AppendUvarint(b, uint64(len(k.Dirs)))
		for _, d := range k.Dirs {
			b = appendString(b, d)
		}
		b = binary.AppendUvarint(b, uint64(len(k.Subs)))
		for _, s := range k.Subs {
			b = binary.AppendUvarint(appendString(b, s.Name), uint64(s.File))
		}
		b = appendString(b, k.External)
		flags := byte(0)
		if k.Std {
			flags |= linkStd
		}
		if k.IsPackage {
			flags |= linkPackage
		}
		if k.Runs != 0 {
			flags |= linkRuns
		}
		if b = append(b, flags); k.IsPackage {
			b = appendString(b, k.Package)
		}
		if k.Runs != 0 {
			b = binary.AppendUvarint(b, uint64(k.Runs))
		}
	}
	b = binary.AppendUvarint(b, uint64(len(l.Probes)))
	prev := uint64(0)
	for _, p := range l.Probes {
		b = binary.AppendUvarint(b, p-prev)
		prev = p
	}
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// DecodeLinks unpacks links; an empty blob means no links. It fails with code.ErrDamaged if the blob has another
// form.
func DecodeLinks(b []byte) (*Links, error) {
	l := &Links{}
	if len(b) == 0 {
		return l, nil
	}
	r := linkReader{b: b}
	if r.uint() != linksVersion {
		return nil, errDamaged
	}
	l.Imports = make([]Link, r.count())
	for i := range l.Imports {
		k := &l.Imports[i]
		k.File = int64(r.uint())
		for n := r.count(); n > 0; n-- {
			k.Dirs = append(k.Dirs, r.str())
		}
		for n := r.count(); n > 0; n-- {
			k.Subs = append(k.Subs, Sub{Name: r.str(), File: int64(r.uint())})
		}
		k.External = r.str()
		flags := r.uint()
		k.Std, k.IsPackage = flags&linkStd != 0, flags&linkPackage != 0
		if k.IsPackage {
			k.Package = r.str()
		}
		if flags&linkRuns != 0 {
			k.Runs = int64(r.uint())
		}
	}
	n := r.count()
	l.Probes = make([]uint64, n)
	prev := uint64(0)
	for i := range l.Probes {
		prev += r.uint()
		l.Probes[i] = prev
	}
	if r.bad {
		return nil, errDamaged
	}
	return l, nil
}

type linkReader struct {
	b   []byte
	bad bool
}

func (r *linkReader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads the length of a list. It never exceeds the bytes left, so that a damaged blob cannot claim much memory.
func (r *linkReader) count() int {
	v := r.uint()
	if v > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return 0
	}
	return int(v)
}

func (r *linkReader) str() string {
	n := r.count()
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

// Sub returns the file that an imported name stands for, and false if it stands for none.
func (l *Link) Sub(name string) (int64, bool) {
	i, ok := slices.BinarySearchFunc(l.Subs, name, func(s Sub, n string) int {
		switch {
		case s.Name < n:
			return -1
		case s.Name > n:
			return 1
		}
		return 0
	})
	if !ok {
		return 0, false
	}
	return l.Subs[i].File, true
}
