// Package known masks the secrets of an index in a text that is about to be printed. A value that is recognised in one file by its name
// may be copied into another without the name: into a log, a comment, a commit message. And a token may be part of a file's name,
// which the index must keep because it is the address of the file.
//
// An index has no values, only their hashes. So the runs of characters that could be values are cut out of the text, hashed with
// the same key and looked up. That is done with ken's output and not with the index, because otherwise each new secret
// would require a second search of all other files. Package source finds the secrets; this package knows no rule.
package known

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"hash/maphash"
	"slices"
	"sync"

	"ken/internal/engine/source/secret/look"
)

// The lengths of values that are searched, in bytes. Shorter ones are as likely words, and longer ones, such as private keys and JSON
// Web Tokens, have rules of their own that recognise them everywhere.
const (
	MinLength = 16
	MaxLength = 128
)

// Set is the set of secrets of an index: hashes of values, and parts of paths. The zero Set and nil are empty. It is safe for
// concurrent use once it is filled.
type Set struct {
	values  map[[16]byte]bool
	lengths [MaxLength + 1]bool // lengths of the values
	least   int                 // the smallest of them
	parts   []pathPart

	seed    maphash.Seed // of the fingerprints below
	mu      sync.Mutex
	mac     hash.Hash           // guarded by mu
	sum     [sha256.Size]byte   // guarded by mu
	unknown [unknownRuns]uint64 // guarded by mu: fingerprints of runs that are no values
}

// unknownRuns is the number of runs that are remembered as not in the set: the same names occur again and again, and a fingerprint
// costs a tenth of a hash.
const unknownRuns = 1 << 13

// pathPart is a piece of a path that must not be shown, and its replacement of the same length.
type pathPart struct{ text, shown []byte }

// New returns an empty set; key is the key of the hashes of values.
func New(key []byte) *Set {
	return &Set{values: map[[16]byte]bool{}, mac: hmac.New(sha256.New, key), seed: maphash.MakeSeed()}
}

// Add adds a value that is Certain, by its hash and its length in bytes. It ignores lengths that are never searched.
func (s *Set) Add(hash [16]byte, length int) {
	if length < MinLength || length > MaxLength {
		return
	}
	s.values[hash] = true
	s.lengths[length] = true
	if s.least == 0 || length < s.least {
		s.least = length
	}
}

// AddPart adds a piece of a path and its replacement, which must have the same length. It ignores a piece that is no run.
func (s *Set) AddPart(text, shown string) {
	isKnown := slices.ContainsFunc(s.parts, func(p pathPart) bool { return string(p.text) == text })
	if !isKnown && len(text) == len(shown) && IsRun(text) {
		s.parts = append(s.parts, pathPart{[]byte(text), []byte(shown)})
	}
}

// Empty reports whether the set would mask no text.
func (s *Set) Empty() bool { return s == nil || len(s.values)+len(s.parts) == 0 }

// HasParts reports whether the set has pieces of paths.
func (s *Set) HasParts() bool { return s != nil && len(s.parts) > 0 }

// Mask overwrites every value of the set in a text by as many x, and every part of a path by its replacement.
func (s *Set) Mask(text []byte) { s.maskPiece(text, true, true) }

// MaskString is Mask for a string, and returns the result.
func (s *Set) MaskString(text string) string {
	if s.Empty() {
		return text
	}
	b := []byte(text)
	s.Mask(b)
	return string(b)
}

// maskPiece masks a piece of a text. begins and ends state that the piece is at the beginning or the end of the text, so that a run may
// begin or end there.
func (s *Set) maskPiece(text []byte, begins, ends bool) {
	if s.Empty() {
		return
	}
	for i := range s.parts {
		p := &s.parts[i]
		for rest := text; ; {
			at := bytes.Index(rest, p.text)
			if at < 0 {
				break
			}
			rest = rest[at+copy(rest[at:], p.shown):]
		}
	}
	s.searchValues(text, begins, ends, func(value []byte) bool {
		for i := range value {
			value[i] = 'x'
		}
		return true
	})
}

// containsSecret reports whether mask would change a piece of a text.
func (s *Set) containsSecret(text []byte, begins, ends bool) (found bool) {
	for i := range s.parts {
		if bytes.Contains(text, s.parts[i].text) {
			return true
		}
	}
	s.searchValues(text, begins, ends, func([]byte) bool {
		found = true
		return false
	})
	return found
}

// searchValues calls f with each value of the set in a text until f returns false.
//
// It reads little of most texts: words of eight bytes, at such distances that each run of the least length contains one of
// them. In such a run no byte is a blank, a quote or a bracket, and a digit is near.
func (s *Set) searchValues(text []byte, begins, ends bool, f func(value []byte) bool) {
	if s.least == 0 {
		return
	}
	r := runSearch{Set: s, text: text, begins: begins, ends: ends, is: s.hasValue, found: f}
	r.searchText()
}

func (r *runSearch) searchText() {
	s, text := r.Set, r.text
	stride, done := s.least-wordSize+1, 0 // done: the text before it is searched
	for at := 0; at+wordSize <= len(text); at += stride {
		if at < done || hasLow(text[at:]) || isShort(text, at) {
			continue
		}
		lo, hi, digits := runPiece(text, at, done)
		if digits && !r.searchWithin(lo, min(len(text), hi+wordSize-1)) {
			return
		}
		done = hi
	}
}

// isShort reports whether the run around the eight bytes at a place is shorter than MinLength: it continues for four bytes neither before
// nor after them.
func isShort(text []byte, at int) bool {
	const half = (MinLength - wordSize) / 2
	return at >= half && at+wordSize+half <= len(text) && hasLowHalf(text[at-half:]) && hasLowHalf(text[at+wordSize:])
}

