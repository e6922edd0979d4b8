// Package exactrun fills the exact tier: it type-checks Go packages with gotypes,
// and imports the indexes of other indexers (SCIP). Its results depend on
// fingerprints, which update keeps right; view reads them.
package exactrun

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/engine/exact"
	"ken/internal/engine/facts"
	"ken/internal/engine/gotypes"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/update/fingerprint"
)

// ExactOutcome is the result of Exact. Packages are directories.
type ExactOutcome struct {
	Checked  int // packages checked now
	Kept     int // packages whose bindings are still valid
	Problems []ExactProblem
	Elapsed  time.Duration
}

// ExactProblem is a package, or its tests, that could not be bound, and why.
type ExactProblem struct {
	Dir    string
	Test   bool
	Reason string
}

// Index opens the index and keeps it right; update.Writer is one.
type Index interface {
	Read(ctx context.Context) (store.Reader, error)
	WithRebuild(ctx context.Context, f func() error) error
	Refresh(ctx context.Context) error
}

// Project is a tree whose references are bound, with the index that keeps the bindings.
type Project struct {
	Tree   *source.Tree
	Index  Index
	Store  store.Store         // of the index
	Getenv func(string) string // the environment in which Go's sources and modules are found
}

// maxMoves bounds how often a run starts over because the repository changed.
const maxMoves = 5

