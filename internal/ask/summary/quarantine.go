package summary

import (
	"context"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Quarantined is a file whose facts are not reliable, with the reason.
type Quarantined struct {
	Path string
	// Reason is parse_limit or too_large (read in part), errors_no_symbols (errors and no declarations in a fully supported language:
	// unknown syntax, or another language) or errors (more than half of it in error).
	Reason     string
	ErrorShare float64 // share of its bytes that no grammar rule covers, 0–1
}

// Reasons for a quarantine in addition to those of code.Problem.
const (
	quarantineBlind  = "errors_no_symbols"
	quarantineErrors = "errors"
)

// maxErrorShare is the share of bytes with syntax errors above which the facts of a file are not reliable.
const maxErrorShare = 0.5

// Quarantine returns the files whose facts are incomplete, by path. An answer that is empty because of such a file proves nothing.
// It returns an error if the index cannot be read.
func Quarantine(_ context.Context, s *view.Snapshot) ([]Quarantined, error) {
	var out []Quarantined
	for f, err := range s.Index.Files() {
		if err != nil {
			return nil, err
		}
		if reason := quarantineReason(&f); reason != "" {
			out = append(out, Quarantined{f.Path, reason, errorShare(&f)})
		}
	}
	return out, nil
}

func errorShare(f *code.File) float64 {
	return min(1, float64(f.ErrorBytes)/float64(max(1, f.Stat.Size)))
}

// quarantineReason returns why a file is quarantined, "" if it is not.
func quarantineReason(f *code.File) string {
	if lang.LanguageTier(f.Lang) == lang.None {
		return ""
	}
	switch {
	case f.Problem == code.ProblemParseLimit, f.Problem == code.ProblemTooLarge:
		return string(f.Problem)
	case f.Problem != code.ProblemNone || f.ErrorBytes == 0:
		return ""
	case f.Symbols == 0 && lang.LanguageTier(f.Lang) == lang.Full:
		return quarantineBlind
	case errorShare(f) > maxErrorShare:
		return quarantineErrors
	}
	return ""
}
