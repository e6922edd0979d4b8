package fleet

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"ken/internal/ask/surface"
)

// The bounds of a file of records, which may be anything.
const (
	maxFile    = 64 << 20
	maxLine    = 1 << 20
	maxRecords = 500_000
	maxText    = 16 << 10
	maxList    = 10_000
)

// ErrNoSurface reports that a file does not begin as a surface does.
var ErrNoSurface = errors.New("it is no output of ken surface")

// ReadRecords reads the output of ken surface. It returns ErrNoSurface if it is none, and another error if it is of a later format, is cut
// off or exceeds a bound. Fields that it does not know are skipped.
func ReadRecords(r io.Reader) ([]surface.Record, error) {
	lines := bufio.NewScanner(io.LimitReader(r, maxFile+1))
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	var list []surface.Record
	size := 0
	for lines.Scan() {
		if size += len(lines.Bytes()) + 1; size > maxFile || len(list) == maxRecords {
			return nil, fmt.Errorf("it has more than %d MB or %d lines", maxFile>>20, maxRecords)
		}
		var rec surface.Record
		err := json.Unmarshal(lines.Bytes(), &rec)
		switch {
		case len(list) == 0 && (err != nil || rec.Type != surface.TypeSurface):
			return nil, ErrNoSurface
		case err != nil:
			return nil, fmt.Errorf("line %d is no record", len(list)+1)
		case len(list) == 0 && rec.Schema != surface.Schema:
			return nil, fmt.Errorf("it has format %d, this ken reads %d", rec.Schema, surface.Schema)
		case !isSound(&rec):
			return nil, fmt.Errorf("line %d has a value that ken surface does not write", len(list)+1)
		}
		list = append(list, rec)
	}
	switch {
	case errors.Is(lines.Err(), bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d is longer than %d bytes", len(list)+1, maxLine)
	case lines.Err() != nil:
		return nil, lines.Err()
	case len(list) == 0:
		return nil, ErrNoSurface
	case list[len(list)-1].Type != surface.TypeCoverage:
		return nil, errors.New("its end is missing")
	}
	return list, nil
}

// isSound reports whether the texts of a record are short and its numbers not negative.
func isSound(r *surface.Record) bool {
	lists := [][]string{
		{r.Type, r.Commit, r.Manager, r.Package, r.Module, r.Symbol, r.Tier, r.Version, r.Declared, r.Manifest, r.From, r.FromName, r.Language},
		r.Locked, r.Modules, r.Places, r.Unread,
	}
	for _, list := range lists {
		if len(list) > maxList || slices.ContainsFunc(list, func(s string) bool { return len(s) > maxText }) {
			return false
		}
	}
	return min(r.Uses, r.Files, r.External, r.Known, r.Members) >= 0
}
