package code

// ordBits is how many bits of a packed SymbolID hold the index in the file.
// It is part of the format of the index: the key of a symbol's row is a packed
// id, and SQL takes the file from it by shifting. A file of 500 kB, the default
// limit, cannot declare a million names.
const ordBits = 20

// SymbolID identifies one declaration of the index: the file that holds it, and
// the declaration's index in that file's Facts.Symbols.
type SymbolID struct {
	File int64
	Ord  int32
}

// UnpackSymbolID is the inverse of Pack.
func UnpackSymbolID(packed int64) SymbolID {
	return SymbolID{File: packed >> ordBits, Ord: int32(packed & (1<<ordBits - 1))}
}

// Pack is the id as one number, by which the index keeps it. Packed ids sort by
// file, then by index.
func (id SymbolID) Pack() int64 { return id.File<<ordBits | int64(id.Ord) }
