package convention

import (
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// countDeclarations counts the names of a file's top-level declarations, its imports and its exports.
func countDeclarations(ctx context.Context, t *voteCount, s *view.Snapshot, f *source) error {
	if f.test {
		return nil
	}
	list, err := s.Signatures(ctx, f.File)
	if err != nil {
		return err
	}
	traits := lang.Of(f.Lang).Traits
	for i := range list {
		y := &list[i]
		if y.Parent >= 0 && !y.Kind.IsFunction() {
			continue
		}
		if strings.HasPrefix(y.Name, "__") || isOperator(y.Name) { // a name that the language defines
			continue
		}
		countErrorType(t, f, y)
		countStructure(t, f, list, i)
		if traits.CapitalExports && y.Exported {
			continue // the language defines how they begin
		}
		if topic := nameTopic(y); topic != "" {
			follows, against := namingStyles(y.Name)
			t.addVote(key{topic: topic, lang: f.Lang}, f.Path+": "+y.Name, follows, against)
		}
	}
	return countModules(ctx, t, s, f)
}

// isOperator reports whether the name of a function is that of an operator: "[]", "this[]", "operator==".
func isOperator(name string) bool {
	return strings.HasPrefix(name, "operator") || strings.ContainsAny(name, "[]<>()+*/%^&|~ ") || strings.Trim(name, "=!-@`") == ""
}

// nameTopic returns the topic to which the name of a declaration belongs.
func nameTopic(y *view.Symbol) Topic {
	switch {
	case y.Kind == code.KindConstructor:
		return ""
	case y.Kind.IsType() && y.Parent < 0:
		return TypeNames
	case y.Kind == code.KindFunction, y.Kind == code.KindMethod:
		return FunctionNames
	case y.Kind == code.KindConstant:
		return ConstantNames
	}
	return ""
}

// countErrorType counts the names of error types.
func countErrorType(t *voteCount, f *source, y *view.Symbol) {
	if y.Parent >= 0 || !y.Kind.IsType() {
		return
	}
	for _, ending := range [...]string{"Error", "Exception"} {
		if strings.HasSuffix(y.Name, ending) && y.Name != ending {
			t.addChoice(key{topic: ErrorTypes, lang: f.Lang}, f.Path+": "+y.Name, "*"+ending)
		}
	}
}

// countModules counts the forms in which a file imports others of the project and exports.
func countModules(ctx context.Context, t *voteCount, s *view.Snapshot, f *source) error {
	imports, err := s.Imports(ctx, f.Path)
	if err != nil {
		return err
	}
	for i := range imports {
		m := &imports[i]
		if len(m.Targets) == 0 || !lang.Of(f.Lang).RelativeImports {
			continue
		}
		way, part := "by full name", " across folders"
		if strings.HasPrefix(m.Spec, ".") {
			way = "relative"
		}
		if slices.ContainsFunc(m.Targets, func(to string) bool { return path.Dir(to) == path.Dir(f.Path) }) {
			part = " within a folder"
		}
		// They are two questions: many write "./x" for a neighbour and a full name for the rest.
		t.addChoice(key{topic: Imports, lang: f.Lang, part: part}, f.Path+": "+m.Spec, way+part)
	}
	if err := countImports(ctx, t, s, f, imports); err != nil {
		return err
	}
	exports, err := s.Exports(ctx, f.Path)
	if err != nil || len(exports) == 0 || !lang.Of(f.Lang).DefaultExports {
		return err
	}
	pattern := "named"
	if slices.ContainsFunc(exports, func(e code.Export) bool { return e.Name == "default" }) {
		pattern = "default"
	}
	t.addChoice(key{topic: Exports, lang: f.Lang}, f.Path, pattern)
	return nil
}
