package look

import (
	"bytes"
)

// Short values are distinguished from words by their letters: "qfkectfz" is no word, "mysql" is. Here a value is cut into words, and
// it is measured how much of it is words.

// humpEnd is the end of the word that begins at v[i], i if none does: small letters, capitals, or a capital and small letters. The
// last capital of several belongs to the small letters behind it, because XMLHttp is XML and Http.
func humpEnd(v []byte, i int) int {
	j := RunEnd(v, i, len(v), Upper)
	if j > i+1 && IsAt(v, j, Letter) {
		return j - 1
	}
	return RunEnd(v, j, len(v), Lower)
}

// wordMeasure says how much of a value is words.
type wordMeasure struct {
	parts         int // words as humpEnd cuts them
	spoken        int // of them, those that can be pronounced
	spokenLetters int
	longLetters   int // the letters of parts of five letters or more
	randomLetters int // of them, those of parts that are no words
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
		if isRandomLetters(part) || !hasVowel(part) {
			m.randomLetters += len(part)
		}
	}
	return m
}

// isWordy reports that at least half of v is words: runs of letters, cut at digits, marks and camel humps, that are long enough
// and have as many vowels as speech has. Random characters seldom make such runs.
func isWordy(v []byte) bool {
	return !isHexMix(v) && measureWords(v).spokenLetters*2 >= len(v)
}

// isSpoken reports a run of four letters or more with vowels and without long runs of consonants.
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
	return vowels*5 >= len(w) && vowels*4 <= len(w)*3 && !isRandomLetters(w)
}

func hasVowel(w []byte) bool {
	for _, c := range w {
		if Is(c, Vowel) {
			return true
		}
	}
	return false
}

// letterRuns counts the letters of v and sums up how like words its runs of them are, whatever their case.
func letterRuns(v []byte) (letters, likelihood int) {
	for i := 0; i < len(v); {
		end := RunEnd(v, i, len(v), Letter)
		if end == i {
			i++
			continue
		}
		letters, likelihood = letters+end-i, likelihood+wordLikelihood(v[i:end])
		i = end
	}
	return letters, likelihood
}

// isRandomMix reports words too short to be judged one by one, humps or parts between marks, that are no words as a whole.
func isRandomMix(v *Value) bool {
	size := len(v.Text)
	if size >= 8 && isTwoCased(v) && v.words().parts*5 >= size*2 {
		return true // oINaBJibBB
	}
	n, likelihood := letterRuns(v.Text)
	return n >= 8 && n*5 >= size*4 && likelihood < min(2*(n-11), -4) // of names in code one of 50, of random letters nine of ten
}

// isTwoCased reports letters alone, in both cases.
func isTwoCased(v *Value) bool {
	return v.Counts[Letters] == v.Counts[Length] && v.Counts[Lowers]*v.Counts[Uppers] > 0
}

// isSelector reports names joined by dots, as the member of an object is.
func isSelector(v []byte) bool {
	if bytes.IndexByte(v, '.') < 1 {
		return false
	}
	for part := range bytes.SplitSeq(v, []byte(".")) {
		if !Is(At(part, 0), Letter) || len(part) > 30 {
			return false
		}
	}
	return true
}

// isCamelCase reports a capital behind a small letter.
func isCamelCase(v []byte) bool {
	for i := 1; i < len(v); i++ {
		if Is(v[i], Upper) && Is(v[i-1], Lower) {
			return true
		}
	}
	return false
}

// isTitle reports one capitalised word, as translations of "password" are.
func isTitle(v []byte) bool {
	return Is(At(v, 0), Upper) && All(v[1:], Lower)
}

// IsConstantName reports PASSWORD, DB_PASS: the name of a variable or a constant.
func IsConstantName(v []byte) bool { return All(v, Upper|Underscore|Dash) }

// isShouted reports an exclamation mark between letters or digits, where no sentence has one.
func isShouted(v []byte) bool {
	i := bytes.IndexByte(v, '!')
	return IsAt(v, i-1, Alnum) && IsAt(v, i+1, Alnum)
}

// hasDollarWithin reports a $ between small letters, and no other mark.
func hasDollarWithin(v []byte) bool {
	i := bytes.IndexByte(v, '$')
	if i < 1 || !Is(v[i-1], Lower) || !IsAt(v, i+1, Lower) {
		return false
	}
	return All(v[:i], Alnum) && All(v[i+1:], Alnum)
}
