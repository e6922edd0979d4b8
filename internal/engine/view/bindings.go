package view

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/exact"
	"ken/internal/engine/facts"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/lookup"
	"ken/internal/engine/resolve"
	"ken/internal/engine/store"
	"ken/internal/lang"
)

// exactBindings returns the bindings of a file that a type checker or another indexer computed and that are up to date, the most trusted
// first.
func (s *Snapshot) exactBindings(file int64) ([]boundFile, error) {
	if on, err := s.hasExactBindings(); err != nil || !on {
		return nil, err
	}
	rows, err := s.Index.ExactFiles(file)
	if err != nil {
		return nil, err
	}
	var out []boundFile
	for i := range rows {
		if ok, err := s.isUnitCurrent(rows[i].Unit); err != nil {
			return nil, err
		} else if !ok {
			continue
		}
		b, err := exact.Unpack(rows[i].Data)
		if err != nil {
			return nil, err
		}
		out = append(out, boundFile{rows[i].Origin, s.exact.own[rows[i].Unit], b})
	}
	return out, nil
}

// ExactTarget returns the symbol that exact bindings give for a reference, and the bindings that it comes from.
// The target is 0 if the symbol is outside the repository; by is nil if no exact binding covers the reference.
func (t *Site) ExactTarget(r *code.Ref) (target int64, by *boundFile) {
	for i := range t.bound {
		if target, ok := t.bound[i].Find(r.Start); ok {
			return target, &t.bound[i]
		}
	}
	return 0, nil
}

// Site returns a file with its references and exact bindings, which are read once. It returns an error if the index
// cannot be read.
func (s *Snapshot) Site(id int64) (*Site, error) {
	if t, ok := s.sites[id]; ok {
		return t, nil
	}
	row, err := s.Index.Site(id)
	if err != nil {
		return nil, err
	}
	t := &Site{Site: graph.Site{Node: lookup.IndexedNode(&row.Node)}, scopes: map[int32]enclosing{}}
	s.sites[id] = t
	s.Lookup.ByID[id] = t.Node
	s.bytes += len(row.Facts) + len(row.Links)
	if len(row.Facts) == 0 {
		return t, nil
	}
	if t.Packed, err = facts.Open(row.Facts); err != nil {
		return nil, err
	}
	if t.Imports, err = t.Packed.Imports(); err != nil {
		return nil, err
	}
	links, err := graph.DecodeLinks(row.Links)
	if err != nil {
		return nil, err
	}
	t.Links = links.Imports
	t.Rebinds = slices.ContainsFunc(t.Node.Traits().Rebinding, t.Packed.Uses)
	t.bound, err = s.exactBindings(id)
	return t, err
}

// EnclosingSymbol returns the innermost symbol that encloses a reference; scope is its number in the file. It returns an error if the
// index cannot be read.
func (s *Snapshot) EnclosingSymbol(t *Site, scope int32) (enclosing, error) {
	if scope < 0 {
		return enclosing{}, nil
	}
	e, ok := t.scopes[scope]
	if !ok {
		var err error
		if e.Name, e.Kind, err = s.Index.QualifiedName(code.SymbolID{File: t.Node.ID, Ord: scope}); err != nil {
			return e, err
		}
		t.scopes[scope] = e
	}
	return e, nil
}

// NewDef returns the definition that a row of the index describes.
func NewDef(n graph.Node, row *store.SymbolRow) graph.Def {
	// A C# method extends the type of a first parameter with "this".
	extension := row.Kind == code.KindMethod && strings.HasSuffix(row.Path, ".cs") && strings.Contains(row.Signature, "(this ")
	return graph.Def{File: n, Name: row.Name, Container: row.Symbol.Container(), Kind: row.Kind, Ord: row.Ord, Signature: row.Signature,
		Forward: lang.Of(n.Lang).Prototypes && strings.HasSuffix(row.Signature, ";"), Local: !row.Exported, Extension: extension,
		NoReceiver: graph.NoReceiver(n.Lang, &row.Symbol)}
}

// NameDefinitions finds the definitions of a name. It keeps the last few thousand names, because the
// references of a file repeat them. It returns an error if the index cannot be read.
func (s *Snapshot) NameDefinitions(name string) (*NamedSymbols, error) {
	if n := s.names[name]; n != nil {
		return n, nil
	}
	rows, err := s.SymbolsNamed(name)
	if err != nil {
		return nil, err
	}
	n := &NamedSymbols{}
	var defs []graph.Def
	for _, row := range rows {
		node, ok := s.Lookup.NodeByID(row.FileID)
		if !ok {
			continue
		}
		defs = append(defs, NewDef(node, &row))
		n.Syms = append(n.Syms, Symbol{Symbol: row.Symbol, ID: row.ID().Pack(), Path: row.Path})
	}
	n.Binder = bind.New(s.InferredTypes(), defs)
	if len(s.names) >= keptNames {
		clear(s.names)
	}
	s.names[name] = n
	return n, nil
}

// DeclaredName returns the name under which the declaration that a reference means is declared. It differs from the name of
// the reference where an importer chose another one: for a default export, a module of CommonJS, a name that a file
// passes on as another.
func (s *Snapshot) DeclaredName(t *Site, r *code.Ref) string {
	if r.Via.NamesImport() && r.Import >= 0 && int(r.Import) < len(t.Links) && t.Links[r.Import].File != 0 {
		name := graph.ExportedName(&t.Imports[r.Import], r)
		if _, declared, ok := s.InferredTypes().Linker().FollowName(t.Links[r.Import].File, name); ok {
			return declared
		}
	}
	return r.Name
}

// ChosenNames returns the names that a file chose for a module or its default export, of its imports that lead to the file of.
func ChosenNames(t *Site, of int64) (names []string) {
	for i := range t.Imports[:min(len(t.Imports), len(t.Links))] {
		if imp := &t.Imports[i]; t.Links[i].File == of || t.Links[i].Runs == of {
			if imp.Alias != "" {
				names = append(names, imp.Alias)
			}
			for _, n := range imp.Names {
				if n.Name == "default" {
					names = append(names, n.Alias)
				}
			}
		}
	}
	return names
}

// keptNames is the number of names whose definitions a snapshot keeps.
const keptNames = 4096

// InferredTypes returns the inferred types of expressions. All answers of a snapshot share them, so that each type is inferred once.
func (s *Snapshot) InferredTypes() *infer.Types {
	if s.types == nil {
		s.types = infer.New(NewLinker(s.Lookup), s.Details)
	}
	return s.types
}

// OwnTool is the name under which ken appears in the SCIP indexes that it exports.
const OwnTool = "ken"

// NewLinker returns a linker over one state of the files, with the rules of all languages and build tools for imports.
func NewLinker(files graph.Lookup) *graph.Linker { return graph.NewLinker(files, resolve.New(files)) }

// Together returns the declarations that are one thing with a symbol, and the symbol itself: see bind.Binder.Together. It returns an error
// if the index cannot be read.
func (s *Snapshot) Together(sym *Symbol) ([]Symbol, error) {
	n, err := s.NameDefinitions(sym.Name)
	if err != nil {
		return nil, err
	}
	def, ok := n.Binder.Definition(code.UnpackSymbolID(sym.ID))
	if !ok {
		return []Symbol{*sym}, nil
	}
	var out []Symbol
	for _, i := range n.Binder.Together(def) {
		out = append(out, n.Syms[i])
	}
	return out, nil
}
