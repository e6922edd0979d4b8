package look

import (
	"bytes"
)

// Property is something that a value is or is not. The constants say what it means, the functions below how it is found.
type Property uint8

const (
	InQuotes        Property = iota // a literal in quotes
	Printable                       // ASCII that is shown, blanks among it
	Exotic                          // signs or letters outside ASCII that no language writes in a label
	KeyAlphabet                     // the characters of keys, tokens and passwords alone
	Base32Alphabet                  // letters and 2 to 7 alone
	OnlyDigits                      // nothing else
	OnlyCapitals                    // no letters but capitals
	BothCases                       // small letters and capitals
	OneCharacter                    // the same character over and over
	UUIDForm                        // 8-4-4-4-12 hexadecimal digits
	RandomUUID                      // UUIDForm, and by its version neither made of a time nor of a name
	HexMix                          // hexadecimal digits, with and without letters
	Placeholder                     // a template, a variable, or a word of a manual
	Encrypted                       // ENC(…), or a reference to where the secret is kept
	MaskRun                         // xxxx or ****
	Filler                          // it counts or repeats
	CountingPart                    // a part of it counts or repeats, or says that it is none
	Describing                      // as a whole a word that describes a password
	NamesSecret                     // holds a word that names a secret
	FixtureWord                     // holds a word of passwords in fixtures and manuals
	ManualPassword                  // as a whole a password that manuals put into a URL
	PercentVariable                 // %NAME
	VariableMarks                   // $NAME, {name}, <name>, [name], ***
	PathLike                        // a path, URL, host, version or package
	Selector                        // names joined by dots
	ConstantName                    // PASSWORD, DB_PASS
	CamelCase                       // a capital behind a small letter
	JoinedWords                     // CamelCase, or parts joined by _ - or .
	Capitalised                     // capitals alone, or one capitalised word
	CapitalFirst                    // begins with a capital
	Shouted                         // an exclamation mark between letters
	DollarWithin                    // a $ between small letters, so that it begins no variable of capitals
	CodeMarks                       // what code, expressions and formats have and passwords do not
	FormatMarks                     // CodeMarks but for what generated passwords have by chance
	DoubleColon                     // ns::name
	EmptyCall                       // f()
	OpenBrackets                    // brackets of two kinds or more, and some that are not closed in their order
	HalfMarks                       // Marks are more than half of it
	ThirdMarks                      // Marks are more than a third of it
	SixthMarks                      // Marks are more than a sixth of it
	DashedName                      // words and numbers divided by dashes, as objects are named
	SpacedGroups                    // four to eight groups of four letters or digits divided by blanks
	AlgorithmName                   // begins as sha256 does, or with a word of manuals
	NumberedWord                    // a word and a number of five digits or more that is no date
	PublicKeyForm                   // begins as public keys and certificates do
	HashFirst                       // begins with #
	VariableFirst                   // begins as the name of a variable does, $
	PlainWord                       // no digits, or a selector
	Spoken                          // can be pronounced
	Wordy                           // half of it is words
	WordParts                       // two parts or more, and most of them are words
	NameLike                        // several parts that are words as a whole
	RandomPart                      // of the parts of five letters or more, half are no words
	RandomLongPart                  // RandomPart, and longer than one such part
	RandomFour                      // four letters that are far from a word
	RandomMix                       // parts that are no words as a whole
	RandomPhrase                    // a phrase whose letters are likelier chance than words
	RandomStem                      // four letters before its digits that are no word
	firstShape                      // shapes are properties as well: they follow in shape.go

	firstWordProperty = Wordy
)

