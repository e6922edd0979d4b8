// Package fingerprint defines the dependencies of a file's exact bindings: keys
// such as the declarations of a directory, each with a fingerprint of its state.
// update keeps the fingerprints right, exactrun stores bindings under them, and
// view checks whether they are still valid.
package fingerprint

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/gotypes"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
)

// Exact bindings depend on more than their own file: on the declarations of the
// packages it imports, on the go.mod that rules it. Each of those is a key with a
// print; a unit stores the combined prints of its keys, and counts only while they
// combine to the same. Every update keeps the prints right, which costs a pass
// over the tokens of a changed Go file, and nothing where there are no exact
// bindings. No binding is changed by that: an edit that is undone makes the
// bindings valid again.
//
//	go:DIR      the declarations of the Go files of a directory, except tests
//	gotest:DIR  the declarations of its tests
//	mod:PATH    a go.mod or go.work
//	mods:       the list of go.mod and go.work files
//	file:PATH   the symbols of a file, in their order (for SCIP bindings)
const (
	KeyGo     = "go:"
	KeyGoTest = "gotest:"
	KeyMod    = "mod:"
	KeyMods   = "mods:"
	KeyFile   = "file:"
)

// GoKey returns the key that a Go file adds to.
func GoKey(p string) string {
	if strings.HasSuffix(p, "_test.go") {
		return KeyGoTest + code.Dir(p)
	}
	return KeyGo + code.Dir(p)
}

// FileShape returns the shape of a Go file from its masked text; for one too large to be read whole, its hash.
func FileShape(c *scan.Content, text []byte) uint64 {
	if c.Problem == code.ProblemTooLarge {
		return binary.LittleEndian.Uint64(c.Hash[:])
	}
	return gotypes.Shape(text)
}

// FileShare returns the share of a file in its key's print: the sum does not depend on the order of files.
func FileShare(id int64, p string, shape uint64) uint64 {
	return combinePrints(uint64(id), shape, p)
}

func combinePrints(a, b uint64, text ...string) uint64 {
	h := fnv.New64a()
	var buf [16]byte
	binary.LittleEndian.PutUint64(buf[:], a)
	binary.LittleEndian.PutUint64(buf[8:], b)
	h.Write(buf[:])
	for _, t := range text {
		h.Write([]byte(t))
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// DepsPrint combines the prints of keys. The ids must be ascending.
func DepsPrint(ids []int64, prints map[int64]uint64) uint64 {
	out := uint64(len(ids))
	for _, id := range ids {
		out = combinePrints(out, combinePrints(uint64(id), prints[id]))
	}
	return out
}

// SymbolsPrint returns a fingerprint of the declarations of a file and their order, without positions.
func SymbolsPrint(id int64, p string, syms []code.Symbol) uint64 {
	h := fnv.New64a()
	for i := range syms {
		h.Write([]byte(syms[i].Qualified))
		h.Write([]byte{0, byte(syms[i].Kind)})
	}
	return combinePrints(uint64(id), h.Sum64(), p)
}

// ModPrint returns a fingerprint of a go.mod or go.work, 0 if there is none.
func ModPrint(content []byte, there bool) uint64 {
	if !there {
		return 0
	}
	return combinePrints(1, 0, string(content))
}

// ModsPrint returns a fingerprint of the list of go.mod and go.work files. It returns an error if the index cannot be
// read.
func ModsPrint(r store.Reader) (uint64, error) {
	var all []string
	for _, base := range []string{"go.mod", "go.work"} {
		list, err := r.ConfigPaths(base)
		if err != nil {
			return 0, err
		}
		all = append(all, list...)
	}
	slices.Sort(all)
	return combinePrints(uint64(len(all)), 0, all...), nil
}

// IsGoMod reports whether a path is that of a go.mod or go.work.
func IsGoMod(p string) bool {
	base := p[strings.LastIndexByte(p, '/')+1:]
	return base == "go.mod" || base == "go.work"
}

// ReadKeys returns the ids of all keys by name, and their fingerprints by id. It returns an error if the index cannot be
// read.
func ReadKeys(r store.Reader) (map[string]int64, map[int64]uint64, error) {
	keys, prints := map[string]int64{}, map[int64]uint64{}
	for k, err := range r.ExactKeys() {
		if err != nil {
			return nil, nil, err
		}
		keys[k.Name], prints[k.ID] = k.ID, k.Print
	}
	return keys, prints, nil
}

// IsOwnPackage reports whether packages in a directory are checked: not those that the go command excludes from "./...",
// and not vendored ones.
func IsOwnPackage(dir string) bool {
	for seg := range strings.SplitSeq(dir, "/") {
		if seg == "testdata" || seg == "vendor" || strings.HasPrefix(seg, "_") || strings.HasPrefix(seg, ".") {
			return false
		}
	}
	return true
}
