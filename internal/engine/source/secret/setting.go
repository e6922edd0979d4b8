package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// A bare value is believed only where it is one of a configuration: NAME=value, name: value on a line of its own in YAML,
// name=value in properties, ?name=value in a query, -name value of a command. In code a bare value is an expression.

type places = []placeProperty

// decision is the verdict of a table row on the values that match the row.
type decision uint8

const (
	refuse decision = iota // the value is no secret
	accept                 // the value is a secret
	part                   // a part of the value is a secret
)

// placeRow is a row of a decision table: the properties that a place must have, a demand on the value in it, and the decision.
type placeRow struct {
	decision  decision
	name, why string
	in        places
	value     look.Demand
}

// matchingRow returns the first of the rows that the place and its value match, or nil if there is none.
func (p *valuePlace) matchingRow(rows []placeRow) *placeRow {
	for i := range rows {
		if r := &rows[i]; p.hasAll(r.in...) && p.measuredValue().Meets(&r.value) {
			return r
		}
	}
	return nil
}

// decideByRows returns the decision of the first row that the place and its value match. A value that matches none is refused.
func (p *valuePlace) decideByRows(rows []placeRow) decision {
	if r := p.matchingRow(rows); r != nil {
		return r.decision
	}
	return refuse
}

var anyValue = look.Demand{}

// settingRows decide whether a value without quotes is one of a configuration file.
var settingRows = [...]placeRow{
	{accept, "option", "commands take values by options", places{option, byBlank}, anyValue},
	{accept, "option with =", "commands take values by options", places{option, byEqual}, anyValue},
	{accept, "query", "the fields of a query have values without quotes", places{queryField, byEqual, tight}, anyValue},
	{accept, "set command", "shells and Dockerfiles set variables so", places{byBlank, setLine, lastOnLine}, anyValue},
	{accept, "pass option", "openssl takes passwords so", places{byColon, tight, passOption}, anyValue},

	{accept, "one of several, own line", "no code is on the line", places{oneOfSeveral, ownLine}, anyValue},
	{accept, "one of several, random", "code has words there", places{oneOfSeveral}, look.Demand{Is: look.Props{look.RandomShort}}},
	{accept, "one of several, long", "code has words there", places{oneOfSeveral}, look.Demand{Is: look.Props{look.RandomLong}}},
	{accept, "one of several, number", "a count is shorter", places{oneOfSeveral}, look.Demand{Least: look.Counts{look.Length: 6}, Is: look.Props{look.OnlyDigits}}},
	{accept, "one of several, with a user", "the line is a connection", places{oneOfSeveral, besideLogin}, anyValue},
	{refuse, "words, one of several", "arguments of calls look the same", places{oneOfSeveral}, anyValue},

	{accept, "flow mapping, random", "code has words there", places{flowField}, look.Demand{Is: look.Props{look.RandomShort}}},
	{accept, "flow mapping, four letters", "words of four letters can be pronounced", places{flowField},
		look.Demand{Least: look.Counts{look.Length: 4}, Most: look.Counts{look.Length: 4}, Not: look.Props{look.Spoken}}},
	{refuse, "words in a flow mapping", "literals of objects look the same", places{flowField}, anyValue},

	{accept, "tight colon", "a random word on a line of its own", places{byColon, tight, ownLine}, look.Demand{Is: look.Props{look.RandomShort}}},
	{refuse, "words behind a tight colon", "a selector or a label", places{byColon, tight}, anyValue},

	{accept, "random at the end", "code continues or ends in a mark", places{byColon, lastOnLine}, look.Demand{Is: look.Props{look.RandomShort}}},
	{accept, "long and random at the end", "logs have such values, no expression is so long", places{byEqual, lastOnLine},
		look.Demand{Least: look.Counts{look.Length: 32}, Is: look.Props{look.RandomLong, look.Generated}}},
	{accept, "random behind an arrow", "manifests are written so", places{byArrow, lastOnLine}, look.Demand{Is: look.Props{look.RandomShort}}},
	{accept, "connection string", "semicolons divide its settings", places{byEqual, tight, betweenSemicolons}, anyValue},
	{refuse, "followed", "an expression continues", places{followed}, anyValue},

	{accept, "pair in quotes", "a header or a variable as a literal", places{byColon, quotedPair}, look.Demand{Is: look.Props{look.RandomShort}}},

	{accept, "environment", "NAME=value is how the environment is written", places{upperName, byEqual, tight}, anyValue},
	{accept, "YAML", "name: value on a line of its own", places{ownLine, byColon}, anyValue},
	{accept, "capitals and random", "code assigns words to constants", places{upperName, ownLine}, look.Demand{Is: look.Props{look.RandomShort}}},
	{refuse, "capitals", "a constant of code", places{upperName}, anyValue},

	{accept, "properties", "code has blanks around =", places{ownLine, byEqual, tight}, anyValue},
	{accept, "random on its own line", "code assigns names and members", places{ownLine, byEqual},
		look.Demand{Without: "_.", Is: look.Props{look.RandomShort}}},
	{accept, "INI", "no code is under a [section]", places{ownLine, byEqual, inSection}, anyValue},
}

