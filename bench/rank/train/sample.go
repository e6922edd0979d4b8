// Package train fits the weights of one column of rank.Table to samples: rankings
// with their right candidates. bench/find and bench/impact write samples,
// bench/rank fits and prints.
package train

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"ken/internal/ask/rank"
)

// Sample is the candidates of one question with their shares of the right answer.
type Sample struct {
	Group string  // samples of one group, a repository, are left out together
	Total float64 // of the shares of all that was to be found, candidates or not
	Rows  []Row
}

// Row is a candidate.
type Row struct {
	Share    float64   // of the right answer; 0 for a wrong candidate
	Features []float64 // by place in the column
}

// NewRow takes the features of a column out of a vector.
func NewRow(column []rank.Feature, v *rank.Vector, share float64) Row {
	r := Row{Share: share, Features: make([]float64, len(column))}
	for k, f := range column {
		r.Features[k] = v[f]
	}
	return r
}

// WriteSamples writes the names of a column and samples, each in a line.
func WriteSamples(w io.Writer, column []rank.Feature, samples []Sample) error {
	enc := json.NewEncoder(w)
	if err := enc.Encode(names(column)); err != nil {
		return err
	}
	for i := range samples {
		if err := enc.Encode(&samples[i]); err != nil {
			return err
		}
	}
	return nil
}

// ReadSamples reads samples that Write wrote for the same column. It fails if they are of another column.
func ReadSamples(r io.Reader, column []rank.Feature) ([]Sample, error) {
	dec := json.NewDecoder(bufio.NewReader(r))
	var have []string
	if err := dec.Decode(&have); err != nil {
		return nil, err
	}
	if want := names(column); !slices.Equal(have, want) {
		return nil, fmt.Errorf("the samples have the features %v, the column has %v", have, want)
	}
	var out []Sample
	for {
		var s Sample
		if err := dec.Decode(&s); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
}

func names(column []rank.Feature) []string {
	out := make([]string, len(column))
	for k, f := range column {
		out[k] = rank.Table[f].Name
	}
	return out
}
