package setup

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"ken/internal/config"
	"ken/internal/operation"
	"ken/internal/statefile"
)

// reasons are the kinds of failures of hooks, with the words in the log that show them.
var reasons = []struct {
	what  string
	words []string
}{
	{"read-only disk", []string{"read-only file system", "attempt to write a readonly database", "sqlite_readonly"}},
	{"full disk", []string{"no space left on device", "database or disk is full", "disk quota exceeded", "file too large", "sqlite_full"}},
	{"no permission", []string{"permission denied", "operation not permitted"}},
	{"panic", []string{"panic:"}},
	{"too slow", []string{"within 3 seconds", "deadline exceeded", "database is locked"}},
	{"payload", []string{"payload"}},
}

// other is the reason of all other lines.
const other = "other"

// maxLog is the largest part of a log that is read; hooks begin a new log before that.
const maxLog = 4 << 20

// checkLog counts the failures that hooks logged.
func (x *examination) checkLog() {
	path := config.HookLog(x.env.Getenv)
	if path == "" {
		x.addCheck("log", problem, "there is no state directory, so hooks have no place to note what goes wrong: neither HOME nor KEN_STATE names one")
		return
	}
	var text []byte
	for _, p := range []string{path + ".1", path} {
		raw, err := statefile.ReadFollow(p, maxLog)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			x.addCheck("log", problem, "%v", err)
		}
		text = append(text, raw...)
	}
	x.answer.Faults = countLines(string(text))
	if len(x.answer.Faults) == 0 {
		x.addCheck("log", good, "hooks noted nothing in %s", path)
	}
}

// countLines counts the lines of a log by reason.
func countLines(text string) []Logged {
	found := map[string]*Logged{}
	for line := range strings.Lines(text) {
		at, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		_, message, named := strings.Cut(rest, ": ")
		if !ok || !named || strings.HasPrefix(message, "done in ") { // of KEN_DEBUG
			continue
		}
		what := failureReason(message)
		l := found[what]
		if l == nil {
			l = &Logged{What: what}
			found[what] = l
		}
		l.Count++
		l.Last, l.Line = at, operation.Clip(rest)
	}
	out := []Logged{}
	for _, l := range found {
		out = append(out, *l)
	}
	slices.SortFunc(out, func(a, b Logged) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.What, b.What)) })
	return out
}

func failureReason(message string) string {
	message = strings.ToLower(message)
	for _, r := range reasons {
		if slices.ContainsFunc(r.words, func(w string) bool { return strings.Contains(message, w) }) {
			return r.what
		}
	}
	return other
}
