package rename

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// The reasons why a place does not stand the check.
const (
	unparsable = "with the new name its file is not parsed as before"
	hidden     = "a declaration nearer to it has the new name"
	captured   = "it would mean the renamed declaration"
	lost       = "with the new name it would not mean the renamed declaration"
	estranged  = "it would no longer mean what it means now"
	doubled    = "its file has the new name from elsewhere"
	misled     = "the import would lead elsewhere"
	related    = "a type that it inherits from or that inherits from it has a member of the new name"
)

// checker compares the index with a draft of it in which the sure places have the new name.
type checker struct {
	*search
	old   string
	draft *draft
	after *view.Snapshot
	// failed are the reasons why places do not stand the check, by path and byte of the old text.
	failed map[spot]failure
	whole  string // a reason why no place stands it, "" if there is none
	// bared are uses that the index lacks, as those of what a function declares for itself: they are references of the old name once
	// their declaration has another one.
	bared []Place
}

type spot struct {
	path  string
	start uint32
}

type failure struct {
	why  string
	kind string
}

// check applies the sure places in memory and asks again. A place that does not mean the renamed declaration then becomes unsure, and a
// place that would mean it, or something else than before, is added. Only touched files are extracted, and only the references of the new
// name are bound.
func (x *search) check() error {
	c := checker{search: x, old: x.out.Targets[0].Name}
	for range 2 {
		if drafted, err := c.makeDraft(); err != nil || !drafted {
			return err
		}
		c.failed, c.bared = map[spot]failure{}, nil
		if err := c.compareFacts(); err != nil {
			return err
		}
		if len(c.bared) == 0 {
			break
		}
		x.out.Places = append(x.out.Places, c.bared...)
		x.out.sort()
	}
	for _, step := range [...]func() error{c.bindTargets, c.bindOthers, c.relatives} {
		if err := step(); err != nil {
			return err
		}
	}
	c.report()
	return c.ctx.Err()
}

// makeDraft applies the sure places in memory. It reports whether there are some.
func (c *checker) makeDraft() (bool, error) {
	for range 2 {
		texts, err := c.changes()
		if err != nil || len(texts) == 0 {
			return false, err
		}
		if c.draft, c.after, err = newDraft(c.s, texts, c.out.Files); err != nil {
			return false, err
		}
		if found, err := c.leaveChosen(); err != nil || !found {
			return err == nil, err
		}
	}
	return true, nil
}

// leaveChosen takes away the places whose name their file has chosen itself, in an import that does not get the new one: of a default
// export, of a variable for what require returns. It reports whether there are some.
func (c *checker) leaveChosen() (found bool, err error) {
	chosen := map[spot]bool{}
	for id, f := range c.draft.files {
		t, err := c.s.Site(id)
		if err != nil || t.Packed == nil {
			return false, err
		}
		refs, err := t.Packed.AllRefs()
		if err != nil || len(t.Imports) != len(f.Facts.Imports) {
			return false, err
		}
		for i := range refs {
			r := &refs[i]
			if !r.Via.NamesImport() || r.Import < 0 || !f.edits.replaces(r.Start) {
				continue
			}
			if c.keepsName(&t.Imports[r.Import], &f.Facts.Imports[r.Import]) {
				chosen[spot{f.was.Path, r.Start}] = true
			}
		}
	}
	c.out.Places = slices.DeleteFunc(c.out.Places, func(p Place) bool { return chosen[spot{p.Path, p.Start}] })
	return len(chosen) > 0, nil
}

// keepsName reports whether an import binds the old name before the rename and after it.
func (c *checker) keepsName(before, after *code.Import) bool {
	if before.Alias == c.old && after.Alias == c.old {
		return true
	}
	return slices.ContainsFunc(before.Names, func(n code.ImportName) bool { return n.Alias == c.old }) &&
		slices.ContainsFunc(after.Names, func(n code.ImportName) bool { return n.Alias == c.old })
}

// changes returns the edits of the sure places, by file.
func (c *checker) changes() (map[int64]changedText, error) {
	out := map[int64]changedText{}
	list := c.out.Places
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].Path == list[from].Path {
			to++
		}
		sure := slices.DeleteFunc(slices.Clone(list[from:to]), func(p Place) bool { return p.Unsure != "" })
		if n, ok := c.s.Lookup.Node(list[from].Path); ok && len(sure) > 0 {
			out[n.ID] = changedText{c.texts.file(c.ctx, n.Path).text, newEdits(sure, c.to)}
		}
		from = to
	}
	return out, c.s.Lookup.Err
}

