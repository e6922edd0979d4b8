package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/ask/rank"
)

// tableRow is a task with the features of its candidates, for learning. The first line of a table has the names of the
// features.
type tableRow struct {
	ID, Lang, Source string
	Gold             int      // right files, candidates or not
	Paths            []string // of the candidates
	Right            []int    // places of the right ones in Paths
	Features         [][]float32
}

// tableFile returns the file of a repository's table.
func (b *bench) tableFile(repo string) string {
	return filepath.Join(b.table, strings.ReplaceAll(repo, "/", "+")+".jsonl.gz")
}

// writeTable writes the table of a repository. It is there whole or not at all, so that a run that ended goes on with the others.
func (b *bench) writeTable(repo string, list []taskResult) error {
	to := b.tableFile(repo)
	f, err := os.Create(to + ".part")
	if err != nil {
		return err
	}
	column := rank.Column(rank.Find)
	var names []string
	for _, k := range column {
		names = append(names, rank.Table[k].Name)
	}
	zip := gzip.NewWriter(f)
	out := json.NewEncoder(zip)
	err = out.Encode(names)
	for i := range list {
		err = errors.Join(err, out.Encode(newTableRow(&list[i], column)))
	}
	if err := errors.Join(err, zip.Close(), f.Close()); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	return os.Rename(to+".part", to)
}

func newTableRow(o *taskResult, column []rank.Feature) *tableRow {
	row := &tableRow{ID: o.ID, Lang: o.Lang, Source: o.Source, Gold: len(o.Gold)}
	for k := range o.Trace {
		c := &o.Trace[k]
		if slices.Contains(o.Gold, c.Path) {
			row.Right = append(row.Right, k)
		}
		row.Paths = append(row.Paths, c.Path)
		features := make([]float32, len(column))
		for i, f := range column {
			features[i] = float32(c.Features[f])
		}
		row.Features = append(row.Features, features)
	}
	return row
}
