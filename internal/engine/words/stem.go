package words

// Stem reduces an English word in lower case to its stem, in place: M. F.
// Porter, "An algorithm for suffix stripping", Program 14(3), 1980.
// Words with other bytes than small letters are returned as they are.
func Stem(w []byte) []byte {
	if len(w) <= 2 {
		return w
	}
	for _, c := range w {
		if c < 'a' || c > 'z' {
			return w
		}
	}
	w = step1(w)
	w = replace(w, step2, 0)
	w = replace(w, step3, 0)
	w = step4(w)
	return step5(w)
}

// vowel reports whether w[i] is a vowel; y is one after a consonant.
func vowel(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	case 'y':
		return i > 0 && !vowel(w, i-1)
	}
	return false
}

// measure counts the sequences of vowels followed by consonants, Porter's m.
func measure(w []byte) int {
	m, was := 0, false
	for i := range w {
		v := vowel(w, i)
		if was && !v {
			m++
		}
		was = v
	}
	return m
}

func hasVowel(w []byte) bool {
	for i := range w {
		if vowel(w, i) {
			return true
		}
	}
	return false
}

// cvc reports whether w ends in consonant, vowel, consonant other than w, x, y.
func cvc(w []byte) bool {
	n := len(w)
	if n < 3 || vowel(w, n-1) || !vowel(w, n-2) || vowel(w, n-3) {
		return false
	}
	c := w[n-1]
	return c != 'w' && c != 'x' && c != 'y'
}

func ends(w []byte, suffix string) bool {
	return len(w) >= len(suffix) && string(w[len(w)-len(suffix):]) == suffix
}

func double(w []byte) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && !vowel(w, n-1)
}

// step1 removes plurals and the endings of verbs.
func step1(w []byte) []byte {
	switch {
	case ends(w, "sses"), ends(w, "ies"):
		w = w[:len(w)-2]
	case ends(w, "s") && !ends(w, "ss"):
		w = w[:len(w)-1]
	}
	cutVerb := false
	switch {
	case ends(w, "eed"):
		if measure(w[:len(w)-3]) > 0 {
			w = w[:len(w)-1]
		}
	case ends(w, "ed") && hasVowel(w[:len(w)-2]):
		w, cutVerb = w[:len(w)-2], true
	case ends(w, "ing") && hasVowel(w[:len(w)-3]):
		w, cutVerb = w[:len(w)-3], true
	}
	if cutVerb {
		w = repairVerb(w)
	}
	if n := len(w); ends(w, "y") && hasVowel(w[:n-1]) {
		w[n-1] = 'i'
	}
	return w
}

func repairVerb(w []byte) []byte {
	n := len(w)
	switch {
	case ends(w, "at"), ends(w, "bl"), ends(w, "iz"):
		return append(w, 'e')
	case double(w) && w[n-1] != 'l' && w[n-1] != 's' && w[n-1] != 'z':
		return w[:n-1]
	case measure(w) == 1 && cvc(w):
		return append(w, 'e')
	}
	return w
}

type rule struct{ from, to string }

var step2 = []rule{{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"}, {"abli", "able"}, {"alli", "al"},
	{"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}, {"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness", "ive"},
	{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}}

var step3 = []rule{{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""}}

// replace applies the rule of the first suffix that fits, if the stem before it is
// long enough.
func replace(w []byte, rules []rule, more int) []byte {
	for _, r := range rules {
		if ends(w, r.from) {
			if stem := w[:len(w)-len(r.from)]; measure(stem) > more {
				return append(stem, r.to...)
			}
			return w
		}
	}
	return w
}

var step4s = []string{"al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize"}

func step4(w []byte) []byte {
	for _, s := range step4s {
		if !ends(w, s) {
			continue
		}
		stem := w[:len(w)-len(s)]
		if measure(stem) > 1 && (s != "ion" || ends(stem, "s") || ends(stem, "t")) {
			return stem
		}
		return w
	}
	return w
}

// step5 removes a final e, and one of two final l.
func step5(w []byte) []byte {
	if n := len(w); w[n-1] == 'e' {
		if m := measure(w[:n-1]); m > 1 || m == 1 && !cvc(w[:n-1]) {
			w = w[:n-1]
		}
	}
	if n := len(w); double(w) && w[n-1] == 'l' && measure(w) > 1 {
		w = w[:n-1]
	}
	return w
}
