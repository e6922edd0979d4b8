package secret

import (
	"ken/internal/engine/source/secret/look"
)

// The rules that recognise a value only by the name it is assigned to. Tables decide whether they accept it: the first row that a place and
// its value meet. Samples of each row are in testdata/places.txt.

// tokenRows accept tokens, secrets and keys of APIs: long random values that are assigned to a name for such a thing.
var tokenRows = [...]placeRow{
	{refuse, "other thing", "the name of a place or a property of a secret", places{namedOther}, anyValue},
	{accept, "bare marks", "no expression has such marks", places{bare, assigned}, look.Demand{Is: look.Props{look.BareMarks}}},
	{refuse, "code", "a bare expression", places{code}, anyValue},
	{refuse, "digest", "digests look like keys", places{digestLine}, anyValue},
	{refuse, "public", "it may be read by everybody", places{namedPublic}, anyValue},
	{accept, "long random", "no path, word or sample is so", places{assigned, named}, look.Demand{Is: look.Props{look.LongRandom, look.KeyAlphabet}, Not: look.Props{look.Placeholder}}},
	{refuse, "kept elsewhere", "the name of an object that keeps the secret", nil, look.Demand{Is: look.Props{look.DashedName}}},

	{accept, "random", "no person writes it by hand", nil, look.Demand{Is: look.Props{look.RandomLong}}},
	{refuse, "UUID of a request", "it identifies a request and grants nothing", places{namedRequest}, look.Demand{Is: look.Props{look.UUIDForm}}},
	{accept, "UUID", "issuers hand out random UUIDs", places{sole, named}, look.Demand{Is: look.Props{look.RandomUUID}}},
	{accept, "bare UUID", "no expression is written so", places{bare, assigned, named}, look.Demand{Is: look.Props{look.RandomUUID}}},
	{accept, "noise", "a generator made it", places{quoted, assigned, named}, look.Demand{Is: look.Props{look.RandomNoise}}},
	{accept, "random marks", "no pattern or template has so many kinds of marks", places{quoted, assigned}, look.Demand{Is: look.Props{look.RandomMarks}}},
	{accept, "token", "tests and logs have such copies of real ones", places{whole, named}, look.Demand{Is: look.Props{look.RandomToken}}},
	{accept, "password", "long enough to be one", places{whole, named}, look.Demand{Least: look.Counts{look.Length: 12}, Is: look.Props{look.Password}}},
	{accept, "short password", "three digits make up for the length", places{whole, named},
		look.Demand{Least: look.Counts{look.Length: 8, look.Digits: 3}, Is: look.Props{look.Password}}},
	{accept, "all kinds", "no text has characters of all kinds", places{whole}, look.Demand{Is: look.Props{look.AllKinds, look.Password}}},
	{accept, "number", "a secret of digits", places{sole, named, quoted, secretKeyword},
		look.Demand{Least: look.Counts{look.Length: 6}, Is: look.Props{look.OnlyDigits}, Not: look.Props{look.Filler}}},
	{accept, "random literal", "no word or name", places{sole, named, quoted}, look.Demand{Is: look.Props{look.RandomShort}}},
	{accept, "random word", "short bare words are abbreviations", places{sole, named}, look.Demand{Least: look.Counts{look.Length: 8}, Is: look.Props{look.RandomShort}}},
	{accept, "random word with digits", "abbreviations have none", places{sole, named}, look.Demand{Least: look.Counts{look.Digits: 1}, Is: look.Props{look.RandomShort}}},
	{accept, "groups", "one-time-password secrets are shown so", places{sole, named}, look.Demand{Is: look.Props{look.SpacedGroups}}},
	{accept, "marked", "marks make it a password", places{sole, named, quoted}, look.Demand{Is: look.Props{look.Marked}}},
	{accept, "phrase", "several words of which one is made up", places{sole, named}, look.Demand{Is: look.Props{look.Phrase}}},
	{part, "object", "an object or a cookie has the secret in it", places{quoted, assigned, named}, look.Demand{Not: look.Props{look.Encrypted}}},
}

