package secret

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// The name that a value is given to, read around the keyword text[lo:hi] that was found in it.

// maxName bounds how much of a name is read on either side of a keyword.
const maxName = 48

// nameStart is where the name begins that reaches up to hi; what is left of an escape (\n, \t, %26) before it is no part of it.
func nameStart(text []byte, hi int) int {
	lo := look.RunStart(text, hi, maxName, look.Name)
	switch {
	case lo < hi && escaped(text, lo+1):
		lo++
	case look.At(text, lo-1) == '%' && lo+2 <= hi && look.All(text[lo:lo+2], look.Hex):
		lo += 2 // ?a=b%26key=v within a URL
	}
	return lo
}

// nameHead is the part of a name before the keyword that begins at lo.
func nameHead(text []byte, lo int) []byte {
	return bytes.TrimLeft(text[nameStart(text, lo):lo], "-.")
}

// nameHas reports that a part of a name has one of a list of words in it.
func nameHas(part []byte, words []string) bool {
	var folded [maxName]byte
	return look.ContainsAny(look.Fold(folded[:], part), words)
}

// nameHasPart is nameHas for words that others begin with: one of four letters or fewer has to be a part of the name, and a longer
// one to begin one: map is in map_key and mapKey, and not in mapquest_key or bitmapKey.
func nameHasPart(name []byte, words []string) bool {
	var folded [maxName]byte
	low := look.Fold(folded[:], name)
	name = name[:len(low)]
	for _, word := range words {
		for from := 0; ; {
			i := bytes.Index(low[from:], []byte(word))
			if i < 0 {
				break
			}
			from += i + 1
			end := from - 1 + len(word)
			isWhole := !look.IsAt(low, end, look.Lower) || look.IsAt(name, end, look.Upper)
			if startsWord(name, from-1) && (isWhole || len(word) > 4) {
				return true
			}
		}
	}
	return false
}

// escaped reports that text[i-1] belongs to an escape such as \n, so that what begins at i is at a boundary after all.
func escaped(text []byte, i int) bool {
	return look.At(text, i-2) == '\\' && look.IsIn(look.At(text, i-1), "ntr")
}

// startsWord reports that a part of a name begins at lo: short keywords ("pass", "pwd") would else be found inside words.
func startsWord(text []byte, lo int) bool {
	if !look.IsAt(text, lo-1, look.Alnum) || escaped(text, lo) || text[lo] == '_' {
		return true
	}
	return look.Is(text[lo], look.Upper) && !look.Is(text[lo-1], look.Upper)
}

// endsName reports that a short keyword ends a name that is written in one: ftppass, mailpwd; compass and bypass are words.
func endsName(text []byte, lo, hi int) bool {
	if hi-lo < 3 || look.IsAt(text, hi, look.Letter|look.Underscore) {
		return false
	}
	start := look.RunStart(text, lo, lo, look.Lower)
	for _, word := range [...]string{"com", "by", "tres", "sur", "over", "under", "encom", "im"} {
		if string(text[start:lo]) == word {
			return false
		}
	}
	return lo-start > 1
}

// namesOtherThing reports that the name goes on, in suffix, to something that is not the value: secretName, token_url. Unknown name
// parts do no harm, because the value has to convince in any case.
func namesOtherThing(text []byte, lo int, suffix [2]int) bool {
	var folded [maxName]byte
	s := look.Fold(folded[:], bytes.Trim(text[suffix[0]:suffix[1]], "_-."))
	if look.HasAt(s, 0, "word") && look.ToLower(text[suffix[0]-1]) == 'y' {
		return true // a keyword
	}
	for _, word := range otherThings {
		if bytes.HasSuffix(s, []byte(word)) || len(word) > 3 && look.HasAt(s, 0, word) {
			return true
		}
	}
	return lo >= 7 && look.EqualFold(text[lo-7:lo], "public_")
}

// namesValue reports that the name ends with the keyword, or goes on to what still means the value: secret_key, token1.
func namesValue(text []byte, suffix [2]int) bool {
	part := text[suffix[0]:suffix[1]]
	if string(part) == ".new" {
		return false // a constructor
	}
	core := bytes.Trim(part, "_-.0123456789")
	if len(core) == 1 && bytes.ContainsAny(part, "0123456789") {
		return true // numbered: KEY_A1
	}
	return look.EqualsAnyFold(core, valueSuffixes[:])
}

// isSymbol reports a Ruby symbol, :name, whose name reaches over hi.
func isSymbol(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	return look.At(text, lo-1) == ':' && !look.IsAt(text, lo-2, look.Alnum)
}

// isFlag reports that the name that reaches up to hi begins with a dash, as in --password.
func isFlag(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	return look.At(text[:hi], lo) == '-' && look.Is(look.At(text, lo-1), look.Space|look.Quote)
}

// isSet reports that the name that reaches up to hi follows a command that sets it, at the beginning of its line: set NAME value,
// ENV NAME value.
func isSet(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	head := bytes.TrimLeft(text[look.LineStart(text, lo, 24):lo], " \t>$")
	command := bytes.TrimRight(head, " \t")
	if len(command) == len(head) {
		return false
	}
	switch string(command) {
	case "set", "SET", "setenv", "ENV", "ARG", "\\set", "export", "#define", "%define":
		return true
	}
	return false
}
