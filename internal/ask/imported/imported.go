// Package imported finds the names of a symbol in imports, exports and re-exports. A rename must change them, although the index
// does not store them as references. Its neighbour is ask/rename.
package imported

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"

	"ken/internal/ask/grep"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Uses returns the places in imports, exports and re-exports that name targets, by path and position. The index stores the names that
// an import brings but not their positions, so Uses looks for each in the text of the statement. A symbol that is imported or
// exported under another name is listed where its own name is written. It returns an error if the index or a file cannot be read or
// ctx ends.
func Uses(ctx context.Context, s *view.Snapshot, targets []view.Symbol) ([]view.Reference, error) {
	var out []view.Reference
	for i := range targets {
		t := &targets[i]
		if n, _ := s.Lookup.Node(t.Path); t.Symbol.Container() != "" && !t.Kind.IsType() && !namesMembers(n, t.Kind) {
			continue
		}
		if isAssociated, err := isAssociatedType(s, t); err != nil || isAssociated {
			if err != nil {
				return nil, err
			}
			continue
		}
		u := search{s: s, ctx: ctx, target: t, home: code.UnpackSymbolID(t.ID).File}
		found, err := u.find()
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	slices.SortFunc(out, func(a, b view.Reference) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
	})
	out = slices.CompactFunc(out, func(a, b view.Reference) bool { return a.Path == b.Path && a.Start == b.Start })
	return out, s.Lookup.Err
}

// isAssociatedType reports whether a type is one of a trait or of a block that implements one, which no import can name.
func isAssociatedType(s *view.Snapshot, t *view.Symbol) (bool, error) {
	n, _ := s.Lookup.Node(t.Path)
	if t.Kind != code.KindType || t.Symbol.Container() == "" || !lang.Of(n.Lang).HasImplBlocks() {
		return false, nil
	}
	if t.Parent < 0 {
		return true, nil
	}
	row, _, err := s.Index.Symbol(code.SymbolID{File: code.UnpackSymbolID(t.ID).File, Ord: t.Parent})
	return row.Kind != code.KindModule, err
}

// namesMembers reports whether imports in the language of a file can name what a type or an inline module contains.
func namesMembers(n graph.Node, k code.Kind) bool {
	row := lang.Of(n.Lang)
	return row.TypeWildcards || row.HasImplBlocks() && k != code.KindField && k != code.KindMethod
}

// search finds the imports and exports of one target symbol.
type search struct {
	s      *view.Snapshot
	ctx    context.Context
	target *view.Symbol
	home   int64
	sites  []*view.Site // files with statements that name the target
	places [][]namePlace
	out    []view.Reference
}

// find returns the imports and exports of the target. It reads only files that contain the target's name: a file that passes the
// target on under another name, or together with all other names, has no place to list.
func (u *search) find() ([]view.Reference, error) {
	n, _ := u.s.Lookup.NodeByID(u.home)
	if lang.Of(n.Lang).Scope.InDirectory() {
		return nil, nil // imports name packages there
	}
	family := graph.Family(n.Lang)
	names, err := grep.NewNameFiles(u.s)
	if err != nil {
		return nil, err
	}
	files, known, err := names.Holding(u.target.Name, func(l code.Lang) bool { return graph.Family(l) == family })
	if err == nil && !known {
		files, err = u.importers()
	}
	if err != nil {
		return nil, err
	}
	if !slices.Contains(files, u.home) {
		files = append(files, u.home)
	}
	for _, id := range files {
		if err := u.ctx.Err(); err != nil {
			return nil, err
		}
		if err := u.addFile(id); err != nil {
			return nil, err
		}
	}
	err = u.locate()
	return u.out, err
}

// importers returns the files that depend on the target's file, and on files that may re-export the target. They are read if the
// index of words does not have the name, because the name has only one letter.
func (u *search) importers() ([]int64, error) {
	files := map[int64]bool{}
	passing := []int64{u.home}
	for i := 0; i < len(passing); i++ {
		edges, err := u.s.Index.EdgesTo(passing[i])
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			files[e.Source] = files[e.Source] || e.Relation.Depends()
		}
		n, ok := u.s.Lookup.NodeByID(passing[i])
		if !ok {
			continue
		}
		relays, err := u.s.Index.ProbedBy(graph.ProbeKey(graph.RelayKey(n.Path)))
		if err != nil {
			return nil, err
		}
		for _, id := range relays {
			files[id] = true
			if !slices.Contains(passing, id) {
				passing = append(passing, id)
			}
		}
	}
	return slices.Sorted(maps.Keys(files)), u.ctx.Err()
}