// fail records that a place does not stand the check. The first reason counts.
func (c *checker) fail(path string, start uint32, kind, why string) {
	if at := (spot{path, start}); c.failed[at].why == "" {
		c.failed[at] = failure{why, kind}
	}
}

// report marks the places that failed, and adds those that the rename does not edit.
func (c *checker) report() {
	for i := range c.out.Places { // without its declaration no use can be renamed
		if p := &c.out.Places[i]; p.Kind == kindDefinition {
			c.whole = cmp.Or(c.whole, p.Unsure, c.failed[spot{p.Path, p.Start}].why)
		}
	}
	for i := range c.out.Places {
		p := &c.out.Places[i]
		at := spot{p.Path, p.Start}
		if p.Unsure == "" {
			p.Unsure = cmp.Or(c.failed[at].why, c.whole)
		}
		delete(c.failed, at)
	}
	for at, f := range c.failed {
		p := Place{Path: at.path, Start: at.start, End: at.start, Kind: f.kind, Unsure: f.why, Confidence: code.Exact, other: true}
		text := c.texts.file(c.ctx, at.path)
		p.read(&text, "")
		c.out.Places = append(c.out.Places, p)
	}
	c.out.sort()
}

// compareFacts compares the facts of each touched file before and after.
func (c *checker) compareFacts() error {
	for id, f := range c.draft.files {
		t, err := c.s.Site(id)
		if err != nil || t.Packed == nil {
			return err
		}
		syms, err := c.s.Index.Symbols(id)
		if err != nil {
			return err
		}
		was := code.Facts{Imports: t.Imports}
		if was.Refs, err = t.Packed.AllRefs(); err != nil {
			return err
		}
		for i := range syms {
			was.Symbols = append(was.Symbols, syms[i].Symbol)
		}
		if !c.sameShape(f, &was) {
			for i := range c.out.Places {
				if p := &c.out.Places[i]; p.Path == f.was.Path {
					c.fail(p.Path, p.Start, p.Kind, unparsable)
				}
			}
			continue
		}
		c.compareRefs(f, was.Refs)
		c.compareNames(f, &was)
		if err := c.compareImports(t, f); err != nil {
			return err
		}
	}
	return nil
}

// sameShape reports whether a file declares and imports the same things with the new name, and is parsed as well as before.
func (c *checker) sameShape(f *draftFile, was *code.Facts) bool {
	if allowed := f.was.ErrorBytes + f.edits.growthWithin(f.was.ErrorBytes); f.Row.ErrorBytes > allowed || f.Row.Problem != f.was.Problem {
		return false
	}
	same := slices.EqualFunc(was.Symbols, f.Facts.Symbols, func(a, b code.Symbol) bool {
		isPlaced := f.edits.at(a.NameStart) == b.NameStart && sameKind(a.Kind, b.Kind) && a.Parent == b.Parent
		isComputed := a.Name == "["+c.old+"]" && b.Name == "["+c.to+"]"
		return isPlaced && (a.Kind.IsText() || isComputed || c.isRenamed(a.Name, b.Name))
	})
	return same && slices.EqualFunc(was.Imports, f.Facts.Imports, func(a, b code.Import) bool {
		return a.Kind == b.Kind && isGuessed(&f.was, &a) || slices.EqualFunc(a.Names, b.Names, func(a, b code.ImportName) bool {
			return c.isRenamed(a.Name, b.Name) && c.isRenamed(a.Alias, b.Alias)
		})
	})
}

// sameKind reports whether two kinds are the same, or differ by how a name is written alone: in capitals it is a constant.
func sameKind(a, b code.Kind) bool {
	isValue := func(k code.Kind) bool { return k == code.KindConstant || k == code.KindVariable }
	return a == b || isValue(a) && isValue(b)
}

// isGuessed reports whether an import is no statement but a guess from a name, which is a reference as well.
func isGuessed(f *code.File, imp *code.Import) bool {
	return imp.Kind == code.ImportPath && lang.Of(f.Lang).GuessedPaths
}

// isRenamed reports whether a name became another by the rename, or stayed. What assigns to a member has its name and a mark (x= of Ruby).
func (c *checker) isRenamed(before, after string) bool {
	if mark := "="; strings.HasSuffix(before, mark) && strings.HasSuffix(after, mark) {
		before, after = strings.TrimSuffix(before, mark), strings.TrimSuffix(after, mark)
	}
	return before == after || before == c.old && after == c.to
}