// passwordRows also accept values that people make up: shorter, with mixed characters.
var passwordRows = [...]placeRow{
	{refuse, "other thing", "the name of a place or a property of a password", places{namedOther}, anyValue},
	{accept, "bare marks", "no expression has such marks", places{bare, assigned}, look.Demand{Is: look.Props{look.BareMarks}}},
	{refuse, "code", "a bare expression", places{code}, anyValue},
	{refuse, "colour", "# begins a colour or a selector", nil, look.Demand{Is: look.Props{look.HashFirst}}},

	{accept, "long random", "no path, word or sample is so", places{assigned, named}, look.Demand{Is: look.Props{look.LongRandom, look.KeyAlphabet}, Not: look.Props{look.Placeholder}}},
	{accept, "made up", "letters with digits or marks", nil, look.Demand{Is: look.Props{look.Password}}},
	{accept, "noise", "a generator made it", places{quoted, assigned}, look.Demand{Is: look.Props{look.RandomNoise}}},
	{accept, "random marks", "no pattern or template has so many kinds of marks", places{quoted, assigned}, look.Demand{Is: look.Props{look.RandomMarks}}},
	{accept, "UUID", "generators of passwords make random UUIDs", places{assigned, named}, look.Demand{Is: look.Props{look.RandomUUID}}},
	{accept, "marked", "marks make it a password", places{quoted, assigned, named}, look.Demand{Is: look.Props{look.Marked}}},
	{accept, "dollar", "templates of passwords begin with their $", places{quoted, assigned, named},
		look.Demand{Least: look.Counts{look.Length: 8}, Is: look.Props{look.DollarWithin}, Not: look.Props{look.Placeholder}}},
	{accept, "phrase", "several words of which one is made up", places{assigned, named}, look.Demand{Is: look.Props{look.Phrase}}},
	{accept, "typed", "the name is given this and nothing else", places{sole, named}, look.Demand{Is: look.Props{look.Typed}}},
	{accept, "random", "no word or name", places{sole, named}, look.Demand{Is: look.Props{look.RandomShort}}},
	{accept, "random and long", "no person writes it by hand", places{sole, named},
		look.Demand{Most: look.Counts{look.Colons: look.None}, Is: look.Props{look.RandomLong}, Not: look.Props{look.WordParts}}},
	{accept, "groups", "application passwords are shown so", places{sole, named}, look.Demand{Is: look.Props{look.SpacedGroups}}},
	{accept, "number", "a setting of digits", places{byEqual, named, setting},
		look.Demand{Least: look.Counts{look.Length: 6}, Is: look.Props{look.OnlyDigits}, Not: look.Props{look.Filler}}},
	{accept, "number in YAML", "a setting of digits", places{byColon, named, setting},
		look.Demand{Least: look.Counts{look.Length: 6}, Is: look.Props{look.OnlyDigits}, Not: look.Props{look.Filler}}},
	{accept, "all kinds in quotes", "quotes and backslashes too", places{quoted, assigned, named}, look.Demand{Is: look.Props{look.RandomKinds}}},
	{accept, "random behind a long keyword", "whatever the name goes on to", places{quoted, assigned, longKeyword},
		look.Demand{Is: look.Props{look.RandomShort}}},
	{accept, "marked setting", "no expression has characters of all kinds", places{bare, setting}, look.Demand{Is: look.Props{look.AllKinds, look.Marked}}},
}

