// Package export writes the index in formats of other tools: scip.go as a SCIP index. Its neighbour ask/refs binds the written
// references.
package export

import (
	"context"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/lookup"
	"ken/internal/engine/scip"
	"ken/internal/engine/source"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// scipKinds maps kinds of declarations to the numbers that the SCIP format has for them.
var scipKinds = [...]int32{
	code.KindFunction: 17, code.KindMethod: 26, code.KindConstructor: 9, code.KindClass: 7, code.KindStruct: 49, code.KindInterface: 21,
	code.KindTrait: 53, code.KindType: 54, code.KindEnum: 11, code.KindEnumMember: 12, code.KindField: 15, code.KindConstant: 8,
	code.KindVariable: 61, code.KindModule: 29, code.KindMacro: 25, code.KindUnion: 59,
}

// WriteSCIP writes the index in the SCIP format, file by file: every symbol with its definition, and the references that are exact
// or resolved through an import and have one target. It leaves out references that are guessed by name, and files whose paths are
// not UTF-8 or contain a token. version is the version of ken. It returns an error if the index or a file cannot be read, if w
// fails, or if ctx ends.
func WriteSCIP(ctx context.Context, s *view.Snapshot, w io.Writer, version string) error {
	r, err := s.Tree.NewReader(nil)
	if err != nil {
		return err
	}
	known, err := s.KnownSecrets()
	if err != nil {
		return err
	}
	x := &scipExport{s: s, reader: r, known: known, names: map[int64][]string{}}
	out := scip.NewWriter(w)
	root := url.URL{Scheme: "file", Path: filepath.ToSlash(s.Tree.Root())}
	if err := out.Metadata(&scip.Metadata{ProjectRoot: root.String(), Tool: view.OwnTool, Version: version}); err != nil {
		return err
	}
	for f, err := range s.Index.Files() {
		if err != nil {
			return err
		}
		if f.Lang == "" || !lookup.IsIndexed(&f) || !x.isNamed(f.Path) {
			continue
		}
		d, err := x.document(ctx, &f)
		if err != nil {
			return err
		}
		if len(d.Occurrences) == 0 {
			continue
		}
		if err := out.Document(d); err != nil {
			return err
		}
	}
	return s.Lookup.Err
}

type scipExport struct {
	s      *view.Snapshot
	reader *source.Reader
	known  *source.Known      // masks the texts here, because the fields of a binary format have no clear ends
	names  map[int64][]string // of files: the SCIP symbols by ord
	kept   int                // number of strings in names
}

// maxNames is the number of names of symbols that are cached for the references of later files.
const maxNames = 500_000

func (x *scipExport) document(ctx context.Context, f *code.File) (*scip.Document, error) {
	d := &scip.Document{Path: f.Path, Language: lang.Of(f.Lang).SCIPName(), Encoding: scip.UTF8}
	text := x.reader.MaskedText(ctx, f.Path, func([]byte) bool { return true })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	lines := scip.NewLines(text)
	syms, err := x.s.Symbols(ctx, f.Path)
	if err != nil {
		return nil, err
	}
	names, err := x.symbolNames(f.ID, f.Path)
	if err != nil {
		return nil, err
	}
	for i := range syms {
		if i < len(names) && names[i] != "" {
			x.define(d, lines, uint32(len(text)), &syms[i], names[i], f.Flags&code.FlagTest != 0)
		}
	}
	if err := x.references(ctx, d, lines, text); err != nil {
		return nil, err
	}
	slices.SortStableFunc(d.Occurrences, func(a, b scip.Occurrence) int {
		if a.Range.Start.Line != b.Range.Start.Line {
			return int(a.Range.Start.Line - b.Range.Start.Line)
		}
		return int(a.Range.Start.Char - b.Range.Start.Char)
	})
	return d, nil
}

// isNamed reports whether a path can be part of a SCIP name: it is UTF-8 and holds no secret.
func (x *scipExport) isNamed(p string) bool { return utf8.ValidString(p) && x.s.Tree.ShownPath(p) == p }

// define adds a symbol, and the position of its name, to a document.
func (x *scipExport) define(d *scip.Document, lines *scip.Lines, size uint32, y *view.Symbol, name string, test bool) {
	end := y.NameStart + uint32(len(y.Name))
	if y.Span.End > size || end > size {
		return // the file changed under us
	}
	if got := lines.Slice(span(lines, y.NameStart, end), scip.UTF8); string(got) != y.Name {
		end = y.NameStart // its name is not written there: a place without length
	}
	around := span(lines, y.Span.Start, y.Span.End)
	o := scip.Occurrence{Range: span(lines, y.NameStart, end), Symbol: name, Roles: scip.RoleDefinition, Enclosing: &around}
	if test {
		o.Roles |= scip.RoleTest
	}
	d.Occurrences = append(d.Occurrences, o)
	hide := x.known.MaskString
	info := scip.Symbol{Symbol: name, Name: hide(y.Name), Documentation: hide(y.Doc), Signature: hide(y.Signature), Language: d.Language}
	if int(y.Kind) < len(scipKinds) {
		info.Kind = scipKinds[y.Kind]
	}
	d.Symbols = append(d.Symbols, info)
}

func span(l *scip.Lines, start, end uint32) scip.Range {
	return scip.Range{Start: l.Position(start), End: l.Position(end)}
}

// references adds the references of a file that are not guessed.
func (x *scipExport) references(ctx context.Context, d *scip.Document, lines *scip.Lines, text []byte) error {
	refs, err := refs.FileReferences(ctx, x.s, d.Path)
	if err != nil {
		return err
	}
	for i := 0; i < len(refs); {
		n := i + 1
		for n < len(refs) && refs[n].Start == refs[i].Start {
			n++
		}
		r, one := onlySure(refs[i:n])
		i = n
		if !one || r.End > uint32(len(text)) {
			continue
		}
		names, err := x.symbolNames(code.UnpackSymbolID(r.Target.ID).File, r.Target.Path)
		if err != nil {
			return err
		}
		ord := int(code.UnpackSymbolID(r.Target.ID).Ord)
		if ord >= len(names) || names[ord] == "" {
			continue
		}
		d.Occurrences = append(d.Occurrences, scip.Occurrence{Range: span(lines, r.Start, r.End), Symbol: names[ord]})
	}
	return nil
}

// onlySure returns the one reference in a list, all of which are at the same place, that is not a guess. It reports false if there is
// none, or if there are several.
func onlySure(list []view.Reference) (*view.Reference, bool) {
	var found *view.Reference
	for i := range list {
		r := &list[i]
		if r.By == view.ByInterface || r.Confidence < code.ImportResolved {
			continue
		}
		if found != nil && found.Target.ID != r.Target.ID {
			return nil, false
		}
		found = r
	}
	return found, found != nil
}

// symbolNames returns the SCIP symbols of a file's symbols, "" for those without a name:
//
//	ken . . . dir/`file.go`/Type#method().
//
// A file is a namespace, so that names need to be unique in their file only; duplicates are numbered.
func (x *scipExport) symbolNames(file int64, p string) ([]string, error) {
	if names, ok := x.names[file]; ok {
		return names, nil
	}
	rows, err := x.s.Index.Symbols(file)
	if err != nil {
		return nil, err
	}
	if x.kept += len(rows); x.kept > maxNames {
		clear(x.names)
		x.kept = len(rows)
	}
	var base []string
	if x.isNamed(p) {
		for seg := range strings.SplitSeq(p, "/") {
			base = append(base, scip.Namespace(ascii(seg)))
		}
	}
	names := make([]string, len(rows))
	chains := map[string]string{} // qualified name → descriptors
	seen := map[string]int{}
	for i := range rows {
		y := &rows[i].Symbol
		if y.Name == "" || !utf8.ValidString(y.Qualified) || base == nil {
			continue
		}
		outer := containerChain(chains, y.Container())
		chain := outer + descriptor(y, 0)
		nth := seen[chain]
		if seen[chain]++; nth > 0 {
			chain = outer + descriptor(y, nth)
		} else if _, ok := chains[y.Qualified]; !ok {
			chains[y.Qualified] = chain
		}
		names[i] = x.known.MaskString(scip.Global("ken", "", "", "", append(slices.Clone(base), chain)...))
	}
	x.names[file] = names
	return names, nil
}

// containerChain returns the SCIP name of the containers of a symbol, such as its type.
func containerChain(chains map[string]string, container string) string {
	if container == "" {
		return ""
	}
	if c, ok := chains[container]; ok {
		return c
	}
	out := ""
	for seg := range strings.SplitSeq(container, ".") {
		out += scip.Type(ascii(seg))
	}
	return out
}

// ascii replaces the characters beyond ASCII by their numbers. The format allows them, but its own reader fails if one precedes the end
// of a symbol.
func ascii(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 {
		return s
	}
	q := strconv.QuoteToASCII(s)
	return q[1 : len(q)-1]
}

func descriptor(y *code.Symbol, nth int) string {
	name, more := ascii(y.Name), ""
	if nth > 0 {
		more = "+" + strconv.Itoa(nth)
		if !y.Kind.IsFunction() || y.Kind == code.KindMacro {
			name += more
		}
	}
	switch {
	case y.Kind == code.KindMacro:
		return scip.Macro(name)
	case y.Kind.IsFunction():
		return scip.Method(name, more)
	case y.Kind.IsType():
		return scip.Type(name)
	case y.Kind == code.KindModule:
		return scip.Namespace(name)
	}
	return scip.Term(name)
}