// Exact binds the references of Go files by type-checking their packages, those whose bindings are missing or stale.
// Each package is stored when it is done, so an interrupted run loses no more than the current one. The index should be
// up to date. No program is run and nothing fetched; see package gotypes. It fails with a usage error if no Go
// installation is found, with the error of ctx or of the index, or if the repository keeps changing.
func Exact(ctx context.Context, p *Project, progress func(done, total int)) (*ExactOutcome, error) {
	start := time.Now()
	rep := &ExactOutcome{}
	var err error
	for range maxMoves {
		err = p.Index.WithRebuild(ctx, func() error { return runOnce(ctx, p, rep, progress) })
		if !errors.Is(err, errMoved) {
			break
		}
		if err := p.Index.Refresh(ctx); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	rep.Elapsed = time.Since(start)
	return rep, nil
}

// exactRun holds the state of type-checking packages of one revision.
type exactRun struct {
	project *Project
	ctx     context.Context
	tree    *exactTree
	check   *gotypes.Checker
	env     string
	rev     int64
	units   map[unitName]store.ExactUnit
	keys    map[string]int64
	prints  map[int64]uint64
	symbols map[string]map[uint32]int32 // by file: place of the name → ord
}

type unitName struct {
	dir  string
	part int
}

func runOnce(ctx context.Context, p *Project, rep *ExactOutcome, progress func(done, total int)) error {
	env := gotypes.FindEnv(p.Getenv, p.Tree.Root())
	if env.GOROOT == "" {
		return code.Usagef("no Go installation was found (GOROOT, PATH): its sources are needed to check types")
	}
	x := &exactRun{project: p, ctx: ctx, env: env.Version(), symbols: map[string]map[uint32]int32{}}
	todo, gone, err := x.planPackages(rep)
	if err != nil {
		return err
	}
	if err := x.deleteUnits(gone); err != nil {
		return err
	}
	x.check = gotypes.New(env, x.tree)
	rep.Problems = slices.DeleteFunc(rep.Problems, func(p ExactProblem) bool { return slices.Contains(todo, p.Dir) })
	for i, dir := range todo {
		if progress != nil {
			progress(i, len(todo))
		}
		if err := x.checkPackage(dir, rep); err != nil {
			return err
		}
	}
	if progress != nil {
		progress(len(todo), len(todo))
	}
	slices.SortFunc(rep.Problems, func(a, b ExactProblem) int {
		if c := strings.Compare(a.Dir, b.Dir); c != 0 || a.Test == b.Test {
			return c
		}
		if a.Test { // after the package
			return 1
		}
		return -1
	})
	return nil
}

// planPackages lists the directories to check, in the order of their modules, and the units of directories that are gone.
func (x *exactRun) planPackages(rep *ExactOutcome) (todo []string, gone []int64, err error) {
	r, err := x.project.Index.Read(x.ctx)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	rev, err := store.Revision(r)
	if err != nil {
		return nil, nil, err
	}
	x.rev = int64(rev)
	if x.tree, err = newExactTree(x.ctx, x.project.Tree, r); err != nil {
		return nil, nil, err
	}
	if x.keys, x.prints, err = fingerprint.ReadKeys(r); err != nil {
		return nil, nil, err
	}
	x.units = map[unitName]store.ExactUnit{}
	for u, err := range r.ExactUnits() {
		if err != nil {
			return nil, nil, err
		}
		if u.Origin != store.FromTypes {
			continue
		}
		if !x.isWanted(u.Name) {
			gone = append(gone, u.ID)
			continue
		}
		x.units[unitName{u.Name, u.Part}] = u
	}
	rep.Kept = 0
	for dir := range x.tree.files {
		if !x.isWanted(dir) {
			continue
		}
		fresh, err := x.isUpToDate(r, dir)
		if err != nil {
			return nil, nil, err
		}
		if fresh {
			rep.Kept++
			continue
		}
		todo = append(todo, dir)
	}
	x.sortByVersions(todo)
	return todo, gone, nil
}

// sortByVersions sorts directories so that those checked with the same versions of modules are neighbours.
func (x *exactRun) sortByVersions(dirs []string) {
	check := gotypes.New(gotypes.Env{}, x.tree)
	key := map[string]string{}
	for _, d := range dirs {
		mod, work := check.Module(d)
		if work != "" {
			mod = work
		}
		key[d] = mod
	}
	slices.SortFunc(dirs, func(a, b string) int {
		if c := strings.Compare(key[a], key[b]); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
}

// isWanted reports whether a directory holds a package of the repository's own.
func (x *exactRun) isWanted(dir string) bool {
	return len(x.tree.files[dir]) > 0 && fingerprint.IsOwnPackage(dir)
}

// isUpToDate reports whether the bindings of a directory are up to date. A directory that had a problem is checked
// again, because the missing part may exist now.
func (x *exactRun) isUpToDate(r store.Reader, dir string) (bool, error) {
	hashes := map[int64][32]byte{}
	for i := range packageParts {
		u, ok := x.units[unitName{dir, i}]
		failed := u.Problem != "" && u.Problem != gotypes.NoFiles
		changed := u.Env != x.env || fingerprint.DepsPrint(u.Deps, x.prints) != u.Print
		if !ok || failed || changed {
			return false, nil
		}
		got, err := r.ExactHashes(u.ID)
		if err != nil {
			return false, err
		}
		maps.Copy(hashes, got)
	}
	for _, f := range x.tree.files[dir] {
		if h, ok := hashes[f.id]; ok && h != f.hash {
			return false, nil
		}
	}
	return true, nil
}

// packageParts is the number of parts of a package; see gotypes.Package.
const packageParts = 3

// deleteUnits deletes units (files that were checked together) with their bindings.
func (x *exactRun) deleteUnits(ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	return x.writeRevision(func(tx store.Tx) error {
		for _, id := range ids {
			if err := tx.DropExactUnit(id); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeRevision runs f in a transaction over the revision of the run, and creates the next one: answers may differ from then on.
func (x *exactRun) writeRevision(f func(store.Tx) error) error {
	return x.project.Store.Write(x.ctx, func(tx store.Tx) error {
		rev, err := store.Revision(tx)
		if err != nil {
			return err
		}
		if int64(rev) != x.rev || x.tree.moved {
			return errMoved
		}
		if err := f(tx); err != nil {
			return err
		}
		if err := tx.SetMeta(store.MetaRevision, strconv.FormatInt(x.rev+1, 10)); err != nil {
			return err
		}
		x.rev++
		return nil
	})
}

// checkPackage checks the package in a directory and stores its bindings.
func (x *exactRun) checkPackage(dir string, rep *ExactOutcome) error {
	p, err := x.check.Check(x.ctx, dir)
	if err != nil {
		return err
	}
	if x.tree.moved {
		return errMoved
	}
	err = x.writeRevision(func(tx store.Tx) error {
		for i, part := range p.Parts() {
			if err := x.storePart(tx, dir, i, part); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	rep.Checked++
	reported := ""
	for i, part := range p.Parts() {
		if why := part.Problem; why != "" && why != gotypes.NoFiles && why != reported {
			reported = why
			rep.Problems = append(rep.Problems, ExactProblem{Dir: dir, Test: i > 0, Reason: why})
		}
	}
	return nil
}

// storePart stores the bindings of one part of a package.
func (x *exactRun) storePart(tx store.Tx, dir string, nth int, part *gotypes.Part) error {
	u := &store.ExactUnit{Origin: store.FromTypes, Name: dir, Part: nth, Env: x.env,
		Problem: part.Problem, Made: time.Now().Unix(), Errors: part.Errors}
	var err error
	if u.Deps, err = x.dependencyKeys(tx, dir, nth > 0, part.Deps); err != nil {
		return err
	}
	u.Print = fingerprint.DepsPrint(u.Deps, x.prints)
	var files []store.ExactFile
	for i := range part.Files {
		f, err := x.bindFile(tx, &part.Files[i])
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	types, err := x.packTypes(tx, part.Types)
	if err != nil {
		return err
	}
	return tx.PutExactUnit(u, files, types)
}

// dependencyKeys returns the keys that a unit depends on, ascending.
func (x *exactRun) dependencyKeys(tx store.Tx, dir string, test bool, deps []string) ([]int64, error) {
	names := map[string]bool{fingerprint.KeyMods: true}
	mods := func(d string) {
		mod, work := x.check.Module(d)
		if mod != "" {
			names[fingerprint.KeyMod+mod] = true
		}
		if work != "" {
			names[fingerprint.KeyMod+work] = true
		}
	}
	for _, d := range deps {
		names[fingerprint.KeyGo+d] = true
		mods(d)
	}
	mods(dir)
	if test {
		names[fingerprint.KeyGoTest+dir] = true
	}
	var ids []int64
	for n := range names {
		id, err := x.keyID(tx, n)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, nil
}

// keyID returns the id of a dependency key, such as "go:DIR". A new key starts with the fingerprint of the run's revision.
func (x *exactRun) keyID(tx store.Tx, name string) (int64, error) {
	if id, ok := x.keys[name]; ok {
		return id, nil
	}
	var print uint64
	var err error
	adds := map[int64]uint64{}
	switch {
	case name == fingerprint.KeyMods:
		print, err = fingerprint.ModsPrint(tx)
	case strings.HasPrefix(name, fingerprint.KeyMod):
		content, there := x.tree.Config(name[len(fingerprint.KeyMod):])
		print = fingerprint.ModPrint(content, there)
	default:
		print, err = x.directoryPrint(name, adds)
	}
	if err != nil {
		return 0, err
	}
	id, err := tx.PutExactKey(name, print)
	if err != nil {
		return 0, err
	}
	for file, add := range adds {
		if err := tx.SetExactShape(file, id, add); err != nil {
			return 0, err
		}
	}
	x.keys[name], x.prints[id] = id, print
	return id, nil
}

// directoryPrint returns the fingerprint of a directory's key, and stores each file's share of it in adds.
func (x *exactRun) directoryPrint(name string, adds map[int64]uint64) (uint64, error) {
	dir := strings.TrimPrefix(strings.TrimPrefix(name, fingerprint.KeyGo), fingerprint.KeyGoTest)
	print := uint64(0)
	for _, f := range x.tree.files[dir] {
		p := f.name
		if dir != "" {
			p = dir + "/" + f.name
		}
		if fingerprint.GoKey(p) != name {
			continue
		}
		shape, err := x.tree.fileShape(p)
		if err != nil {
			return 0, err
		}
		adds[f.id] = fingerprint.FileShare(f.id, p, shape)
		print += adds[f.id]
	}
	return print, nil
}

// bindFile packs those uses in one file that are references in the index.
func (x *exactRun) bindFile(r store.Reader, f *gotypes.File) (store.ExactFile, error) {
	row, ok := x.tree.findFile(f.Path)
	if !ok {
		return store.ExactFile{}, errMoved
	}
	out := store.ExactFile{File: row.id, Origin: store.FromTypes, Hash: row.hash}
	blob, err := r.Facts(row.id)
	if err != nil {
		return out, err
	}
	var list []exact.Binding
	if len(blob) > 0 {
		packed, err := facts.Open(blob)
		if err != nil {
			return out, err
		}
		refs, err := packed.AllRefs()
		if err != nil {
			return out, err
		}
		for i := range refs {
			at, ok := slices.BinarySearchFunc(f.Uses, refs[i].Start, func(u gotypes.Use, start uint32) int {
				return int(int64(u.Start) - int64(start))
			})
			if !ok {
				continue
			}
			target, err := x.symbolID(r, f.Uses[at].Target)
			if err != nil {
				return out, err
			}
			list = append(list, exact.Binding{Start: refs[i].Start, Target: target})
		}
	}
	out.Data = exact.Encode(list)
	return out, nil
}

// symbolID returns the id of the symbol declared at a place, 0 if there is none.
func (x *exactRun) symbolID(r store.Reader, t gotypes.Target) (int64, error) {
	if t.Path == "" {
		return 0, nil
	}
	f, ok := x.tree.findFile(t.Path)
	if !ok {
		return 0, nil
	}
	at, ok := x.symbols[t.Path]
	if !ok {
		rows, err := r.Symbols(f.id)
		if err != nil {
			return 0, err
		}
		at = make(map[uint32]int32, len(rows))
		for i := range rows {
			at[rows[i].NameStart] = rows[i].Ord
		}
		x.symbols[t.Path] = at
	}
	ord, ok := at[t.Offset]
	if !ok {
		return 0, nil
	}
	return code.SymbolID{File: f.id, Ord: ord}.Pack(), nil
}

// packTypes packs the types of a package.
func (x *exactRun) packTypes(r store.Reader, list []gotypes.Type) ([]store.ExactType, error) {
	var out []store.ExactType
	for i := range list {
		id, err := x.symbolID(r, list[i].Target)
		if err != nil {
			return nil, err
		}
		if id == 0 {
			continue
		}
		methods := make([]exact.Method, len(list[i].Methods))
		for j, m := range list[i].Methods {
			target, err := x.symbolID(r, m.Target)
			if err != nil {
				return nil, err
			}
			methods[j] = exact.Method{Name: m.Name, Print: m.Print, Target: target}
		}
		exact.SortMethods(methods)
		out = append(out, store.ExactType{Type: code.UnpackSymbolID(id), Interface: list[i].Interface,
			Names: exact.MethodNames(methods), Methods: exact.EncodeMethods(methods)})
	}
	return out, nil
}
