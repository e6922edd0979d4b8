// Package purpose finds out why a file exists, in a sentence. It is the project's own sentence if there is one: in the
// file's doc comment, in that of its main declaration, in the README of the folder that the file introduces. Else it is made
// of certain facts about the file's place: the code it tests, the files it re-exports, its users. Without such facts there
// is no purpose, because a guess would be believed. Pages of knowledge/entity show it, and so do the questions about a
// project as a whole.
package purpose

import (
	"context"

	"ken/internal/code"
	"ken/internal/engine/view"
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
	if text := ownDoc(f); text != "" {
		return Purpose{Text: text, From: Doc}, nil
	}
	r := &purposeReading{s: s, f: f}
	if err := r.readFacts(ctx); err != nil {
		return Purpose{}, err
	}
	for _, try := range [...]func(context.Context) (Purpose, error){
		r.generatedPurpose, r.namesakePurpose, r.toolFilePurpose, r.testPurpose, r.examplePurpose, r.readmePurpose, r.conventionPurpose, r.commandPurpose, r.mainPurpose, r.reexportPurpose, r.mainFilePurpose, r.extensionPurpose, r.servicePurpose, r.mentionPurpose,
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
	for i := range all {
		y := &all[i]
		if y.Parent >= 0 || y.Kind.IsText() {
			continue
		}
		r.top = append(r.top, *y)
		if len(exported) == 0 && y.Exported || exported[y.Name] {
			r.offered = append(r.offered, *y)
		}
	}
	return nil
}
