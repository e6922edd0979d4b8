package secret

// shape describes what a kind of secret looks like: the demand that all its rows share, and the rows, of which the first that a value meets
// decides. Shapes are properties, so that a row can demand one. Samples of each row are in testdata/shapes.txt.
type shape struct {
	name   string
	trim   bool // the signs that base64 is filled up with are no part of it
	common demand
	rows   []row // none: the common demand says all
}

// row is a line of a table: what a value is like, and what follows from it.
type row struct {
	verdict   verdict
	name, why string
	demand
}

// verdict is the decision of a row on the values that meet it.
type verdict uint8

const (
	refuse verdict = iota // it is no secret
	accept                // it is one
	part                  // a part of it is one
)

const (
	looksPlausible      = firstShape + iota // nothing says that it is no secret
	looksUnworded                           // plausible, and no words without digits
	looksClientSecret                       // unworded, and no identifier
	looksMixed                              // plausible, with a digit and without words
	looksBearer                             // what follows "Bearer"
	looksRandomLong                         // sixteen characters or more that nobody writes by hand
	looksRandomShort                        // five characters or more that nobody takes for a word or a name
	looksRandomToken                        // eight characters or more that are no words
	looksRandomNoise                        // a long run of letters, digits and marks of all kinds
	looksRandomKinds                        // letters, digits and marks of all kinds, quotes and backslashes too
	looksGenerated                          // letters and digits well mixed
	looksBase32                             // sixteen characters or more of base32
	looksOTP                                // the shared secret of one-time passwords
	looksAllKinds                           // twelve characters or more of every kind
	looksPassword                           // letters with digits or marks, made up or generated
	looksTyped                              // what people type
	looksTypedBare                          // looksTyped without the = at its end
	looksMarked                             // a password with marks of any kind
	looksPhrase                             // several words of which one is made up
	looksURLPassword                        // a password in a URL
	looksUserPassword                       // a password beside a user, which no name announces
	looksMadeUp                             // made up or generated, for one use
	looksDefault                            // a default password of a manual
	looksOption                             // a password behind an option that takes one
	looksCommand                            // a password on a command line
	looksLogin                              // looksTyped or looksPassword
	looksSecureString                       // looksLogin or looksMarked
	looksListed                             // an element of a list of secrets
	looksApplicationKey                     // a key or salt that an application is configured with
	looksPart                               // a word within an object that is a secret
	looksPrivateMember                      // a private member of a JSON Web Key
	looksHeader                             // what an Authorization header carries
	numProperties
)

type props = []property

