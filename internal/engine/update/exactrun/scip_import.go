package exactrun

import (
	"bytes"
	"context"
	"hash/fnv"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/engine/exact"
	"ken/internal/engine/facts"
	"ken/internal/engine/lookup"
	"ken/internal/engine/scip"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/update/fingerprint"
	"ken/internal/lang"
)

// SCIPSource is a SCIP index to import. It is read twice.
type SCIPSource struct {
	Reopen func() (io.ReadCloser, error)
	// Written is when the index was written: a file that changed later is bound only if everything that can be compared
	// still fits.
	Written time.Time
}

// SCIPReport is the result of ImportSCIP.
type SCIPReport struct {
	Rev       code.Rev
	Tool      string
	Documents int
	// Verified counts the bound documents by the evidence that the index describes the present file; see verify.
	Verified map[string]int
	Skipped  []SkippedDocument // by path
	Bound    int               // references bound to symbols of the repository
	Outside  int               // references that certainly mean no symbol of the repository
}

// SkippedDocument is a document that was not bound, and why.
type SkippedDocument struct {
	Path   string
	Reason string // outside, not_indexed, changed, misplaced or no_references
}

// ImportSCIP binds references according to another indexer. The index gives the meaning of every occurrence in a
// document; those where a reference of ours starts are stored beside the heuristics, as `ken index --exact` does. SCIP
// holds no hashes, so a document is bound only if its file looks like the indexed one, and a symbol only if the document
// that defines it does. The index should be up to date. It fails with scip.ErrInvalid if the source is not a SCIP index,
// with the error of ctx, if the repository changes meanwhile, or if the source cannot be read or the index not be read or
// written.
func ImportSCIP(ctx context.Context, p *Project, src SCIPSource) (rep *SCIPReport, err error) {
	err = p.Index.WithRebuild(ctx, func() error {
		rep, err = importSCIP(ctx, p, src)
		return err
	})
	return rep, err
}

func importSCIP(ctx context.Context, p *Project, src SCIPSource) (*SCIPReport, error) {
	x := &scipImport{project: p, ctx: ctx, src: src, rep: &SCIPReport{Verified: map[string]int{}}, defs: map[uint64]int64{},
		accepted: map[string]acceptedDoc{}, ords: map[int64]map[uint32]int32{}, keys: map[int64]int64{}}
	if err := x.open(); err != nil {
		return nil, err
	}
	defer x.close()
	if err := x.eachDocument(x.recordDefinitions); err != nil {
		return nil, err
	}
	if err := x.eachDocument(x.bindDocument); err != nil {
		return nil, err
	}
	if err := x.storeWaiting(); err != nil {
		return nil, err
	}
	slices.SortFunc(x.rep.Skipped, func(a, b SkippedDocument) int { return strings.Compare(a.Path, b.Path) })
	x.rep.Rev = code.Rev(x.rev)
	return x.rep, nil
}

type scipImport struct {
	project  *Project
	ctx      context.Context
	src      SCIPSource
	rep      *SCIPReport
	r        store.Reader
	reader   *source.Reader
	rev      int64
	prefix   string
	env      string
	defs     map[uint64]int64 // hash of a global symbol → symbol id; 0 if it is none of ours, -1 if unknown
	accepted map[string]acceptedDoc
	ords     map[int64]map[uint32]int32
	keys     map[int64]int64 // file → id of its key
	waiting  []scipUnit
}

// acceptedDoc is a document that describes the present file.
type acceptedDoc struct {
	id   int64
	hash [32]byte
	enc  scip.Encoding
}

// scipUnit is a document that is bound and not stored yet.
type scipUnit struct {
	path    string
	file    store.ExactFile
	targets []int64 // files
}

func (x *scipImport) open() error {
	var err error
	if x.r, err = x.project.Index.Read(x.ctx); err != nil {
		return err
	}
	rev, err := store.Revision(x.r)
	if err != nil {
		return err
	}
	x.rev = int64(rev)
	x.reader, err = x.project.Tree.WithSizeLimit(maxExactFile).NewReader(nil)
	return err
}

func (x *scipImport) close() { x.r.Close() }

// eachDocument reads the index and calls f for every document.
func (x *scipImport) eachDocument(f func(*scip.Document) error) error {
	in, err := x.src.Reopen()
	if err != nil {
		return err
	}
	defer in.Close()
	return scip.Read(in, x.setPrefix, func(d *scip.Document) error {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		return f(d)
	})
}