// keyRows are for names whose only hint is that they end in "key": STEAM_KEY, aesKey, signing.key. That is a weak hint, so the value must
// be random, and neither a public key nor a fingerprint.
var keyRows = [...]placeRow{
	{refuse, "lookup", "the literal is a key to look up by", places{lookup}, anyValue},
	{refuse, "short", "keys are long", places{shortValue}, anyValue},
	{refuse, "other thing", "the name of a place or a property of a key", places{namedOther}, anyValue},
	{refuse, "goes on", "the name means something else about a key", places{unnamed}, anyValue},
	{refuse, "code", "a bare expression", places{code}, anyValue},
	{refuse, "no setting", "bare words are settings or code", places{unset}, anyValue},
	{refuse, "other key", "the key to something, or a public one", places{otherKey}, anyValue},
	{refuse, "public key", "public keys are no secret", nil, look.Demand{Is: look.Props{look.PublicKeyForm}}},
	{refuse, "digest", "digests look like keys", places{digestLine}, anyValue},

	{accept, "number", "a key of digits", places{qualified, quoted}, look.Demand{Is: look.Props{look.OnlyDigits, look.RandomShort}}},
	{accept, "generated", "well mixed, and the name has the purpose of the key", places{qualified}, look.Demand{Is: look.Props{look.RandomLong, look.Generated}}},
	{accept, "long", "well mixed and long", nil, look.Demand{Least: look.Counts{look.Length: 24}, Is: look.Props{look.RandomLong, look.Generated}}},
	{accept, "noise", "a generator made it", places{quoted}, look.Demand{Is: look.Props{look.RandomNoise}}},
	{accept, "marked", "no text has characters of all kinds", places{quoted, qualified}, look.Demand{Is: look.Props{look.Marked, look.AllKinds}}},
	{accept, "kept", "the name is one of secret keys", places{keptKey}, look.Demand{Is: look.Props{look.RandomShort}}},
	{accept, "kept UUID", "issuers hand out random UUIDs", places{keptKey}, look.Demand{Is: look.Props{look.RandomUUID}}},
}

// scanGeneric finds tokens, secrets and keys of APIs.
func scanGeneric(text []byte, lo, hi int) (int, int, bool) {
	p := readPlace(text, lo, hi)
	defer p.free()
	if p == nil {
		return 0, 0, false
	}
	switch p.decideByRows(tokenRows[:]) {
	case accept:
		return p.start, p.escapedEnd(text), true
	case part:
		return p.findPart()
	}
	return p.refusedSpan()
}

// scanPAT finds personal access tokens by a name that ends in PAT.
func scanPAT(text []byte, lo, hi int) (int, int, bool) {
	if look.IsAt(text, hi, look.Name) {
		return 0, 0, false // a path, a pattern
	}
	return scanGeneric(text, lo, hi)
}

// scanPassword finds passwords by the name that they are assigned to.
func scanPassword(text []byte, lo, hi int) (int, int, bool) {
	isShort := hi-lo <= len("_pass")
	if isShort && !startsPart(text, lo) && !endsName(text, lo, hi) {
		return 0, 0, false
	}
	p := readPlace(text, lo, hi)
	defer p.free()
	switch {
	case p == nil:
		return 0, 0, false
	case p.decideByRows(passwordRows[:]) == refuse:
		return p.refusedSpan()
	}
	return p.start, p.escapedEnd(text), true
}

// scanShortPassword does the same as scanPassword for keywords that are short or misspelt.
func scanShortPassword(text []byte, lo, hi int) (int, int, bool) {
	if hi-lo == len("pw") && look.IsAt(text, hi, look.Letter) {
		isHump := text[hi-1] == 'w' && look.Is(text[hi], look.Upper) // pwHash
		if !isHump {
			return 0, 0, false // pwd, or within a word
		}
	}
	return scanPassword(text, lo, hi)
}

// scanKey finds keys by a name that ends in "key".
func scanKey(text []byte, lo, hi int) (int, int, bool) {
	p := readPlace(text, lo, hi)
	defer p.free()
	switch {
	case p == nil:
		return 0, 0, false
	case p.decideByRows(keyRows[:]) == refuse:
		return p.refusedSpan()
	}
	return p.start, p.end, true
}

// refusedSpan returns the span of a value that was refused. It is empty if a row refused the name alone, before much was done.
func (p *valuePlace) refusedSpan() (start, end int, ok bool) {
	if p.memo[code] == 0 {
		return 0, 0, false
	}
	return p.start, p.end, false
}

// findPart finds the secret in a value that is an object or a list, in JSON or in the form of a cookie: the first random word of 24
// characters or more. It measures the words where the value was measured. A value without the marks of objects is the secret itself.
func (p *valuePlace) findPart() (int, int, bool) {
	for i := p.start; i < p.end; i++ {
		end := look.RunEnd(p.text[:p.end], i, p.end, look.Word|look.Dash)
		if p.measures = look.New(p.text[i:end], true); p.measures.Has(look.Part) {
			if look.All(p.text[p.start:p.end], look.Token|look.Base64) {
				return p.start, p.end, true
			}
			return i, end, true
		}
		i = end
	}
	return 0, 0, false
}