// codeRows decide whether a value without quotes is an expression of code: a call, an index, a member, a type.
var codeRows = [...]placeRow{
	{refuse, "literal", "a literal is a value", places{quoted}, anyValue},
	{accept, "bracket", "a call, an index or an escape", nil, look.Demand{With: "([{\\"}},
	{refuse, "long and random", "no member of a member is named so", nil, look.Demand{Is: look.Props{look.LongRandom}}},
	{accept, "variable", "the name of a value", nil, look.Demand{Is: look.Props{look.VariableFirst}}},
	{refuse, "element", "the text of an element is a value", places{element}, anyValue},
	{refuse, "block", "a block or a default is a value", places{aloneInBlock}, look.Demand{Without: "."}},

	{refuse, "setting", "a configuration has words for values", places{wordSetting}, look.Demand{Without: ".", Is: look.Props{look.PlainWord}}},
	{refuse, "dotted setting", "YAML has a blank before the value", places{wordSetting, byColon, blankBefore},
		look.Demand{Least: look.Counts{look.Digits: 1}, Is: look.Props{look.PlainWord}}},
	{refuse, "dotted property", "code has blanks around =", places{wordSetting, byEqual, tight, wordOwnLine},
		look.Demand{Least: look.Counts{look.Digits: 1}, Is: look.Props{look.PlainWord}}},
	{accept, "word", "a variable, a type or a member", nil, look.Demand{Is: look.Props{look.PlainWord}}},

	{accept, "quote behind", "the bare word is a prefix or a part of a literal", places{quoteAfter},
		look.Demand{Not: look.Props{look.RandomLong, look.RandomUUID}}},
}

// byteBefore returns the byte before the name: a line feed if there is none, & if it is written as %26.
func (p *valuePlace) byteBefore() byte {
	lo := p.nameLo
	switch {
	case look.At(p.text, lo-3) == '%' && look.Is(p.text[lo-1], look.Hex):
		return '&'
	case lo == 0, followsEscape(p.text, lo):
		return '\n'
	}
	return p.text[lo-1]
}

// byteAfter returns the byte after the value: a line feed if an escape follows.
func (p *valuePlace) byteAfter() byte {
	if followsEscape(p.text, p.end+2) || isPropertyEscape(p.text, p.end) {
		return '\n'
	}
	return look.At(p.text, p.end)
}

func (p *valuePlace) isByArrow() bool {
	return p.byteBefore() == ' ' && bytes.HasSuffix(p.text[:p.start], []byte(" => ")) && p.op == '='
}

func (p *valuePlace) hasFieldBounds() bool {
	return look.Is(p.byteBefore(), look.Bound) && look.Is(p.byteAfter(), look.Bound)
}

func (p *valuePlace) isBetweenSemicolons() bool {
	return p.byteBefore() == ';' && look.Is(p.byteAfter(), look.Semicolon|look.Quote)
}

func (p *valuePlace) isQuotedPair() bool {
	return look.Is(p.byteBefore(), look.Quote) && p.byteAfter() == p.byteBefore() && p.start-p.nameLo < maxName
}

// isBesideLogin reports whether the line has other settings that usually come with a password.
func (p *valuePlace) isBesideLogin() bool {
	from := look.LineStart(p.text, p.nameLo, 120)
	line := p.text[from:look.LineEnd(p.text, p.end, 120)]
	for _, key := range [...]string{"user=", "host=", "username=", "dbname=", "login=", "uid=", "server="} {
		if i := bytes.Index(line, []byte(key)); i >= 0 {
			return !bytes.HasPrefix(line[i+len(key):], p.text[p.start:p.end]) // a user and password that are the same are a default
		}
	}
	return false
}

// isInFlow reports whether the pair text[lo:hi] is in a flow mapping of YAML, {a: b}.
func isInFlow(text []byte, lo, hi int) bool {
	before := bytes.TrimRight(look.Clip(text, lo-16, lo), " \t")
	after := bytes.TrimLeft(look.Clip(text, hi, hi+16), " \t")
	return look.IsIn(look.Last(before), "{,") && look.IsIn(look.At(after, 0), "},")
}

// isInSection reports whether a line of the form [section], as in an INI file, is above lo.
func isInSection(text []byte, lo int) bool {
	above := text[max(0, lo-1200):lo]
	for {
		i := bytes.LastIndexByte(above, '\n')
		if i < 0 {
			return false
		}
		if line := above[i+1:]; look.At(line, 0) == '[' {
			if n := bytes.IndexByte(line, '\n'); n > 0 {
				line = bytes.TrimRight(line[:n], " \t\r")
			}
			isHeader := len(line) > 2 && look.Last(line) == ']'
			return isHeader && !bytes.ContainsAny(line, "(){}\"',")
		}
		above = above[:i]
	}
}

// followsPassOption reports whether the text ends with an option that takes a password.
func followsPassOption(head []byte) bool {
	head = bytes.TrimRight(head, " \t\"'")
	word := head[bytes.LastIndexAny(head, " \t\n\"'")+1:]
	return look.AnyAt(word, 0, []string{"-pass", "--pass"}) > 0
}

// isOwnLine reports whether a setting has a line to itself: at most an indentation is before its name and a comment after its value, and
// the lines around do not look like those of an argument list or an object literal.
func isOwnLine(text []byte, lo, hi int) bool {
	start := look.LineStart(text, lo, 256)
	if len(bytes.Trim(text[start:lo], " \t-#/*")) > 0 {
		return false
	}
	end := look.LineEnd(text, hi, 200)
	tail := bytes.TrimSpace(text[hi:end])
	if len(tail) > 0 && !look.IsIn(tail[0], "#\\") {
		return false
	}
	above := bytes.TrimRight(look.Clip(text, start-200, start), " \t\r\n")
	below := bytes.TrimLeft(look.Clip(text, end, hi+200), " \t\r\n")
	return !look.IsIn(look.Last(above), ",({[") && !look.IsIn(look.At(below, 0), "})]")
}
