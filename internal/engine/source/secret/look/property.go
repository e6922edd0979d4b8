package look

import "bytes"

// Property is a property of a value: the index of a row in properties, or a shape (shape.go).
type Property uint8

// The properties. The table properties explains each.
const (
	InQuotes Property = iota
	Printable
	Exotic
	KeyAlphabet
	Base32Alphabet
	OnlyDigits
	OnlyCapitals
	BothCases
	OneCharacter
	UUIDForm
	RandomUUID
	HexMix
	Placeholder
	Encrypted
	MaskRun
	Filler
	CountingPart
	Describing
	NamesSecret
	FixtureWord
	ManualPassword
	PercentVariable
	VariableMarks
	PathLike
	Selector
	ConstantName
	CamelCase
	JoinedWords
	Capitalised
	CapitalFirst
	Shouted
	DollarWithin
	CodeMarks
	FormatMarks
	DoubleColon
	EmptyCall
	OpenBrackets
	HalfMarks
	ThirdMarks
	SixthMarks
	DashedName
	SpacedGroups
	AlgorithmName
	NumberedWord
	PublicKeyForm
	HashFirst
	VariableFirst
	PlainWord
	Spoken
	Wordy
	WordParts
	NameLike
	RandomPart
	RandomLongPart
	RandomFour
	RandomMix
	RandomPhrase
	RandomStem
	LongRandom
	firstShape // shapes are properties as well
)

// Props is a list of properties.
type Props = []Property