// shapes has the tables, in the order of the constants.
var shapes = [numProperties - firstShape]shape{{
	name: "plausible", common: demand{not: props{placeholder, filler}},
	// Sixteen random hex digits have 3.1 bits on average and seldom less than 2.4; a counting or repeated vector stays below.
	rows: []row{
		{accept, "short", "few characters repeat by chance", demand{most: counts{length: 11}, entropy: 1.8}},
		{accept, "middle", "sixteen hex digits seldom have less", demand{least: counts{length: 12}, most: counts{length: 23}, entropy: 2.3}},
		{accept, "long", "more characters show that they are random", demand{least: counts{length: 24}, entropy: 2.7}},
	},
}, {
	name: "unworded", common: demand{is: props{looksPlausible}},
	rows: []row{
		{accept, "with digits", "words with digits among them may be a key", demand{least: counts{digits: 1}}},
		{accept, "no words", "letters that are no words are random", demand{not: props{wordy}}},
	},
}, {
	name: "client secret", common: demand{is: props{looksUnworded}, not: props{uuidForm}},
}, {
	name: "mixed", common: demand{is: props{looksPlausible}, least: counts{digits: 1}, not: props{wordy, wordParts}},
}, {
	name: "bearer",
	rows: []row{
		{accept, "mixed", "a sentence about bearers goes on with words", demand{is: props{looksMixed}}},
		{accept, "long", "nothing that is so long and so mixed is a word, whatever its letters are like",
			demand{is: props{looksPlausible}, least: counts{length: 32, digits: 1}, entropy: 4.2}},
	},
}, {
	name: "random long",
	common: demand{least: counts{length: 16, letters: 3}, most: counts{length: maxValue}, entropy: 3, is: props{keyAlphabet},
		not: props{uuidForm, thirdMarks, filler, placeholder, wordy, pathLike}},
	rows: []row{
		{refuse, "names a secret", "a name that is not much longer than the word in it", demand{most: counts{length: 23}, is: props{namesSecret}}},
		{accept, "with digits", "names have few digits, and these letters are no words", demand{least: counts{digits: 1}}},
		{accept, "both cases", "without digits, letters must be many and of both cases",
			demand{least: counts{length: 20, lower: 1, upper: 4}}},
	},
}, {
	name: "random short",
	common: demand{least: counts{length: 5}, most: counts{length: 256, colons: 1}, is: props{keyAlphabet},
		not: props{uuidForm, placeholder, filler, pathLike, describing, namesSecret}},
	rows: []row{
		{refuse, "selector", "names joined by dots are code", demand{most: counts{digits: none}, is: props{selector}}},
		{refuse, "short capitals", "abbreviations are no words either", demand{most: counts{length: 5, digits: none}, is: props{onlyCapitals}}},
		{refuse, "joined capitals", "the name of a constant", demand{with: "_-", most: counts{digits: none}, is: props{onlyCapitals}}},
		{accept, "long number", "nine digits are too many for a count or a date", demand{least: counts{digits: 9}, is: props{onlyDigits}}},
		{accept, "random letters", "no word has these letters, whatever number follows", demand{most: counts{inner: none}, is: props{randomPart}}},
		{accept, "random mix", "parts too short to be judged are no words together",
			demand{most: counts{digits: none}, without: "_-.", is: props{randomMix}}},
		{accept, "word and long number", "people count and date with fewer digits", demand{is: props{numberedWord}}},
		{accept, "four random letters and number", "four letters suffice where digits follow", demand{is: props{randomStem}}},
		{accept, "two letters and number", "neither an algorithm nor a sample begins so",
			demand{least: counts{letters: 1, ending: 3, stem: 2}, most: counts{inner: none, stem: 3}, not: props{algorithmName}}},
		{accept, "long hex", "digits and letters alternate", demand{least: counts{length: 16, letters: 2, groups: 2}, is: props{hexMix}}},
		{accept, "no words", "digits are among letters that are no words",
			demand{least: counts{length: 8, letters: 3, inner: 1}, not: props{wordy, wordParts}}},
		{accept, "many digits", "three digits in two places are no spelling of a word",
			demand{least: counts{letters: 4, digits: 3, groups: 2}}},
		{accept, "two digits", "digits in two places among letters that are no words",
			demand{least: counts{letters: 3, digits: 2, groups: 2}, not: props{wordy, wordParts}}},
	},
}, {
	name: "random token",
	common: demand{least: counts{length: 8, letters: 1}, most: counts{length: 512}, notFirst: "@#./?", entropy: 2.3,
		is: props{keyAlphabet}, not: props{thirdMarks, uuidForm, filler, placeholder, pathLike, namesSecret, describing, wordy, wordParts}},
	rows: []row{
		{refuse, "short letters", "abbreviations are no words either", demand{most: counts{length: 8, digits: none}}},
		{refuse, "capitals", "a constant, unless it is long", demand{most: counts{length: 15, digits: none}, is: props{onlyCapitals}}},
		{refuse, "joined capitals", "the name of a constant", demand{with: "_-", notFirst: "_-", most: counts{digits: none}, is: props{constantName}}},
		{refuse, "bare with one digit", "a numbered name in code", demand{least: counts{digits: 1}, most: counts{length: 11, digits: 1}, not: props{inQuotes}}},
		{refuse, "dotted", "a member or a file", demand{with: ".", most: counts{length: 23}}},
		{refuse, "with colon", "a pair or a time", demand{with: ":", most: counts{length: 15}}},
		{accept, "with digits", "what is no word has digits", demand{least: counts{digits: 1}}},
		{accept, "random letters", "no word has these letters", demand{is: props{randomPart}}},
		{accept, "random mix", "parts too short to be judged are no words together", demand{without: "_-.", is: props{randomMix}}},
	},
}, {
	name: "random noise",
	common: demand{least: counts{length: 24, lower: 1, strong: 4, digits: 1, marks: 3}, most: counts{length: 512}, without: " \t\\",
		entropy: 4.2, is: props{printable}, not: props{halfMarks, placeholder, pathLike, wordy, wordParts}},
}, {
	name: "random kinds",
	common: demand{least: counts{length: 10, lower: 2, upper: 2, digits: 2, marks: 3}, most: counts{length: 64}, without: " \t\n",
		entropy: 3.2, not: props{placeholder, maskRun, formatMarks, wordy, wordParts}},
}, {
	name:   "generated",
	common: demand{least: counts{letters: 4, digits: 1}, entropy: 2.9, not: props{wordParts, sixthMarks}},
}, {
	name: "base32", trim: true,
	common: demand{least: counts{length: 16}, most: counts{length: 128}, entropy: 2.7, is: props{base32Alphabet},
		not: props{bothCases, filler, placeholder}},
	rows: []row{
		{accept, "with digits", "words have none", demand{least: counts{digits: 1}}},
		{accept, "no words", "letters that are no words are random", demand{not: props{wordy}}},
	},
}, {
	name: "one-time password",
	rows: []row{
		{accept, "groups", "they are shown in groups of four", demand{is: props{spacedGroups}}},
		{accept, "base32", "they are kept in base32", demand{is: props{looksBase32}}},
	},
}, {
	name: "all kinds", common: demand{least: counts{length: 12, lower: 1, upper: 1, digits: 1, marks: 1}},
}, {
	name: "password", trim: true,
	common: demand{least: counts{length: 6, letters: 1}, most: counts{length: 256}, without: " \t<>(){}[]\\=,;|\"'`", entropy: 2.2,
		not: props{uuidForm, halfMarks, doubleColon, filler, placeholder, fixtureWord, wordy, pathLike}},
	rows: []row{
		{refuse, "short bare", "a short bare word is code", demand{most: counts{length: 7}, not: props{inQuotes}}},
		{refuse, "bare with colon", "a pair, a time or a label", demand{with: ":", not: props{inQuotes}}},
		{accept, "with digits", "made up passwords have digits", demand{least: counts{digits: 1}}},
		{accept, "with marks", "letters of both cases and marks are more than a name has",
			demand{least: counts{lower: 1, upper: 1, marks: 1}, is: props{printable}}},
		{accept, "with signs", "letters of both cases and signs outside ASCII are no label",
			demand{least: counts{lower: 1, upper: 1}, is: props{exotic}}},
	},
}, {
	name:   "typed",
	common: demand{most: counts{length: 64}, is: props{looksTypedBare}, not: props{uuidForm, placeholder, maskRun}},
}, {
	name: "typed bare", trim: true,
	common: demand{least: counts{length: minValue}, without: " \t<>[]{}\\\"'`,;|=$/",
		not: props{oneCharacter, emptyCall, describing, namesSecret}},
	rows: []row{
		{refuse, "selector or format", "without digits these marks are those of code", demand{with: ".:()%", most: counts{digits: none}}},
		{refuse, "capitalised", "a constant, or the translation of a label",
			demand{most: counts{digits: none}, is: props{capitalised}, not: props{randomLongPart, randomFour}}},
		{refuse, "joined words", "a name of several words",
			demand{least: counts{letters: 5, marks: 1}, most: counts{digits: none}, is: props{joinedWords, wordy, nameLike}, not: props{randomPart}}},
		{refuse, "camel case", "a name in code", demand{most: counts{digits: none}, is: props{camelCase, wordy}, not: props{randomPart, randomMix}}},
		{accept, "letters", "people type words and names", demand{least: counts{letters: 1}, is: props{printable}}},
		{accept, "number", "five digits in quotes are no count", demand{least: counts{digits: 5}, is: props{onlyDigits, inQuotes}, not: props{filler}}},
		{accept, "signs", "nobody writes a label with these", demand{is: props{exotic}}},
	},
}, {
	name: "marked",
	common: demand{least: counts{length: 8, letters: 3, signs: 1}, most: counts{length: 64}, without: " \t\"", notFirst: "${[(#./",
		notLast: ">:", entropy: 2.5, is: props{printable},
		not: props{halfMarks, placeholder, maskRun, fixtureWord, codeMarks, pathLike, constantName}},
	rows: []row{
		{refuse, "words", "a sentence or a label", demand{is: props{wordy}, not: props{shouted}}},
		{accept, "with digits", "labels have none", demand{least: counts{digits: 1}}},
		{accept, "two marks", "labels have one", demand{least: counts{signs: 2}}},
		{accept, "random letters", "no word has these letters", demand{is: props{randomPart}}},
	},
}, {
	name: "phrase",
	common: demand{least: counts{length: 9, blanks: 1}, most: counts{length: 64, blanks: 5}, without: "\\:{}$%<>()+", notFirst: " ",
		notLast: " ", is: props{printable, randomPart}, not: props{placeholder, filler, fixtureWord}},
	rows: []row{
		{refuse, "sentence", "a capital begins what is for people to read", demand{most: counts{digits: none}, is: props{capitalFirst}}},
		{accept, "with digits", "a label has none", demand{least: counts{digits: 1}}},
		{accept, "random letters", "the letters are likelier chance than words", demand{is: props{randomPhrase}}},
	},
}, {
	name: "URL password", common: demand{not: props{placeholder, maskRun, variableMarks, percentVariable, manualPassword, constantName}},
}, {
	name: "user password", common: demand{not: props{namesSecret, fixtureWord, describing}},
	rows: []row{
		{accept, "made up", "letters with digits or marks", demand{is: props{looksPassword}}},
		{accept, "random", "neither a path nor a file", demand{without: "/.", is: props{looksRandomShort}}},
		{accept, "marked", "marks make it one", demand{is: props{looksMarked}}},
	},
}, {
	name: "made up",
	rows: []row{
		{accept, "password", "letters with digits or marks", demand{is: props{looksPassword}}},
		{accept, "random", "no word or name", demand{is: props{looksRandomShort}}},
	},
}, {
	name: "default", common: demand{most: counts{length: 63}, is: props{keyAlphabet, looksMadeUp}, not: props{fixtureWord, describing, pathLike}},
}, {
	name: "option", common: demand{is: props{looksURLPassword}, not: props{describing, namesSecret}},
}, {
	name: "command", common: demand{is: props{looksOption}, not: props{pathLike, onlyDigits}},
	rows: []row{
		{accept, "made up", "letters with digits or marks", demand{is: props{looksPassword}}},
		{accept, "typed", "no word that a manual puts there", demand{is: props{looksTyped}, not: props{wordy}}},
	},
}, {
	name: "login",
	rows: []row{
		{accept, "typed", "people type it", demand{is: props{looksTyped}}},
		{accept, "made up", "letters with digits or marks", demand{is: props{looksPassword}}},
	},
}, {
	name: "secure string", common: demand{notFirst: "$"},
	rows: []row{
		{accept, "login", "any password", demand{is: props{looksLogin}}},
		{accept, "marked", "marks make it one", demand{is: props{looksMarked}}},
	},
}, {
	name: "listed", common: demand{least: counts{length: 8, digits: 1}},
	rows: []row{
		{accept, "short", "no word or name", demand{is: props{looksRandomShort}}},
		{accept, "long", "nobody writes it by hand", demand{is: props{looksRandomLong}}},
	},
}, {
	name: "application key", common: demand{least: counts{length: 20, letters: 1, digits: 1}, entropy: 3.5, not: props{wordy, pathLike}},
	rows: []row{
		{accept, "plain", "no word of a manual is in it", demand{not: props{placeholder}}},
		{accept, "very mixed", "a word of a manual in it is chance", demand{entropy: 4.5}},
	},
}, {
	name: "part", common: demand{is: props{looksRandomLong}, not: props{wordParts}},
}, {
	name: "private member", common: demand{least: counts{length: 20}, entropy: 3.3, not: props{filler, placeholder}},
}, {
	name: "header", common: demand{least: counts{digits: 2}, is: props{looksRandomLong}, not: props{wordParts, namesSecret}},
}}
