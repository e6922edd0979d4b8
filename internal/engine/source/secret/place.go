package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// place is where a value was found: the keyword text[lo:hi], the name around it, and the assignment behind it.
type place struct {
	assignment
	text     []byte
	lo, hi   int
	nameLo   int    // where the name begins
	size     int    // of the value, before literals are joined
	joined   []byte // the value, with the literals that are joined to it
	measured bool   // measures is set
	measures look.Value
	memo     [numPlaceProperties]int8 // of each property: 1 if the place has it, -1 if not, 0 if that is not known
}

// read reads the value that is assigned to the name around text[lo:hi], and reports that there is one.
func (p *place) read(text []byte, lo, hi int) bool {
	a, ok := assignedTo(text, hi)
	if !ok {
		if a, ok = comparedTo(text, lo, hi); !ok {
			return false
		}
	}
	p.assignment, p.text, p.lo, p.hi = a, text, lo, hi
	p.nameLo = nameStart(text, lo)
	p.size = p.end - p.start
	p.joined = p.join(text)
	if a.quote == 0 {
		p.widen()
	}
	return true
}

// widen takes the rest of the word into a bare value if the word is all marks that no expression has: m{{h}o)p${e]nob(.
func (p *place) widen() {
	end := look.FindAny(p.text, p.start, 66, " \t\r\n\"'`,;")
	if end-p.start < 20 || end <= p.end {
		return
	}
	v := look.New(p.text[p.start:end], false)
	if v.Has(look.BareMarks) {
		p.end, p.size, p.joined = end, end-p.start, p.text[p.start:end]
	}
}

// value is the value that was found, measured when it is first asked for.
func (p *place) value() *look.Value {
	if !p.measured {
		p.measured, p.measures = true, look.New(p.joined, p.quote != 0)
	}
	return &p.measures
}

// placeProperty is something that a place is or is not. The constants say what it means, the functions below how it is found.
type placeProperty uint8

const (
	quoted        placeProperty = iota // the value is a literal
	bare                               // it is not
	assigned                           // the operator gives the name its value; in a call, the literal may be a key to look it up by
	lookup                             // neither an operator nor a call nor a symbol's definition gives the name its value
	setter                             // a call gives the name its value
	element                            // the value is all the text of the element that the name names: <password>v</password>
	aloneInBlock                       // a line of its own, or a default in ${NAME:v}, of which nothing follows but a bracket
	whole                              // the value is all that the name is assigned: a literal, an element, or a setting
	sole                               // whole, or given by a setter
	setting                            // a bare value that is one of a configuration
	unset                              // a bare value that is not
	code                               // a bare value that is an expression of code
	wordSetting                        // setting, where a name of several words is taken for its last word
	named                              // the name ends with the keyword, or goes on to what still means the value
	unnamed                            // it does not
	namedOther                         // the name goes on to something that is not the value
	namedPublic                        // the name has "public" before the keyword
	namedRequest                       // the name has a word before the keyword that makes it identify a request
	qualified                          // the name has something before the keyword
	keptKey                            // that is a word before "key" that makes it one to keep
	otherKey                           // that is a word before "key" that makes it the key to something else
	upperName                          // the name is in capitals
	longKeyword                        // the keyword is longer than "pass"
	secretKeyword                      // the keyword is "secret"
	shortValue                         // fewer than sixteen characters, before literals are joined
	digestLine                         // the line names a digest
	quoteBehind                        // a quote follows the value, which no = assigns
	firstLine                          // the properties from here on are those of the line (setting.go)
)

// has reports a property of the place. It is found out once.
func (p *place) has(q placeProperty) bool {
	if p.memo[q] == 0 {
		p.memo[q] = -1
		if p.find(q) {
			p.memo[q] = 1
		}
	}
	return p.memo[q] > 0
}

// all reports that the place has every one of some properties.
func (p *place) all(list ...placeProperty) bool {
	for _, q := range list {
		if !p.has(q) {
			return false
		}
	}
	return true
}

func (p *place) find(q placeProperty) bool {
	switch q {
	case quoted:
		return p.quote != 0
	case bare:
		return p.quote == 0
	case assigned:
		return look.IsIn(p.op, "=: |?!")
	case lookup:
		return !p.has(assigned) && !p.has(setter) && !isSymbol(p.text, p.hi)
	case setter:
		return p.isSetter()
	case element:
		return p.op == '>' && !look.IsAt(p.text, p.suffix[1], look.Quote) && look.HasAt(p.text, look.SkipSpace(p.text, p.end), "</")
	case aloneInBlock:
		return p.block && p.isAlone()
	case whole:
		return p.isWhole()
	case sole:
		return p.has(whole) || p.has(setter)
	case setting:
		return p.judge(settingRows[:]) == accept
	case unset:
		return p.quote == 0 && !p.has(setting)
	case code:
		return p.judge(codeRows[:]) == accept
	case wordSetting:
		return p.isWordSetting()
	case quoteBehind:
		return look.At(p.text, p.end) == '"' && p.op != '='
	}
	if q >= firstLine {
		return p.findInLine(q)
	}
	return p.findInName(q)
}

