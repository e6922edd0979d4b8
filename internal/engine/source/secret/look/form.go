package look

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// The forms of values that are no secrets, and a few that only secrets have.

// IsFiller reports whether v counts ("0123456789abcdef") or repeats ("abcabcabc", "xxxx").
func IsFiller(v []byte) bool {
	head := v[:min(len(v), 128)]
	switch {
	case hasMaskRun(v), isCounting(head), countsInTurns(head), isDoubled(head):
		return true
	}
	for period := 2; period <= min(10, len(head)/3); period++ {
		if bytes.Equal(head[:len(head)-period], head[period:]) {
			return true
		}
	}
	return false
}

// isCounting reports whether v counts: most bytes equal the one before, or are one more or less.
func isCounting(v []byte) bool {
	steps := 0
	for i := 1; i < len(v); i++ {
		if d := int(v[i]) - int(v[i-1]); d*d < 2 {
			steps++
		}
	}
	return len(v) > 4 && steps*2 > len(v)
}

// isDoubled reports whether v is a long run of small letters of which more than a fifth repeat the one before. People who hit keys at
// random type so, and no generator writes so.
func isDoubled(v []byte) bool {
	if len(v) < 24 {
		return false
	}
	doubles := 0
	for i := 1; i < len(v); i++ {
		if v[i] == v[i-1] {
			doubles++
		}
	}
	return doubles*5 > len(v) && All(v, Lower)
}

// countsInTurns reports whether letters and digits take turns in v, and both count: a1b2c3d4.
func countsInTurns(v []byte) bool {
	if len(v) < 8 {
		return false
	}
	steps := 0
	for i := 2; i < len(v); i++ {
		if v[i] == v[i-2]+1 && Is(v[i], Digit) != Is(v[i-1], Digit) {
			steps++
		}
	}
	return steps*5 > len(v)*2
}

// hasMaskRun reports whether v has a run of four x or *, as Mask and people write it, or a longer one where v is long, because a short one
// is chance there.
func hasMaskRun(v []byte) bool {
	run, least := 0, MinLength
	if len(v) >= longRandom {
		least = 2 * MinLength
	}
	for i, c := range v {
		switch {
		case !Is(c, Mask):
			run = 0
		case c == At(v, i-1):
			run++
		default:
			run = 1
		}
		if run == least {
			return true
		}
	}
	return false
}

// IsPlaceholder reports whether v is a template, or contains a word for a placeholder. It searches only the beginning of a long value,
// because in the rest such a word is chance; in random text, the beginning has to be a word of one case, too.
func IsPlaceholder(v []byte) bool {
	if isVariable(v) || AnyAt(v, 0, encryptedHeads[:]) > 0 {
		return true
	}
	var folded [80]byte
	head := v[:min(len(v), len(folded))]
	if ContainsAny(head, templateMarks[:]) {
		return true
	}
	low, random := Fold(folded[:], head), isMixedText(v)
	set := newByteSet(low)
	for n, word := range stopWords {
		if stopSets[n]&^set != 0 {
			continue
		}
		i := bytes.Index(low, []byte(word))
		if i < 0 {
			continue
		}
		isWord := i < 20 && !IsAt(v, i-1, Letter) && isOneCase(v[i:i+len(word)])
		if !random || len(word) > 6 || isWord {
			return true
		}
	}
	return false
}

// stopSets has the set of the bytes of each of stopWords, because all of them are looked for in each value.
var stopSets = func() (sets [len(stopWords)]byteSet) {
	for i, word := range stopWords {
		sets[i] = newByteSet([]byte(word))
	}
	return sets
}()

// isOneCase reports whether the letters of a word are written in one case, or all but the first are small.
func isOneCase(word []byte) bool {
	rest := word[1:]
	return Count(rest, Upper) == 0 || Count(word, Lower) == 0
}

// isMixedText reports whether v is as long as no name is, and its letters and digits are mixed as in random text and in no other. A short
// word in it is chance.
func isMixedText(v []byte) bool {
	if len(v) < longRandom {
		return false
	}
	changes := 0
	for i := range v[1:] {
		if Is(v[i], Digit) != Is(v[i+1], Digit) {
			changes++
		}
	}
	return isLongRandom(v) || changes*4 > len(v)
}

// hasCountingPart reports whether v contains a run such as "12345" that people type in place of a key, or a word for a sample. It
// searches only the beginning: in a longer text, such a run is chance.
func hasCountingPart(v []byte) bool {
	if isMixedText(v) {
		return false
	}
	var folded [80]byte
	low := Fold(folded[:], v[:min(len(v), len(folded))])
	if ContainsAny(low, countingParts[:]) {
		return true
	}
	for _, word := range sampleWords {
		i := bytes.Index(low, []byte(word))
		if i < 0 {
			continue
		}
		end := i + len(word)
		begins := !IsAt(v, i-1, Letter) || isHump(v, i)
		ends := !IsAt(v, end, Lower) || Is(v[end-1], Upper)
		if begins && ends {
			return true
		}
	}
	return false
}

// isVariable reports whether v is written as a variable: <name>, %name% or $name.
func isVariable(v []byte) bool {
	if len(v) < 3 {
		return false
	}
	switch v[0] {
	case '<':
		return Last(v) == '>'
	case '%':
		return Last(v) == '%'
	case '$':
		return isWordy(v[1:]) || All(v[1:], Letter|Underscore)
	}
	return false
}

// beginsAsVariable reports whether v begins with $ and is no bcrypt hash, which begins with $, too.
func beginsAsVariable(v []byte) bool {
	isBcrypt := len(v) > 7 && v[1] == '2' && v[3] == '$' // $2a$10$…
	return At(v, 0) == '$' && !isBcrypt
}

// hasVariableMarks reports whether v is or contains $NAME, {name}, <name>, [name] or ***.
func hasVariableMarks(v []byte) bool {
	switch {
	case At(v, 0) == '[', bytes.IndexByte(v, '<') >= 0, bytes.Count(v, []byte("*")) > 2:
		return true
	case bytes.IndexByte(v, '{') >= 0 && bytes.IndexByte(v, '}') >= 0:
		return true
	case At(v, 0) != '$':
		return false
	}
	return IsAt(v, 1, Upper) && IsConstantName(v[1:])
}

// namesSecret reports whether v contains a word that names a secret, or is "pass".
func namesSecret(v []byte) bool {
	return EqualFold(v, "pass") || ContainsAnyFold(v, secretNames[:]) && !isMixedText(v)
}

// hasFixtureWord reports whether v contains a word of passwords in fixtures and manuals.
func hasFixtureWord(v []byte) bool { return ContainsAnyFold(v, fixtureWords[:]) && !isMixedText(v) }

// hasUUIDGroups reports whether v is 8-4-4-4-12 characters of a set.
func hasUUIDGroups(v []byte, set Set) bool {
	if len(v) != 36 {
		return false
	}
	for i, c := range v {
		want := set
		switch i {
		case 8, 13, 18, 23:
			want = Dash
		}
		if !Is(c, want) {
			return false
		}
	}
	return true
}

func isUUID(v []byte) bool { return hasUUIDGroups(v, Hex) }

// isRandomUUID reports whether v is a UUID of version 4, or one whose version or variant the standard does not define: makers of
// identifiers follow the standard, issuers of keys do not always. The other versions are made of a time or a name, and are identifiers.
// Some issuers write keys in the form of a UUID with all letters and digits.
func isRandomUUID(v []byte) bool {
	if !hasUUIDGroups(v, Alnum) || IsPlaceholder(v) {
		return false
	}
	if !isUUID(v) {
		return Count(v, Digit) > 3 && Entropy(v) >= 3.5
	}
	if IsFiller(v) || Entropy(v) < 2.7 {
		return false
	}
	return !IsIn(v[14], "1235678") || !IsIn(v[19], "89abAB")
}

// hasOpenBrackets reports whether v has brackets of two kinds or more that are not closed in the order in which they are opened. Patterns,
// templates and code close theirs; the characters of a generated password are in any order.
func hasOpenBrackets(v []byte) bool {
	const opening, closing = "([{", ")]}"
	var open [16]byte
	depth, kinds, isBroken := 0, 0, false
	for _, c := range v {
		if i := bytes.IndexByte([]byte(opening), c); i >= 0 {
			kinds |= 1 << i
			if depth == len(open) {
				isBroken = true
				continue
			}
			open[depth] = c
			depth++
		}
		if i := bytes.IndexByte([]byte(closing), c); i >= 0 {
			kinds |= 1 << i
			if Last(open[:depth]) != opening[i] {
				isBroken = true
				continue
			}
			depth--
		}
	}
	if kinds&(kinds-1) == 0 {
		return false // of one kind
	}
	return isBroken || depth > 0
}

// isHexMix reports whether v is eight hexadecimal digits or more, a quarter of them below ten: a to f make words by chance.
func isHexMix(v []byte) bool {
	if len(v) < 8 || !All(v, Hex) {
		return false
	}
	n := Count(v, Digit)
	return n*4 >= len(v) && n < len(v)
}

func isOneCharacter(v []byte) bool { return len(v) > 0 && bytes.Count(v, v[:1]) == len(v) }

// isExotic reports whether v has characters outside ASCII that occur in no label of any language: currency, emoji, numerals, and
// letters with digits or marks among them. The same sign over and over is a mask and does not count.
func isExotic(v []byte) bool {
	if All(v, Print) {
		return false
	}
	signs, letters := 0, 0
	kinds := map[rune]bool{}
	for _, r := range string(v) {
		switch {
		case r == utf8.RuneError, unicode.IsSpace(r), unicode.IsControl(r):
			return false
		case r > unicode.MaxASCII && unicode.In(r, unicode.S, unicode.Nl, unicode.No):
			signs++
		case unicode.IsLetter(r):
			letters++
		}
		kinds[r] = true
	}
	if len(kinds) < 3 {
		return false
	}
	return signs > 2 || signs*letters > 0
}

// isSpacedGroups reports whether v is four to eight groups of four letters or digits divided by blanks, as one-time-password secrets and
// application passwords are shown.
func isSpacedGroups(v []byte) bool {
	if groups := bytes.Count(v, []byte(" ")) + 1; groups < 4 || groups > 8 {
		return false
	}
	for group := range bytes.SplitSeq(v, []byte(" ")) {
		if len(group) != 4 || !All(group, Alnum) {
			return false
		}
	}
	return Entropy(v) >= 3 && !isWordy(bytes.ReplaceAll(v, []byte(" "), nil))
}

// isDashedName reports whether v is two parts or more divided by dashes, each of them small letters with a number of at most four digits
// after them, or a number, so that at least two letters begin it: cmp2-web-1208358310, app17-login.
func isDashedName(v []byte) bool {
	parts := 0
	for part := range bytes.SplitSeq(v, []byte("-")) {
		letters := RunEnd(part, 0, len(part), Lower)
		digits := len(part) - letters
		switch {
		case !All(part[letters:], Digit), len(part) == 0, letters == 1:
			return false
		case letters > 0 && digits > 4, letters == 0 && parts == 0:
			return false
		}
		parts++
	}
	return parts > 1
}

// isPublicKey reports whether v begins as public keys and certificates do, or is a public key of NATS.
func isPublicKey(v []byte) bool {
	if AnyAt(v, 0, publicKeyHeads[:]) > 0 {
		return true
	}
	isBase32 := len(v) == 56 && All(v, Upper|Base32Digit)
	return isBase32 && IsIn(v[0], "UAONCX")
}

// isPathLike reports whether v is like a path, a URL, a host name, a version or the name of a package.
func isPathLike(v []byte) bool {
	dot, slash := bytes.IndexByte(v, '.'), bytes.IndexByte(v, '/')
	dots, dashes := bytes.Count(v, []byte(".")), bytes.Count(v, []byte("-"))
	switch {
	case Contains(v, "://"), Contains(v, "data:"), isDigestName(v):
		return true
	case isLongRandom(v):
		return false
	case IsIn(At(v, 0), ".@"):
		return !isMixedName(v[1:])
	case slash == 0 && bytes.Count(v, []byte("/")) > 2:
		return !isMixedBase64(v)
	case dot > 0 && slash > dot:
		return true // host.name/path
	case dots > max(1, len(v)/12):
		return true
	}
	return dashes > max(2, len(v)/7) && !isLicence(v)
}

// isDigestName reports whether v is the name of a digest of the SHA family, or a digest behind it: sha256-…, sha1:….
func isDigestName(v []byte) bool {
	return HasAt(v, 0, "sha") && (len(v) == len("sha") || Is(v[len("sha")], Digit|Dash|Colon))
}

// isMixedBase64 reports whether v is base64 in which capitals, small letters and digits are as mixed as in no path. A / may begin it.
func isMixedBase64(v []byte) bool {
	isRare := func(set Set) bool { return Count(v, set) < len(v)/5 }
	return len(v) >= 20 && All(v, Base64) && !slices.ContainsFunc([]Set{Upper, Lower}, isRare) && Count(v, Digit) > len(v)/32
}

// isMixedName reports whether v is one word of letters, digits and the marks of URLs that is as mixed as no name of a file or package is.
func isMixedName(v []byte) bool {
	isRare := func(set Set) bool { return Count(v, set)*8 < len(v) }
	return len(v) >= 16 && All(v, Token) && !slices.ContainsFunc([]Set{Digit, Upper, Lower}, isRare)
}

// longRandom is the length from which the shares of capitals and digits show that no person named the parts of a value.
const longRandom = 64

// isLongRandom reports whether v is as long as no name is, and has as many capitals and digits as base64 of random bytes.
func isLongRandom(v []byte) bool {
	return len(v) >= longRandom && Count(v, Upper) >= len(v)/4 && Count(v, Lower) >= len(v)/4 && Count(v, Digit) >= len(v)/16
}

// isLicence reports whether v is four groups or more of as many capitals and digits each, divided by dashes, as licence keys are written.
func isLicence(v []byte) bool {
	size := bytes.IndexByte(v, '-')
	if size < 4 {
		return false
	}
	groups, isMixed := 0, false
	for group := range bytes.SplitSeq(v, []byte("-")) {
		if len(group) != size || !All(group, Upper|Digit) {
			return false
		}
		groups++
		if n := Count(group, Digit); n > 0 && n < size {
			isMixed = true
		}
	}
	return groups > 3 && isMixed
}
