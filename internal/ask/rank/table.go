package rank

// The features, by question. Features of both questions would be merged only if their
// definitions were equal: today none are. Scores of find are relative to the best
// candidate of the query, 0 to 1; signals of impact are between 0 and 1. Features that
// were tried and added less than half a point are in docs/measurements.md.
const (
	Body Feature = iota
	RankBody
	Named
	Title
	CodeTerms
	Matched
	Passage
	RankPassage
	Pairs
	Phrase
	Typed
	Base
	BaseCover
	BaseExact
	Dirs
	Path
	Frame
	Crash
	MentionFirst
	Defines
	DefinesTitle
	RankLearned
	Messages
	Recent
	Activity30
	Activity180
	Commits
	ImportNeighbour
	Siblings
	SameDirectoryAsTop
	ChangedWithTop
	ExtensionOfTop
	Length
	Code
	Test
	TestWanted
	Doc
	DocWanted
	Data
	Example
	Other
	Declarations
	Generated
	Vendored
	Aside
	Semantic
	Earlier
	EarlierDirectory
	Said
	Agreed
	Rare
	TitleBase
	Learned
	BestSymbol
	BestName
	Crowd
	Depth
	QueryWords
	QueryNames

	CoChange
	CoChangePlace
	Dependent
	DependentPlace
	SecondHop
	SeedDirectoryChanges
	OwnDirectoryChanges
	SimilarMessages
	SharedWords
	SharedWordsPlace
	SharedWordsOfBest
	ImportedBySeed
	ImportsSeed
	UseEdge
	TestEdge
	Companion
	SameDirectory
	NameWords
	RareNames
	RecentActivity
	TestBoundary
	Lines
	DirectoryCrowd
	DirDistance
	GeneratedOrVendored
	NFeatures
)

// The wording of reasons. Those of find that end in a verb or colon are followed by
// the evidence.
const (
	ReasonNamed     Reason = "named:"
	ReasonDeclares  Reason = "declares"
	ReasonPhrase    Reason = "says"
	ReasonWords     Reason = "words:"
	ReasonBase      Reason = "its name fits"
	ReasonCommit    Reason = "changed by"
	ReasonSemantic  Reason = "similar meaning, by its embedding"
	ReasonNeighbour Reason = "imports or imported by others of these"
	ReasonWithTop   Reason = "changed with others of these"
	ReasonEarlier   Reason = "right before for"
	ReasonSaid      Reason = "written down:"
	ReasonAgreed    Reason = "agreed:"

	reasonCoChange  Reason = "changes together"
	reasonSecondHop Reason = "changes with files that change with it"
	reasonSeedDir   Reason = "changes with its directory"
	reasonOwnDir    Reason = "in a directory that changes with it"
	reasonMessages  Reason = "commits with similar messages"
	reasonShared    Reason = "words in common"
	reasonImported  Reason = "imported by it"
	reasonImports   Reason = "imports it"
	reasonUses      Reason = "uses"
	reasonTests     Reason = "tests"
	reasonCompanion Reason = "named alike"
	reasonSameDir   Reason = "same directory"
	reasonNameWords Reason = "similar name"
	reasonRareNames Reason = "same rare names"
	reasonRecent    Reason = "changed recently"
	reasonGenerated Reason = "generated"
)

// Names of the sources that fill the features.
const (
	FromPostings   = "postings"
	FromMentions   = "mentions"
	FromPath       = "path"
	FromFile       = "file"
	FromHistory    = "history"
	FromText       = "text"
	FromDirectory  = "directory"
	FromImports    = "imports"
	FromTop        = "top"
	FromEmbedding  = "embedding"
	FromEdges      = "edges"
	FromCompanions = "companions"
	FromNames      = "names"
	FromPlaces     = "places"
	FromOrder      = "order"
	FromEarlier    = "earlier work"
	FromSaid       = "written down"
	FromSymbols    = "declarations"
)

func fit(v float64) Weight      { return Weight{v, Fitted} }
func positive(v float64) Weight { return Weight{v, Positive} }
func byHand(v float64) Weight   { return Weight{v, ByHand} }
func byTrees() Weight           { return Weight{0, Grown} }

