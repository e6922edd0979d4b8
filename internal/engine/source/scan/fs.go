package scan

// kind is the type of a file.
type kind uint8

const (
	kindMissing kind = iota
	kindFile
	kindDir
	kindLink
	kindSpecial
)
