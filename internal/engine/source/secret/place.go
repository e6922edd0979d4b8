package secret

import (
	"bytes"
	"sync"

	"ken/internal/engine/source/secret/look"
)

// valuePlace is the place where a value was found: the keyword text[lo:hi], the name around it, and the assignment after it.
type valuePlace struct {
	assignment
	text       []byte
	lo, hi     int
	nameLo     int    // the start of the name
	size       int    // of the value, before literals are joined
	joined     []byte // the value, with the literals that are joined to it
	measured   bool   // measures is filled in
	measures   look.Value
	properties *propertyTable           // placeProperties, whose functions could not refer to it by name
	memo       [numPlaceProperties]int8 // of each property: 1 if the place has it, -1 if not, 0 until it is computed
}

// freePlaces has the memory of places that are not in use. A place cannot be on the stack, because its properties are functions of a table.
var freePlaces = sync.Pool{New: func() any { return new(valuePlace) }}

// free gives the memory of a place, which may be nil, to a later readPlace.
func (p *valuePlace) free() {
	if p != nil {
		freePlaces.Put(p)
	}
}

// readPlace reads the value that is assigned to the name around text[lo:hi]. It returns nil if there is none. The caller frees the place.
func readPlace(text []byte, lo, hi int) *valuePlace {
	a, ok := readAssignment(text, hi)
	if !ok {
		a, ok = readComparison(text, lo, hi)
	}
	if !ok {
		return nil
	}
	p := freePlaces.Get().(*valuePlace)
	*p = valuePlace{assignment: a, text: text, lo: lo, hi: hi, properties: &placeProperties}
	p.nameLo = nameStart(text, lo)
	p.size = p.end - p.start
	p.joined = p.joinLiterals(text)
	if a.quote == 0 {
		p.widenToWord()
	}
	return p
}

// widenToWord extends a value without quotes to the end of its word if the word is full of marks that no expression has: m{{h}o)p${e]nob(.
func (p *valuePlace) widenToWord() {
	end := look.FindAny(p.text, p.start, 66, " \t\r\n\"'`,;")
	if end-p.start < 20 || end <= p.end {
		return
	}
	v := look.New(p.text[p.start:end], false)
	if v.Has(look.BareMarks) {
		p.end, p.size, p.joined = end, end-p.start, p.text[p.start:end]
	}
}

// measuredValue returns the value that was found, with its measures, which are taken on the first call.
func (p *valuePlace) measuredValue() *look.Value {
	if !p.measured {
		p.measured, p.measures = true, look.New(p.joined, p.quote != 0)
	}
	return &p.measures
}

// placeProperty is a property of a place, such as "in quotes". Its number is the index of its row in placeProperties.
type placeProperty uint8

// The properties of places. The table placeProperties explains each.
const (
	quoted placeProperty = iota
	bare
	assigned
	lookup
	setter
	element
	aloneInBlock
	whole
	sole
	setting
	unset
	code
	wordSetting
	quoteAfter

	named
	unnamed
	namedOther
	namedPublic
	namedRequest
	qualified
	keptKey
	otherKey
	upperName
	longKeyword
	secretKeyword
	shortValue
	digestLine

	byEqual
	byColon
	byBlank
	byArrow
	tight
	blankBefore
	option
	passOption
	queryField
	setLine
	lastOnLine
	ownLine
	wordOwnLine
	flowField
	fieldBounds
	oneOfSeveral
	besideLogin
	betweenSemicolons
	quotedPair
	followed
	inSection
	numPlaceProperties
)

type propertyTable [numPlaceProperties]struct {
	meaning string
	has     func(p *valuePlace) bool
}

