package words

// Sieve refuses most words that hold none of some terms, without cutting or
// stemming them: a stem begins as its word does. It knows the first three letters
// of each stem, or two of short ones, whose last letter may differ.
type Sieve struct {
	bits  [letters * letters * letters / 64]uint64
	split *Splitter
}

// letters is the number of kinds of bytes told apart: letters, digits and, as
// the last, the end of a word.
const letters = 40

// NewSieve makes a Sieve that lets the words of some texts pass.
func NewSieve() *Sieve { return &Sieve{split: NewSplitter()} }

// Admit lets all words pass that share a term with one of a text.
func (v *Sieve) Admit(text []byte) {
	v.split.Each(text, func(start, end int, toks []Token) {
		w := text[start:end]
		for _, p := range append(partsOf(w), w) {
			v.admit(p)
		}
	})
}

func (v *Sieve) admit(part []byte) {
	var low [maxWord]byte
	n := 0
	for _, c := range part {
		if c != '_' && n < maxWord {
			low[n] = c | 0x20
			n++
		}
	}
	if n < 2 {
		return
	}
	stem := n
	if s := Stem(append([]byte(nil), low[:n]...)); len(s) < stem {
		stem = len(s)
	}
	a, b := code[low[0]], code[low[1]]
	if stem > 3 {
		v.set(a, b, code[low[2]])
		return
	}
	for c := range letters {
		v.set(a, b, uint8(c))
	}
}

func (v *Sieve) set(a, b, c uint8) {
	i := (int(a)*letters+int(b))*letters + int(c)
	v.bits[i/64] |= 1 << (i % 64)
}

// passes reports whether the whole of an ASCII word or a part of it may be wanted.
func (v *Sieve) passes(w []byte) bool {
	last := uint8(under)
	for i, c := range w {
		k := class[c]
		if k == under {
			last = k
			continue
		}
		begins := last == under || last == small && k == capital || (last == digit) != (k == digit) ||
			k == capital && i+1 < len(w) && class[w[i+1]] == small
		last = k
		if begins && v.has(w[i:]) {
			return true
		}
	}
	return false
}

// has looks at the first three letters from here, underscores left out, and at
// the first two alone: the part may end there.
func (v *Sieve) has(w []byte) bool {
	var at [3]uint8
	n := 0
	for _, c := range w {
		if c == '_' {
			continue
		}
		at[n] = code[c]
		if n++; n == 3 {
			break
		}
	}
	if n < 2 {
		return false
	}
	if n == 2 {
		at[2] = letters - 1
	}
	i := (int(at[0])*letters+int(at[1]))*letters + int(at[2])
	if v.bits[i/64]&(1<<(i%64)) != 0 {
		return true
	}
	i += letters - 1 - int(at[2])
	return v.bits[i/64]&(1<<(i%64)) != 0
}

// code numbers the bytes of words, letters of both cases alike.
var code = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] = uint8(c - 'a')
		case c >= 'A' && c <= 'Z':
			t[c] = uint8(c - 'A')
		case c >= '0' && c <= '9':
			t[c] = uint8(26 + c - '0')
		default:
			t[c] = letters - 2
		}
	}
	return t
}()
