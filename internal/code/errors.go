package code

import "errors"

// ErrDamaged says that bytes of the index are not those that ken wrote. Every
// package that unpacks such bytes wraps it, so that one comparison finds all of
// them: the index can be rebuilt from source, so whoever meets the error does that
// instead of failing. Damage of files that are not derived (settings, vectors, a file of
// the user's) is another error, because rebuilding would not mend it.
var ErrDamaged = errors.New("the index is damaged")
