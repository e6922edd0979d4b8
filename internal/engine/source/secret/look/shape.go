package look

// shape describes the look of a kind of secret. It has a demand that every value must meet, and rows, of which the first that a value
// meets decides. Shapes are properties, so that a row can demand one. testdata/shapes.txt has samples of each row.
type shape struct {
	name   string
	trim   bool // the padding of base64 is not part of the value
	common Demand
	rows   []row // none: the common demand decides
}

// row is a row of a shape's table: a demand, and the verdict on the values that meet it.
type row struct {
	verdict   verdict
	name, why string
	Demand
}

// verdict is the decision of a row on the values that meet it.
type verdict bool

const (
	accept verdict = true
	refuse verdict = false
)

// The shapes.
const (
	Plausible      = firstShape + iota // no sign that it is no secret
	Unworded                           // plausible, and no words without digits
	ClientSecret                       // unworded, and no identifier
	Mixed                              // plausible, with a digit and without words
	VendorKey                          // after the name of a vendor
	NamedVendorKey                     // after the name of a vendor and a word for its key
	TokenLetters                       // letters that no name in code has, or with a digit among them
	Bearer                             // after "Bearer"
	RandomLong                         // sixteen characters or more that no person writes by hand
	RandomShort                        // five characters or more that are neither a word nor a name
	RandomToken                        // eight characters or more that are no words
	RandomNoise                        // a long run of letters, digits and marks of all kinds
	RandomMarks                        // a long run with so many kinds of marks that it is no pattern or template
	BareMarks                          // RandomMarks without the marks that expressions of code have
	RandomKinds                        // letters, digits and marks of all kinds, quotes and backslashes too
	Generated                          // letters and digits well mixed
	Base32                             // sixteen characters or more of base32
	OTP                                // the shared secret of one-time passwords
	AllKinds                           // twelve characters or more of every kind
	Password                           // letters with digits or marks, made up or generated
	Typed                              // typed by people
	TypedBare                          // Typed without the = at its end
	Marked                             // a password with marks of any kind
	Phrase                             // several words of which one is made up
	URLPassword                        // a password in a URL
	UserPassword                       // a password beside a user, which no name announces
	MadeUp                             // made up or generated, for one use
	Default                            // a default password of a manual
	Option                             // a password after an option that takes one
	Command                            // a password on a command line
	Login                              // Typed or Password
	SecureString                       // Login or Marked
	ListElement                        // an element of a list of secrets
	ApplicationKey                     // a key or salt that an application is configured with
	Part                               // a word within an object that is a secret
	PrivateMember                      // a private member of a JSON Web Key
	HeaderValue                        // the value of an Authorization header
	Dashed                             // a key that follows the word that names it, in one word with it
	Entry                              // an entry of an object of which all entries are secrets
	numProperties
)

