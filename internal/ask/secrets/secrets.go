package secrets

import (
	"context"
	"slices"

	"ken/internal/ask/grep"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Secrets are the credentials in the indexed files at or below paths, all if
// there are none, by path and place. Allowed ones are left out and counted.
func Secrets(_ context.Context, s *view.Snapshot, paths []string) (list []store.FoundSecret, allowed int, err error) {
	rep := newSecretReport(s.Tree, s.Opt.AllowSecrets)
	for row, err := range s.Index.Secrets() {
		if err != nil {
			return nil, 0, err
		}
		if grep.Below(row.Path, paths) {
			rep.add(row)
		}
	}
	return rep.list, rep.allowed, nil
}

// secretReport gathers what is to be reported.
type secretReport struct {
	kinds   map[string]string
	allow   []source.Allow
	list    []store.FoundSecret
	allowed int
}

func newSecretReport(t *source.Tree, allow []source.Allow) *secretReport {
	r := &secretReport{kinds: map[string]string{}, allow: allow}
	for _, rule := range t.SecretRules() {
		r.kinds[rule.ID] = rule.Kind
	}
	return r
}

func (r *secretReport) add(f store.FoundSecret) bool {
	if f.Noted || slices.Contains(r.allow, source.Allow{Rule: f.Rule, Path: f.Path, Hash: f.HashText()}) {
		r.allowed++
		return false
	}
	f.Kind = r.kinds[f.Rule]
	r.list = append(r.list, f)
	return true
}