// Table holds every feature with its meaning and weights. The weights were fitted
// by `go run ./bench/rank` to the tasks and histories named in
// docs/measurements.md. A fitted weight of 0 keeps a feature that is measured by
// itself.
var Table = [NFeatures]Row{
	Body:               {Name: "body", Meaning: "BM25 of the whole text", Reason: ReasonWords, Source: FromPostings, Find: fit(0.09)},
	RankBody:           {Name: "rank_body", Meaning: "1/(1+rank/4) by body", Source: FromPostings, Find: fit(0.76)},
	Named:              {Name: "named", Meaning: "the query's words in its path and declared names", Source: FromPostings, Find: fit(0.74)},
	Title:              {Name: "title", Meaning: "BM25 of the words in the query's first line", Reason: ReasonWords, Source: FromPostings, Find: fit(1.66)},
	CodeTerms:          {Name: "code_terms", Meaning: "BM25 of the words written as code", Source: FromPostings, Find: fit(0.89)},
	Matched:            {Name: "matched", Meaning: "share of the query's weight that it holds at all", Reason: ReasonWords, Source: FromPostings, Find: fit(-1.04)},
	Passage:            {Name: "passage", Meaning: "the passage that holds most of the query", Reason: ReasonWords, Source: FromText, Find: fit(0.39)},
	RankPassage:        {Name: "rank_passage", Meaning: "1/(1+rank/4) by passage", Source: FromText, Find: fit(0.96)},
	Pairs:              {Name: "pairs", Meaning: "neighbouring words of the query that are neighbours in it", Source: FromText, Find: fit(1)},
	Phrase:             {Name: "phrase", Meaning: "contains a text that the query quotes", Reason: ReasonPhrase, Source: FromText, Find: fit(1.73)},
	Typed:              {Name: "typed", Meaning: "contains a text that a query typed by a person quotes", Source: FromText, Find: byHand(4)},
	Base:               {Name: "base", Meaning: "share of the query's weight in the file's own name", Reason: ReasonBase, Source: FromPath, Find: fit(0.87)},
	BaseCover:          {Name: "base_cover", Meaning: "share of the file's own name that the query has", Reason: ReasonBase, Source: FromPath, Find: fit(0.9)},
	BaseExact:          {Name: "base_exact", Meaning: "the file's own name is one word of the query", Source: FromPath, Find: fit(0.16)},
	Dirs:               {Name: "dirs", Meaning: "share of the query's weight in its directories", Source: FromPath, Find: fit(0.94)},
	Path:               {Name: "path", Meaning: "the query names it by path", Reason: ReasonNamed, Source: FromMentions, Find: fit(1.12)},
	Frame:              {Name: "frame", Meaning: "the query names it with a line, as a traceback does", Reason: ReasonNamed, Source: FromMentions, Find: fit(0.17)},
	Crash:              {Name: "crash", Meaning: "the best of the files that a traceback names, without those of libraries", Reason: ReasonNamed, Source: FromOrder, Find: byHand(14)},
	MentionFirst:       {Name: "mention_first", Meaning: "the query names it before others", Source: FromMentions, Find: fit(0.42)},
	Defines:            {Name: "defines", Meaning: "declares names that the query mentions", Reason: ReasonDeclares, Source: FromMentions, Find: fit(0.63)},
	DefinesTitle:       {Name: "defines_title", Meaning: "declares names that the query's first line mentions", Reason: ReasonDeclares, Source: FromMentions, Find: fit(0.36)},
	RankLearned:        {Name: "rank_learned", Meaning: "1/(1+rank/4) by the past commits with such words that changed it", Reason: ReasonCommit, Source: FromHistory, Find: fit(1.72)},
	Messages:           {Name: "messages", Meaning: "the query's words in the messages of its commits", Source: FromHistory, Find: fit(0.85)},
	Recent:             {Name: "recent", Meaning: "e^-days/90 since it changed, counted from the newest candidate", Source: FromHistory, Find: fit(0.38)},
	Activity30:         {Name: "activity30", Meaning: "activity by a scale of 30 commits, at most 1", Source: FromHistory, Find: fit(0.43)},
	Activity180:        {Name: "activity180", Meaning: "activity by a scale of 180 commits, relative to the most active candidate", Source: FromHistory, Find: fit(0.9)},
	Commits:            {Name: "commits", Meaning: "logarithm of the commits that ever changed it", Source: FromHistory, Find: fit(-1.14)},
	ImportNeighbour:    {Name: "import_neighbour", Meaning: "imports the first candidates or is imported by them", Reason: ReasonNeighbour, Source: FromImports, Find: fit(0.3)},
	Siblings:           {Name: "siblings", Meaning: "share of body that the rest of its directory has", Source: FromDirectory, Find: fit(0.42)},
	SameDirectoryAsTop: {Name: "same_directory_as_top", Meaning: "in the directory of one of the first candidates, and of its class", Source: FromTop, Find: fit(0.18)},
	ChangedWithTop:     {Name: "changed_with_top", Meaning: "changed with the first candidates more often than by chance", Reason: ReasonWithTop, Source: FromTop, Find: fit(0.76)},
	ExtensionOfTop:     {Name: "extension_of_top", Meaning: "share of the first candidates, by how likely they are, with its extension", Source: FromTop, Find: fit(0.76)},
	Length:             {Name: "length", Meaning: "logarithm of its lines", Source: FromFile, Find: fit(-0.17)},
	Code:               {Name: "code", Meaning: "source: none of the following classes", Source: FromFile, Find: fit(2.75)},
	Test:               {Name: "test", Meaning: "a test", Source: FromFile, Find: fit(-2.36)},
	TestWanted:         {Name: "test_wanted", Meaning: "a test, and the query is about tests", Source: FromFile, Find: byHand(3.8)},
	Doc:                {Name: "doc", Meaning: "a document", Source: FromFile, Find: fit(-1.94)},
	DocWanted:          {Name: "doc_wanted", Meaning: "a document, and the query is about documents", Source: FromFile, Find: byHand(3)},
	Data:               {Name: "data", Meaning: "data", Source: FromFile, Find: fit(-0.72)},
	Example:            {Name: "example", Meaning: "an example", Source: FromFile, Find: fit(-0.35)},
	Other:              {Name: "other", Meaning: "text of no known language", Source: FromFile, Find: fit(1.65)},
	Declarations:       {Name: "declarations", Meaning: "declarations without code (.d.ts, .pyi), which mirror another file", Source: FromFile, Find: fit(-1.48)},
	Generated:          {Name: "generated", Meaning: "written by a program", Source: FromFile, Find: byHand(-0.5)},
	Vendored:           {Name: "vendored", Meaning: "a copy of another project's file", Source: FromFile, Find: fit(-0.35)},
	Aside:              {Name: "aside", Meaning: "a translation catalogue, vendored copy, generated migration, project template or fixture that the query does not ask for", Source: FromOrder, Find: byHand(-16)},
	Semantic:           {Name: "semantic", Meaning: "near the query by embeddings, if there is an endpoint for them", Reason: ReasonSemantic, Source: FromEmbedding, Find: byHand(1)},
	Earlier:            {Name: "earlier", Meaning: "was right for similar earlier work: s/(s+0.2), s being the similarity; a third of it where there is a history, which has mostly learned the same", Reason: ReasonEarlier, Source: FromEarlier, Find: positive(1.86)},
	EarlierDirectory:   {Name: "earlier_directory", Meaning: "in the directory of a file that was right for the most similar earlier work; only where there is no history", Source: FromEarlier, Find: positive(1.09)},
	Said:               {Name: "said", Meaning: "notes about it are relevant to the query", Reason: ReasonSaid, Source: FromSaid, Find: byHand(1)},
	Agreed:             {Name: "agreed", Meaning: "declares the agreed meaning of a term of the query", Reason: ReasonAgreed, Source: FromSaid, Find: byHand(14)},

	Rare:       {Name: "rare", Meaning: "share of the query's weight in its words, each divided by the files that hold it", Source: FromPostings, Find: byTrees()},
	TitleBase:  {Name: "title_base", Meaning: "share of the file's own name that the query's first line has", Source: FromPath, Find: byTrees()},
	Learned:    {Name: "learned", Meaning: "score by the past commits with such words that changed it, relative to the best", Source: FromHistory, Find: byTrees()},
	BestSymbol: {Name: "symbol", Meaning: "score of its best declaration, relative to the best", Source: FromSymbols, Find: byTrees()},
	BestName:   {Name: "symbol_name", Meaning: "the same by the declaration's name alone", Source: FromSymbols, Find: byTrees()},
	Crowd:      {Name: "crowd", Meaning: "logarithm of the candidates in its directory", Source: FromFile, Find: byTrees()},
	Depth:      {Name: "depth", Meaning: "directories above it", Source: FromFile, Find: byTrees()},
	QueryWords: {Name: "query_words", Meaning: "logarithm of the query's words", Source: FromMentions, Find: byTrees()},
	QueryNames: {Name: "query_names", Meaning: "logarithm of the names and paths that the query mentions", Source: FromMentions, Find: byTrees()},

	CoChange:             {Name: "co_change", Meaning: "changed together with the seed, by the history's score", Reason: reasonCoChange, Source: FromHistory, Impact: positive(0.29)},
	CoChangePlace:        {Name: "co_change_place", Meaning: "its place by co_change", Reason: reasonCoChange, Source: FromPlaces, Impact: positive(0.86)},
	Dependent:            {Name: "dependent", Meaning: "was seldom changed without the seed", Reason: reasonCoChange, Source: FromHistory, Impact: positive(0.45)},
	DependentPlace:       {Name: "dependent_place", Meaning: "its place by dependent", Reason: reasonCoChange, Source: FromPlaces, Impact: positive(0.37)},
	SecondHop:            {Name: "second_hop", Meaning: "its place by how much it changed with files that changed with the seed", Reason: reasonSecondHop, Source: FromHistory, Impact: positive(0.2)},
	SeedDirectoryChanges: {Name: "seed_directory_changes", Meaning: "its place by how much it changed with the seed's directory", Reason: reasonSeedDir, Source: FromHistory, Impact: positive(0.53)},
	OwnDirectoryChanges:  {Name: "own_directory_changes", Meaning: "its directory changed with the seed", Reason: reasonOwnDir, Source: FromFile, Impact: positive(1.11)},
	SimilarMessages:      {Name: "similar_messages", Meaning: "its place by commits with messages like those of the seed's", Reason: reasonMessages, Source: FromHistory, Impact: positive(0.61)},
	SharedWords:          {Name: "shared_words", Meaning: "shares words few files hold", Reason: reasonShared, Source: FromText, Impact: positive(0.96)},
	SharedWordsPlace:     {Name: "shared_words_place", Meaning: "its place by shared_words", Reason: reasonShared, Source: FromPlaces, Impact: positive(1.37)},
	SharedWordsOfBest:    {Name: "shared_words_of_best", Meaning: "shared_words, against the file that shares most", Reason: reasonShared, Source: FromText, Impact: positive(0.17)},
	ImportedBySeed:       {Name: "imported_by_seed", Meaning: "the seed imports it; less, the more others do", Reason: reasonImported, Source: FromEdges, Impact: positive(0)},
	ImportsSeed:          {Name: "imports_seed", Meaning: "imports the seed; less, the more others do", Reason: reasonImports, Source: FromEdges, Impact: positive(0.12)},
	UseEdge:              {Name: "use_edge", Meaning: "uses or inherits without import, either way", Reason: reasonUses, Source: FromEdges, Impact: positive(0)},
	TestEdge:             {Name: "test_edge", Meaning: "one tests the other", Reason: reasonTests, Source: FromEdges, Impact: positive(0.59)},
	Companion:            {Name: "companion", Meaning: "goes with the seed by name", Reason: reasonCompanion, Source: FromCompanions, Impact: positive(0.05)},
	SameDirectory:        {Name: "same_directory", Meaning: "in the seed's directory; small ones count more", Reason: reasonSameDir, Source: FromDirectory, Impact: positive(0)},
	NameWords:            {Name: "name_words", Meaning: "the names share words, rare ones count more", Reason: reasonNameWords, Source: FromPath, Impact: positive(0.96)},
	RareNames:            {Name: "rare_names", Meaning: "uses the same rarely used names", Reason: reasonRareNames, Source: FromNames, Impact: positive(0.18)},
	RecentActivity:       {Name: "recent_activity", Meaning: "a/(a+1) of its activity by a scale of 30 commits", Reason: reasonRecent, Source: FromFile, Impact: positive(0.28)},
	TestBoundary:         {Name: "test_boundary", Meaning: "one is a test and the other is not", Source: FromFile, Impact: fit(0.33)},
	Lines:                {Name: "lines", Meaning: "logarithm of its lines, 1 at 65,535", Source: FromFile, Impact: fit(0.93)},
	DirectoryCrowd:       {Name: "directory_crowd", Meaning: "logarithm of the files in its directory, 1 at 1,023", Source: FromFile, Impact: fit(-1.46)},
	DirDistance:          {Name: "dir_distance", Meaning: "1/(1+steps) from the seed's directory to its own", Source: FromFile, Impact: positive(0.2)},
	GeneratedOrVendored:  {Name: "generated_or_vendored", Meaning: "hardly ever changed by hand", Reason: reasonGenerated, Source: FromFile, Impact: fit(0)},
}