// addFile records the imports and exports of one file that name the target.
func (u *search) addFile(id int64) error {
	t, err := u.s.Site(id)
	if err != nil || t.Packed == nil {
		return err
	}
	name := u.target.Name
	var places []namePlace
	bound := id == u.home // the target has its own name in this file
	for i := range t.Imports[:min(len(t.Imports), len(t.Links))] {
		for _, n := range t.Imports[i].Names {
			if n.Name != name && n.Alias != name || !u.isTarget(&t.Links[i], t.Imports[i].Spec, n.Name) {
				means, err := u.means(t, i, n.Alias)
				if err != nil {
					return err
				}
				if !means {
					continue
				}
			}
			bound = bound || n.Alias == name
			if n.Name == name {
				kind := code.RefImport
				if t.Imports[i].Kind == code.ImportReexport {
					kind = code.RefExport
				}
				places = append(places, namePlace{line: t.Imports[i].Line, kind: kind})
			}
		}
	}
	var exports []code.Export
	if bound { // most files are not, and reading their exports takes long
		if exports, err = t.Packed.Exports(); err != nil {
			return err
		}
	}
	for i := range exports {
		e := &exports[i]
		switch {
		case e.Local != name, e.From >= 0 && t.Imports[e.From].Kind == code.ImportReexport: // a re-export is the statement of its import
		case e.From < 0 && id != u.home && u.s.Lookup.Declares(id, "", name): // its own declaration
		default:
			places = append(places, namePlace{line: e.Line, kind: code.RefExport})
		}
	}
	if len(places) > 0 {
		u.sites, u.places = append(u.sites, t), append(u.places, places)
	}
	return nil
}

// isTarget reports whether a name imported through a link, an import of one file by another, is the target.
func (u *search) isTarget(link *graph.Link, spec, name string) bool {
	if link.File != 0 {
		if link.File == u.home && name == u.target.Name {
			return true
		}
		k := u.s.InferredTypes().Linker()
		id, declared, ok := k.FollowName(link.File, name)
		if !ok { // through a module that the link does not show
			id, _ = k.FollowRenamed(link.File, spec)
			declared = name
		}
		if id == u.home && declared == u.target.Name {
			return true
		}
		id, declared, ok = k.FollowRunning(link, name)
		return ok && id == u.home && declared == u.target.Name
	}
	return name == u.target.Name && slices.Contains(link.Dirs, code.Dir(u.target.Path))
}

// means reports whether a name that an import binds surely means the target, by the rules of references: a name of a namespace, a static
// member, a declaration of a module in the same file.
func (u *search) means(t *view.Site, i int, alias string) (bool, error) {
	switch link := &t.Links[i]; { // isTarget has followed most; binding them again would take as long as the rest of a question
	case link.File != 0 && link.File != u.home, link.External != "" && !link.IsPackage:
		return false, nil
	case len(link.Dirs) > 0 && u.target.Symbol.Container() == "":
		return false, nil
	}
	named, err := u.s.NameDefinitions(u.target.Name)
	if err != nil {
		return false, err
	}
	def, ok := named.Binder.Definition(code.UnpackSymbolID(u.target.ID))
	got := named.Binder.Bind(&t.Site, &code.Ref{Name: alias, Kind: code.RefType, Via: code.ViaImport, Import: int32(i), Scope: -1})
	return ok && got.Decided && slices.Contains(got.Defs, def), nil
}

// namePlace is an import or export statement that contains a name.
type namePlace struct {
	line uint32
	kind code.RefKind
}

// maxStatement is the number of bytes of a statement that are searched.
const maxStatement = 16 << 10

// locate finds the positions of the names in their statements. It leaves out positions that the index already stores as references,
// and the declaration itself.
func (u *search) locate() error {
	var files []code.File
	at := map[string]int{}
	takens := make([]map[uint32]bool, len(u.sites))
	for i, t := range u.sites {
		f, err := u.s.FileByID(t.Node.ID)
		if err != nil {
			return err
		}
		if takens[i], err = u.takenOffsets(t); err != nil {
			return err
		}
		files, at[f.Path] = append(files, f), i
	}
	none := func() struct{} { return struct{}{} }
	edit := func(_ struct{}, f view.FileText) []view.Reference {
		i := at[f.File.Path]
		return u.inText(f.Text, u.sites[i], u.places[i], takens[i])
	}
	for list, err := range view.Texts(u.ctx, u.s, files, none, edit) {
		if err != nil {
			return err
		}
		u.out = append(u.out, list...)
	}
	return nil
}

