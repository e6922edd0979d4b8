package look

import "bytes"

// Short values are distinguished from words by their letters: "qfkectfz" is no word, "mysql" is. The functions of this file cut a value
// into words and measure how much of it is words.

// humpEnd returns the end of the word that begins at v[i] in a camel-case name, or i if none does: small letters, capitals, or a capital
// and small letters. The last capital of several belongs to the small letters that follow, because XMLHttp is XML and Http.
func humpEnd(v []byte, i int) int {
	j := RunEnd(v, i, len(v), Upper)
	if j > i+1 && IsAt(v, j, Letter) {
		return j - 1
	}
	return RunEnd(v, j, len(v), Lower)
}

// wordMeasure has the measures of how much of a value consists of words.
type wordMeasure struct {
	parts         int // words as humpEnd cuts them
	spoken        int // parts that can be pronounced
	spokenLetters int
	longLetters   int // letters of parts of five letters or more
	randomLetters int // letters of those of these parts that are no words
}

func measureWords(v []byte) (m wordMeasure) {
	for i := 0; i < len(v); {
		end := humpEnd(v, i)
		if end == i {
			i++
			continue
		}
		part := v[i:end]
		i = end
		m.parts++
		if isSpoken(part) {
			m.spoken++
			m.spokenLetters += len(part)
		}
		if len(part) < 5 {
			continue
		}
		m.longLetters += len(part)
		if isRandomLetters(part) || Count(part, Vowel) == 0 {
			m.randomLetters += len(part)
		}
	}
	return m
}

// isWordy reports whether at least half of v is words: runs of letters, cut at digits, marks and camel humps, that are long enough
// and have as many vowels as speech has. Random characters seldom make such runs.
func isWordy(v []byte) bool {
	return !isHexMix(v) && measureWords(v).spokenLetters*2 >= len(v)
}

// isSpoken reports whether w is four letters or more with vowels and without long runs of consonants.
func isSpoken(w []byte) bool {
	if len(w) < 4 {
		return false
	}
	vowels, run := 0, 0
	for _, c := range w {
		run++
		if Is(c, Vowel) {
			vowels++
			run = 0
		}
		if run > 4 {
			return false
		}
	}
	if vowels*5 < len(w) || vowels*4 > len(w)*3 {
		return false
	}
	return !isRandomLetters(w)
}

// letterRuns counts the letters of v and adds up the likelihoods that its runs of them are words, whatever their case.
func letterRuns(v []byte) (letters, likelihood int) {
	for i := 0; i < len(v); {
		end := RunEnd(v, i, len(v), Letter)
		if end == i {
			i++
			continue
		}
		letters += end - i
		likelihood += wordLikelihood(v[i:end])
		i = end
	}
	return letters, likelihood
}

// isNameLike reports whether the letters of a value are words. It accepts 97 of 100 names of two words in code, and four of 100 random
// runs of letters.
func isNameLike(v *Value) bool {
	_, likelihood := letterRuns(v.Text)
	return likelihood >= 4
}

// isRandomPhrase reports whether the letters of a value are likelier chance than words.
func isRandomPhrase(v *Value) bool {
	_, likelihood := letterRuns(v.Text)
	return likelihood < 0
}

// isRandomMix reports whether a value consists of pieces (camel-case words or parts between marks) that are too short to be judged
// one by one, and that together are no words.
func isRandomMix(v *Value) bool {
	size, n := len(v.Text), &v.Counts
	switch {
	case size < 8, n[Letters] < n[Length], min(n[Lowers], n[Uppers]) == 0:
	case v.wordMeasures().parts*5 >= size*2:
		return true // letters of both cases, in short humps: oINaBJibBB
	}
	letters, likelihood := letterRuns(v.Text)
	if letters < 8 || letters*5 < size*4 {
		return false
	}
	return likelihood < min(2*(letters-11), -4) // of names in code one of 50, of random letters nine of ten
}

// hasRandomPart reports whether at least half of the letters in parts of five letters or more are in parts that are no words.
func hasRandomPart(v *Value) bool {
	w := v.wordMeasures()
	return w.randomLetters > 0 && w.randomLetters*2 >= w.longLetters
}

func isRandomFour(v *Value) bool {
	return len(v.Text) == 4 && All(v.Text, Alnum) && wordLikelihood(v.Text) < -9
}

// hasRandomStem reports whether a value is four letters that are no word, and digits.
func hasRandomStem(v *Value) bool {
	word := v.withoutFinalDigits()
	return len(word) == 4 && All(word, Letter|Underscore) && isRandomLetters(word)
}

// isPlainWord reports whether a value without quotes may be a word of code: it has no digits, or is names joined by dots.
func isPlainWord(v *Value) bool {
	if v.Counts[Digits] == 0 {
		return true
	}
	return isSelector(v.Text) && !isPathLike(v.Text)
}

// isNumberedWord reports whether a value is a word and five digits or more that neither count nor are a date.
func isNumberedWord(v *Value) bool {
	word := v.withoutFinalDigits()
	number := v.Text[len(word):]
	switch {
	case len(word) < 4, len(number) < 5, !All(word, Letter|Underscore):
		return false
	case AnyAt(number, 0, []string{"19", "20"}) > 0, bytes.HasSuffix(number, []byte("000")):
		return false
	}
	return !IsFiller(number)
}

// isSelector reports whether v is names joined by dots, as the member of an object is.
func isSelector(v []byte) bool {
	if bytes.IndexByte(v, '.') < 1 {
		return false
	}
	for part := range bytes.SplitSeq(v, []byte(".")) {
		if len(part) > 30 || !IsAt(part, 0, Letter) {
			return false
		}
	}
	return true
}

// isHump reports whether v[i] begins a camel-case word: it is a capital that follows a small letter.
func isHump(v []byte, i int) bool { return Is(v[i], Upper) && IsAt(v, i-1, Lower) }

// isCamelCase reports whether a capital follows a small letter in v.
func isCamelCase(v []byte) bool {
	for i := range v {
		if isHump(v, i) {
			return true
		}
	}
	return false
}

// isTitle reports whether v is one capitalised word, as translations of "password" are.
func isTitle(v []byte) bool { return IsAt(v, 0, Upper) && All(v[1:], Lower) }

// hasOnlyCapitals reports whether a value has capitals, and besides them at most marks.
func hasOnlyCapitals(v *Value) bool {
	n := &v.Counts
	return n[Uppers] > 0 && n[Uppers]+n[Marks] == n[Length]
}

// IsConstantName reports whether v may be the name of a variable or a constant in capitals: PASSWORD, DB_PASS.
func IsConstantName(v []byte) bool { return All(v, Upper|Underscore|Dash) }

// isShouted reports whether v has an exclamation mark between letters or digits; sentences have none there.
func isShouted(v []byte) bool {
	i := bytes.IndexByte(v, '!')
	return IsAt(v, i-1, Alnum) && IsAt(v, i+1, Alnum)
}

// hasDollarWithin reports whether v has a $ between small letters, and no other mark.
func hasDollarWithin(v []byte) bool {
	i := bytes.IndexByte(v, '$')
	if !IsAt(v, i-1, Lower) || !IsAt(v, i+1, Lower) {
		return false
	}
	return Count(v, Alnum) == len(v)-1
}