// setPrefix computes the prefix from the root of the SCIP index to that of the project.
func (x *scipImport) setPrefix(m *scip.Metadata) error {
	x.rep.Tool = strings.TrimSpace(m.Tool + " " + m.Version)
	x.env = x.rep.Tool
	u, err := url.Parse(m.ProjectRoot)
	if err != nil || u.Scheme != "file" {
		return nil
	}
	at := filepath.FromSlash(u.Path)
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	}
	// A root elsewhere belongs to another checkout and counts as ours.
	if rel, err := filepath.Rel(x.project.Tree.Root(), at); err == nil && rel != "." && filepath.IsLocal(rel) {
		x.prefix = filepath.ToSlash(rel)
	}
	return nil
}

// localPath returns a document's path relative to our root, "" if it leads outside.
func (x *scipImport) localPath(p string) string {
	if p == "" || strings.ContainsAny(p, "\\\x00") || path.IsAbs(p) {
		return ""
	}
	p = path.Join(x.prefix, p)
	if p == "." || p == ".." || strings.HasPrefix(p, "../") {
		return ""
	}
	return p
}

func (x *scipImport) skipDocument(p, reason string) error {
	x.rep.Skipped = append(x.rep.Skipped, SkippedDocument{p, reason})
	return nil
}

// recordDefinitions decides whether a document can be trusted and records its definitions.
func (x *scipImport) recordDefinitions(d *scip.Document) error {
	x.rep.Documents++
	p := x.localPath(d.Path)
	doc, lines, reason := acceptedDoc{}, (*scip.Lines)(nil), "outside"
	how := ""
	if p != "" {
		var err error
		if doc, lines, how, reason, err = x.verifyDocument(p, d); err != nil {
			return err
		}
	}
	if reason == "" {
		x.rep.Verified[how]++
		x.accepted[d.Path] = doc
	} else if err := x.skipDocument(d.Path, reason); err != nil {
		return err
	}
	for i := range d.Occurrences {
		o := &d.Occurrences[i]
		if o.Roles&scip.RoleDefinition == 0 || scip.IsLocal(o.Symbol) || o.Symbol == "" {
			continue
		}
		id := int64(-1)
		if reason == "" {
			var err error
			if id, err = x.symbolAt(&doc, lines, o); err != nil {
				return err
			}
		}
		x.defs[hashSymbol(o.Symbol)] = betterDefinition(x.defs, o.Symbol, id)
	}
	return nil
}

// betterDefinition merges definitions of one symbol: a symbol of the project outranks none, and an unknown symbol outranks no definition.
func betterDefinition(defs map[uint64]int64, symbol string, id int64) int64 {
	had, ok := defs[hashSymbol(symbol)]
	switch {
	case !ok || had == id:
		return id
	case had > 0 && id > 0:
		return -1 // several: it is unknown which is meant
	case had > 0:
		return had
	case id > 0:
		return id
	}
	return -1
}

func hashSymbol(symbol string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, symbol)
	return h.Sum64()
}

// symbolAt returns the symbol of the project whose name is at the place of a definition, 0 if there is none.
func (x *scipImport) symbolAt(doc *acceptedDoc, lines *scip.Lines, o *scip.Occurrence) (int64, error) {
	at, ok := lines.Offset(o.Range.Start, doc.enc)
	if !ok {
		return 0, nil
	}
	ords, ok := x.ords[doc.id]
	if !ok {
		rows, err := x.r.Symbols(doc.id)
		if err != nil {
			return 0, err
		}
		ords = make(map[uint32]int32, len(rows))
		for i := range rows {
			if _, taken := ords[rows[i].NameStart]; !taken {
				ords[rows[i].NameStart] = rows[i].Ord
			}
		}
		clear(x.ords) // documents come one by one: the last is enough
		x.ords[doc.id] = ords
	}
	if ord, ok := ords[at]; ok {
		return code.SymbolID{File: doc.id, Ord: ord}.Pack(), nil
	}
	return 0, nil
}

// The evidence that a document describes the present file.
const (
	byText      = "text"      // the indexer embedded the text, and it equals the file's
	byTime      = "time"      // the file did not change since the index was written, and its names are at the index's places
	byPositions = "positions" // it changed, but all names that can be compared are at the index's places
)