// placeProperties is the table of the properties of places.
var placeProperties = propertyTable{
	// The value.
	quoted:       {"the value is a literal", func(p *valuePlace) bool { return p.quote != 0 }},
	bare:         {"the value is no literal", func(p *valuePlace) bool { return p.quote == 0 }},
	assigned:     {"the operator gives the name its value; in a call, the literal may be a key to look it up by", func(p *valuePlace) bool { return look.IsIn(p.op, "=: |?!") }},
	lookup:       {"neither an operator nor a call nor a symbol's definition gives the name its value", (*valuePlace).isLookup},
	setter:       {"a call gives the name its value", (*valuePlace).isSetter},
	element:      {"the value is all the text of the element that the name names: <password>v</password>", (*valuePlace).isElement},
	aloneInBlock: {"the value is a line of its own, or a default in ${NAME:v}, and at most a bracket follows", func(p *valuePlace) bool { return p.block && p.isAlone() }},
	whole:        {"the value is all that the name is assigned: a literal, an element, or a setting", (*valuePlace).isWhole},
	sole:         {"whole, or given by a setter", func(p *valuePlace) bool { return p.hasAny(whole, setter) }},
	setting:      {"a bare value of a configuration", func(p *valuePlace) bool { return p.decideByRows(settingRows[:]) == accept }},
	unset:        {"a bare value that is none of a configuration", func(p *valuePlace) bool { return p.quote == 0 && !p.hasProperty(setting) }},
	code:         {"a bare value that is an expression of code", func(p *valuePlace) bool { return p.decideByRows(codeRows[:]) == accept }},
	wordSetting:  {"setting, where only the last word of a name of several words counts", (*valuePlace).isWordSetting},
	quoteAfter:   {"a quote follows the value, which no = assigns", func(p *valuePlace) bool { return p.op != '=' && look.At(p.text, p.end) == '"' }},

	// The name.
	named:         {"the name ends with the keyword, or continues to a word that still means the value", func(p *valuePlace) bool { return namesValue(p.text, p.suffix) }},
	unnamed:       {"not named", func(p *valuePlace) bool { return !p.hasProperty(named) }},
	namedOther:    {"the name continues to a thing that is not the value", func(p *valuePlace) bool { return namesOtherThing(p.text, p.lo, p.suffix) }},
	namedPublic:   {"the name has \"public\" before the keyword", func(p *valuePlace) bool { return nameContains(nameHead(p.text, p.lo), []string{"public"}) }},
	namedRequest:  {"a word before the keyword makes the value identify a request", func(p *valuePlace) bool { return nameContains(nameHead(p.text, p.lo), requestTokens[:]) }},
	qualified:     {"the name has a part before the keyword", func(p *valuePlace) bool { return len(nameHead(p.text, p.lo)) > 0 }},
	keptKey:       {"a word before \"key\" makes it a key to keep", func(p *valuePlace) bool { return nameContains(nameHead(p.text, p.lo), secretKeys[:]) }},
	otherKey:      {"a word before \"key\" makes it the key to another thing", func(p *valuePlace) bool { return nameContainsPart(nameHead(p.text, p.lo), otherKeys[:]) }},
	upperName:     {"the name is in capitals", (*valuePlace).isUpperName},
	longKeyword:   {"the keyword is longer than \"pass\"", func(p *valuePlace) bool { return p.hi-p.lo > len("_pass") }},
	secretKeyword: {"the keyword is \"secret\"", func(p *valuePlace) bool { return look.EqualFold(p.text[p.lo:p.hi], "secret") }},
	shortValue:    {"fewer than sixteen characters, before literals are joined", func(p *valuePlace) bool { return p.size < 16 }},
	digestLine:    {"the line names a digest", (*valuePlace).isDigestLine},

	// The line.
	byEqual:           {"an = gives the name its value", func(p *valuePlace) bool { return p.op == '=' }},
	byColon:           {"a : gives the name its value", func(p *valuePlace) bool { return p.op == ':' }},
	byBlank:           {"a blank gives the name its value", func(p *valuePlace) bool { return p.op == ' ' }},
	byArrow:           {"a => with blanks around it gives the name its value", (*valuePlace).isByArrow},
	tight:             {"the value follows the operator without a blank", func(p *valuePlace) bool { return look.IsIn(look.At(p.text, p.start-1), "=:") }},
	blankBefore:       {"a blank is before the value", func(p *valuePlace) bool { return look.IsAt(p.text, p.start-1, look.Blank) }},
	option:            {"the name begins with a dash", func(p *valuePlace) bool { return p.text[p.nameLo] == '-' }},
	passOption:        {"the name follows an option: openssl's \"-passin pass:value\"", func(p *valuePlace) bool { return followsPassOption(p.text[:p.nameLo]) }},
	queryField:        {"the name follows ? or &", func(p *valuePlace) bool { return look.IsIn(p.byteBefore(), "?&") }},
	setLine:           {"the name follows a command that sets it, at the beginning of the line", func(p *valuePlace) bool { return followsSetCommand(p.text, p.lo) }},
	lastOnLine:        {"the value is the last thing on its line", func(p *valuePlace) bool { return look.EndsLine(p.text, p.end) }},
	ownLine:           {"the name is the first thing on its line, and the value the last", func(p *valuePlace) bool { return isOwnLine(p.text, p.nameLo, p.end) }},
	wordOwnLine:       {"ownLine, where only the last word of a name of several words counts", func(p *valuePlace) bool { return isOwnLine(p.text, nameStart(p.text, p.hi), p.end) }},
	flowField:         {"a pair of a flow mapping of YAML: {user: a, password: b}", func(p *valuePlace) bool { return look.IsIn(p.op, ":=") && isInFlow(p.text, p.nameLo, p.end) }},
	fieldBounds:       {"marks that divide settings are before the name and after the value", (*valuePlace).hasFieldBounds},
	oneOfSeveral:      {"one of several settings on the line: host=h password=v, \"k=v\", a=b&c=d", func(p *valuePlace) bool { return p.hasAll(byEqual, tight, fieldBounds) && !p.hasProperty(upperName) }},
	besideLogin:       {"the line has other settings that belong to a password", (*valuePlace).isBesideLogin},
	betweenSemicolons: {"the name follows a semicolon, and a semicolon or a quote follows the value", (*valuePlace).isBetweenSemicolons},
	quotedPair:        {"name and value are a literal: \"NAME: value\"", (*valuePlace).isQuotedPair},
	followed:          {"a mark that is neither blank nor quote follows the value", func(p *valuePlace) bool { return !look.Is(p.byteAfter(), look.Space|look.Quote) }},
	inSection:         {"a line of the form [section] is above, as in INI files", func(p *valuePlace) bool { return isInSection(p.text, p.nameLo) }},
}

