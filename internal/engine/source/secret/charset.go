package secret

import "strings"

// charSet is a set of classes of bytes. Readers ask for a set instead of comparing bytes one by one: it is one load from a table,
// and the set has a name.
type charSet uint64

const (
	lowerChar charSet = 1 << iota
	upperChar
	digitChar
	hexLetterChar
	underscoreChar
	dashChar
	dotChar
	tildeChar   // ~
	slashChar   // + and /, the marks of base64
	equalChar   // =
	blankChar   // space and tab
	lineChar    // the ends of lines
	spaceChar   // every byte up to the space
	quoteChar   // " ' and `
	closeChar   // ) ] }
	bareEndChar // what ends a value without quotes
	keyMarkChar // the marks that keys, tokens and passwords have besides those of names
	vowelChar   // a letter that is spoken alone, y among them
	base32Digit // 2 to 7
	maskChar    // what Mask and people write over a value
	printChar   // ASCII that is shown, and the space
	deleteChar  // the control character behind the letters
	escapeChar  // a backslash
	gapChar     // what is between the properties of an object: , { ;
	tupleChar   // what is between the names of a list besides blanks: , : $
	fieldChar   // what divides the settings on a line: & ;
	semicolonChar
	urlEndChar  // what ends a URL besides blanks
	urlMarkChar // what a token in a URL has besides the characters of tokens: % + =
	userChar    // what the name of a user has besides that of a name: @ +
	commaChar
	lineJoinChar // , and +, which join the lines of a literal
	bracketChar  // [ ] (
	colonChar
	dollarChar
	headerChar  // what is between the name of a header and its value besides blanks and quotes
	commentChar // what comments begin with: / # *
	jointChar   // what joins the literals of a key besides joinerChar: , ( )
	joinerChar  // what joins two literals besides blanks
	numberChar  // what a number has besides hexadecimal digits: 0x, 1L, 2u, -3
	typeChar    // what the name of a type has besides letters: &T, List<T>, []T, T?
	calleeChar  // what the name of a called function has besides that of a name: []byte(, &T(, ns::f(

	letterChar = lowerChar | upperChar
	alnumChar  = letterChar | digitChar
	hexChar    = digitChar | hexLetterChar
	wordChar   = alnumChar | underscoreChar
	joinChar   = dashChar | dotChar // what joins the parts of a name
	nameChar   = wordChar | joinChar
	tokenChar  = nameChar | tildeChar
	base64Char = alnumChar | slashChar | equalChar
	spliceChar = blankChar | lineChar | joinerChar
	boundChar  = spaceChar | quoteChar | escapeChar | fieldChar
	keyChar    = alnumChar | keyMarkChar
)

// charSets has the classes of each byte.
var charSets = newCharSets()

func newCharSets() (sets [256]charSet) {
	for _, row := range [...]struct {
		chars string
		set   charSet
	}{
		{"abcdefghijklmnopqrstuvwxyz", lowerChar},
		{"ABCDEFGHIJKLMNOPQRSTUVWXYZ", upperChar},
		{"0123456789", digitChar},
		{"abcdefABCDEF", hexLetterChar},
		{"_", underscoreChar},
		{"-", dashChar},
		{".", dotChar},
		{"~", tildeChar},
		{"+/", slashChar},
		{"=", equalChar},
		{" \t", blankChar},
		{"\r\n", lineChar},
		{"\"'`", quoteChar},
		{")]}", closeChar},
		{"\"'`,;<>)}]|&", bareEndChar},
		{"_-+/=.~!@#$%^&*:?|", keyMarkChar},
		{"aeiouyAEIOUY", vowelChar},
		{"234567", base32Digit},
		{"xX*", maskChar},
		{"\x7f", deleteChar},
		{"\\", escapeChar},
		{",{;", gapChar},
		{",:$", tupleChar},
		{"&;", fieldChar},
		{";", semicolonChar},
		{"+.\\&", joinerChar},
		{"\"'`<>\\(),", urlEndChar},
		{"%+=", urlMarkChar},
		{"@+", userChar},
		{"/#*", commentChar},
		{",()", jointChar},
		{",", commaChar},
		{",+", lineJoinChar},
		{"[](", bracketChar},
		{":", colonChar},
		{"$", dollarChar},
		{":,=>])", headerChar},
		{"xXlLuU-", numberChar},
		{"&'<>[]?|", typeChar},
		{"[]&*:@$", calleeChar},
	} {
		for _, c := range []byte(row.chars) {
			sets[c] |= row.set
		}
	}
	for c := range ' ' + 1 {
		sets[c] |= spaceChar
	}
	for c := ' '; c <= '~'; c++ {
		sets[c] |= printChar
	}
	return sets
}

