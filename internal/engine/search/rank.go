package search

import "math"

// Feature is a place in Features.
type Feature int

// The features of a candidate. Scores are relative to the best candidate of the
// query, from 0 to 1. Features that were tried and added less than half a point are
// in docs/measurements.md.
const (
	FBody            Feature = iota // BM25 of the whole text
	FRankBody                       // 1/(1+rank/4), by FBody
	FNamed                          // weight of the words its path and declared names have
	FTitle                          // BM25 of the first line's words
	FCodeTerms                      // BM25 of the words written as code
	FMatched                        // share of the query's weight that it holds at all
	FPassage                        // score of the passage that holds most of the query
	FRankPassage                    // 1/(1+rank/4), by FPassage
	FPairs                          // neighbouring words of the query that are neighbours in it
	FPhrase                         // holds a phrase that the query quotes
	FTyped                          // … and the query was typed, not a text
	FBase                           // share of the query's weight in the file's own name
	FBaseCover                      // share of the file's own name that the query has
	FBaseExact                      // the query has all of it, as one word or as neighbours
	FDirs                           // share of the query's weight in its directories
	FPath                           // the query names its path
	FFrame                          // … with a line, as in a traceback
	FMentionFirst                   // … before other paths
	FDefines                        // declares names that the query mentions
	FDefinesTitle                   // … in its first line
	FRankLearned                    // 1/(1+rank/4), by the past commits with similar messages that changed it
	FMessages                       // score of the messages of all its commits
	FRecent                         // how recent its last change is, in days
	FActivity30                     // commits that changed it, those 30 commits ago worth 1/e
	FActivity180                    // … those 180 commits ago worth 1/e, relative
	FCommits                        // logarithm of the number of commits that changed it
	FImportNeighbour                // imports strong candidates, or they import it
	FSiblings                       // how well the rest of its directory fits
	FSameDir                        // in the directory of a strong candidate
	FTogether                       // changed together with strong candidates more than by chance (history.View.Lift)
	FSameExt                        // share of the strong candidates that have its extension
	FLength                         // logarithm of its lines
	FCode                           // source code: none of the following kinds
	FTest
	FTestWanted // a test, and the task is about tests
	FDoc
	FDocWanted // a document, and the task is about documents
	FData
	FExample
	FOther     // text of an unknown language
	FDeclares  // declarations without code (.d.ts, .pyi), which mirror another file
	FGenerated // written by a program
	FVendored  // somebody else's code
	FSemantic  // similarity by embeddings, if the user has an endpoint for them
	NFeatures
)

// FeatureNames are the names of features in measurements.
var FeatureNames = [NFeatures]string{"body", "rank_body", "named", "title", "code_terms", "matched", "passage", "rank_passage", "pairs", "phrase", "typed",
	"base", "base_cover", "base_exact", "dirs", "path", "frame", "mention_first", "defines", "defines_title", "rank_learned", "messages", "recent", "activity30", "activity180",
	"commits", "import_neighbour", "siblings", "same_dir", "together", "same_ext", "length", "code", "test", "test_wanted", "doc", "doc_wanted", "data", "example", "other",
	"declaration", "generated", "vendored", "semantic"}

// Features describe a candidate to the ranker.
type Features [NFeatures]float32

// weights were fitted to past tasks (go run ./bench/find -fit); see
// docs/measurements.md. Those of typed phrases, of wanted tests and documents,
// of generated files and of embeddings are set by hand, because the tasks have too
// few examples of them.
var weights = Features{
	FCode: 2.75, FDoc: -1.94, FTest: -2.36, FOther: 1.65, FData: -0.72, FExample: -0.35, FVendored: -0.35, FDeclares: -1.48,
	FBody: 0.09, FRankBody: 0.76, FTitle: 1.66, FNamed: 0.74, FCodeTerms: 0.89, FMatched: -1.04,
	FPassage: 0.39, FRankPassage: 0.96, FPairs: 1, FPhrase: 1.73, FBase: 0.87, FBaseCover: 0.9, FBaseExact: 0.16, FDirs: 0.94,
	FPath: 1.12, FFrame: 0.17, FMentionFirst: 0.42, FDefines: 0.63, FDefinesTitle: 0.36,
	FRankLearned: 1.72, FMessages: 0.85, FRecent: 0.38, FActivity30: 0.43, FActivity180: 0.9, FCommits: -1.14,
	FImportNeighbour: 0.3, FSiblings: 0.42, FSameDir: 0.18, FTogether: 0.76, FSameExt: 0.76, FLength: -0.17,
	FTyped: 4, FTestWanted: 3.8, FDocWanted: 3, FGenerated: -0.5, FSemantic: 1,
}

// Score is the weighted sum by which candidates are ranked.
func (f *Features) Score() float32 {
	s := float32(0)
	for i, w := range weights {
		s += w * f[i]
	}
	return s
}

// Part is the share of the score that some features contribute.
func (f *Features) Part(list ...Feature) float32 {
	s := float32(0)
	for _, i := range list {
		s += weights[i] * f[i]
	}
	return s
}

// Relative divides a feature by its largest value among all.
func Relative(all []Features, f Feature) {
	best := float32(0)
	for i := range all {
		best = max(best, all[i][f])
	}
	if best <= 0 {
		return
	}
	for i := range all {
		all[i][f] /= best
	}
}

// Log is log(1+v), for counts.
func Log(v float64) float32 { return float32(math.Log1p(v)) }
