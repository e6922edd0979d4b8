package words

// Sieve rejects most words that contain none of some terms, without cutting or stemming them. It relies on stems: a word
// begins with all of its stem but the last letter, since Stem changes no other letter that it keeps. The sieve holds
// hashes of the beginnings of the admitted terms, at most eight letters long; now and then a word passes that should
// not.
type Sieve struct {
	bits  [sieveBits / 64]uint64
	any   [maxPrefix + 1]bool // by length: whether a beginning has it
	first [256]uint32         // by first letter: the second letters as bits, see second
	split *Splitter
}

const (
	maxPrefix = 8
	sieveBits = 1 << 15
)

// second returns the bit that stands for the second letter of a word; case does not matter, and digits share bits with letters.
func second(c byte) uint32 { return 1 << (c & 31) }

// NewSieve makes a Sieve that no word passes yet.
func NewSieve() *Sieve { return &Sieve{split: NewSplitter()} }

// Admit lets pass all words that share a term with one in text.
func (v *Sieve) Admit(text []byte) {
	v.split.Each(text, func(start, end int, _ []Token) {
		w := text[start:end]
		for _, p := range append(appendParts(nil, w), w) {
			v.admit(p)
		}
	})
}

func (v *Sieve) admit(part []byte) {
	var low [maxWord]byte
	n := 0
	for _, c := range part {
		if c != '_' && n < maxWord {
			low[n] = fold[c]
			n++
		}
	}
	stem := len(Stem(append([]byte(nil), low[:n]...)))
	size := min(max(min(stem, n)-1, 1), maxPrefix)
	h := uint32(sieveSeed)
	for _, c := range low[:size] {
		h = (h ^ uint32(c)) * 16777619
	}
	v.any[size] = true
	next := ^uint32(0)
	if size > 1 {
		next = second(low[1])
	}
	v.first[low[0]] |= next
	if c := low[0]; c >= 'a' && c <= 'z' {
		v.first[c-'a'+'A'] |= next
	}
	v.bits[h>>11%sieveBits/64] |= 1 << (h >> 11 % 64)
}

const sieveSeed = 2166136261

// passes reports whether an ASCII word or one of its parts may hold an admitted term;
// rest is the classes of its bytes after the first.
func (v *Sieve) passes(w []byte, rest uint8) bool {
	if rest == small && class[w[0]]&(small|capital) != 0 { // one part
		return v.has(w)
	}
	last := uint8(under)
	for i, c := range w {
		k := class[c]
		if k == under {
			last = k
			continue
		}
		begins := last == under || (last == digit) != (k == digit)
		if k == capital && !begins {
			begins = last == small || i+1 < len(w) && class[w[i+1]] == small
		}
		last = k
		if begins && v.has(w[i:]) {
			return true
		}
	}
	return false
}

// has reports whether a part that begins here has an admitted beginning. Underscores
// do not count.
func (v *Sieve) has(w []byte) bool {
	if len(w) > 1 && w[1] != '_' && v.first[w[0]]&second(w[1]) == 0 {
		return false
	}
	h, n := uint32(sieveSeed), 0
	for _, c := range w {
		if c == '_' {
			continue
		}
		h = (h ^ uint32(fold[c])) * 16777619
		n++
		if v.any[n] && v.bits[h>>11%sieveBits/64]&(1<<(h>>11%64)) != 0 {
			return true
		}
		if n == maxPrefix {
			break
		}
	}
	return false
}

// fold maps capitals to small letters.
var fold = func() (t [256]byte) {
	for c := range t {
		t[c] = byte(c)
		if c >= 'A' && c <= 'Z' {
			t[c] = byte(c) + 'a' - 'A'
		}
	}
	return t
}()