// minFit is the least share of the comparable references whose name must be at their place. It is below 1 because an
// alias differs from the name of its symbol.
const minFit = 0.9

// verifyDocument decides whether a document describes the present file, and returns the evidence, or the reason against it.
func (x *scipImport) verifyDocument(p string, d *scip.Document) (doc acceptedDoc, lines *scip.Lines, how, reason string, err error) {
	f, ok, err := x.r.FileByPath(p)
	if err != nil || !ok || !lookup.IsIndexed(&f) {
		return doc, nil, "", "not_indexed", err
	}
	text, hash, ok := x.readText(p)
	if !ok || hash != f.Hash {
		return doc, nil, "", "changed", nil
	}
	doc = acceptedDoc{id: f.ID, hash: f.Hash, enc: documentEncoding(d)}
	lines = scip.NewLines(text)
	defs, wrong, refs, fits := x.compareNames(d, lines, doc.enc)
	switch {
	case wrong > 0:
		return doc, nil, "", "misplaced", nil
	case d.HasText:
		if !bytes.Equal([]byte(d.Text), text) {
			return doc, nil, "", "changed", nil
		}
		return doc, lines, byText, "", nil
	case time.Unix(0, f.Stat.MTime).After(x.src.Written):
		bare := defs == 0 && (refs == 0 || fits < refs) // without definitions every name has to be at its place
		if bare || float64(fits) < minFit*float64(refs) {
			return doc, nil, "", "changed", nil
		}
		return doc, lines, byPositions, "", nil
	}
	return doc, lines, byTime, "", nil
}

// readText returns the content of a file with its hash on disk. Names are compared with the unmasked text; none of it is
// stored.
func (x *scipImport) readText(p string) ([]byte, [32]byte, bool) {
	c, err := x.reader.RawContent(x.ctx, p)
	if err != nil || !source.IsHeldWhole(c.Problem) {
		return nil, c.Hash, false
	}
	return c.Bytes, c.Hash, true
}

// documentEncoding returns a document's encoding; older indexers leave it to the language.
func documentEncoding(d *scip.Document) scip.Encoding {
	if d.Encoding != scip.EncodingUnknown {
		return d.Encoding
	}
	switch lang.Of(code.Lang(strings.ToLower(d.Language))).Columns {
	case lang.UTF8:
		return scip.UTF8
	case lang.UTF32:
		return scip.UTF32
	}
	return scip.UTF16
}

// compareNames counts definitions and references whose name can be compared with the text at their place. wrong counts ranges
// outside of the text and definitions whose name is not there.
func (x *scipImport) compareNames(d *scip.Document, lines *scip.Lines, enc scip.Encoding) (defs, wrong, refs, fits int) {
	shown := map[string]string{}
	for i := range d.Symbols {
		if s := &d.Symbols[i]; s.Name != "" {
			shown[s.Symbol] = s.Name
		}
	}
	for i := range d.Occurrences {
		o := &d.Occurrences[i]
		got := lines.Slice(o.Range, enc)
		if got == nil {
			wrong++
			continue
		}
		name := scip.LastName(o.Symbol)
		if len(got) == 0 || !isName(name) || strings.HasSuffix(o.Symbol, "/") || strings.HasSuffix(o.Symbol, ":") {
			continue // a module, a constructor, a member of an anonymous type (numbered)
		}
		fit := string(got) == name || string(got) == shown[o.Symbol]
		switch {
		case o.Roles&scip.RoleDefinition == 0:
			refs++
			if fit {
				fits++
			}
		case fit:
			defs++
		case isName(string(got)): // quoted names and the like decide nothing
			wrong++
		}
	}
	return defs, wrong, refs, fits
}

// isName reports whether a text is an identifier in most languages.
func isName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c == '$', c >= 0x80:
		case i > 0 && '0' <= c && c <= '9':
		default:
			return false
		}
	}
	return s != ""
}

