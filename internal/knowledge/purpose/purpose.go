// Package purpose finds out why a file exists, in a sentence. It is the project's own sentence if there is one: in the
// file's doc comment or head, in a README above it, in the doc comment of its main declaration. Else it is made
// of certain facts about the file's place: the code it tests, the files it re-exports, the tool that reads it. Without such
// facts there is no purpose, because a guess would be believed, and who uses a file does not say why it is there. Pages of
// knowledge/entity show it, and so do the questions about a
// project as a whole.
package purpose

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Source is the source of a purpose.
type Source string

// The sources of purposes, the surest first.
const (
	Unknown     Source = ""            // no purpose was found
	Doc         Source = "doc"         // the file's own doc comment
	Declaration Source = "declaration" // the doc comment of what the file is for
	Folder      Source = "folder"      // the README of the folder that it introduces
	Place       Source = "place"       // its name and edges
)

// Purpose is the reason why a file exists. Of is the declaration or file from which it was taken, if that is not the file
// itself.
type Purpose struct {
	Text string
	From Source
	Of   string
}

// FilePurpose returns the purpose of a file from the texts and edges of its project; no model is asked. It fails if the index cannot
// be read.
func FilePurpose(ctx context.Context, s *view.Snapshot, f *code.File) (Purpose, error) {
	r := &purposeReading{s: s, f: f}
	text := describing(f.Doc, f.Path)
	if text != "" && !DocIsOfType(f.Lang) && !declares().MatchString(text) {
		return Purpose{Text: text, From: Doc}, nil
	}
	if err := r.readFacts(ctx); err != nil {
		return Purpose{}, err
	}
	if text != "" && !r.isOfFirst(text) && !r.isOfOther(text) {
		return Purpose{Text: text, From: Doc}, nil
	}
	for _, try := range [...]func(context.Context) (Purpose, error){
		r.generatedPurpose, r.entryPurpose, r.commentPurpose, r.namesakePurpose, r.toolFilePurpose, r.testPurpose, r.examplePurpose,
		r.readmePurpose, r.conventionPurpose, r.commandPurpose, r.mainPurpose, r.reexportPurpose, r.mainFilePurpose,
	} {
		if p, err := try(ctx); err != nil || p.Text != "" {
			return p, err
		}
	}
	return Purpose{}, nil
}

// purposeReading holds a file and the facts from which its purpose is derived.
type purposeReading struct {
	s       *view.Snapshot
	f       *code.File
	top     []view.Symbol // declarations at the top
	offered []view.Symbol // those that others can use
	exports []code.Export
	imports []view.ResolvedImport
}

func (r *purposeReading) readFacts(ctx context.Context) error {
	if r.f.Problem != code.ProblemNone {
		return nil
	}
	all, err := r.s.Symbols(ctx, r.f.Path)
	if err != nil {
		return err
	}
	if r.exports, err = r.s.Exports(ctx, r.f.Path); err != nil {
		return err
	}
	if r.imports, err = r.s.Imports(ctx, r.f.Path); err != nil {
		return err
	}
	exported := map[string]bool{}
	for i := range r.exports {
		if e := &r.exports[i]; e.From < 0 {
			exported[e.Name], exported[e.Local] = true, true
		}
	}
	r.top = slices.DeleteFunc(declaredIn(all, -1), func(y view.Symbol) bool { return isGuard(y.Name, r.f.Path) })
	for i := range r.top {
		if y := &r.top[i]; len(exported) == 0 && y.Exported || exported[y.Name] {
			r.offered = append(r.offered, *y)
		}
	}
	// A file with nothing but a module around its declarations is about these: lib/shop/client.rb has Client in the module Shop.
	for depth := 0; len(r.top) == 1 && r.top[0].Kind == code.KindModule && depth < maxModules; depth++ {
		inner := declaredIn(all, slices.IndexFunc(all, func(y view.Symbol) bool { return y.ID == r.top[0].ID }))
		if len(inner) == 0 || r.top[0].Doc != "" && SameName(r.top[0].Name, stemOf(r.f.Path)) {
			break
		}
		r.top = inner
		r.offered = slices.DeleteFunc(slices.Clone(inner), func(y view.Symbol) bool { return !y.Exported })
	}
	return nil
}

// maxModules is the number of modules within each other around all declarations of a file.
const maxModules = 4

// declaredIn returns the declarations directly in that of index parent, -1 for those at the top.
func declaredIn(all []view.Symbol, parent int) (out []view.Symbol) {
	for i := range all {
		if y := &all[i]; int(y.Parent) == parent && !y.Kind.IsText() {
			out = append(out, *y)
		}
	}
	return out
}

// DocIsOfType reports whether the doc comment of a file is that of its first type, as in languages in which files have none.
func DocIsOfType(l code.Lang) bool {
	row := lang.Of(l)
	return row.TypeNamesFile || row.Scope.IsDeclared()
}

// isOfFirst reports whether a sentence is about the first declaration of the file alone, which is one of several and does not have the
// file's name.
func (r *purposeReading) isOfFirst(text string) bool {
	if len(r.top) < 2 || SameName(r.top[0].Name, stemOf(r.f.Path)) {
		return false
	}
	return withoutName(code.FirstSentence(r.top[0].Doc), r.f.Path) == text
}

// isGuard reports whether a name is that of the macro by which a header is included once: NET_H in net.h, with a prefix or underscores.
func isGuard(name, file string) bool {
	words := func(s string) string {
		return strings.ToUpper(strings.Join(strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }), "_"))
	}
	return strings.HasPrefix(path.Ext(file), ".h") && strings.HasSuffix("_"+words(name), "_"+words(path.Base(file)))
}

// stemOf returns the name of a file without folder and extension.
func stemOf(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }
