package look

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// The forms that values have which are no secrets, and a few that only secrets have.

// IsFiller reports counting sequences ("0123456789abcdef") and repetition ("abcabcabc", "xxxx").
func IsFiller(v []byte) bool {
	if hasMaskRun(v) {
		return true
	}
	n := min(len(v), 128)
	steps := 0
	for i := 1; i < n; i++ {
		if d := int(v[i]) - int(v[i-1]); d*d < 2 {
			steps++
		}
	}
	if n > 4 && steps*2 > n {
		return true
	}
	if countsInTurns(v[:n]) || isDoubled(v[:n]) {
		return true
	}
	for period := 2; period <= min(10, n/3); period++ {
		if bytes.Equal(v[:n-period], v[period:n]) {
			return true
		}
	}
	return false
}

// isDoubled reports a long run of small letters in which more than a fifth repeat the one before, as fingers on a keyboard do and no
// generator does.
func isDoubled(v []byte) bool {
	doubles := 0
	for i := 1; i < len(v); i++ {
		if v[i] == v[i-1] {
			doubles++
		}
	}
	return len(v) >= 24 && doubles*5 > len(v) && All(v, Lower)
}

// countsInTurns reports letters and digits that take turns, and both count: a1b2c3d4.
func countsInTurns(v []byte) bool {
	steps := 0
	for i := 2; i < len(v); i++ {
		if v[i] == v[i-2]+1 && Is(v[i], Digit) != Is(v[i-1], Digit) {
			steps++
		}
	}
	return len(v) >= 8 && steps*5 > len(v)*2
}

// hasMaskRun reports a run of four x or *, as Mask and people write it.
func hasMaskRun(v []byte) bool {
	run := 0
	for i, c := range v {
		switch {
		case !Is(c, Mask):
			run = 0
		case c == At(v, i-1):
			run++
		default:
			run = 1
		}
		if run == MinLength {
			return true
		}
	}
	return false
}

// IsPlaceholder reports templates and values that say of themselves that they are no secret. Of long values only the head is
// looked at, because in the rest a stop word is chance.
func IsPlaceholder(v []byte) bool {
	if isVariable(v) || AnyAt(v, 0, encryptedHeads[:]) > 0 {
		return true
	}
	var folded [80]byte
	head := v[:min(len(v), len(folded))]
	return ContainsAny(head, templateMarks[:]) || ContainsAny(Fold(folded[:], head), stopWords[:])
}

// hasCountingPart reports a value with a run in it that people type where a key will be, or a word that says that it is none. In the
// head alone: in more, a run is chance.
func hasCountingPart(v []byte) bool {
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
		begins := !IsAt(v, i-1, Letter) || Is(v[i], Upper) && Is(v[i-1], Lower)
		if begins && (!IsAt(v, end, Lower) || Is(v[end-1], Upper)) {
			return true
		}
	}
	return false
}

// isVariable reports <name>, %name% and $name.
func isVariable(v []byte) bool {
	if len(v) < 3 {
		return false
	}
	last := v[len(v)-1]
	switch v[0] {
	case '<':
		return last == '>'
	case '%':
		return last == '%'
	case '$':
		return isWordy(v[1:]) || All(v[1:], Letter|Underscore)
	}
	return false
}

// hasVariableMarks reports $NAME, {name}, <name>, [name] and ***.
func hasVariableMarks(v []byte) bool {
	switch {
	case At(v, 0) == '[', bytes.IndexByte(v, '<') >= 0, bytes.Count(v, []byte("*")) > 2:
		return true
	case bytes.IndexByte(v, '{') >= 0 && bytes.IndexByte(v, '}') >= 0:
		return true
	}
	return At(v, 0) == '$' && IsAt(v, 1, Upper) && IsConstantName(v[1:])
}

// namesASecret reports a word that names a secret, or is "pass".
func namesASecret(v []byte) bool {
	return EqualFold(v, "pass") || ContainsAnyFold(v, secretNames[:])
}

// isUUID reports 8-4-4-4-12 hex digits.
func isUUID(v []byte) bool {
	if len(v) != 36 {
		return false
	}
	for i, c := range v {
		want := Hex
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

// isRandomUUID reports a UUID of version 4, or one whose version or variant the standard does not know, because nobody who makes
// identifiers makes such: the issuers of keys do. The other versions are made of a time or a name, and are identifiers.
func isRandomUUID(v []byte) bool {
	if isUUIDOfLetters(v) {
		return !IsPlaceholder(v) && Entropy(v) >= 3.5
	}
	if !isUUID(v) || IsFiller(v) || IsPlaceholder(v) || Entropy(v) < 2.7 {
		return false
	}
	return !IsIn(v[14], "1235678") || !IsIn(v[19], "89abAB")
}

// isUUIDOfLetters reports 8-4-4-4-12 letters and digits that are not all hexadecimal: some issuers of keys write theirs so.
func isUUIDOfLetters(v []byte) bool {
	if len(v) != 36 {
		return false
	}
	digits := 0
	for i, c := range v {
		want := Alnum
		switch i {
		case 8, 13, 18, 23:
			want = Dash
		}
		if !Is(c, want) {
			return false
		}
		if Is(c, Digit) {
			digits++
		}
	}
	return digits > 3 && !All(v, Hex|Dash)
}

// hasOpenBrackets reports brackets of two kinds or more that are not closed in the order in which they are opened. Patterns,
// templates and code close theirs; the characters of a generated password stand in any order.
func hasOpenBrackets(v []byte) bool {
	var open [16]byte
	depth, broken := 0, false
	kinds := 0
	for _, c := range v {
		i := bytes.IndexByte([]byte("([{)]}"), c)
		if i < 0 {
			continue
		}
		kinds |= 1 << (i % 3)
		switch {
		case i < 3 && depth < len(open):
			open[depth] = c
			depth++
		case i >= 3 && depth > 0 && open[depth-1] == "([{"[i-3]:
			depth--
		default:
			broken = true
		}
	}
	return (broken || depth > 0) && kinds&(kinds-1) != 0
}

// isHexMix reports eight hexadecimal digits or more, a quarter of them below ten: a to f make words by chance.
func isHexMix(v []byte) bool {
	if len(v) < 8 || !All(v, Hex) {
		return false
	}
	n := 0
	for _, c := range v {
		if Is(c, Digit) {
			n++
		}
	}
	return n*4 >= len(v) && n < len(v)
}

func isOneCharacter(v []byte) bool {
	return len(v) > 0 && bytes.Count(v, v[:1]) == len(v)
}

// isExotic reports text with characters outside ASCII that no language writes in a label: currency, emoji, numerals, and letters
// with digits or marks among them. The same sign over and over is a mask.
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
	return len(kinds) > 2 && (signs > 2 || signs*letters > 0)
}

// isNumberedWord reports a word with five digits or more behind it that neither count nor are a date.
func isNumberedWord(word, number []byte) bool {
	if len(word) < 4 || len(number) < 5 || !All(word, Letter|Underscore) {
		return false
	}
	return AnyAt(number, 0, []string{"19", "20"}) == 0 && !bytes.HasSuffix(number, []byte("000")) && !IsFiller(number)
}

// isSpacedGroups reports four to eight groups of four letters or digits divided by blanks, as one-time-password secrets and
// application passwords are shown.
func isSpacedGroups(v []byte) bool {
	if len(v) < 19 || len(v) > 39 || len(v)%5 != 4 {
		return false
	}
	for i := 0; i < len(v); i += 5 {
		if !All(v[i:i+4], Alnum) || i > 0 && v[i-1] != ' ' {
			return false
		}
	}
	return Entropy(v) >= 3 && !isWordy(bytes.ReplaceAll(v, []byte(" "), nil))
}

// isDashedName reports two parts or more divided by dashes, each of them small letters with a number of at most four digits behind
// them, or a number, so that at least two letters begin it: cmp2-web-1208358310, app17-login.
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

// isPublicKey reports the beginnings of public keys and certificates, and public NATS keys.
func isPublicKey(v []byte) bool {
	if AnyAt(v, 0, publicKeyHeads[:]) > 0 {
		return true
	}
	return len(v) == 56 && IsIn(v[0], "UAONCX") && All(v, Upper|Base32Digit)
}

// isBcrypt reports $2a$10$…, which begins as a variable does.
func isBcrypt(v []byte) bool { return len(v) > 7 && v[1] == '2' && v[3] == '$' }

// isPathLike reports paths, URLs, host names, versions and package names.
func isPathLike(v []byte) bool {
	dot, slash := bytes.IndexByte(v, '.'), bytes.IndexByte(v, '/')
	dots, dashes := bytes.Count(v, []byte(".")), bytes.Count(v, []byte("-"))
	switch {
	case IsIn(At(v, 0), ".@"), Contains(v, "://"), Contains(v, "data:"), HasAt(v, 0, "sha"):
		return true
	case slash == 0 && bytes.Count(v, []byte("/")) > 2:
		return true
	case dot > 0 && slash > dot:
		return true // host.name/path
	case dots > 1 && dots*12 > len(v):
		return true
	}
	return dashes > 2 && dashes*7 > len(v) && !isLicence(v)
}

// isLicence reports four groups or more of as many capitals and digits each, divided by dashes, as licence keys are written.
func isLicence(v []byte) bool {
	groups, mixed := 0, false
	size := bytes.IndexByte(v, '-')
	for g := range bytes.SplitSeq(v, []byte("-")) {
		if len(g) != size || len(g) < 4 || !All(g, Upper|Digit) {
			return false
		}
		groups++
		mixed = mixed || !All(g, Upper) && !All(g, Digit)
	}
	return groups > 3 && mixed
}
