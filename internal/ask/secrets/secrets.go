package secrets

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Secrets returns the credentials in the indexed files at or below paths, all if there are none, by path and place. Allowed ones are
// left out and counted. A token in the name of a directory is listed once, with the path of the directory. It returns an error if the
// index cannot be read.
func Secrets(_ context.Context, s *view.Snapshot, paths []string) (list []store.FoundSecret, allowed Allowed, err error) {
	rep := newSecretReport(s)
	for row, err := range s.Index.Secrets() {
		if err != nil {
			return nil, Allowed{}, err
		}
		if code.IsUnder(row.Path, paths) {
			rep.addOnce(row)
		}
	}
	return rep.list, rep.allowed, nil
}

// Allowed has what is not listed: the number of findings that a comment or an allow-list permits, and the texts that were not searched to
// their end.
type Allowed struct {
	All        int // allowed by a comment or an allow-list
	ByProject  int // of these, by the allow-list in the project's own settings
	Unsearched []Gap
}

// Gap is the rest of a file, from a line on, that was not searched, because so much in it looks like credentials, or it is too large.
type Gap struct {
	Path, Commit string
	Line         uint32
}

// secretReport collects the findings to report.
type secretReport struct {
	view    *view.Snapshot
	kinds   map[string]string
	list    []store.FoundSecret
	allowed Allowed
	named   map[string]bool // files and directories whose names were reported
}

func newSecretReport(s *view.Snapshot) *secretReport {
	r := &secretReport{view: s, kinds: map[string]string{}, named: map[string]bool{}}
	for _, rule := range s.Tree.SecretRules() {
		r.kinds[rule.ID] = rule.Kind
	}
	return r
}

// addOnce adds a finding. A finding in a path gets the path of the file or directory whose name holds it, and is added once for all
// files below that.
func (r *secretReport) addOnce(f store.FoundSecret) {
	if f.Line == 0 {
		if i := strings.IndexByte(f.Path[f.End:], '/'); i >= 0 {
			f.Path = f.Path[:int(f.End)+i]
		}
		place := f.Path + "\x00" + strconv.Itoa(int(f.Start)) + f.Commit
		if r.named[place] {
			return
		}
		r.named[place] = true
	}
	r.add(f)
}

func (r *secretReport) add(f store.FoundSecret) {
	if f.Rule == source.Unsearched { // nothing allows what was not looked at
		r.allowed.Unsearched = append(r.allowed.Unsearched, Gap{f.Path, f.Commit, f.Line})
		return
	}
	entry, listed := r.allows(&f)
	if f.Noted || listed {
		r.allowed.All++
		if listed && r.view.AllowedByProject(entry) {
			r.allowed.ByProject++
		}
		return
	}
	f.Kind = r.kinds[f.Rule]
	r.list = append(r.list, f)
}

// allows returns the entry of the allow-list that permits a finding, and reports whether there is one.
func (r *secretReport) allows(f *store.FoundSecret) (entry source.Allow, ok bool) {
	allow := r.view.Opt.AllowSecrets
	if len(allow) == 0 {
		return entry, false
	}
	for _, path := range [...]string{f.Path, r.view.Tree.ShownPath(f.Path)} {
		entry = source.Allow{Rule: f.Rule, Path: path, Hash: f.HashText()}
		if slices.Contains(allow, entry) {
			return entry, true
		}
	}
	return entry, false
}
