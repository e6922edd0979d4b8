package secret

// The rules that know a value only by the name it is assigned to. What they believe is in the tables: the first row that a place and
// its value meet decides. Samples of each row are in testdata/places.txt.

// tokenRows say what is a token, a secret or a key of an API: a long random value assigned to a name that says so.
var tokenRows = [...]placeRow{
	{refuse, "other thing", "the name of a place or a property of a secret", places{namedOther}, anyValue},
	{refuse, "code", "a bare expression", places{code}, anyValue},
	{refuse, "digest", "digests look like keys", places{digestLine}, anyValue},
	{refuse, "public", "it may be read by everybody", places{namedPublic}, anyValue},

	{accept, "random", "nobody writes it by hand", nil, demand{is: props{looksRandomLong}}},
	{accept, "noise", "a generator made it", places{quoted, assigned, named}, demand{is: props{looksRandomNoise}}},
	{accept, "token", "what a test or a log holds of a real one", places{whole, named}, demand{is: props{looksRandomToken}}},
	{accept, "password", "long enough to be one", places{whole, named}, demand{least: counts{length: 12}, is: props{looksPassword}}},
	{accept, "short password", "three digits make up for the length", places{whole, named},
		demand{least: counts{length: 8, digits: 3}, is: props{looksPassword}}},
	{accept, "all kinds", "no text has characters of all kinds", places{whole}, demand{is: props{looksAllKinds, looksPassword}}},
	{accept, "number", "a secret of digits", places{sole, named, quoted, secretKeyword},
		demand{least: counts{length: 6}, is: props{onlyDigits}, not: props{filler}}},
	{accept, "random literal", "no word or name", places{sole, named, quoted}, demand{is: props{looksRandomShort}}},
	{accept, "random word", "short bare words are abbreviations", places{sole, named}, demand{least: counts{length: 8}, is: props{looksRandomShort}}},
	{accept, "random word with digits", "abbreviations have none", places{sole, named}, demand{least: counts{digits: 1}, is: props{looksRandomShort}}},
	{accept, "groups", "one-time-password secrets are shown so", places{sole, named}, demand{is: props{spacedGroups}}},
	{accept, "marked", "marks make it a password", places{sole, named, quoted}, demand{is: props{looksMarked}}},
	{accept, "phrase", "several words of which one is made up", places{sole, named, quoted}, demand{is: props{looksPhrase}}},
	{part, "object", "an object or a cookie has the secret in it", places{quoted, assigned, named}, anyValue},
}

// passwordRows accept what people make up too: shorter, and mixed in its characters.
var passwordRows = [...]placeRow{
	{refuse, "other thing", "the name of a place or a property of a password", places{namedOther}, anyValue},
	{refuse, "code", "a bare expression", places{code}, anyValue},
	{refuse, "colour", "# begins a colour or a selector", nil, demand{is: props{hashFirst}}},

	{accept, "made up", "letters with digits or marks", nil, demand{is: props{looksPassword}}},
	{accept, "noise", "a generator made it", places{quoted, assigned}, demand{is: props{looksRandomNoise}}},
	{accept, "marked", "marks make it a password", places{quoted, assigned, named}, demand{is: props{looksMarked}}},
	{accept, "phrase", "several words of which one is made up", places{quoted, assigned, named}, demand{is: props{looksPhrase}}},
	{accept, "typed", "the name is given this and nothing else", places{sole, named}, demand{is: props{looksTyped}}},
	{accept, "random", "no word or name", places{sole, named}, demand{is: props{looksRandomShort}}},
	{accept, "random and long", "nobody writes it by hand", places{sole, named},
		demand{most: counts{colons: none}, is: props{looksRandomLong}, not: props{wordParts}}},
	{accept, "groups", "application passwords are shown so", places{sole, named}, demand{is: props{spacedGroups}}},
	{accept, "number", "a setting of digits", places{byEqual, named, setting},
		demand{least: counts{length: 6}, is: props{onlyDigits}, not: props{filler}}},
	{accept, "number in YAML", "a setting of digits", places{byColon, bare, named, setting},
		demand{least: counts{length: 6}, is: props{onlyDigits}, not: props{filler}}},
	{accept, "all kinds in quotes", "quotes and backslashes too", places{quoted, assigned, named}, demand{is: props{looksRandomKinds}}},
	{accept, "random behind a long keyword", "whatever the name goes on to", places{quoted, assigned, longKeyword},
		demand{is: props{looksRandomShort}}},
	{accept, "marked setting", "no expression has characters of all kinds", places{bare, setting}, demand{is: props{looksAllKinds, looksMarked}}},
}

