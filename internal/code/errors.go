package code

import "errors"

// ErrDamaged reports that bytes of the index are not those that ken wrote. Every
// package that unpacks such bytes wraps it, so that callers need one comparison: they
// rebuild the index from source instead of failing. Damage of files that are not derived
// (settings, vectors, a file of the user's) is another error, because rebuilding would
// not repair it.
var ErrDamaged = errors.New("the index is damaged")
