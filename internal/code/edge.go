package code

// Relation is the relationship of an edge between two files: the source relates to the target.
type Relation uint8

// The relations. The values are stored in indexes; append only.
const (
	RelImports    Relation = iota // names the target in an import
	RelExtends                    // a type of source has a base type declared in target
	RelImplements                 // a type of source implements an interface declared in target
	RelTests                      // source has tests of target
	RelUses                       // uses a name of target without importing it (same Go or Java package); a C header and its source
	RelMentions                   // names the target in prose, data or a command: documentation, a workflow that runs a script
	RelGenerated                  // was generated from the target
)

var relationNames = [...]string{"imports", "extends", "implements", "tests", "uses", "mentions", "generated_from"}

// String returns the relation's name as answers and the SQL view edges of the index have it.
func (r Relation) String() string {
	if int(r) < len(relationNames) {
		return relationNames[r]
	}
	return "imports"
}

// Depends reports whether a change of the target can break the source. A mere mention
// does not count as a dependency in ranks and hotspots.
func (r Relation) Depends() bool { return r != RelMentions }

// Confidence is the certainty of an edge or a reference; a larger value is more certain.
type Confidence uint8

// The levels of confidence.
const (
	Ambiguous      Confidence = iota // several definitions have the name, and it refers to one of them
	UniqueName                       // matched by name alone; only one definition has it
	ImportResolved                   // bound through a resolved import or package scope
	Exact                            // lexical scope of the same file, or a type checker
)

var confidenceNames = [...]string{"ambiguous", "unique-name", "import-resolved", "exact"}

// String returns the level's name as printed in answers.
func (c Confidence) String() string {
	if int(c) < len(confidenceNames) {
		return confidenceNames[c]
	}
	return "ambiguous"
}

// Edge is a directed relation between two files.
type Edge struct {
	Source, Target string
	Relation       Relation
	Confidence     Confidence
}