// inText finds the positions of the name in the statements of one file. It skips the offsets in taken.
func (u *search) inText(text []byte, t *view.Site, places []namePlace, taken map[uint32]bool) (out []view.Reference) {
	for _, p := range places {
		from := lineStart(text, p.line)
		end := from + statement(text[from:min(len(text), from+maxStatement)])
		for at := takenFrom(text[:end], from, u.target.Name); at < end; {
			i := nextName(text[at:end], u.target.Name)
			if i < 0 {
				break
			}
			at += i
			if next := at + len(u.target.Name); isPath(text[next:end]) && nextName(text[next:end], u.target.Name) >= 0 {
				at = next // of what the name is in
				continue
			}
			if !taken[uint32(at)] && !isAlias(text[:at]) {
				taken[uint32(at)] = true
				line := p.line + uint32(bytes.Count(text[from:at], []byte("\n")))
				out = append(out, view.Reference{
					Path: t.Node.Path, Line: line, Start: uint32(at), End: uint32(at + len(u.target.Name)), Kind: p.kind,
					Confidence: code.ImportResolved, Target: u.target, Scope: code.SymbolID{File: t.Node.ID, Ord: -1},
				})
				break
			}
			if taken[uint32(at)] && p.kind == code.RefExport {
				break // export function f: the declaration; export {f} where f is a reference
			}
			at += len(u.target.Name)
		}
	}
	return out
}

// takenFrom returns the offset at which the search for a name in a statement
// begins. In a statement such as `x = require("m").x` that is after the importing
// call, in `from x import x` after the module.
func takenFrom(text []byte, from int, name string) int {
	if bytes.HasPrefix(text[from:], []byte("from ")) {
		return from + max(nextName(text[from:], "import"), 0)
	}
	for at := from; ; {
		i := bytes.Index(text[at:], []byte(")."))
		if i < 0 {
			return from
		}
		at += i + len(").")
		if nextName(text[at:], name) == 0 {
			return at
		}
	}
}

// takenOffsets returns the offsets at which the index has a reference or declaration of the target's name in a file.
func (u *search) takenOffsets(t *view.Site) (map[uint32]bool, error) {
	taken := map[uint32]bool{}
	refs, err := t.Packed.Refs(u.target.Name)
	if err != nil {
		return nil, err
	}
	for i := range refs {
		taken[refs[i].Start] = true
	}
	rows, err := u.s.SymbolsNamed(u.target.Name)
	for i := range rows { // what a file declares under the name is no export of the target, even if the file imports that, too
		if rows[i].FileID == t.Node.ID {
			taken[rows[i].NameStart] = true
		}
	}
	return taken, err
}

// statement returns the length of the statement at the beginning of a text: up to a
// semicolon, or to the end of a line outside of brackets that does not end in a
// backslash.
func statement(text []byte) int {
	depth := 0
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ';':
			if depth <= 0 {
				return i
			}
		case '\n':
			if depth <= 0 && !bytes.HasSuffix(bytes.TrimRight(text[:i], " \t\r"), []byte("\\")) {
				return i
			}
		}
	}
	return len(text)
}

// lineStart returns the offset of the first byte of a line. Lines are counted from 1.
func lineStart(text []byte, line uint32) int {
	at := 0
	for ; line > 1; line-- {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at
}

// nextName returns the offset at which a name first occurs as a whole word, or -1 if it does not.
func nextName(text []byte, name string) int {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(name))
		if i < 0 {
			return -1
		}
		at += i
		end := at + len(name)
		if (at == 0 || !nameByte(text[at-1])) && (end == len(text) || !nameByte(text[end])) {
			return at
		}
		at = end
	}
}

// nameByte reports whether a byte may be part of a name. All bytes beyond ASCII may.
func nameByte(c byte) bool {
	switch {
	case c == '_', c == '$', c >= 0x80, '0' <= c && c <= '9':
		return true
	}
	return 'a' <= c|0x20 && c|0x20 <= 'z'
}

// isPath reports whether the text behind a name leads to a part of what it names: "\b" in "use a\b".
func isPath(behind []byte) bool {
	rest := bytes.TrimLeft(behind, `\.:`)
	return len(rest) < len(behind) && len(rest) > 0 && (nameByte(rest[0]) || rest[0] == '{')
}

// isAlias reports whether the text before a name makes it the new name of an import, as "as" does in "import a as b".
func isAlias(before []byte) bool {
	trimmed := bytes.TrimRight(before, " \t\r\n")
	rest, ok := bytes.CutSuffix(trimmed, []byte("as"))
	return ok && len(trimmed) < len(before) && (len(rest) == 0 || !nameByte(rest[len(rest)-1]))
}
