package code

// ordBits is the number of bits of a packed SymbolID for the index in the file.
// It is part of the format of the index: the key of a symbol's row is a packed
// id, and SQL gets the file from it by shifting. A file of 500 kB, the default
// limit, cannot declare a million names.
const ordBits = 20

// SymbolID identifies one declaration of the index by its file and its index in that
// file's Facts.Symbols.
type SymbolID struct {
	File int64
	Ord  int32
}

// UnpackSymbolID returns the id of a number that Pack returned.
func UnpackSymbolID(packed int64) SymbolID {
	return SymbolID{File: packed >> ordBits, Ord: int32(packed & (1<<ordBits - 1))}
}

// Pack returns the id as one number, the form in which the index keeps it. Packed ids
// sort by file, then by index.
func (id SymbolID) Pack() int64 { return id.File<<ordBits | int64(id.Ord) }
