package history

import (
	"slices"
	"strings"
	"time"
)

// Filter selects commits. The zero value selects all.
type Filter struct {
	Since time.Time // not before it
	Under []string  // changed one of these files or folders, by their present names; nil for any
	Limit int       // commits at most, 0 for all
}

// Latest returns the stored commits that a filter selects, the newest first, and whether there are more. Merges are left out, because the
// history has neither message nor files of them. keep selects the files that are listed. It returns the error of keep, or one if the
// history cannot be read.
func (v *View) Latest(f Filter, keep func(string) (bool, error)) (list []PastCommit, more bool, err error) {
	if err := v.open(); err != nil {
		return nil, false, err
	}
	under, err := v.under(f.Under)
	if err != nil {
		return nil, false, err
	}
	for i := v.head.n - 1; i >= 0; i-- {
		isOlder := !f.Since.IsZero() && v.when[i] < f.Since.Unix()
		if isOlder || under != nil && !slices.ContainsFunc(v.changedFiles(i), func(id uint32) bool { return under[id] }) {
			continue
		}
		c, err := v.Commit(i, keep)
		switch {
		case err != nil:
			return nil, false, err
		case c.Changed == 0 && c.Subject == "":
		case f.Limit > 0 && len(list) == f.Limit:
			return list, true, nil
		default:
			list = append(list, c)
		}
	}
	return list, false, nil
}

// under returns by path whether it is one of the given files or below one of the given folders, nil if none is given.
func (v *View) under(given []string) ([]bool, error) {
	if len(given) == 0 {
		return nil, nil
	}
	out := make([]bool, v.head.paths)
	for id := range out {
		p, err := v.path(uint32(id))
		if err != nil {
			return nil, err
		}
		out[id] = slices.ContainsFunc(given, func(g string) bool { return p == g || g == "." || strings.HasPrefix(p, g+"/") })
	}
	return out, nil
}