// properties is the table of the properties that are no shapes. Samples of each are in testdata/properties.txt.
var properties = [firstShape]struct {
	name, meaning string
	has           func(v *Value) bool
}{
	InQuotes:       {"InQuotes", "a literal in quotes", func(v *Value) bool { return v.quoted }},
	Printable:      {"Printable", "printable ASCII, blanks included", func(v *Value) bool { return All(v.Text, Print) }},
	Exotic:         {"Exotic", "signs or letters outside ASCII that no language writes in a label", func(v *Value) bool { return isExotic(v.Text) }},
	KeyAlphabet:    {"KeyAlphabet", "only characters of keys, tokens and passwords", func(v *Value) bool { return All(v.Text, Key) }},
	Base32Alphabet: {"Base32Alphabet", "only letters and 2 to 7", func(v *Value) bool { return All(v.Text, Letter|Base32Digit) }},

	OnlyDigits:   {"OnlyDigits", "only digits", func(v *Value) bool { return v.Counts[Digits] == v.Counts[Length] }},
	OnlyCapitals: {"OnlyCapitals", "capitals, and perhaps marks", hasOnlyCapitals},
	BothCases:    {"BothCases", "small letters and capitals", func(v *Value) bool { return min(v.Counts[Lowers], v.Counts[Uppers]) > 0 }},
	OneCharacter: {"OneCharacter", "the same character over and over", func(v *Value) bool { return isOneCharacter(v.Text) }},

	UUIDForm:   {"UUIDForm", "8-4-4-4-12 hexadecimal digits", func(v *Value) bool { return isUUID(v.Text) }},
	RandomUUID: {"RandomUUID", "a UUID that by its version is made neither of a time nor of a name", func(v *Value) bool { return isRandomUUID(v.Text) }},
	HexMix:     {"HexMix", "hexadecimal digits, with and without letters", func(v *Value) bool { return isHexMix(v.Text) }},

	Placeholder:     {"Placeholder", "a template, a variable, or a word of a manual", func(v *Value) bool { return IsPlaceholder(v.Text) }},
	Encrypted:       {"Encrypted", "ENC(…), or a reference to the place where the secret is kept", func(v *Value) bool { return AnyAt(v.Text, 0, encryptedHeads[:]) > 0 }},
	MaskRun:         {"MaskRun", "contains xxxx or ****", func(v *Value) bool { return hasMaskRun(v.Text) }},
	Filler:          {"Filler", "it counts or repeats", func(v *Value) bool { return IsFiller(v.Text) }},
	CountingPart:    {"CountingPart", "a part of it counts or repeats, or is a word for a sample", func(v *Value) bool { return hasCountingPart(v.Text) }},
	Describing:      {"Describing", "as a whole a word that describes a password", func(v *Value) bool { return EqualsAnyFold(bytes.TrimRight(v.Text, "!?:"), describingWords[:]) }},
	NamesSecret:     {"NamesSecret", "contains a word that names a secret, or is \"pass\"", func(v *Value) bool { return namesSecret(v.Text) }},
	FixtureWord:     {"FixtureWord", "contains a word of passwords in fixtures and manuals", func(v *Value) bool { return hasFixtureWord(v.Text) }},
	ManualPassword:  {"ManualPassword", "as a whole a password that manuals put into a URL", func(v *Value) bool { return EqualsAnyFold(v.Text, manualPasswords[:]) }},
	PercentVariable: {"PercentVariable", "%NAME", func(v *Value) bool { return At(v.Text, 0) == '%' && Is(Last(v.Text), Upper) }},
	VariableMarks:   {"VariableMarks", "$NAME, {name}, <name>, [name] or ***", func(v *Value) bool { return hasVariableMarks(v.Text) }},

	PathLike:     {"PathLike", "a path, URL, host, version or package", func(v *Value) bool { return isPathLike(v.Text) }},
	Selector:     {"Selector", "names joined by dots", func(v *Value) bool { return isSelector(v.Text) }},
	ConstantName: {"ConstantName", "PASSWORD, DB_PASS", func(v *Value) bool { return IsConstantName(v.Text) }},
	CamelCase:    {"CamelCase", "a capital follows a small letter", func(v *Value) bool { return isCamelCase(v.Text) }},
	JoinedWords:  {"JoinedWords", "camel case, or parts joined by _ - or .", func(v *Value) bool { return isCamelCase(v.Text) || bytes.ContainsAny(v.Text, "_-.") }},
	Capitalised:  {"Capitalised", "only capitals, or one capitalised word", func(v *Value) bool { return hasOnlyCapitals(v) || isTitle(v.Text) }},
	CapitalFirst: {"CapitalFirst", "begins with a capital", func(v *Value) bool { return Is(At(v.Text, 0), Upper) }},
	Shouted:      {"Shouted", "an exclamation mark between letters", func(v *Value) bool { return isShouted(v.Text) }},
	DollarWithin: {"DollarWithin", "a $ between small letters, so that it begins no variable of capitals", func(v *Value) bool { return hasDollarWithin(v.Text) }},

	CodeMarks:    {"CodeMarks", "marks of code, expressions and formats that passwords do not have", func(v *Value) bool { return ContainsAny(v.Text, codeMarkList[:]) }},
	FormatMarks:  {"FormatMarks", "CodeMarks without those that generated passwords have by chance", func(v *Value) bool { return ContainsAny(v.Text, formatMarkList[:]) }},
	DoubleColon:  {"DoubleColon", "ns::name", func(v *Value) bool { return Contains(v.Text, "::") }},
	EmptyCall:    {"EmptyCall", "f()", func(v *Value) bool { return Contains(v.Text, "()") }},
	OpenBrackets: {"OpenBrackets", "brackets of two kinds or more, some of them not closed in their order", func(v *Value) bool { return hasOpenBrackets(v.Text) }},
	HalfMarks:    {"HalfMarks", "more than half of it are marks", func(v *Value) bool { return v.Counts[Marks]*2 > v.Counts[Length] }},
	ThirdMarks:   {"ThirdMarks", "more than a third of it are marks", func(v *Value) bool { return v.Counts[Marks]*3 > v.Counts[Length] }},
	SixthMarks:   {"SixthMarks", "more than a sixth of it are marks", func(v *Value) bool { return v.Counts[Marks]*6 > v.Counts[Length] }},

	DashedName:    {"DashedName", "words and numbers divided by dashes, as objects are named", func(v *Value) bool { return isDashedName(v.Text) }},
	SpacedGroups:  {"SpacedGroups", "four to eight groups of four letters or digits divided by blanks", func(v *Value) bool { return isSpacedGroups(v.Text) }},
	AlgorithmName: {"AlgorithmName", "begins as sha256 does, or with a word of manuals", func(v *Value) bool { return EqualsAnyFold(v.withoutFinalDigits(), algorithmStems[:]) }},
	NumberedWord:  {"NumberedWord", "a word and a number of five digits or more that is no date", isNumberedWord},
	PublicKeyForm: {"PublicKeyForm", "begins as public keys and certificates do", func(v *Value) bool { return isPublicKey(v.Text) }},
	HashFirst:     {"HashFirst", "begins with #", func(v *Value) bool { return At(v.Text, 0) == '#' }},
	VariableFirst: {"VariableFirst", "begins with $, as a variable does", func(v *Value) bool { return beginsAsVariable(v.Text) }},

	PlainWord: {"PlainWord", "no digits, or names joined by dots", isPlainWord},
	Spoken:    {"Spoken", "can be pronounced", func(v *Value) bool { return isSpoken(v.Text) }},
	Wordy:     {"Wordy", "half of it is words", func(v *Value) bool { return v.wordMeasures().spokenLetters*2 >= len(v.Text) && !isHexMix(v.Text) }},
	WordParts: {"WordParts", "two parts or more, most of them words", func(v *Value) bool {
		return v.wordMeasures().parts > 1 && v.wordMeasures().spoken*2 > v.wordMeasures().parts
	}},
	NameLike:       {"NameLike", "several parts that together are like words", isNameLike},
	RandomPart:     {"RandomPart", "of the parts of five letters or more, half are no words", hasRandomPart},
	RandomLongPart: {"RandomLongPart", "RandomPart, and longer than one such part", func(v *Value) bool { return v.Counts[Length] > 5 && hasRandomPart(v) }},
	RandomFour:     {"RandomFour", "four letters that are far from a word", isRandomFour},
	RandomMix:      {"RandomMix", "parts that together are no words", isRandomMix},
	RandomPhrase:   {"RandomPhrase", "a phrase whose letters are likelier chance than words", isRandomPhrase},
	RandomStem:     {"RandomStem", "four letters that are no word, and digits", hasRandomStem},
	LongRandom:     {"LongRandom", "as long as no name is, with the capitals and digits of base64", func(v *Value) bool { return isLongRandom(v.Text) }},
}