// compareRefs compares the references of a file before and after: each must be there, known by the same evidence, and no other.
func (c *checker) compareRefs(f *draftFile, before []code.Ref) {
	named := func(name string) string {
		switch name {
		case c.old:
			return c.to
		case c.old + "=":
			return c.to + "="
		}
		return name
	}
	order := func(a, b code.Ref) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Via, b.Via),
			cmp.Compare(named(a.Name), named(b.Name)), cmp.Compare(a.Import, b.Import))
	}
	before = slices.DeleteFunc(before, func(r code.Ref) bool { return f.edits.adds(f.edits.at(r.Start)) })
	after := slices.DeleteFunc(slices.Clone(f.Facts.Refs), func(r code.Ref) bool { return f.edits.adds(r.Start) })
	for _, list := range [...]*[]code.Ref{&before, &after} {
		slices.SortStableFunc(*list, order)
		*list = slices.CompactFunc(*list, func(a, b code.Ref) bool { return order(a, b) == 0 })
	}
	i, j := 0, 0
	for i < len(before) || j < len(after) {
		switch {
		case j == len(after) || i < len(before) && f.edits.at(before[i].Start) < after[j].Start:
			r := &before[i]
			c.fail(f.was.Path, r.Start, r.Kind.String(), hidden)
			i++
		case i == len(before) || f.edits.at(before[i].Start) > after[j].Start:
			r := &after[j]
			if r.Name == c.old || r.Name == c.to {
				c.fail(f.was.Path, f.edits.before(r.Start), r.Kind.String(), estranged)
			}
			if r.Name == c.old {
				c.bare(f, r)
			}
			j++
		default:
			a, b := &before[i], &after[j]
			if a.Via != b.Via || a.Import != b.Import || !c.isRenamed(a.Name, b.Name) {
				c.fail(f.was.Path, a.Start, a.Kind.String(), hidden)
			}
			i, j = i+1, j+1
		}
	}
}

// bare records a reference of the old name that the draft has and the index lacks.
func (c *checker) bare(f *draftFile, r *code.Ref) {
	start := f.edits.before(r.Start)
	p := Place{Path: f.was.Path, Start: start, End: start + r.End - r.Start, Kind: r.Kind.String(), Confidence: code.Exact}
	text := c.texts.file(c.ctx, p.Path)
	if p.read(&text, c.old) && p.Unsure == "" {
		c.bared = append(c.bared, p)
	}
}

// compareNames finds a name that an import or declaration of a file gets by the rename and that another of the same file has.
func (c *checker) compareNames(f *draftFile, was *code.Facts) {
	var own, others []uint32 // lines
	for i := range was.Imports {
		for j, n := range was.Imports[i].Names {
			switch now := f.Facts.Imports[i].Names[j].Alias; {
			case now != c.to:
			case n.Alias == c.to:
				others = append(others, was.Imports[i].Line)
			default:
				own = append(own, was.Imports[i].Line)
			}
		}
	}
	isImported := len(own) > 0
	for i := range was.Symbols {
		s := &was.Symbols[i]
		switch now := &f.Facts.Symbols[i]; {
		case now.Name != c.to || s.Container() != "" || now.Kind.IsText():
		case s.Name == c.to:
			others = append(others, s.Span.Line)
		case isImported || len(others) > 0:
			own = append(own, s.Span.Line)
		}
	}
	if len(others) == 0 {
		return
	}
	for _, line := range own {
		c.failLine(f.was.Path, line, doubled)
	}
}

// failLine records the first place of a statement.
func (c *checker) failLine(path string, line uint32, why string) {
	for i := range c.out.Places {
		p := &c.out.Places[i]
		if p.Path == path && p.Line >= line && p.Unsure == "" {
			c.fail(path, p.Start, p.Kind, why)
			return
		}
	}
}

// compareImports follows the imported names of a file before and after: those that led to a renamed declaration must lead to it, the others
// must lead where they led.
func (c *checker) compareImports(t *view.Site, f *draftFile) error {
	now, err := c.after.Site(f.Row.ID)
	if err != nil {
		return err
	}
	for i := range t.Imports[:min(len(t.Imports), len(t.Links), len(now.Links))] {
		if isGuessed(&f.was, &t.Imports[i]) {
			continue
		}
		for j, n := range t.Imports[i].Names {
			before, declared := c.follow(c.s, &t.Links[i], n.Name)
			after, renamed := c.follow(c.after, &now.Links[i], now.Imports[i].Names[j].Name)
			if before != after || !c.isRenamed(declared, renamed) {
				c.failLine(f.was.Path, t.Imports[i].Line, misled)
			}
		}
	}
	return c.after.Lookup.Err
}

