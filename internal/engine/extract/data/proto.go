package data

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// proto scans Protocol Buffers definitions of either syntax
// (https://protobuf.dev/reference/protobuf/proto3-spec/): a recursive descent over
// words and punctuation, which skips to the next statement after an unexpected token.
type proto struct {
	*plain.File
	s   string
	i   int
	at  int  // start of the last token
	own bool // no token precedes the position on its line
	doc [2]int
}

// ScanProto reads a definition of Protocol Buffers.
func ScanProto(f *plain.File) {
	p := proto{File: f, s: f.Text, own: true}
	p.body(0, protoFile)
}

// protoPlace is the kind of definition to which a body in braces belongs.
type protoPlace uint8

const (
	protoFile protoPlace = iota
	protoMessage
	protoEnum
	protoService
)

// maxProtoDepth is the largest depth of nested messages.
const maxProtoDepth = 64

// next returns the next token: a word with its dots, a string with quotes, or one
// character; "" at the end. Comments before it are kept as doc.
func (p *proto) next() string {
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case lexical.IsSpace(c):
			p.own = p.own || c == '\n'
			p.i++
		case c == '/' && strings.HasPrefix(p.s[p.i:], "//"):
			p.comment(lexical.LineEnd(p.s, p.i))
		case c == '/' && strings.HasPrefix(p.s[p.i:], "/*"):
			end := len(p.s)
			if n := strings.Index(p.s[p.i+2:], "*/"); n >= 0 {
				end = p.i + n + 4
			}
			p.comment(end)
		default:
			return p.token(c)
		}
	}
	p.at = len(p.s)
	return ""
}

func (p *proto) comment(end int) {
	if p.own {
		if p.s[p.i+1] == '*' || !lexical.EndsAbove(p.s, p.doc, p.i) {
			p.doc[0] = p.i
		}
		p.doc[1] = end
	}
	p.i = end
}

func (p *proto) token(c byte) string {
	p.at, p.own = p.i, false
	switch {
	case c == '"', c == '\'':
		p.i = lexical.StringEnd(p.s, p.i)
	case lexical.IsWord(c), c == '.':
		for p.i < len(p.s) && (lexical.IsWord(p.s[p.i]) || p.s[p.i] == '.') {
			p.i++
		}
	default:
		p.i++
	}
	return p.s[p.at:p.i]
}

// body reads statements up to the closing brace. The statements of a file end
// with the file.
func (p *proto) body(depth int, place protoPlace) {
	for {
		word := p.next()
		switch {
		case word == "":
			return
		case word == "}":
			p.doc = [2]int{}
			if place != protoFile {
				return
			}
			continue
		case word == ";":
			continue
		}
		p.statement(word, p.at, depth, place)
		p.doc = [2]int{}
	}
}

func (p *proto) statement(word string, start, depth int, place protoPlace) {
	if depth >= maxProtoDepth {
		p.skip(word)
		return
	}
	save := p.i
	switch {
	case place == protoFile && word == "package":
		if p.Facts.Package == "" {
			p.Facts.Package = lexical.Valid(lexical.Cut(p.next(), 200))
		}
	case place == protoFile && word == "import":
		p.importFile()
	case place <= protoMessage && isProtoDefinition(word):
		if p.definition(word, start, depth) {
			return
		}
		p.i = save
		if place == protoMessage && p.field(word, start, depth) {
			return
		}
	case place <= protoMessage && word == "extend", place == protoMessage && word == "oneof":
		if p.inside(word, depth) {
			return
		}
		p.i = save
		if p.field(word, start, depth) {
			return
		}
	case place == protoService && word == "rpc":
		p.rpc(start)
		return
	case isProtoSetting(word):
	case place == protoMessage:
		if p.field(word, start, depth) {
			return
		}
	case place == protoEnum:
		p.member(word, start)
	}
	p.skip("")
}

