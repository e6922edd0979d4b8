package gotypes

import (
	"encoding/binary"
	"go/scanner"
	"go/token"
	"hash/fnv"
	"strings"
)

// Shape returns a hash of the parts of a Go file that other files can see: every token outside the bodies of functions
// and methods, and the build constraints. The text of strings counts in imports only. Two files of equal shape declare
// the same types in the same order, so that bindings of files that use the one hold for the other, too. It accepts any
// bytes, in time linear in src.
func Shape(src []byte) uint64 {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(src)), src, func(token.Position, string) {}, scanner.ScanComments)
	h := fnv.New64a()
	var w shapeWalk
	var buf [4]byte
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			if w.broken || len(w.open) > 0 {
				h.Write(src) // without matching brackets no body can be recognised, so that every byte counts
			}
			return h.Sum64()
		}
		if tok == token.COMMENT {
			directive := strings.HasPrefix(lit, "//go:build") || strings.HasPrefix(lit, "// +build") || strings.HasPrefix(lit, "//go:linkname")
			if directive {
				h.Write([]byte(lit))
			}
			continue
		}
		if !w.step(tok) {
			continue
		}
		binary.LittleEndian.PutUint32(buf[:], uint32(tok))
		h.Write(buf[:])
		if tok != token.STRING && tok != token.CHAR || w.importing {
			h.Write([]byte(lit))
		}
		h.Write([]byte{0})
	}
}

// shapeWalk tracks whether a token is inside the body of a function declaration.
type shapeWalk struct {
	open      []token.Token // brackets not closed yet
	fn        bool          // between `func` at the top level and its body
	inBody    bool
	typeBrace bool        // the next brace belongs to a struct or interface type
	last      token.Token // the token before this one
	importing bool
	broken    bool // brackets do not match
}

// step processes one token and reports whether other files can see it.
func (w *shapeWalk) step(tok token.Token) bool {
	last := w.last
	w.last = tok
	top := len(w.open) == 0
	switch tok {
	case token.IMPORT:
		w.importing = top
	case token.FUNC:
		if top && last == token.SEMICOLON {
			w.fn, w.importing = true, false
		}
	case token.VAR, token.TYPE, token.CONST:
		w.importing = w.importing && !top
	case token.STRUCT, token.INTERFACE:
		w.typeBrace = true
	case token.LPAREN, token.LBRACK:
		w.open = append(w.open, tok)
	case token.LBRACE:
		w.open = append(w.open, tok)
		if w.fn && top && !w.typeBrace {
			w.fn, w.inBody = false, true
			return true
		}
		w.typeBrace = false
	case token.RPAREN, token.RBRACK, token.RBRACE:
		opening := token.LBRACE
		switch tok {
		case token.RPAREN:
			opening = token.LPAREN
		case token.RBRACK:
			opening = token.LBRACK
		}
		w.close(opening)
	case token.SEMICOLON:
		w.fn = w.fn && !top
	}
	return !w.inBody
}

// close processes the bracket that closes an opening one.
func (w *shapeWalk) close(opening token.Token) {
	n := len(w.open)
	if n == 0 || w.open[n-1] != opening {
		w.broken = true
		return
	}
	w.open = w.open[:n-1]
	w.inBody = w.inBody && n > 1
}
