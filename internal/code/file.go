package code

// The kinds of uses that are not stored with a file's facts, because they are
// found in imports, exports and markup when a question is answered.
type Stat struct {
	Size         int64
	MTime, CTime int64 // nanoseconds since 1970
	Inode        uint64
}

// Flags classify a file for tools. FileClass classifies it for questions.
type Flags uint16

// The flags of a file. The values are stored in indexes; append only.
const (
	FlagTest      Flags = 1 << iota // has tests
	FlagGenerated                   // written by a program
	FlagVendored                    // code of others kept in the tree
	FlagMinified                    // minified for delivery: listed, not parsed
	FlagTracked                     // in git's index
	FlagConfig                      // read by engine/resolve (go.mod, package.json, …)
	FlagDoc                         // documentation
	FlagEntry                       // program entry point (main function, bin script)
	FlagRandom                      // has a long random run that could be a copy of a secret
)

// File is the description of one file in the index.
type File struct {
	ID    int64
	Path  string
	Stat  Stat
	Lang  Lang
	Flags Flags
	Class FileClass
	// Problem is the reason why the file was not parsed, or only in part; else "".
	Problem    Problem
	Hash       [32]byte // SHA-256 of the content
	Lines      uint32
	CL100K     uint32 // exact tokens, cl100k_base
	O200K      uint32 // exact tokens, o200k_base
	ErrorBytes uint32
	Branches   uint32
	Symbols    uint32 // number of declarations; filled when read from the index
	Package    string
	Doc        string
	// Dependents is the number of distinct files with an edge to this one.
	Dependents uint32
	Rank       float64 // PageRank over file edges; the ranks of all files sum to 1
	Slug       string  // id in exports, see Slug
	// FirstIndexed is when the index first had the file, in milliseconds since 1970.
	FirstIndexed int64
}
