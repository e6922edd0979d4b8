package code

// FileClass is the set of purposes of a file: a template of a test is both. It
// is decided when a file is indexed (engine/source/class), so that every question
// treats the same file in the same way. Flags are narrower: they describe the use of
// a file by tools, for example that a runner runs its tests.
type FileClass uint16

// The classes.
const (
	ClassTest        FileClass = 1 << iota // tests and their helpers
	ClassFixture                           // data that tests work on; mostly beside ClassTest
	ClassDocument                          // written for people to read
	ClassChangelog                         // a document about the past, which no change of code makes outdated
	ClassExample                           // shows or measures the use of code: examples, demos, benchmarks
	ClassData                              // settings and data, not code
	ClassTranslation                       // texts of a program in one language
	ClassTemplate                          // markup that a program fills
	ClassGenerated                         // written by a program
	ClassVendored                          // code of others kept in the tree
	ClassOther                             // text of no known sort
)

// classKinds are the classes that decide the kind of a file, such as test or document; the other classes are additional.
const classKinds = ClassTest | ClassDocument | ClassExample | ClassData | ClassOther

// Has reports whether c includes at least one of the classes in any.
func (c FileClass) Has(any FileClass) bool { return c&any != 0 }

// Kind returns those classes of c that decide the kind of the file. It is 0 for the
// code of the project itself.
func (c FileClass) Kind() FileClass { return c & classKinds }