// runPiece returns a piece without blanks, quotes and brackets around the eight bytes at a place, from done on. Up to seven bytes after
// hi may belong to it. digits reports whether it may have a digit.
func runPiece(text []byte, at, done int) (lo, hi int, digits bool) {
	digits = hasDigits(text[at:])
	lo, hi = at, at+wordSize
	for hi+wordSize <= len(text) {
		digits = digits || hasDigits(text[hi:])
		if hasLow(text[hi:]) {
			break
		}
		hi += wordSize
	}
	for lo-wordSize >= done {
		digits = digits || hasDigits(text[lo-wordSize:])
		if hasLow(text[lo-wordSize:]) {
			break
		}
		lo -= wordSize
	}
	atEdge := lo < done+wordSize || hi+wordSize > len(text)
	return max(done, lo-wordSize+1), hi, digits || atEdge
}

// runSearch is the state of a search for values in the runs of a text.
type runSearch struct {
	*Set
	text         []byte
	begins, ends bool
	is           func(value []byte) bool // selects the values among the runs
	found        func(value []byte) bool // called with each; false ends the search
}

// searchWithin searches values in the runs between lo and hi. It returns false to end the search.
func (r *runSearch) searchWithin(lo, hi int) bool {
	for lo < hi {
		have := classes[r.text[lo]]
		if have == 0 {
			lo++
			continue
		}
		end := lo + 1
		for end < hi && classes[r.text[end]] != 0 {
			have |= classes[r.text[end]]
			end++
		}
		if end-lo >= r.least && have&digit != 0 && !r.searchRun(lo, end, have&divider != 0) {
			return false
		}
		lo = end
	}
	return true
}

// maxStarts is the maximal number of places in a run that are remembered as possible starts of a value. The earliest are dropped
// first, because no value has so many dividing characters in it.
const maxStarts = 16

// searchRun searches values in one run: as a whole, and between any two of the characters that divide it, because a value may follow a
// name (KEY=value), be part of a path, or end a sentence. It returns false to end the search.
func (r *runSearch) searchRun(lo, hi int, divided bool) bool {
	var starts [maxStarts]int
	n := 0
	if lo > 0 || r.begins {
		starts[0], n = lo, 1
		for _, at := range [...]int{afterEscape(r.text, lo), skipClass(r.text, lo, hi, joint)} {
			if at > lo && at < hi {
				starts[n] = at
				n++
			}
		}
	}
	end := hi
	if divided {
		end = skipTo(r.text, lo, hi, divider)
	}
	for ; ; end = skipTo(r.text, end+1, hi, divider) {
		if end == len(r.text) && !r.ends {
			return true
		}
		inner := beforeMarks(r.text, lo, end)
		for _, at := range starts[:n] {
			if !r.reportValue(at, end) || inner < end && !r.reportValue(at, inner) {
				return false
			}
		}
		if end == hi {
			return true
		}
		if n == maxStarts {
			n = copy(starts[:], starts[1:])
		}
		starts[n] = end + 1
		n++
	}
}

// reportValue calls found with text[lo:hi] if that is a value. The cheapest check comes first. It returns false to end the search.
func (r *runSearch) reportValue(lo, hi int) bool {
	n := hi - lo
	if n < MinLength || n > MaxLength || !r.lengths[n] {
		return true
	}
	value := r.text[lo:hi]
	return !hasDigit(value) || !r.is(value) || r.found(value)
}

// hasValue reports whether the set has the hash of a value.
func (s *Set) hasValue(value []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	fingerprint := maphash.Bytes(s.seed, value) | 1 // none is 0, which is an empty slot
	slot := &s.unknown[fingerprint/2%unknownRuns]
	if *slot == fingerprint {
		return false
	}
	s.mac.Reset()
	s.mac.Write(value)
	if s.values[[16]byte(s.mac.Sum(s.sum[:0]))] {
		return true
	}
	*slot = fingerprint
	return false
}

// fewDigits is the number of characters for each digit: paths and qualified names have fewer digits (k8s.io/api/apps/v1), base64 has more.
const fewDigits = 10

// IsCertain reports whether each copy of a value may be masked: it has letters and digits that no person writes by hand, or is a UUID.
// Other values, such as passwords that are words, are secrets only because of their place. A copy of such a word is most likely the
// word itself, and masking it would make the text unreadable. Only values that are Certain may be added to a Set.
func IsCertain(value []byte) bool { return isCertainWith(new(look.Value), value) }

// isCertainWith is IsCertain with the memory for the measures of the value.
func isCertainWith(v *look.Value, value []byte) bool {
	if len(value) < MinLength || len(value) > MaxLength || !hasDigit(value) || !IsRun(value) {
		return false
	}
	*v = look.New(value, true)
	if bytes.ContainsAny(value, "/.") && v.Counts[look.Digits]*fewDigits < v.Counts[look.Length] {
		return false
	}
	if v.Has(look.UUIDForm) {
		return true
	}
	return !v.Has(look.PathLike) && !v.Has(look.WordParts) && v.Has(look.RandomLong) // the first two are cheap
}

// ShownPart returns the replacement of a piece of a path: n bytes with the beginning of its hash, so that different names stay
// different and ken accepts the displayed name.
func ShownPart(n int, hash [16]byte) string {
	out := bytes.Repeat([]byte{'x'}, n)
	copy(out, PartMark+hex.EncodeToString(hash[:4]))
	return string(out)
}

// PartMark begins each masked piece of a path.
const PartMark = "masked-"