// hasProperty reports whether the place has a property, which is computed once.
func (p *valuePlace) hasProperty(q placeProperty) bool {
	if p.memo[q] == 0 {
		p.memo[q] = -1
		if p.properties[q].has(p) {
			p.memo[q] = 1
		}
	}
	return p.memo[q] > 0
}

// hasAll reports whether the place has every property in list.
func (p *valuePlace) hasAll(list ...placeProperty) bool {
	for _, q := range list {
		if !p.hasProperty(q) {
			return false
		}
	}
	return true
}

// hasAny reports whether the place has at least one property in list.
func (p *valuePlace) hasAny(list ...placeProperty) bool {
	for _, q := range list {
		if p.hasProperty(q) {
			return true
		}
	}
	return false
}

func (p *valuePlace) isLookup() bool {
	return !p.hasAny(assigned, setter) && !isSymbol(p.text, p.hi)
}

func (p *valuePlace) isElement() bool {
	if p.op != '>' || look.IsAt(p.text, p.suffix[1], look.Quote) {
		return false
	}
	return look.HasAt(p.text, look.SkipSpace(p.text, p.end), "</")
}

func (p *valuePlace) isWhole() bool {
	v, isLiteral := p.measuredValue(), p.quote != 0
	hasDigits := v.Counts[look.Digits] > 0
	switch {
	case p.more && !hasDigits:
		return false
	case p.op == ' ' && isLiteral:
		return p.quote != '`' && p.hi-p.lo > len("pass")
	case p.op == ' ':
		return hasDigits || !v.Has(look.Wordy) // a word after --password may be part of a sentence
	case isLiteral:
		return p.hasProperty(assigned)
	case p.op == '>':
		return p.hasProperty(element)
	case p.block:
		return p.hasProperty(aloneInBlock)
	}
	return p.hasProperty(setting)
}

// isAlone reports whether at most a bracket follows the value on the line.
func (p *valuePlace) isAlone() bool {
	switch {
	case look.At(p.text, p.end) == '}', look.HasAt(p.text, p.end, "</"):
		return true
	case p.op == '|' && look.At(p.text, look.SkipBlank(p.text, p.end)) == '|':
		return true
	}
	return look.EndsLine(p.text, p.end)
}

// isSetter reports whether a call gives the name its value: setPassword("v"), withToken("v"), .secret("v"), putenv("TOKEN", "v"),
// headers.set("X-Token", "v"), getenv("SECRET", "default").
func (p *valuePlace) isSetter() bool {
	head := nameHead(p.text, p.lo)
	switch {
	case p.quote == 0:
		return false
	case p.op == '(':
		verb := head[bytes.LastIndexByte(head, '.')+1:]
		if len(verb) == 0 {
			return look.At(p.text, p.lo-1) == '.'
		}
		return nameContains(verb[:min(len(verb), 4)], []string{"set", "with"})
	}
	i := p.lo - len(head)
	if p.op != ',' || i < 3 {
		return false
	}
	if p.text[i-1] == '-' { // "--password", "v" in a list of arguments
		dashes := 1
		if p.text[i-2] == '-' {
			dashes = 2
		}
		return look.IsAt(p.text, i-1-dashes, look.Quote)
	}
	isFirstArgument := look.IsAt(p.text, i-1, look.Quote) && look.At(p.text, i-2) == '('
	return isFirstArgument && nameContains(nameHead(p.text, i-2), setterVerbs[:])
}

// isWordSetting reports whether the value is that of a setting whose name begins with the last word of the keyword: "key" of "api key".
func (p *valuePlace) isWordSetting() bool {
	lo := nameStart(p.text, p.hi)
	if lo == p.nameLo {
		return p.hasProperty(setting)
	}
	last := *p
	last.lo, last.nameLo, last.memo = p.hi, lo, [numPlaceProperties]int8{}
	return last.hasProperty(setting)
}

func (p *valuePlace) isUpperName() bool {
	return look.IsConstantName(bytes.Trim(p.text[p.nameLo:p.suffix[1]], "0123456789."))
}

// isDigestLine reports whether the line names a digest before the value.
func (p *valuePlace) isDigestLine() bool {
	from := max(0, min(p.lo, p.start)-60)
	return look.ContainsAny(p.text[look.LineStart(p.text, p.start, p.start-from):p.start], digestWords[:])
}
