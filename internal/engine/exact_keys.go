package engine

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/exact"
	"ken/internal/engine/gotypes"
	"ken/internal/engine/source/scan"
)

// Exact bindings depend on more than the file they are for: on what the packages
// it imports declare, on the go.mod that rules it. Each of those is a key with a
// print; a unit remembers what the prints of its keys came to, and counts only
// while they come to that again. Prints are kept up by every update, which costs
// a pass over the tokens of a changed Go file, and nothing where no exact
// bindings are kept. No binding is touched by that: an edit that is taken back
// makes those it put aside count again.
//
//	go:DIR      what the Go files of a directory declare, tests left out
//	gotest:DIR  what its tests declare
//	mod:PATH    a go.mod or go.work
//	mods:       which go.mod and go.work there are
//	file:PATH   which symbols a file has, in which order (what SCIP bindings need)
const (
	keyGo     = "go:"
	keyGoTest = "gotest:"
	keyMod    = "mod:"
	keyMods   = "mods:"
	keyFile   = "file:"
)

// goKey is the key that a Go file adds to.
func goKey(p string) string {
	if strings.HasSuffix(p, "_test.go") {
		return keyGoTest + code.Dir(p)
	}
	return keyGo + code.Dir(p)
}

// shapeOf is the shape of a Go file from its masked text; of one too large to be
// read whole, its hash.
func shapeOf(c *scan.Content, text []byte) uint64 {
	if c.Problem == code.ProblemTooLarge {
		return binary.LittleEndian.Uint64(c.Hash[:])
	}
	return gotypes.Shape(text)
}

// addOf is what a file adds to its key's print: sums do not depend on the order
// files come in.
func addOf(id int64, p string, shape uint64) uint64 {
	return printOf(uint64(id), shape, p)
}

func printOf(a, b uint64, text ...string) uint64 {
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

// depsPrint is what the prints of keys come to. The ids must be ascending.
func depsPrint(ids []int64, prints map[int64]uint64) uint64 {
	out := uint64(len(ids))
	for _, id := range ids {
		out = printOf(out, printOf(uint64(id), prints[id]))
	}
	return out
}

// symbolsPrint tells what a file declares, and in which order, without positions.
func symbolsPrint(id int64, p string, syms []code.Symbol) uint64 {
	h := fnv.New64a()
	for i := range syms {
		h.Write([]byte(syms[i].Qualified))
		h.Write([]byte{0, byte(syms[i].Kind)})
	}
	return printOf(uint64(id), h.Sum64(), p)
}

func modPrint(content []byte, there bool) uint64 {
	if !there {
		return 0
	}
	return printOf(1, 0, string(content))
}

// modsPrint tells which go.mod and go.work files there are.
func modsPrint(r Reader) (uint64, error) {
	var all []string
	for _, base := range []string{"go.mod", "go.work"} {
		list, err := r.ConfigPaths(base)
		if err != nil {
			return 0, err
		}
		all = append(all, list...)
	}
	slices.Sort(all)
	return printOf(uint64(len(all)), 0, all...), nil
}

func isGoMod(p string) bool {
	base := p[strings.LastIndexByte(p, '/')+1:]
	return base == "go.mod" || base == "go.work"
}

// exactKeeper keeps the prints of keys right while an updater works.
type exactKeeper struct {
	asked, on bool
}

// keepsExact reports whether there are exact bindings whose keys must be kept up.
func (u *updater) keepsExact() (bool, error) {
	if u.exact.asked {
		return u.exact.on, nil
	}
	var err error
	u.exact.on, err = u.tx.HasExact()
	u.exact.asked = true
	return u.exact.on, err
}

// keepFile corrects the keys that a file, stored anew, adds to.
func (u *updater) keepFile(id int64, r *reading) error {
	if on, err := u.keepsExact(); err != nil || !on {
		return err
	}
	if err := u.unkeepGo(id); err != nil {
		return err
	}
	if r.file.Lang == "go" && indexed(&r.file) {
		if err := u.keepGo(id, r.file.Path, r.shape); err != nil {
			return err
		}
	}
	return u.keepPrint(keyFile+r.file.Path, symbolsPrint(id, r.file.Path, r.facts.Symbols))
}

// unkeepGo takes what a file added out of its key.
func (u *updater) unkeepGo(id int64) error {
	key, add, err := u.tx.ExactShape(id)
	if err != nil || key == 0 {
		return err
	}
	print, err := u.tx.ExactPrint(key)
	if err != nil {
		return err
	}
	if err := u.tx.SetExactPrint(key, print-add); err != nil {
		return err
	}
	return u.tx.SetExactShape(id, 0, 0)
}

// keepGo adds a file to its key, if something depends on that.
func (u *updater) keepGo(id int64, p string, shape uint64) error {
	k, ok, err := u.tx.ExactKey(goKey(p))
	if err != nil || !ok {
		return err
	}
	add := addOf(id, p, shape)
	if err := u.tx.SetExactShape(id, k.ID, add); err != nil {
		return err
	}
	return u.tx.SetExactPrint(k.ID, k.Print+add)
}

// keepPrint stores the print of a key, if something depends on it.
func (u *updater) keepPrint(name string, print uint64) error {
	k, ok, err := u.tx.ExactKey(name)
	if err != nil || !ok || k.Print == print {
		return err
	}
	return u.tx.SetExactPrint(k.ID, print)
}

// keepGone takes a file out that goes.
func (u *updater) keepGone(f *code.File) error {
	if on, err := u.keepsExact(); err != nil || !on {
		return err
	}
	if err := u.unkeepGo(f.ID); err != nil {
		return err
	}
	return u.keepPrint(keyFile+f.Path, 0)
}

// keepMod follows a change of a go.mod or go.work that is stored already.
func (u *updater) keepMod(p string, content []byte) error {
	if !isGoMod(p) {
		return nil
	}
	if on, err := u.keepsExact(); err != nil || !on {
		return err
	}
	if err := u.keepPrint(keyMod+p, modPrint(content, content != nil)); err != nil {
		return err
	}
	mods, err := modsPrint(u.tx)
	if err != nil {
		return err
	}
	return u.keepPrint(keyMods, mods)
}

// ExactMethodNames are the names of packed methods, sorted; none if they are damaged.
func ExactMethodNames(packed []byte) []string {
	list, err := exact.DecodeMethods(packed)
	if err != nil {
		return nil
	}
	return methodNames(list)
}

func methodNames(list []exact.Method) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].Name
	}
	return out
}

func sortMethods(list []exact.Method) {
	slices.SortFunc(list, func(a, b exact.Method) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Print, b.Print)) })
}
