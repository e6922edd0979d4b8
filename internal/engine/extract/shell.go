package extract

import (
	"strings"

	tsbash "github.com/alexaandru/go-sitter-forest/bash"

	"ken/internal/code"
	"ken/internal/engine/extract/plain"
)

// Shell: functions, aliases, and the variables a script sets outside functions, where
// it sets them first. Spec of an import is the path as written, without quotes; an
// expansion before it is most often the script's own directory.

// Symbols of the Bash grammar that extraction looks at.
const (
	baAssignment kind = iota + 1
	baCase
	baCaseItem
	baCommand
	baCommandName
	baComment
	baConcatenation
	baDeclaration
	baElif
	baFor
	baCFor
	baFunction
	baHeredocBody
	baIf
	baProgram
	baRawString
	baString
	baVariableName
	baWhile
	baWord
	baAndAnd
	baOrOr
)

// Fields of the Bash grammar.
const (
	bafArgument field = iota + 1
	bafBody
	bafName
	bafValue
)

func shellSpec() *spec {
	return &spec{
		language: tsbash.GetLanguage,
		comments: []kind{baComment},
		branches: []kind{baIf, baElif, baFor, baCFor, baWhile, baCaseItem, baAndAnd, baOrOr},
		quotes:   "\"'`",
		fields:   []string{bafArgument: "argument", bafBody: "body", bafName: "name", bafValue: "value"},
		kinds: []string{baAssignment: "variable_assignment", baCase: "case_statement", baCaseItem: "case_item", baCommand: "command",
			baCommandName: "command_name", baComment: "comment", baConcatenation: "concatenation", baDeclaration: "declaration_command",
			baElif: "elif_clause", baFor: "for_statement", baCFor: "c_style_for_statement", baFunction: "function_definition",
			baHeredocBody: "heredoc_body", baIf: "if_statement", baProgram: "program", baRawString: "raw_string", baString: "string",
			baVariableName: "variable_name", baWhile: "while_statement", baWord: "word", baAndAnd: "'&&", baOrOr: "'||"},
	}
}

type shell struct{ *symbolsOnly }

func walkShell(f *file) {
	if strings.HasSuffix(f.path, ".fish") {
		return // another language (fish), known by its extension only
	}
	s := shell{newSymbolsOnly(f, docStyle{marks: "#", accept: func(c string) bool {
		return !strings.HasPrefix(c, "#!") && !strings.HasPrefix(c, "# shellcheck ")
	}})}
	s.walk(root)
	plain.ExportTopLevel(s.facts)
}

func (s shell) walk(n node) {
	switch s.kind(n) {
	case baFunction:
		name, body := s.child(n, bafName), s.child(n, bafBody)
		until := s.end(n)
		if body != none {
			until = s.start(body)
		}
		i := s.add(name, n, until, code.Symbol{Kind: code.KindFunction, Exported: true})
		s.inside(i, func() { s.walk(body) })
	case baDeclaration:
		s.declaration(n)
	case baAssignment:
		s.variable(n, n, code.Symbol{})
		s.children(n)
	case baCommand:
		s.command(n)
		s.children(n)
	case baHeredocBody, baRawString, baWord:
	default:
		s.children(n)
	}
}

func (s shell) children(n node) {
	for c := s.first(n); c != none; c = s.sibling(c) {
		if s.isNamed(c) {
			s.walk(c)
		}
	}
}

// declaration reads export A=1 B, readonly, declare -r and local.
func (s shell) declaration(n node) {
	sym := code.Symbol{}
	switch word := s.str(s.first(n)); word {
	case "export":
		sym.Exported = true
	case "readonly":
		sym.Kind = code.KindConstant
	}
	for c := s.first(n); c != none; c = s.sibling(c) {
		switch s.kind(c) {
		case baWord:
			if flags := s.str(c); strings.HasPrefix(flags, "-") && strings.Contains(flags, "r") {
				sym.Kind = code.KindConstant
			} else if strings.HasPrefix(flags, "-") && strings.Contains(flags, "x") {
				sym.Exported = true
			}
		case baAssignment, baVariableName:
			s.variable(c, n, sym)
			s.children(c)
		default:
			s.walk(c)
		}
	}
}

// variable declares the variable of an assignment, if it is the first one at the top
// level of the script; decl is the command the assignment belongs to.
func (s shell) variable(n, decl node, sym code.Symbol) {
	name := n
	if s.kind(n) == baAssignment {
		name = s.child(n, bafName)
	}
	top := s.owner < 0 && s.kind(s.parent(decl)) == baProgram
	if !top || s.kind(name) != baVariableName || !s.isFirst(s.str(name)) {
		return
	}
	if sym.Kind == code.KindUnknown {
		sym.Kind = code.KindVariable
	}
	until := s.end(n)
	if text := s.str(n); !fitsSignature(text) {
		until = s.end(name)
	}
	sym.Doc = s.doc(s.start(decl))
	s.add(name, n, until, sym)
}

// command reads source and alias.
func (s shell) command(n node) {
	arg := s.child(n, bafArgument)
	switch s.fieldStr(n, bafName) {
	case "source", ".":
		if spec := strings.Trim(s.str(arg), `"'`); !strings.ContainsAny(spec, "\n<>") {
			s.imports(code.Import{Spec: spec, Kind: code.ImportStatic}, n)
		}
	case "alias":
		for c := arg; c != none && s.owner < 0; c = s.nextNamed(c) {
			name, _, ok := strings.Cut(s.str(c), "=")
			if ok && s.nodeField(c) == bafArgument && name != "" && !strings.ContainsAny(name, "\"'$ \n") {
				s.add(c, c, s.end(c), code.Symbol{Name: name, Kind: code.KindMacro, Exported: true})
			}
		}
	}
}