// bindDocument binds the references of an accepted document.
func (x *scipImport) bindDocument(d *scip.Document) error {
	doc, ok := x.accepted[d.Path]
	if !ok {
		return nil
	}
	delete(x.accepted, d.Path) // a second document of the path does not count
	p := x.localPath(d.Path)
	text, hash, ok := x.readText(p)
	if !ok || hash != doc.hash {
		return errMoved
	}
	list, targets, err := x.bindings(d, &doc, scip.NewLines(text))
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return x.skipDocument(d.Path, "no_references")
	}
	x.waiting = append(x.waiting, scipUnit{path: p, targets: targets,
		file: store.ExactFile{File: doc.id, Origin: store.FromSCIP, Hash: doc.hash, Data: exact.Encode(list)}})
	if len(x.waiting) < 200 {
		return nil
	}
	return x.storeWaiting()
}

// bindings returns the references of a file that an occurrence decides, and the files they lead to.
func (x *scipImport) bindings(d *scip.Document, doc *acceptedDoc, lines *scip.Lines) (list []exact.Binding, files []int64, err error) {
	meant := x.occurrences(d, doc, lines)
	blob, err := x.r.Facts(doc.id)
	if err != nil || len(blob) == 0 {
		return nil, nil, err
	}
	packed, err := facts.Open(blob)
	if err != nil {
		return nil, nil, err
	}
	refs, err := packed.AllRefs()
	if err != nil {
		return nil, nil, err
	}
	for i := range refs {
		target, ok := meant[refs[i].Start]
		if !ok || target < 0 {
			continue
		}
		list = append(list, exact.Binding{Start: refs[i].Start, Target: target})
		if target == 0 {
			x.rep.Outside++
			continue
		}
		x.rep.Bound++
		if f := code.UnpackSymbolID(target).File; !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	return list, files, nil
}

// occurrences returns the meaning of each place: a symbol of ours, 0 for a symbol outside, -1 if the index does not
// define it. If several are at one place, one of ours counts most.
func (x *scipImport) occurrences(d *scip.Document, doc *acceptedDoc, lines *scip.Lines) map[uint32]int64 {
	out := make(map[uint32]int64, len(d.Occurrences))
	for i := range d.Occurrences {
		o := &d.Occurrences[i]
		at, ok := lines.Offset(o.Range.Start, doc.enc)
		if !ok || o.Symbol == "" || o.Range.Start == o.Range.End || o.Roles&scip.RoleDefinition != 0 {
			continue
		}
		id := int64(0)
		if !scip.IsLocal(o.Symbol) {
			if id, ok = x.defs[hashSymbol(o.Symbol)]; !ok {
				id = -1 // defined elsewhere: in another repository, or in a part of this one that was not indexed
			}
		}
		if had, ok := out[at]; !ok || id > had {
			out[at] = id
		}
	}
	return out
}

// storeWaiting stores the waiting documents.
func (x *scipImport) storeWaiting() error {
	if len(x.waiting) == 0 {
		return nil
	}
	made := time.Now().Unix()
	err := x.project.Store.Write(x.ctx, func(tx store.Tx) error {
		rev, err := store.Revision(tx)
		if err != nil {
			return err
		}
		if int64(rev) != x.rev {
			return errMoved
		}
		for i := range x.waiting {
			if err := x.storeUnit(tx, &x.waiting[i], made); err != nil {
				return err
			}
		}
		return tx.SetMeta(store.MetaRevision, strconv.FormatInt(x.rev+1, 10))
	})
	if err != nil {
		return err
	}
	x.rev++
	x.waiting = x.waiting[:0]
	return nil
}

func (x *scipImport) storeUnit(tx store.Tx, w *scipUnit, made int64) error {
	u := &store.ExactUnit{Origin: store.FromSCIP, Name: w.path, Env: x.env, Made: made}
	prints := map[int64]uint64{}
	for _, file := range w.targets {
		p, err := tx.PathByID(file)
		if err != nil {
			return err
		}
		rows, err := tx.Symbols(file)
		if err != nil {
			return err
		}
		syms := make([]code.Symbol, len(rows))
		for i := range rows {
			syms[i] = rows[i].Symbol
		}
		print := fingerprint.SymbolsPrint(file, p, syms)
		id, ok := x.keys[file]
		if !ok {
			if id, err = tx.PutExactKey(fingerprint.KeyFile+p, print); err != nil {
				return err
			}
			x.keys[file] = id
		}
		u.Deps = append(u.Deps, id)
		prints[id] = print
	}
	slices.Sort(u.Deps)
	u.Print = fingerprint.DepsPrint(u.Deps, prints)
	return tx.PutExactUnit(u, []store.ExactFile{w.file}, nil)
}