func is(c byte, set charSet) bool { return charSets[c]&set != 0 }

// at is text[i], or 0 outside the text.
func at(text []byte, i int) byte {
	if uint(i) < uint(len(text)) {
		return text[i]
	}
	return 0
}

// isAt reports that the text has a byte of the set at i.
func isAt(text []byte, i int, set charSet) bool {
	return uint(i) < uint(len(text)) && charSets[text[i]]&set != 0
}

// oneOf reports that c is one of chars.
func oneOf(c byte, chars string) bool { return strings.IndexByte(chars, c) >= 0 }

// allIn reports that every byte of v is of the set.
func allIn(v []byte, set charSet) bool { return runEnd(v, 0, len(v), set) == len(v) }

// runEnd is where the run of bytes of the set that begins at i ends, most bytes on at the latest.
func runEnd(text []byte, i, most int, set charSet) int {
	stop := min(len(text), i+most)
	for i < stop && charSets[text[i]]&set != 0 {
		i++
	}
	return i
}

// runStart is where the run of bytes of the set that ends at i begins, most bytes before at the earliest.
func runStart(text []byte, i, most int, set charSet) int {
	stop := max(0, i-most)
	for i > stop && charSets[text[i-1]]&set != 0 {
		i--
	}
	return i
}

// maxBlank bounds how many blanks are skipped, so that the work at a keyword has a bound.
const maxBlank = 64

func skipBlank(text []byte, i int) int { return runEnd(text, i, maxBlank, blankChar) }
func skipSpace(text []byte, i int) int { return runEnd(text, i, maxBlank, spaceChar) }

// hasAt reports that the text goes on with s at i.
func hasAt(text []byte, i int, s string) bool {
	return len(text)-i >= len(s) && string(text[i:i+len(s)]) == s
}

// anyAt is the length of the first of list that the text goes on with at i, else 0.
func anyAt(text []byte, i int, list []string) int {
	for _, s := range list {
		if hasAt(text, i, s) {
			return len(s)
		}
	}
	return 0
}

// clip is text[lo:hi], as far as the text reaches.
func clip(text []byte, lo, hi int) []byte {
	lo = min(max(0, lo), len(text))
	return text[lo:max(lo, min(len(text), hi))]
}

func isUpper(c byte) bool  { return is(c, upperChar) }
func isLetter(c byte) bool { return is(c, letterChar) }
func isDigit(c byte) bool  { return is(c, digitChar) }
func isAlnum(c byte) bool  { return is(c, alnumChar) }
func isHex(c byte) bool    { return is(c, hexChar) }

// lowerCase is an ASCII letter in lower case, any other byte as it is.
func lowerCase(c byte) byte {
	if is(c, upperChar) {
		c += 'a' - 'A'
	}
	return c
}

// foldTo writes the beginning of v in lower case to buf.
func foldTo(buf, v []byte) []byte {
	buf = buf[:copy(buf, v)]
	for i, c := range buf {
		buf[i] = lowerCase(c)
	}
	return buf
}

// equalFold compares ASCII without regard to case and without allocating; s is lower case.
func equalFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i, c := range b {
		if lowerCase(c) != s[i] {
			return false
		}
	}
	return true
}
