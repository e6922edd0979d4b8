package code

// ChangeType classifies the change of a file.
type ChangeType uint8

// The types of change.
const (
	Added ChangeType = iota
	Modified
	Deleted
)

// String returns the type's name as printed in answers.
func (t ChangeType) String() string { return [...]string{"added", "modified", "deleted"}[t] }

// Change is the change of one file by one update.
type Change struct {
	Path           string
	Type           ChangeType
	ExportsChanged bool // the list of exported names and their signatures differs
	ImportsChanged bool // the list of imports differs
	TokenDelta     int  // o200k_base tokens now minus before
	SymbolDelta    int  // symbols now minus before
}

// Rev is the revision number of an index. It grows by one with every committed
// update that changes the index.
type Rev int64