// keyRows are for names that end in "key" alone: STEAM_KEY, aesKey, signing.key. Such a name says little, so the value has to say
// more: it must be random, and neither a public key nor a fingerprint.
var keyRows = [...]placeRow{
	{refuse, "lookup", "the literal is a key to look up by", places{lookup}, anyValue},
	{refuse, "short", "keys are long", places{shortValue}, anyValue},
	{refuse, "other thing", "the name of a place or a property of a key", places{namedOther}, anyValue},
	{refuse, "goes on", "the name says something else of a key", places{unnamed}, anyValue},
	{refuse, "code", "a bare expression", places{code}, anyValue},
	{refuse, "no setting", "bare words are settings or code", places{unset}, anyValue},
	{refuse, "other key", "the key to something, or a public one", places{otherKey}, anyValue},
	{refuse, "public key", "public keys are no secret", nil, demand{is: props{publicKeyForm}}},
	{refuse, "digest", "digests look like keys", places{digestLine}, anyValue},

	{accept, "number", "a key of digits", places{qualified, quoted}, demand{is: props{onlyDigits, looksRandomShort}}},
	{accept, "generated", "well mixed, and the name says of what", places{qualified}, demand{is: props{looksRandomLong, looksGenerated}}},
	{accept, "long", "well mixed and long", nil, demand{least: counts{length: 24}, is: props{looksRandomLong, looksGenerated}}},
	{accept, "noise", "a generator made it", places{quoted}, demand{is: props{looksRandomNoise}}},
	{accept, "marked", "no text has characters of all kinds", places{quoted, qualified}, demand{is: props{looksMarked, looksAllKinds}}},
	{accept, "kept", "the name says that it is a secret", places{keptKey}, demand{is: props{looksRandomShort}}},
}

// scanGeneric finds tokens, secrets and keys of APIs.
func scanGeneric(text []byte, lo, hi int) (int, int, bool) {
	p, ok := newPlace(text, lo, hi)
	if !ok {
		return 0, 0, false
	}
	switch p.judge(tokenRows[:]) {
	case accept:
		if p.end-p.start == maxValue {
			p.end = base64Run(text, p.end) // cut: the rest must not stay readable
		}
		return p.start, p.last(text), true
	case part:
		return partOf(text, p.start, p.end)
	}
	return 0, 0, false
}

// scanPassword finds passwords.
func scanPassword(text []byte, lo, hi int) (int, int, bool) {
	if hi-lo <= len("_pass") && !startsWord(text, lo) && !endsName(text, lo, hi) {
		return 0, 0, false
	}
	p, ok := newPlace(text, lo, hi)
	if !ok || p.judge(passwordRows[:]) == refuse {
		return 0, 0, false
	}
	return p.start, p.last(text), true
}

// scanShortPassword is scanPassword for keywords that are short or misspelt.
func scanShortPassword(text []byte, lo, hi int) (int, int, bool) {
	if hi-lo == len("pw") && isAt(text, hi, letterChar) {
		if !isUpper(text[hi]) || text[hi-1] != 'w' {
			return 0, 0, false // pwd, or within a word
		}
	}
	return scanPassword(text, lo, hi)
}

// scanKey finds keys.
func scanKey(text []byte, lo, hi int) (int, int, bool) {
	p, ok := newPlace(text, lo, hi)
	if !ok || p.judge(keyRows[:]) == refuse {
		return 0, 0, false
	}
	return p.start, p.end, true
}

// partOf finds the part of a value that is an object or a list of its own, in JSON or as a cookie writes it: its first word of 24
// characters or more that is random.
func partOf(text []byte, lo, hi int) (int, int, bool) {
	for i := lo; i < hi; i++ {
		end := runEnd(text[:hi], i, hi, wordChar|dashChar)
		if end-i >= 24 {
			if v := newValue(text[i:end], true); v.has(looksPart) {
				return i, end, true
			}
		}
		i = end
	}
	return 0, 0, false
}