func isProtoDefinition(word string) bool {
	switch word {
	case "message", "enum", "service":
		return true
	}
	return false
}

// isProtoSetting reports whether a word begins a statement that declares nothing.
func isProtoSetting(word string) bool {
	switch word {
	case "option", "reserved", "extensions", "syntax", "edition":
		return true
	}
	return false
}

// skip skips the rest of a statement, up to its semicolon or the end of its
// block.
func (p *proto) skip(word string) {
	depth := 0
	for {
		switch word {
		case "{":
			depth++
		case "}":
			if depth == 0 {
				p.i = p.at // the brace of the body itself
				return
			}
			if depth--; depth == 0 {
				return
			}
		case ";":
			if depth == 0 {
				return
			}
		}
		if word = p.next(); word == "" {
			return
		}
	}
}

// importFile reads import "x". A public one passes the names on to the importer.
func (p *proto) importFile() {
	word := p.next()
	kind := code.ImportStatic
	switch word {
	case "public":
		kind, word = code.ImportReexport, p.next()
	case "weak", "option":
		word = p.next()
	}
	if len(word) < 3 || word[0] != '"' && word[0] != '\'' {
		p.i = p.at
		return
	}
	n := len(p.Facts.Imports)
	if p.AddImport(kind, word[1:len(word)-1], p.at); len(p.Facts.Imports) > n {
		p.Facts.Imports[n].Names = []code.ImportName{{Name: "*", Alias: "*"}}
	}
}

// definition reads a message, enum or service.
func (p *proto) definition(word string, start, depth int) bool {
	doc := p.docText(start)
	name := p.next()
	nameAt := p.at
	if !isProtoName(name) || p.next() != "{" {
		return false
	}
	kind, place := code.KindMessage, protoMessage
	switch word {
	case "enum":
		kind, place = code.KindEnum, protoEnum
	case "service":
		kind, place = code.KindService, protoService
	}
	sym := p.add(kind, name, nameAt, start, p.at, doc)
	before := p.Owner
	if sym >= 0 {
		p.Owner = sym
	}
	p.doc = [2]int{}
	p.body(depth+1, place)
	p.SetEnd(sym, p.i)
	p.Owner = before
	return true
}

func isProtoName(s string) bool {
	return lexical.IsWordStart(lexical.ByteAt(s, 0)) && strings.IndexByte(s, '.') < 0
}

// add declares a symbol; its signature is the source up to end.
func (p *proto) add(k code.Kind, name string, nameAt, start, end int, doc string) int32 {
	sym := p.AddSymbol(k, name, nameAt, start, end, p.s[start:end], maxProtoSymbols)
	if sym >= 0 {
		p.Facts.Symbols[sym].Doc = doc
	}
	return sym
}

// maxProtoSymbols bounds the symbols of a definition file. It is higher than for data,
// because definitions are code.
const maxProtoSymbols = 20_000

func (p *proto) docText(start int) string {
	if !lexical.EndsAbove(p.s, p.doc, start) {
		return ""
	}
	return lexical.CleanDoc(lexical.Cut(p.s[p.doc[0]:p.doc[1]], 4*code.MaxDoc))
}

// inside reads a oneof or extend block, whose fields belong to the surrounding message.
func (p *proto) inside(word string, depth int) bool {
	name := p.next()
	at := p.at
	if name == "" || p.next() != "{" {
		return false
	}
	if word == "extend" {
		p.typeRef(name, at, code.RefInherit)
	}
	p.doc = [2]int{}
	p.body(depth+1, protoMessage)
	return true
}

