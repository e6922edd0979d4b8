package secret

import "bytes"

// property is something that a value is or is not. The constants say what it means, the functions below how it is found.
type property uint8

const (
	inQuotes        property = iota // a literal in quotes
	printable                       // ASCII that is shown, blanks among it
	exotic                          // signs or letters outside ASCII that no language writes in a label
	keyAlphabet                     // the characters of keys, tokens and passwords alone
	base32Alphabet                  // letters and 2 to 7 alone
	onlyDigits                      //
	onlyCapitals                    // no letters but capitals
	bothCases                       // small letters and capitals
	oneCharacter                    // the same character over and over
	uuidForm                        //
	hexMix                          // hexadecimal digits, with and without letters
	placeholder                     // a template, a variable, or a word of a manual
	maskRun                         // xxxx or ****
	filler                          // it counts or repeats
	describing                      // as a whole a word that describes a password
	namesSecret                     // holds a word that names a secret
	fixtureWord                     // holds a word of passwords in fixtures and manuals
	manualPassword                  // as a whole a password that manuals put into a URL
	percentVariable                 // %NAME
	variableMarks                   // $NAME, {name}, <name>, [name], ***
	pathLike                        // a path, URL, host, version or package
	selector                        // names joined by dots
	constantName                    // PASSWORD, DB_PASS
	camelCase                       // a capital behind a small letter
	joinedWords                     // camelCase, or parts joined by _ - or .
	capitalised                     // capitals alone, or one capitalised word
	capitalFirst                    // begins with a capital
	shouted                         // an exclamation mark between letters
	codeMarks                       // what code, expressions and formats have and passwords do not
	formatMarks                     // codeMarks but for what generated passwords have by chance
	doubleColon                     // ns::name
	emptyCall                       // f()
	halfMarks                       // marks are more than half of it
	thirdMarks                      // marks are more than a third of it
	sixthMarks                      // marks are more than a sixth of it
	spacedGroups                    // four to eight groups of four letters or digits divided by blanks
	algorithmName                   // begins as sha256 does, or with a word of manuals
	numberedWord                    // a word and a number of five digits or more that is no date
	publicKeyForm                   // begins as public keys and certificates do
	hashFirst                       // begins with #
	variableFirst                   // begins as the name of a variable does, $
	plainWord                       // no digits, or a selector
	spoken                          // can be pronounced
	wordy                           // half of it is words
	wordParts                       // two parts or more, and most of them are words
	nameLike                        // several parts that are words as a whole
	randomPart                      // of the parts of five letters or more, half are no words
	randomLongPart                  // randomPart, and longer than one such part
	randomFour                      // four letters that are far from a word
	randomMix                       // parts that are no words as a whole
	randomPhrase                    // a phrase whose letters are likelier chance than words
	randomStem                      // four letters before its digits that are no word
	firstShape                      // shapes are properties as well: they follow in shape.go

	firstWordProperty = wordy
)

// findInBytes finds the properties that bytes and counts show.
func (v *value) findInBytes(p property) bool {
	n, text := &v.counts, v.text
	switch p {
	case inQuotes:
		return v.quoted
	case printable:
		return allIn(text, printChar)
	case exotic:
		return isExotic(text)
	case keyAlphabet:
		return allIn(text, keyChar)
	case base32Alphabet:
		return allIn(text, letterChar|base32Digit)
	case onlyDigits:
		return n[digits] == n[length]
	case onlyCapitals:
		return n[upper] > 0 && n[upper]+n[marks] == n[length]
	case bothCases:
		return n[lower]*n[upper] > 0
	case oneCharacter:
		return isOneCharacter(text)
	case uuidForm:
		return isUUID(text)
	case hexMix:
		return isHexMix(text)
	case halfMarks:
		return n[marks]*2 > n[length]
	case thirdMarks:
		return n[marks]*3 > n[length]
	case sixthMarks:
		return n[marks]*6 > n[length]
	case spacedGroups:
		return isSpacedGroups(text)
	case publicKeyForm:
		return isPublicKey(text)
	case variableFirst:
		return at(text, 0) == '$' && !isBcrypt(text)
	case plainWord:
		return n[digits] == 0 || v.has(selector) && !v.has(pathLike)
	case spoken:
		return isSpoken(text)
	case hashFirst:
		return at(text, 0) == '#'
	case capitalFirst:
		return isUpper(at(text, 0))
	case percentVariable:
		return at(text, 0) == '%' && isUpper(at(text, len(text)-1))
	}
	return v.findInMarks(p)
}

// findInMarks finds the properties that words and marks within the value show.
func (v *value) findInMarks(p property) bool {
	text := v.text
	switch p {
	case placeholder:
		return isPlaceholder(text)
	case maskRun:
		return hasMaskRun(text)
	case filler:
		return isFiller(text)
	case describing:
		return isListed(bytes.TrimRight(text, "!?:"), describingWords[:])
	case manualPassword:
		return isListed(text, manualPasswords[:])
	case namesSecret:
		return namesASecret(text)
	case fixtureWord:
		return holdsFolded(text, fixtureWords[:])
	case variableMarks:
		return hasVariableMarks(text)
	case pathLike:
		return isPathLike(text)
	case selector:
		return isSelector(text)
	case constantName:
		return isConstantName(text)
	case camelCase:
		return isCamelCase(text)
	case joinedWords:
		return isCamelCase(text) || bytes.ContainsAny(text, "_-.")
	case capitalised:
		return v.has(onlyCapitals) || isTitle(text)
	case shouted:
		return isShouted(text)
	case codeMarks:
		return holds(text, codeMarkList[:])
	case formatMarks:
		return holds(text, formatMarkList[:])
	case doubleColon:
		return hasBytes(text, "::")
	case emptyCall:
		return hasBytes(text, "()")
	case algorithmName:
		return isListed(v.stem(), algorithmStems[:])
	case numberedWord:
		return isNumberedWord(v.stem(), text[v.counts[stem]:])
	}
	return false
}

// findInWords finds the properties that the words within the value show.
func (v *value) findInWords(p property) bool {
	n, w := &v.counts, v.words()
	switch p {
	case wordy:
		return w.spokenLetters*2 >= len(v.text) && !v.has(hexMix)
	case wordParts:
		return w.parts > 1 && w.spoken*2 > w.parts
	case nameLike:
		_, likelihood := letterRuns(v.text)
		return likelihood >= 4 // of names of two words in code 97 of 100, of random letters four
	case randomPart:
		return w.randomLetters > 0 && w.randomLetters*2 >= w.longLetters
	case randomLongPart:
		return n[length] > 5 && v.has(randomPart)
	case randomFour:
		return n[length] == 4 && n[marks] == 0 && wordLikelihood(v.text) < -9
	case randomMix:
		return isRandomMix(v)
	case randomPhrase:
		_, likelihood := letterRuns(v.text)
		return likelihood < 0
	case randomStem:
		word := v.stem()
		return len(word) == 4 && allIn(word, letterChar|underscoreChar) && isRandomLetters(word)
	}
	return false
}

// stem is the value without the digits at its end.
func (v *value) stem() []byte { return v.text[:v.counts[stem]] }
