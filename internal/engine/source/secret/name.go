package secret

import (
	"bytes"
	"slices"

	"ken/internal/engine/source/secret/look"
)

// The name of a value, read around the keyword text[lo:hi] that was found in it.

// maxName is the maximal number of bytes of a name that are read on either side of a keyword.
const maxName = 48

// nameStart returns the start of the name that reaches up to hi. The rest of an escape (\n, \t, %26) before a name is not part of it.
func nameStart(text []byte, hi int) int {
	lo := look.RunStart(text, hi, maxName, look.Name)
	switch {
	case lo < hi && followsEscape(text, lo+1):
		lo++
	case look.At(text, lo-1) == '%' && look.RunEnd(text[:hi], lo, 2, look.Hex) == lo+2:
		lo += 2 // ?a=b%26key=v within a URL
	}
	return lo
}

// nameHead returns the part of a name that is before the keyword at lo.
func nameHead(text []byte, lo int) []byte {
	return bytes.TrimLeft(text[nameStart(text, lo):lo], "-.")
}

// nameContains reports whether a part of a name contains one of a list of words, without regard to case.
func nameContains(part []byte, words []string) bool {
	var folded [maxName]byte
	return look.ContainsAny(look.Fold(folded[:], part), words)
}

// nameContainsPart does the same as nameContains for words that are also the beginnings of other words. A word of four letters or fewer
// must be a whole part of the name, and a longer one must begin a part: map is in map_key and mapKey, and not in mapquest_key or
// bitmapKey.
func nameContainsPart(name []byte, words []string) bool {
	var folded [maxName]byte
	low := look.Fold(folded[:], name)
	name = name[:len(low)]
	for _, word := range words {
		for from := 0; ; {
			i := bytes.Index(low[from:], []byte(word))
			if i < 0 {
				break
			}
			start := from + i
			end := start + len(word)
			from = start + 1
			endsPart := len(word) > 4 || !look.IsAt(low, end, look.Lower) || look.IsAt(name, end, look.Upper)
			if endsPart && startsPart(name, start) {
				return true
			}
		}
	}
	return false
}

// followsEscape reports whether text[i-1] belongs to an escape such as \n, so that a name may begin at i.
func followsEscape(text []byte, i int) bool {
	return look.At(text, i-2) == '\\' && look.IsIn(look.At(text, i-1), "ntr")
}

// startsPart reports whether a part of a name begins at lo. Otherwise short keywords ("pass", "pwd") would be found inside words.
func startsPart(text []byte, lo int) bool {
	switch {
	case !look.IsAt(text, lo-1, look.Alnum), followsEscape(text, lo), text[lo] == '_':
		return true
	}
	return look.Is(text[lo], look.Upper) && !look.Is(text[lo-1], look.Upper)
}

// endsName reports whether a short keyword ends a name that is written as one word: ftppass, mailpwd. Compass and bypass are words.
func endsName(text []byte, lo, hi int) bool {
	if hi-lo < len("pwd") || look.IsAt(text, hi, look.Letter|look.Underscore) {
		return false
	}
	head := text[look.RunStart(text, lo, lo, look.Lower):lo]
	return len(head) > 1 && !look.EqualsAny(head, []string{"com", "by", "tres", "sur", "over", "under", "encom", "im"})
}

// namesOtherThing reports whether the name continues, in suffix, to a thing that is not the value: secretName, token_url. Unknown parts of
// a name do no harm, because the value must look like a secret in any case.
func namesOtherThing(text []byte, lo int, suffix [2]int) bool {
	var folded [maxName]byte
	s := look.Fold(folded[:], bytes.Trim(text[suffix[0]:suffix[1]], "_-."))
	if look.HasAt(s, 0, "word") && look.ToLower(text[suffix[0]-1]) == 'y' {
		return true // a keyword
	}
	if len(s) > 0 && slices.ContainsFunc(otherThings[:], func(word string) bool {
		return bytes.HasSuffix(s, []byte(word)) || len(word) > 3 && look.HasAt(s, 0, word)
	}) {
		return true
	}
	return look.EqualFold(look.Clip(text, lo-len("public_"), lo), "public_")
}

// namesValue reports whether the name ends with the keyword, or continues to a word that still means the value: secret_key, token1.
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

// isSymbol reports whether the name that reaches over hi is a symbol of Ruby, :name.
func isSymbol(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	return look.At(text, lo-1) == ':' && !look.IsAt(text, lo-2, look.Alnum)
}

// isFlag reports whether the name that reaches up to hi begins with a dash, as in --password.
func isFlag(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	return look.At(text[:hi], lo) == '-' && look.Is(look.At(text, lo-1), look.Space|look.Quote)
}

// followsSetCommand reports whether the name that reaches up to hi follows a command that sets it, at the beginning of its line:
// set NAME value, ENV NAME value.
func followsSetCommand(text []byte, hi int) bool {
	lo := nameStart(text, hi)
	head := bytes.TrimLeft(text[look.LineStart(text, lo, 24):lo], " \t>$")
	command := bytes.TrimRight(head, " \t")
	return len(command) < len(head) && look.EqualsAny(command, setCommands[:])
}