// follow returns the file that declares an imported name, and its name there.
func (c *checker) follow(s *view.Snapshot, link *graph.Link, name string) (int64, string) {
	if link.File == 0 {
		return 0, ""
	}
	file, declared, _ := s.InferredTypes().Linker().FollowName(link.File, name)
	return file, declared
}

// now returns a declaration as the draft has it.
func (c *checker) now(t *view.Symbol) (view.Symbol, error) {
	row, _, err := c.draft.Symbol(code.UnpackSymbolID(t.ID))
	if row.Path == "" {
		row.Path = t.Path
	}
	return view.RowSymbol(&row), err
}

// bindTargets finds the references of the renamed declarations in the draft.
func (c *checker) bindTargets() error {
	var targets []view.Symbol
	for i := range c.out.Targets {
		t, err := c.now(&c.out.Targets[i])
		if err != nil {
			return err
		}
		if t.Name == c.to { // else its file does not stand the check
			targets = append(targets, t)
		}
	}
	found, err := refs.References(c.ctx, c.after, targets)
	if err != nil {
		return err
	}
	means := map[spot]bool{}
	for i := range found.List {
		r := &found.List[i]
		if isSure := r.Confidence >= code.ImportResolved || r.Through != "" || r.Settled; isSure {
			at, isEdited := c.origin(r)
			means[at] = true
			if !isEdited {
				c.fail(at.path, at.start, r.Kind.String(), captured)
			}
		}
	}
	for i := range c.out.Places {
		p := &c.out.Places[i]
		isChecked := p.stored && p.short == 0 && !p.typed
		if isChecked && p.Unsure == "" && !means[spot{p.Path, p.Start}] {
			c.fail(p.Path, p.Start, p.Kind, lost)
		}
	}
	return nil
}

// origin returns the place of a reference of the draft in the old text, and whether the rename has changed it or left the name as it is
// because an import gives it another one.
func (c *checker) origin(r *view.Reference) (spot, bool) {
	at := spot{r.Path, r.Start}
	if f := c.draft.at(r.Path); f != nil {
		at = spot{f.was.Path, f.edits.before(r.Start)}
		if f.edits.replaces(at.start) || f.edits.adds(r.Start) {
			return at, true
		}
	}
	text := c.texts.file(c.ctx, at.path).text
	return at, int(r.End-r.Start) != len(c.to) || !bytes.HasPrefix(text[min(int(at.start), len(text)):], []byte(c.to))
}

// bindOthers compares the references of declarations that have the new name already.
func (c *checker) bindOthers() error {
	rows, err := c.s.SymbolsNamed(c.to)
	if err != nil {
		return err
	}
	var before, after []view.Symbol
	home, _ := c.s.Lookup.Node(c.out.Targets[0].Path)
	rows = view.WithoutTexts(rows)
	for i := range rows {
		n, ok := c.s.Lookup.NodeByID(rows[i].FileID)
		if !ok || !graph.SameFamily(&n, &home) {
			continue
		}
		t := view.RowSymbol(&rows[i])
		now, err := c.now(&t)
		if err != nil {
			return err
		}
		before, after = append(before, t), append(after, now)
	}
	if len(before) == 0 {
		return nil
	}
	was, err := refs.References(c.ctx, c.s, before)
	if err != nil {
		return err
	}
	is, err := refs.References(c.ctx, c.after, after)
	if err != nil {
		return err
	}
	means := map[spot]bool{}
	for i := range is.List {
		if r := &is.List[i]; r.Confidence >= code.ImportResolved || r.Through != "" || r.Settled {
			at, _ := c.origin(r)
			means[at] = true
		}
	}
	for i := range was.List {
		r := &was.List[i]
		if r.Confidence >= code.ImportResolved && r.By == "" && !means[spot{r.Path, r.Start}] {
			c.fail(r.Path, r.Start, r.Kind.String(), estranged)
		}
	}
	return nil
}

// relatives finds the members that the renamed ones would override or be overridden by, which they do not now.
func (c *checker) relatives() error {
	isTarget := map[int64]bool{}
	for i := range c.out.Targets {
		isTarget[c.out.Targets[i].ID] = true
	}
	for i := range c.out.Targets {
		t := &c.out.Targets[i]
		if t.Symbol.Container() == "" || t.Kind.IsType() || t.Kind == code.KindModule {
			continue
		}
		now, err := c.now(t)
		if err != nil {
			return err
		}
		list, outside, err := refs.Overriding(c.ctx, c.after, &now)
		if err != nil {
			return err
		}
		if outside && !c.out.Outside || slices.ContainsFunc(list, func(o view.Symbol) bool { return !isTarget[o.ID] }) {
			c.whole = related
		}
	}
	return nil
}