// findInBytes finds the properties that bytes and counts show.
func (v *Value) findInBytes(p Property) bool {
	n, text := &v.Counts, v.Text
	switch p {
	case InQuotes:
		return v.quoted
	case Printable:
		return All(text, Print)
	case Exotic:
		return isExotic(text)
	case KeyAlphabet:
		return All(text, Key)
	case Base32Alphabet:
		return All(text, Letter|Base32Digit)
	case OnlyDigits:
		return n[Digits] == n[Length]
	case OnlyCapitals:
		return n[Uppers] > 0 && n[Uppers]+n[Marks] == n[Length]
	case BothCases:
		return n[Lowers]*n[Uppers] > 0
	case OneCharacter:
		return isOneCharacter(text)
	case UUIDForm:
		return isUUID(text)
	case RandomUUID:
		return isRandomUUID(text)
	case HexMix:
		return isHexMix(text)
	case HalfMarks:
		return n[Marks]*2 > n[Length]
	case ThirdMarks:
		return n[Marks]*3 > n[Length]
	case SixthMarks:
		return n[Marks]*6 > n[Length]
	case DashedName:
		return isDashedName(text)
	case SpacedGroups:
		return isSpacedGroups(text)
	case PublicKeyForm:
		return isPublicKey(text)
	case VariableFirst:
		return At(text, 0) == '$' && !isBcrypt(text)
	case PlainWord:
		return n[Digits] == 0 || v.Has(Selector) && !v.Has(PathLike)
	case Spoken:
		return isSpoken(text)
	case HashFirst:
		return At(text, 0) == '#'
	case CapitalFirst:
		return Is(At(text, 0), Upper)
	case PercentVariable:
		return At(text, 0) == '%' && IsAt(text, len(text)-1, Upper)
	}
	return v.findInMarks(p)
}

// findInMarks finds the properties that words and marks within the value show.
func (v *Value) findInMarks(p Property) bool {
	text := v.Text
	switch p {
	case Placeholder:
		return IsPlaceholder(text)
	case Encrypted:
		return AnyAt(text, 0, encryptedHeads[:]) > 0
	case MaskRun:
		return hasMaskRun(text)
	case Filler:
		return IsFiller(text)
	case CountingPart:
		return hasCountingPart(text)
	case Describing:
		return EqualsAnyFold(bytes.TrimRight(text, "!?:"), describingWords[:])
	case ManualPassword:
		return EqualsAnyFold(text, manualPasswords[:])
	case NamesSecret:
		return namesASecret(text)
	case FixtureWord:
		return ContainsAnyFold(text, fixtureWords[:])
	case VariableMarks:
		return hasVariableMarks(text)
	case PathLike:
		return isPathLike(text)
	case Selector:
		return isSelector(text)
	case ConstantName:
		return IsConstantName(text)
	case CamelCase:
		return isCamelCase(text)
	case JoinedWords:
		return isCamelCase(text) || bytes.ContainsAny(text, "_-.")
	case Capitalised:
		return v.Has(OnlyCapitals) || isTitle(text)
	case Shouted:
		return isShouted(text)
	case DollarWithin:
		return hasDollarWithin(text)
	case CodeMarks:
		return ContainsAny(text, codeMarkList[:])
	case FormatMarks:
		return ContainsAny(text, formatMarkList[:])
	case OpenBrackets:
		return hasOpenBrackets(text)
	case DoubleColon:
		return Contains(text, "::")
	case EmptyCall:
		return Contains(text, "()")
	case AlgorithmName:
		return EqualsAnyFold(v.stem(), algorithmStems[:])
	case NumberedWord:
		return isNumberedWord(v.stem(), text[v.Counts[Stem]:])
	}
	return false
}

// findInWords finds the properties that the words within the value show.
func (v *Value) findInWords(p Property) bool {
	n, w := &v.Counts, v.words()
	switch p {
	case Wordy:
		return w.spokenLetters*2 >= len(v.Text) && !v.Has(HexMix)
	case WordParts:
		return w.parts > 1 && w.spoken*2 > w.parts
	case NameLike:
		_, likelihood := letterRuns(v.Text)
		return likelihood >= 4 // of names of two words in code 97 of 100, of random letters four
	case RandomPart:
		return w.randomLetters > 0 && w.randomLetters*2 >= w.longLetters
	case RandomLongPart:
		return n[Length] > 5 && v.Has(RandomPart)
	case RandomFour:
		return n[Length] == 4 && n[Marks] == 0 && wordLikelihood(v.Text) < -9
	case RandomMix:
		return isRandomMix(v)
	case RandomPhrase:
		_, likelihood := letterRuns(v.Text)
		return likelihood < 0
	case RandomStem:
		word := v.stem()
		return len(word) == 4 && All(word, Letter|Underscore) && isRandomLetters(word)
	}
	return false
}

// Stem is the value without the digits at its end.
func (v *Value) stem() []byte { return v.Text[:v.Counts[Stem]] }
