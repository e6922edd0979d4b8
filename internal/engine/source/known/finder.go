package known

import (
	"hash/maphash"

	"ken/internal/engine/source/secret/look"
)

// Finder finds texts that could contain a copy of a secret value. Few files of a repository have a run
// of characters that is Certain to be none by chance; when all of them are printed, the others need no
// search. It is not safe for concurrent use.
type Finder struct {
	any    Set // a set of every length
	seed   maphash.Seed
	others [unknownRuns]uint64 // fingerprints of runs that are not Certain
	value  look.Value          // the run that is being measured; here because otherwise each would be allocated
}

// NewFinder returns a Finder.
func NewFinder() *Finder {
	f := &Finder{seed: maphash.MakeSeed()}
	for n := MinLength; n <= MaxLength; n++ {
		f.any.lengths[n] = true
	}
	f.any.least = MinLength
	return f
}

// HasCertainRun reports whether a text has a run of characters that could be a copy of a secret value.
func (f *Finder) HasCertainRun(text []byte) (found bool) {
	r := runSearch{Set: &f.any, text: text, begins: true, ends: true, is: f.isCertain, found: func([]byte) bool {
		found = true
		return false
	}}
	r.searchText()
	return found
}

func (f *Finder) isCertain(value []byte) bool {
	fingerprint := maphash.Bytes(f.seed, value) | 1
	slot := &f.others[fingerprint/2%unknownRuns]
	if *slot == fingerprint {
		return false
	}
	if isCertainWith(&f.value, value) {
		return true
	}
	*slot = fingerprint
	return false
}
