package code

// ChangeType says what happened to a file.
type ChangeType uint8

// The types of change.
const (
	Added ChangeType = iota
	Modified
	Deleted
)

// String is the type's name as printed in answers.
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

// Rev numbers the states of an index. It grows by one with every committed
// update that changed something.
type Rev int64
