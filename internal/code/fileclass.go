package code

// FileClass says what a file is for, as a set: a template of a test is both. It
// is decided when a file is indexed (engine/source/class), so that every question
// sees the same file in the same way. Flags are narrower: they say what tools do
// with a file, for example that a runner runs its tests.
type FileClass uint16

// The classes.
const (
	ClassTest        FileClass = 1 << iota // tests and what belongs to them
	ClassFixture                           // data that tests work on; mostly beside ClassTest
	ClassDocument                          // written for people to read
	ClassChangelog                         // a document about the past, which no change of code makes wrong
	ClassExample                           // shows or measures the use of code: examples, demos, benchmarks
	ClassData                              // settings and data, not code
	ClassTranslation                       // texts of a program in one language
	ClassTemplate                          // markup that a program fills
	ClassGenerated                         // written by a program
	ClassVendored                          // somebody else's code kept in the tree
	ClassOther                             // text of no known sort
)

// classKinds are the classes that files of one kind share.
const classKinds = ClassTest | ClassDocument | ClassExample | ClassData | ClassOther

// Has reports whether c holds one of the classes of any.
func (c FileClass) Has(any FileClass) bool { return c&any != 0 }

// Kind is the part of c by which two files are of one kind; 0 is the code
// of the project itself.
func (c FileClass) Kind() FileClass { return c & classKinds }