// field reads `[label] type name = number [options];`, a map or a group.
func (p *proto) field(word string, start, depth int) bool {
	doc := p.docText(start)
	typ, typAt := word, start
	switch word {
	case "repeated", "optional", "required":
		typ = p.next()
		typAt = p.at
	}
	first := typAt
	if typ == "map" {
		typ, typAt = p.mapTypes()
	}
	name := p.next()
	nameAt := p.at
	if typ == "group" {
		return p.group(name, nameAt, start, depth, doc)
	}
	if !isProtoName(name) || p.next() != "=" {
		p.i = nameAt
		return false
	}
	p.next()
	end := p.i
	p.typeRef(typ, typAt, code.RefType)
	if sym := p.add(code.KindField, name, nameAt, start, end, doc); sym >= 0 {
		p.Facts.Symbols[sym].Returns = lexical.Cut(lexical.Valid(strings.TrimSpace(p.s[first:nameAt])), 200)
	}
	p.skip("")
	return true
}

// mapTypes reads `<key, value>` and returns the value's type.
func (p *proto) mapTypes() (string, int) {
	if p.next() != "<" {
		p.i = p.at
		return "", p.at
	}
	typ, at := "", p.at
	for n := 0; n < 8; n++ {
		switch t := p.next(); t {
		case ">", "", ";", "}":
			if t != ">" {
				p.i = p.at
			}
			return typ, at
		case ",":
		default:
			typ, at = t, p.at
		}
	}
	return typ, at
}

// group reads a group of proto2: a field and a message in one.
func (p *proto) group(name string, nameAt, start, depth int, doc string) bool {
	if !isProtoName(name) || p.next() != "=" {
		p.i = nameAt
		return false
	}
	p.next()
	if p.next() != "{" {
		p.i = p.at
		return false
	}
	sym := p.add(code.KindMessage, name, nameAt, start, p.at, doc)
	before := p.Owner
	if sym >= 0 {
		p.Owner = sym
	}
	p.body(depth+1, protoMessage)
	p.SetEnd(sym, p.i)
	p.Owner = before
	return true
}

// member reads a value of an enum.
func (p *proto) member(name string, start int) {
	doc := p.docText(start)
	if !isProtoName(name) || p.next() != "=" {
		p.i = p.at
		return
	}
	if p.next() == "-" {
		p.next()
	}
	p.add(code.KindEnumMember, name, start, start, p.i, doc)
}

// rpc reads `rpc Name (stream Request) returns (stream Response)`.
func (p *proto) rpc(start int) {
	doc := p.docText(start)
	name := p.next()
	nameAt := p.at
	if !isProtoName(name) {
		p.skip(name)
		return
	}
	sym := p.add(code.KindMethod, name, nameAt, start, p.i, doc)
	before := p.Owner
	if sym >= 0 {
		p.Owner = sym
	}
	request := p.message()
	end, returns := p.i, ""
	if p.next() == "returns" {
		returns = p.message()
		end = p.i
	} else {
		p.i = p.at
	}
	if sym >= 0 {
		s := &p.Facts.Symbols[sym]
		s.Signature, s.Returns = lexical.OneLine(p.s[start:end]), returns
		if request != "" {
			s.Params = []code.Param{{Name: "request", Type: request}}
		}
	}
	p.skip("")
	p.SetEnd(sym, p.i)
	p.Owner = before
}

// message reads a message type in parentheses and records a reference to it.
func (p *proto) message() string {
	if p.next() != "(" {
		p.i = p.at
		return ""
	}
	from := p.i
	for n := 0; n < 4; n++ {
		switch t := p.next(); t {
		case ")":
			return lexical.Cut(lexical.Valid(strings.TrimSpace(p.s[from:p.at])), 200)
		case "stream":
		case "", ";", "{", "}":
			p.i = p.at
			return ""
		default:
			p.typeRef(t, p.at, code.RefType)
		}
	}
	return ""
}

// protoScalars are the built-in types.
var protoScalars = plain.Words("double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes group map stream")

// typeRef records a reference to a type by the last part of its name.
func (p *proto) typeRef(typ string, at int, k code.RefKind) {
	name := lexical.LastDot(typ)
	if isProtoName(name) && !protoScalars[typ] {
		p.AddRef(k, name, at+len(typ)-len(name))
	}
}
