package rank

// SymbolFeature is a kind of evidence for a declaration, and an index in a SymbolVector.
type SymbolFeature uint8

// The features of declarations. Relative ones are divided by the largest value among all that are rated. A place is 5/(5+n), n being the
// number of those with a larger value.
const (
	SymbolName SymbolFeature = iota
	SymbolBody
	SymbolMention
	SymbolMatched
	SymbolPassage
	SymbolOwner
	SymbolLines
	SymbolFile
	SymbolFilePlace
	SymbolInFile
	SymbolNamePlace
	SymbolBothPlace
	NSymbolFeatures
)

// SymbolVector holds the value of each feature for one declaration.
type SymbolVector [NSymbolFeatures]float32

// SymbolTable holds the features of declarations with their weights, fitted by bench/rank/trees/functions.py
// to functions that commits changed.
var SymbolTable = [NSymbolFeatures]struct {
	Name, Meaning string
	Weight        float32
}{
	SymbolName:      {"name", "the query's words in its name, relative to the best", 0},
	SymbolBody:      {"body", "the query's words in its lines, relative to the best", 1.11},
	SymbolMention:   {"mention", "the query names it as code, relative to the best", 0.51},
	SymbolMatched:   {"matched", "share of the query's weight in its lines", 0.64},
	SymbolPassage:   {"passage", "share of its lines in the passage of its file that fits best", 0.34},
	SymbolOwner:     {"owner", "the query's words in the names of the declarations around it, relative to the best", 0.89},
	SymbolLines:     {"lines", "logarithm of its lines", 0.49},
	SymbolFile:      {"file", "how far its file's score is below the best", -0.62},
	SymbolFilePlace: {"file_place", "1/(1+n/4) at place n of its file", 0.14},
	SymbolInFile:    {"in_file", "1/(1+n/2) at place n in its file by name and body", 1.82},
	SymbolNamePlace: {"name_place", "its place by name", 0.52},
	SymbolBothPlace: {"both_place", "its place by name and body, less the further its file is from the first", 0.50},
}