// shapes are the tables of the shapes, in the order of the constants.
var shapes = [numProperties - firstShape]shape{{
	name: "plausible", common: Demand{Not: Props{Placeholder, Filler, CountingPart}},
	// Sixteen random hex digits have 3.1 bits on average and seldom less than 2.4; a counting or repeated vector stays below.
	rows: []row{
		{accept, "short", "few characters repeat by chance", Demand{Most: Counts{Length: 11}, Entropy: 1.8}},
		{accept, "middle", "sixteen hex digits seldom have less", Demand{Most: Counts{Length: 23}, Entropy: 2.3}},
		{accept, "long", "more characters show that they are random", Demand{Entropy: 2.7}},
	},
}, {
	name: "unworded", common: Demand{Is: Props{Plausible}},
	rows: []row{
		{accept, "with digits", "words with digits among them may be a key", Demand{Least: Counts{Digits: 1}}},
		{accept, "no words", "letters that are no words are random", Demand{Not: Props{Wordy}}},
	},
}, {
	name: "client secret", common: Demand{Is: Props{Unworded}},
	rows: []row{
		{accept, "random UUID", "issuers hand out random UUIDs", Demand{Is: Props{RandomUUID}}},
		{refuse, "UUID", "other UUIDs are identifiers", Demand{Is: Props{UUIDForm}}},
		{accept, "other", "no identifier", Demand{}},
	},
}, {
	name: "mixed", common: Demand{Is: Props{Plausible}, Least: Counts{Digits: 1}, Not: Props{Wordy, WordParts}},
}, {
	name: "vendor key",
	rows: []row{
		{accept, "random UUID", "issuers hand out random UUIDs", Demand{Is: Props{RandomUUID}}},
		{refuse, "UUID", "other UUIDs are identifiers", Demand{Is: Props{UUIDForm}}},
		{accept, "random", "no person writes it by hand", Demand{Is: Props{RandomLong}, Not: Props{WordParts}}},
	},
}, {
	name: "named vendor key",
	rows: []row{
		{accept, "UUID", "the name says that it is a key, whatever the identifier is made of",
			Demand{Is: Props{UUIDForm}, Not: Props{Filler, Placeholder}, Entropy: 2.7}},
		{accept, "other", "no person writes it by hand", Demand{Is: Props{VendorKey}}},
	},
}, {
	name: "token letters", common: Demand{Is: Props{Plausible}},
	rows: []row{
		{accept, "with digits", "names in code have few", Demand{Least: Counts{Digits: 1}}},
		{refuse, "words", "a name of several words", Demand{Is: Props{NameLike}}},
		{accept, "random letters", "no name has these letters", Demand{Is: Props{RandomMix}}},
	},
}, {
	name: "bearer",
	rows: []row{
		{accept, "mixed", "a sentence about bearers continues with words", Demand{Is: Props{Mixed}}},
		{accept, "long", "a word is not so long and so mixed",
			Demand{Is: Props{Plausible}, Least: Counts{Length: 32, Digits: 1}, Entropy: 4.2}},
	},
}, {
	name: "random long",
	common: Demand{Least: Counts{Length: 16, Letters: 3}, Most: Counts{Length: MaxLength}, Entropy: 3, Is: Props{KeyAlphabet},
		Not: Props{UUIDForm, ThirdMarks, Filler, CountingPart, Placeholder, Wordy, PathLike}},
	rows: []row{
		{refuse, "names a secret", "a name that is not much longer than the word in it", Demand{Most: Counts{Length: 23}, Is: Props{NamesSecret}}},
		{accept, "with digits", "names have few digits, and these letters are no words", Demand{Least: Counts{Digits: 1}}},
		{accept, "both cases", "without digits, letters must be many and of both cases",
			Demand{Least: Counts{Length: 20, Lowers: 1, Uppers: 4}}},
	},
}, {
	name: "random short",
	common: Demand{Least: Counts{Length: 5}, Most: Counts{Length: 256, Colons: 1}, NotLast: "@", Is: Props{KeyAlphabet},
		Not: Props{UUIDForm, Placeholder, Filler, PathLike, Describing, NamesSecret}},
	rows: []row{
		{refuse, "selector", "names joined by dots are code", Demand{Most: Counts{Digits: None}, Is: Props{Selector}}},
		{refuse, "short capitals", "abbreviations are no words either", Demand{Most: Counts{Length: 5}, Is: Props{OnlyCapitals}}},
		{refuse, "joined capitals", "the name of a constant", Demand{With: "_-", Is: Props{OnlyCapitals}}},
		{accept, "long number", "nine digits are too many for a count or a date", Demand{Least: Counts{Digits: 9}, Is: Props{OnlyDigits}}},
		{accept, "random letters", "no word has these letters, whatever number follows", Demand{Most: Counts{Inner: None}, Is: Props{RandomPart}}},
		{accept, "random mix", "parts too short to be judged are no words together",
			Demand{Most: Counts{Digits: None}, Without: "_-.", Is: Props{RandomMix}}},
		{accept, "word and long number", "people count and date with fewer digits", Demand{Is: Props{NumberedWord}}},
		{accept, "four random letters and number", "four letters suffice where digits follow", Demand{Is: Props{RandomStem}}},
		{accept, "two letters and number", "neither an algorithm nor a sample begins so",
			Demand{Least: Counts{Letters: 1, Ending: 3, Stem: 2}, Most: Counts{Inner: None, Stem: 3}, Not: Props{AlgorithmName}}},
		{accept, "long hex", "digits and letters alternate", Demand{Least: Counts{Length: 16, Letters: 2, Groups: 2}, Is: Props{HexMix}}},
		{accept, "no words", "digits are among letters that are no words",
			Demand{Least: Counts{Length: 8, Letters: 3, Inner: 1}, Not: Props{Wordy, WordParts}}},
		{accept, "many digits", "three digits in two places are no spelling of a word",
			Demand{Least: Counts{Letters: 4, Digits: 3, Groups: 2}}},
		{accept, "two digits", "digits in two places among letters that are no words",
			Demand{Least: Counts{Letters: 3, Groups: 2}, Not: Props{Wordy, WordParts}}},
	},
}, {
	name: "random token",
	common: Demand{Least: Counts{Length: 8, Letters: 1}, Most: Counts{Length: 512}, NotFirst: "#/?", Entropy: 2.3,
		Is: Props{KeyAlphabet}, Not: Props{ThirdMarks, UUIDForm, Filler, Placeholder, PathLike, NamesSecret, Describing, Wordy, WordParts}},
	rows: []row{
		{refuse, "short letters", "abbreviations are no words either", Demand{Most: Counts{Length: 8, Digits: None}}},
		{refuse, "capitals", "a constant, unless it is long", Demand{Most: Counts{Length: 15}, Is: Props{OnlyCapitals}}},
		{refuse, "joined capitals", "the name of a constant", Demand{With: "_-", NotFirst: "_-", Is: Props{ConstantName}}},
		{refuse, "bare with one digit", "a numbered name in code", Demand{Least: Counts{Digits: 1}, Most: Counts{Length: 11, Digits: 1}, Not: Props{InQuotes}}},
		{refuse, "dotted", "a member or a file", Demand{With: ".", Most: Counts{Length: 23}}},
		{refuse, "with colon", "a pair or a time", Demand{With: ":", Most: Counts{Length: 15}}},
		{accept, "with digits", "words have no digits", Demand{Least: Counts{Digits: 1}}},
		{accept, "random letters", "no word has these letters", Demand{Is: Props{RandomPart}}},
		{accept, "random mix", "parts too short to be judged are no words together", Demand{Without: "_-.", Is: Props{RandomMix}}},
	},
}, {
	name: "random noise",
	common: Demand{Least: Counts{Length: 24, Lowers: 1, Strong: 4, Digits: 1, Marks: 3}, Most: Counts{Length: 512}, Without: " \\",
		Entropy: 4.2, Is: Props{Printable}, Not: Props{HalfMarks, Placeholder, PathLike, Wordy, WordParts}},
}, {
	name: "random marks",
	common: Demand{Least: Counts{Length: 20, Lowers: 1, Signs: 8}, Most: Counts{Length: 512}, Without: " \t", Entropy: 4.2,
		Is: Props{Printable, OpenBrackets}, Not: Props{MaskRun, FormatMarks}},
}, {
	name:   "bare marks",
	common: Demand{Most: Counts{Length: 64}, Without: "'\"`,;=.:&|+*/\\", Is: Props{RandomMarks}},
}, {
	name: "random kinds",
	common: Demand{Least: Counts{Lowers: 2, Uppers: 2, Digits: 2, Marks: 3}, Most: Counts{Length: 64}, Without: " \t\n",
		Entropy: 3.2, Not: Props{Placeholder, MaskRun, FormatMarks, Wordy, WordParts}},
}, {
	name:   "generated",
	common: Demand{Least: Counts{Letters: 4, Digits: 1}, Entropy: 2.9, Not: Props{WordParts, SixthMarks}},
}, {
	name: "base32", trim: true,
	common: Demand{Least: Counts{Length: 16}, Most: Counts{Length: 128}, Entropy: 2.7, Is: Props{Base32Alphabet},
		Not: Props{BothCases, Filler, Placeholder}},
	rows: []row{
		{accept, "with digits", "words have none", Demand{Least: Counts{Digits: 1}}},
		{accept, "no words", "letters that are no words are random", Demand{Not: Props{Wordy}}},
	},
}, {
	name: "one-time password",
	rows: []row{
		{accept, "groups", "they are shown in groups of four", Demand{Is: Props{SpacedGroups}}},
		{accept, "base32", "they are kept in base32", Demand{Is: Props{Base32}}},
	},
}, {
	name: "all kinds", common: Demand{Least: Counts{Length: 12, Lowers: 1, Uppers: 1, Digits: 1, Marks: 1}},
}, {
	name: "password", trim: true,
	common: Demand{Least: Counts{Length: 6, Letters: 1}, Most: Counts{Length: 320}, Without: " \t<>(){}[]\\=,;|\"'`", Entropy: 2.2,
		Not: Props{UUIDForm, HalfMarks, DoubleColon, Filler, Placeholder, FixtureWord, Wordy, PathLike}},
	rows: []row{
		{refuse, "short bare", "a short bare word is code", Demand{Most: Counts{Length: 7}, Not: Props{InQuotes}}},
		{refuse, "bare with colon", "a pair, a time or a label", Demand{With: ":", Not: Props{InQuotes}}},
		{accept, "with digits", "made up passwords have digits", Demand{Least: Counts{Digits: 1}}},
		{accept, "with marks", "letters of both cases and marks are more than a name has",
			Demand{Least: Counts{Lowers: 1, Uppers: 1, Marks: 1}, Is: Props{Printable}}},
		{accept, "with signs", "letters of both cases and signs outside ASCII are no label",
			Demand{Least: Counts{Lowers: 1, Uppers: 1}, Is: Props{Exotic}}},
	},
}, {
	name:   "typed",
	common: Demand{Most: Counts{Length: 64}, Is: Props{TypedBare}, Not: Props{UUIDForm, Placeholder, MaskRun}},
}, {
	name: "typed bare", trim: true,
	common: Demand{Least: Counts{Length: MinLength}, Without: " <>[]{}\\\"'`,;|=$/", NotLast: "@",
		Not: Props{OneCharacter, EmptyCall, Describing, NamesSecret}},
	rows: []row{
		{refuse, "selector or format", "without digits these marks are those of code", Demand{With: ".:()%", Most: Counts{Digits: None}}},
		{refuse, "capitalised", "a constant, or the translation of a label",
			Demand{Is: Props{Capitalised}, Not: Props{RandomLongPart, RandomFour}}},
		{refuse, "joined words", "a name of several words",
			Demand{Least: Counts{Letters: 5, Marks: 1}, Most: Counts{Digits: None}, Is: Props{JoinedWords, Wordy, NameLike}, Not: Props{RandomPart}}},
		{refuse, "camel case", "a name in code", Demand{Most: Counts{Digits: None}, Is: Props{CamelCase, Wordy}, Not: Props{RandomPart, RandomMix}}},
		{accept, "letters", "people type words and names", Demand{Least: Counts{Letters: 1}, Is: Props{Printable}}},
		{accept, "number", "five digits in quotes are no count", Demand{Least: Counts{Digits: 5}, Is: Props{OnlyDigits, InQuotes}, Not: Props{Filler}}},
		{accept, "signs", "no label is written with these", Demand{Is: Props{Exotic}}},
	},
}, {
	name: "marked",
	common: Demand{Least: Counts{Length: 8, Letters: 3, Signs: 1}, Most: Counts{Length: 64}, Without: " \"", NotFirst: "${[(#/",
		NotLast: ">:@", Entropy: 2.5, Is: Props{Printable},
		Not: Props{HalfMarks, Placeholder, MaskRun, FixtureWord, CodeMarks, PathLike}},
	rows: []row{
		{refuse, "words", "a sentence or a label", Demand{Is: Props{Wordy}, Not: Props{Shouted}}},
		{accept, "with digits", "labels have none", Demand{Least: Counts{Digits: 1}}},
		{accept, "two marks", "labels have one", Demand{Least: Counts{Signs: 2}}},
		{accept, "random letters", "no word has these letters", Demand{Is: Props{RandomPart}}},
	},
}, {
	name: "phrase",
	common: Demand{Least: Counts{Length: 9, Blanks: 1}, Most: Counts{Length: 64, Blanks: 5}, Without: "\\:{}$%<>()+", NotFirst: " ",
		NotLast: " ", Is: Props{Printable, RandomPart}, Not: Props{Placeholder, Filler, FixtureWord}},
	rows: []row{
		{refuse, "sentence", "texts for people begin with a capital", Demand{Most: Counts{Digits: None}, Is: Props{CapitalFirst}}},
		{accept, "with digits", "a label has none", Demand{Least: Counts{Digits: 1}}},
		{accept, "random letters", "the letters are likelier chance than words", Demand{Is: Props{RandomPhrase}}},
	},
}, {
	name: "URL password", common: Demand{Not: Props{Placeholder, MaskRun, VariableMarks, PercentVariable, ManualPassword, ConstantName}},
	rows: []row{
		{refuse, "long filler", "typed for a test; a short one may be a real password", Demand{Least: Counts{Length: 24}, Is: Props{Filler}}},
		{accept, "other", "people use words as passwords", Demand{}},
	},
}, {
	name: "user password", common: Demand{Not: Props{NamesSecret, FixtureWord, Describing}},
	rows: []row{
		{accept, "made up", "letters with digits or marks", Demand{Is: Props{Password}}},
		{accept, "random", "neither a path nor a file", Demand{Without: "/.", Is: Props{RandomShort}}},
		{accept, "marked", "marks make it one", Demand{Is: Props{Marked}}},
	},
}, {
	name: "made up",
	rows: []row{
		{accept, "password", "letters with digits or marks", Demand{Is: Props{Password}}},
		{accept, "random", "no word or name", Demand{Is: Props{RandomShort}}},
	},
}, {
	name: "default", common: Demand{Most: Counts{Length: 63}, Is: Props{KeyAlphabet, MadeUp}, Not: Props{FixtureWord, Describing}},
}, {
	name: "option", common: Demand{Is: Props{URLPassword}, Not: Props{Describing, NamesSecret}},
}, {
	name: "command", common: Demand{Is: Props{Option}, Not: Props{PathLike, OnlyDigits}},
	rows: []row{
		{accept, "made up", "letters with digits or marks", Demand{Is: Props{Password}}},
		{accept, "typed", "no word that a manual puts there", Demand{Is: Props{Typed}, Not: Props{Wordy}}},
	},
}, {
	name: "login",
	rows: []row{
		{accept, "typed", "people type it", Demand{Is: Props{Typed}}},
		{accept, "made up", "letters with digits or marks", Demand{Is: Props{Password}}},
	},
}, {
	name: "secure string", common: Demand{NotFirst: "$"},
	rows: []row{
		{accept, "login", "any password", Demand{Is: Props{Login}}},
		{accept, "marked", "marks make it one", Demand{Is: Props{Marked}}},
	},
}, {
	name: "listed", common: Demand{Least: Counts{Length: 8, Digits: 1}},
	rows: []row{
		{accept, "short", "no word or name", Demand{Is: Props{RandomShort}}},
		{accept, "long", "no person writes it by hand", Demand{Is: Props{RandomLong}}},
	},
}, {
	name: "application key", common: Demand{Least: Counts{Length: 20, Letters: 1, Digits: 1}, Entropy: 3.5, Not: Props{Wordy, PathLike}},
	rows: []row{
		{accept, "plain", "no word of a manual is in it", Demand{Not: Props{Placeholder}}},
		{accept, "very mixed", "a word of a manual in it is chance", Demand{Entropy: 4.5}},
	},
}, {
	name: "part", common: Demand{Least: Counts{Length: 24}, Is: Props{RandomLong}, Not: Props{WordParts}},
}, {
	name: "private member", common: Demand{Least: Counts{Length: 20}, Entropy: 3.3, Not: Props{Filler, Placeholder}},
}, {
	name: "header", common: Demand{Least: Counts{Digits: 2}, Is: Props{RandomLong}, Not: Props{WordParts, NamesSecret}},
}, {
	name: "dashed", common: Demand{Least: Counts{Digits: 2}, Is: Props{RandomLong, Generated}, Not: Props{DashedName}},
	rows: []row{
		{accept, "both cases", "neither hashes nor names are written so", Demand{Least: Counts{Lowers: 2, Uppers: 2}}},
		{accept, "long", "no identifier has so many small letters among digits", Demand{Least: Counts{Length: 24}, Most: Counts{Marks: None}, Not: Props{HexMix}}},
	},
}, {
	name: "entry", common: Demand{Least: Counts{Length: MinLength}, Not: Props{OneCharacter, Describing}},
	rows: []row{
		{refuse, "short number", "a port or a count", Demand{Most: Counts{Length: 5}, Is: Props{OnlyDigits}}},
		{refuse, "placeholder", "in a longer text a word of manuals is no hint about the rest", Demand{Most: Counts{Length: 48}, Is: Props{Placeholder}}},
		{refuse, "filler", "it counts or repeats", Demand{Most: Counts{Length: 64}, Is: Props{Filler}}},
		{accept, "any", "the object says that it is a secret", Demand{}},
	},
}}
