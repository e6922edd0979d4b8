package search

import "math"

// Feature is a place in Features.
type Feature int

// The features of a candidate. Those of scores are relative to the best
// candidate of the query, 0 to 1. What was tried and added less than half a
// point is in docs/measurements.md.
const (
	FBody         Feature = iota // BM25 of the whole text
	FBodyAbs                     // its logarithm, not relative
	FRankBody                    // 1/(1+rank/4) by it
	FNamed                       // the words its path and declared names have
	FTitle                       // BM25 of the first line's words
	FCodeTerms                   // … of the words written as code
	FMatched                     // share of the query's weight that it holds at all
	FPassage                     // the passage that holds most of the query
	FRankPassage                 // 1/(1+rank/4) by it
	FPhrase                      // holds what the query quotes
	FTyped                       // … and somebody typed that query
	FBase                        // share of the query's weight in the file's own name
	FBaseCover                   // share of the file's own name that the query says
	FBaseExact                   // all of it, as one word or as neighbours
	FDirs                        // share of the query's weight in its directories
	FPath                        // named by path
	FFrame                       // … with a line, as in a traceback
	FMentionFirst                // … before others
	FDefines                     // declares names that are mentioned
	FDefinesTitle                // … in the first line
	FLearned                     // past commits with such words changed it
	FRankLearned                 // 1/(1+rank/4) by that
	FRecent                      // changed lately, by days
	FHot                         // … by the commits since
	FCommits                     // that changed it, ever
	FNear                        // imports strong candidates or is imported by them
	FSiblings                    // the rest of its directory fits
	FSameDir                     // beside a strong candidate
	FRank                        // PageRank
	FLength                      // logarithm of its lines
	FCode                        // source: none of the following
	FTest
	FTestWanted // … and the task is about tests
	FDoc
	FDocWanted
	FData
	FExample
	FOther     // text of no language that is known
	FDeclares  // declarations without code (.d.ts, .pyi): the mirror of another file
	FGenerated // written by a program
	FVendored  // somebody else's
	FSemantic  // near by embeddings, if the user has an endpoint for them
	NFeatures
)

// FeatureNames are their names, as measurements call them.
var FeatureNames = [NFeatures]string{"body", "body_abs", "rank_body", "named", "title", "code_terms", "matched", "passage", "rank_passage", "phrase", "typed",
	"base", "base_cover", "base_exact", "dirs", "path", "frame", "mention_first", "defines", "defines_title", "learned", "rank_learned", "recent", "hot",
	"commits", "near", "siblings", "same_dir", "rank", "length", "code", "test", "test_wanted", "doc", "doc_wanted", "data", "example", "other",
	"declaration", "generated", "vendored", "semantic"}

// Features describe a candidate to the ranker.
type Features [NFeatures]float32

// weights were fitted to past tasks (go run ./bench/find -fit); see
// docs/measurements.md. Those of typed phrases, of wanted tests and documents,
// of generated files and of embeddings are set by hand: the tasks say nothing
// of them.
var weights = Features{
	FCode: 2.66, FDoc: -1.9, FTest: -1.63, FOther: 1.02, FData: -0.62, FExample: -0.31, FVendored: -0.28, FDeclares: -1.33,
	FBody: 0.33, FBodyAbs: 0.29, FRankBody: 0.38, FTitle: 1.44, FNamed: 0.89, FCodeTerms: 0.95, FMatched: -0.64,
	FPassage: 1.07, FRankPassage: 1.02, FPhrase: 1.24, FBase: 0.54, FBaseCover: 1, FBaseExact: 0.24, FDirs: 0.62,
	FPath: 1.01, FFrame: 0.24, FMentionFirst: 0.42, FDefines: 0.58, FDefinesTitle: 0.33,
	FLearned: 0.56, FRankLearned: 1.55, FRecent: 0.44, FHot: 0.68, FCommits: -0.67,
	FNear: 0.52, FSiblings: 0.52, FSameDir: 0.64, FRank: -0.27, FLength: -0.18,
	FTyped: 4, FTestWanted: 3, FDocWanted: 3, FGenerated: -0.5, FSemantic: 1,
}

// Score is the ranker's verdict.
func (f *Features) Score() float32 {
	s := float32(0)
	for i, w := range weights {
		s += w * f[i]
	}
	return s
}

// Part is what some features add to the score.
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