// findInName finds the properties of the name.
func (p *place) findInName(q placeProperty) bool {
	switch q {
	case named:
		return namesValue(p.text, p.suffix)
	case unnamed:
		return !p.has(named)
	case namedOther:
		return namesOtherThing(p.text, p.lo, p.suffix)
	case namedPublic:
		return nameHas(nameHead(p.text, p.lo), []string{"public"})
	case namedRequest:
		return nameHas(nameHead(p.text, p.lo), requestTokens[:])
	case qualified:
		return len(nameHead(p.text, p.lo)) > 0
	case keptKey:
		return nameHas(nameHead(p.text, p.lo), secretKeys[:])
	case otherKey:
		return nameHasPart(nameHead(p.text, p.lo), otherKeys[:])
	case upperName:
		return look.IsConstantName(bytes.Trim(p.text[p.nameLo:p.suffix[1]], "0123456789."))
	case longKeyword:
		return p.hi-p.lo > len("_pass")
	case secretKeyword:
		return look.EqualFold(p.text[p.lo:p.hi], "secret")
	case shortValue:
		return p.size < 16
	case digestLine:
		return isDigestLine(p.text, p.lo, p.start)
	}
	return false
}

// isWhole reports that the value is all that the name is given: a literal, or a setting.
func (p *place) isWhole() bool {
	n := &p.value().Counts
	switch {
	case p.more && n[look.Digits] == 0:
		return false
	case p.op == ' ' && p.quote == 0:
		return n[look.Digits] > 0 || !p.value().Has(look.Wordy) // a word behind --password may go on with the sentence
	case p.op == ' ':
		return p.quote != '`' && p.hi-p.lo > len("pass")
	case p.quote != 0:
		return p.has(assigned)
	case p.op == '>':
		return p.has(element)
	case p.block:
		return p.has(aloneInBlock)
	}
	return p.has(setting)
}

// isAlone reports that nothing but a bracket follows the value on the line.
func (p *place) isAlone() bool {
	switch {
	case look.At(p.text, p.end) == '}', look.HasAt(p.text, p.end, "</"):
		return true
	case p.op == '|' && look.At(p.text, look.SkipBlank(p.text, p.end)) == '|':
		return true
	}
	return look.EndsLine(p.text, p.end)
}

// isSetter reports a call that gives the name its value: setPassword("v"), withToken("v"), .secret("v"), putenv("TOKEN", "v"),
// headers.set("X-Token", "v"), getenv("SECRET", "default").
func (p *place) isSetter() bool {
	if p.quote == 0 {
		return false
	}
	head := nameHead(p.text, p.lo)
	if p.op == '(' {
		verb := head[bytes.LastIndexByte(head, '.')+1:]
		if len(verb) == 0 {
			return look.At(p.text, p.lo-1) == '.'
		}
		return nameHas(verb[:min(len(verb), 4)], []string{"set", "with"})
	}
	i := p.lo - len(head)
	if p.op != ',' || i < 3 {
		return false
	}
	if isOption(p.text, i) {
		return true
	}
	return look.IsAt(p.text, i-1, look.Quote) && look.At(p.text, i-2) == '(' && nameHas(nameHead(p.text, i-2), setterVerbs[:])
}

// isOption reports "--password", "v" in a list of arguments, whose name begins at i.
func isOption(text []byte, i int) bool {
	if text[i-1] != '-' {
		return false
	}
	i -= 2
	if text[i] == '-' {
		i--
	}
	return look.IsAt(text, i, look.Quote)
}

// isWordSetting is setting for a name that begins with the last word of the keyword: "key" of "api key".
func (p *place) isWordSetting() bool {
	lo := nameStart(p.text, p.hi)
	if lo == p.nameLo {
		return p.has(setting)
	}
	last := *p
	last.lo, last.nameLo, last.memo = p.hi, lo, [numPlaceProperties]int8{}
	return last.has(setting)
}

// isDigestLine reports that the line names a digest before the value that begins at start.
func isDigestLine(text []byte, lo, start int) bool {
	from := max(0, min(lo, start)-60)
	return look.ContainsAny(text[look.LineStart(text, start, start-from):start], digestWords[:])
}
