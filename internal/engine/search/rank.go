package search

import "math"

// Feature is a place in Features.
type Feature int

// The features of a candidate. Those of scores are relative to the best
// candidate of the query, 0 to 1.
const (
	FBody Feature = iota
	FNamed
	FCompound
	FTitle
	FMatched
	FPassage
	FPassageShare
	FBase      // share of the terms' weight in the file's own name
	FBaseCover // share of the file's own name that the query says
	FDirs      // share of the terms' weight in its directories
	FPath      // named by path, 0 to 1
	FPathDir   // stands below a directory that is named
	FFrame     // named by a frame with a line
	FDefines   // declares names that are mentioned
	FDefinesTitle
	FPhrase
	FLearned
	FCoChange
	FRecent
	FChurn
	FNear // imports or is imported by strong candidates
	FRank // PageRank
	FTest
	FDoc
	FData
	FGenerated
	FVendored
	FExample
	FLength
	FRankBody    // 1/(k+rank) by Body
	FRankPassage // … by Passage
	FRankLearned
	FTestWanted
	FDocWanted
	FBodyAbs
	FSiblings // share of weight among the other files of its directory
	FMentionFirst
	FCompanion // strong tests or documents bear its name
	FDeclares  // declarations without code (.d.ts, .pyi): the mirror of another file
	FCode      // none of test, document, data, example, generated, vendored
	FBaseExact // the whole of its own name stands in the query as neighbouring words
	FOther     // text of no language that is known
	FCodeTerms // the words written as code
	FRare      // the rarest word it holds
	FCommits   // that changed it, ever
	FTwin      // named like a strong candidate
	FSameDir   // beside a strong candidate
	FBestName  // the declared name that says most of the query
	FTyped     // holds the phrase that was asked for
	FSemantic  // near by embeddings, if the user has an endpoint for them
	NFeatures
)

// FeatureNames are their names, as weights and measurements call them.
var FeatureNames = [NFeatures]string{"body", "named", "compound", "title", "matched", "passage", "passage_share", "base", "base_cover", "dirs",
	"path", "path_dir", "frame", "defines", "defines_title", "phrase", "learned", "co_change", "recent", "churn", "near", "rank",
	"test", "doc", "data", "generated", "vendored", "example", "length", "rank_body", "rank_passage", "rank_learned", "test_wanted", "doc_wanted",
	"body_abs", "siblings", "mention_first", "companion", "declaration", "code", "base_exact", "other", "code_terms", "rare", "commits", "twin", "same_dir", "best_name", "typed", "semantic"}

// Features describe a candidate to the ranker.
type Features [NFeatures]float32

// weights were fitted to past tasks; see docs/measurements.md.
var weights = Features{
	FBody: 1.0, FNamed: 0.8, FCompound: 0.4, FTitle: 0.6, FMatched: 0.5, FPassage: 1.0, FPassageShare: 0.3, FBase: 0.5, FBaseCover: 0.3,
	FDirs: 0.1, FPath: 3, FPathDir: 0.3, FFrame: 1, FDefines: 1.0, FDefinesTitle: 0.5, FPhrase: 0.4, FLearned: 0.8, FCoChange: 0.2, FRecent: 0.1,
	FChurn: 0.3, FNear: 0.3, FRank: 0.1, FTest: -1.5, FDoc: -1, FData: -0.8, FGenerated: -1, FVendored: -1, FExample: -1, FTestWanted: 1, FDocWanted: 1,
	FRankBody: 0.5, FRankPassage: 0.5, FCompanion: 0.5, FDeclares: -0.5, FTyped: 4, FBestName: 0.3, FSiblings: 0.1, FTwin: 0.3, FSameDir: 0.2, FBaseExact: 0.3,
	FSemantic: 1, // by hand: no task was measured with embeddings
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
