package extract

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"ken/internal/code"
)

// A file that does not parse is cut at the keywords that begin a declaration in
// column 0, and each piece is parsed alone: an error costs the declaration it is
// in, of which the parser still keeps its part. With one bracket, quote or
// operator taken out of kubernetes files, 98.9 % of the functions, methods and
// types are found; the parser left to itself, which skips from an error between
// functions to the next type, var or const, finds 80 %, tree-sitter 96 %
// (TestGoRecovery).

// goPiece is put before a piece to make it a file.
const goPiece = "package _\n"

// goPad is the position of a recovered file's first byte: it leaves room for
// goPiece before it.
const goPad = len(goPiece) + 6

// recover reads the pieces of a file into x.decls and returns its head.
func (x *golang) recover(src []byte, err error) *ast.File {
	x.base = goPad
	x.lines = nil
	for _, l := range appendLines(nil, x.text) {
		x.lines = append(x.lines, int(l))
	}
	x.pieces = append(goStarts(src), len(src))
	tree := x.head(src[:x.pieces[0]])
	var piece []byte
	for i, from := range x.pieces[:len(x.pieces)-1] {
		piece = append(append(piece[:0], goPiece...), src[from:x.pieces[i+1]]...)
		part, err := x.parsePiece(piece, from, goPiece)
		x.countErrors(part, err, uint32(len(piece)-len(goPiece)))
		x.decls = append(x.decls, part.Decls...)
	}
	if x.file.ErrorBytes == 0 && len(x.pieces) > 1 {
		x.file.ErrorBytes = 1 // whole in pieces, but not as a file
	}
	x.parseLimit(err)
	return tree
}

// head parses what stands before the first declaration.
func (x *golang) head(src []byte) *ast.File {
	tree, err := x.parsePiece(src, 0, "")
	var list scanner.ErrorList
	if errors.As(err, &list) && tree.Name.Name == "" {
		if !strings.HasSuffix(list[0].Msg, "found 'EOF'") {
			x.file.ErrorBytes += uint32(len(src)) - min(uint32(list[0].Pos.Offset), uint32(len(src)))
		}
		return tree
	}
	x.countErrors(tree, err, uint32(len(src)))
	x.decls = append(x.decls, tree.Decls...)
	return tree
}

// parsePiece parses what stands at offset from of the file, after prefix.
func (x *golang) parsePiece(src []byte, from int, prefix string) (*ast.File, error) {
	fset := token.NewFileSet()
	fset.AddFile("", 1, goPad+from-len(prefix)-2)
	return parser.ParseFile(fset, "", src, goMode|parser.AllErrors)
}

// pieceEnd is where the piece around offset at ends.
func (x *golang) pieceEnd(at uint32) uint32 {
	i, found := slices.BinarySearch(x.pieces, int(at))
	if found {
		i++
	}
	return uint32(x.pieces[min(i, len(x.pieces)-1)])
}

// countErrors adds the bytes the parser skipped, and one for every other error.
func (x *golang) countErrors(tree *ast.File, err error, size uint32) {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return
	}
	if x.parseLimit(err); len(tree.Decls) == 0 && x.file.Problem != "" {
		x.file.ErrorBytes += size // given up as a whole
		return
	}
	skipped, end := uint32(0), uint32(0)
	bad := func(from, to token.Pos) {
		a, b := max(x.off(from), end), x.off(to)
		if b > a {
			skipped, end = skipped+b-a, b
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BadDecl:
			bad(n.From, n.To)
		case *ast.BadStmt:
			bad(n.From, n.To)
		case *ast.BadExpr:
			bad(n.From, n.To)
		}
		return true
	})
	x.file.ErrorBytes += max(skipped, uint32(len(list)))
}

func (x *golang) parseLimit(err error) {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 && strings.Contains(list[len(list)-1].Msg, "nesting depth") {
		x.file.Problem = code.ProblemParseLimit
	}
}

// goStarts lists where declarations begin in column 0, with the line comments
// right above them.
func goStarts(src []byte) (starts []int) {
	add := func(at int) {
		for at > 0 {
			prev := bytes.LastIndexByte(src[:at-1], '\n') + 1
			if !bytes.HasPrefix(src[prev:at], []byte("//")) {
				break
			}
			at = prev
		}
		starts = append(starts, at)
	}
	literals := true
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", 1, len(src))
	s.Init(file, src, func(_ token.Position, msg string) {
		if strings.HasSuffix(msg, "not terminated") && !strings.HasPrefix(msg, "string") && !strings.HasPrefix(msg, "rune") {
			literals = false
		}
	}, 0)
	for {
		pos, tok, _ := s.Scan()
		if tok == token.EOF {
			break
		}
		if at := int(pos) - 1; isGoDecl(tok) && (at == 0 || src[at-1] == '\n') {
			add(at)
		}
	}
	if literals {
		return starts
	}
	// A raw string or comment has no end: what the scanner took for strings is
	// not to be trusted.
	starts = starts[:0]
	for at := 0; at < len(src); {
		if word, _, ok := bytes.Cut(src[at:min(at+len("import")+1, len(src))], []byte(" ")); ok && isGoDecl(token.Lookup(string(word))) {
			add(at)
		}
		i := bytes.IndexByte(src[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return starts
}

func isGoDecl(t token.Token) bool {
	switch t {
	case token.FUNC, token.TYPE, token.VAR, token.CONST, token.IMPORT:
		return true
	}
	return false
}
