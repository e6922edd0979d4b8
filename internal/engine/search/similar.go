package search

import (
	"math"

	"ken/internal/engine/words"
)

// Similar is a document that shares words with another.
type Similar struct {
	Doc int32
	// Score is 1 for a document of the same words as often, of the same length.
	Score float32
}

// The constants of Similar were fitted to the number of files found that changed together (20 repositories, see
// docs/measurements.md on impact). Of the powers of IDF from 2 to 4 the third was best, of the added lengths from 50 to
// 3,000 a thousand; bounds from 30 to 200 documents only changed the time.
const (
	similarDocs   = 80   // a term that more documents hold does not count
	similarLength = 1000 // tokens added to a document's length
	similarNamed  = 1.5  // factor for a term of a path or a declared name, in each of both documents
)

// Similar scores the documents that share rare words with one: the sum of IDF³ times their counts in both, over the root
// of the length. The list is in no order. It returns an error if the postings cannot be read or are damaged.
func (x *Index) Similar(d *Doc) ([]Similar, error) {
	sum, own := map[int32]float32{}, float32(0)
	var list []Posting
	for _, t := range d.Terms {
		var err error
		if list, err = x.rare(list[:0], t.Term); err != nil {
			return nil, err
		}
		if len(list) == 0 || len(list) > similarDocs {
			continue
		}
		n := float64(len(list))
		idf := float32(math.Log(1 + (float64(x.Live)-n+0.5)/(n+0.5)))
		w := idf * idf * idf * occurrenceFactor(t.Code)
		own += w * occurrenceFactor(t.Code)
		for _, p := range list {
			sum[p.Doc] += w * occurrenceFactor(p.Code)
		}
	}
	out := make([]Similar, 0, len(sum))
	whole := own / float32(math.Sqrt(similarLength+float64(d.Length)))
	for doc, s := range sum {
		out = append(out, Similar{doc, s / float32(math.Sqrt(similarLength+float64(x.length[doc]))) / whole})
	}
	return out, nil
}

// occurrenceFactor returns the factor by which a term counts, from the number and the places of its occurrences.
func occurrenceFactor(code uint8) float32 {
	n := 1 + float32(math.Log(float64(freq[code&7])))
	if code&Named != 0 {
		n *= similarNamed
	}
	return n
}

// rare is Postings for a term that few documents hold. It may leave out a term in more than similarDocs documents, which
// it recognises by the size: a posting takes four bytes at most.
func (x *Index) rare(dst []Posting, term words.Term) ([]Posting, error) {
	data, err := x.packedPostings(term)
	if err != nil || len(data) > 4*similarDocs {
		return dst, err
	}
	return x.unpack(dst, term, data)
}
