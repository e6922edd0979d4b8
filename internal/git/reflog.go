package git

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// BranchSwitched reports whether, since a moment, the working tree was moved to another branch or work was put into the
// stash. Then an unchanged file may have its changes elsewhere. It returns true if that is unknown, because git keeps no log
// of HEAD or one that is too long.
func (r *Repo) BranchSwitched(since time.Time) bool {
	if entries, ok := reflog(filepath.Join(r.CommonDir, "logs", "refs", "stash")); !ok || len(entries) > 0 && !entries[len(entries)-1].at.Before(since) {
		return true
	}
	entries, ok := reflog(filepath.Join(r.GitDir, "logs", "HEAD"))
	if !ok || len(entries) == 0 {
		return true
	}
	for _, e := range entries {
		if !e.at.Before(since) && strings.HasPrefix(e.message, "checkout:") {
			return true
		}
	}
	return false
}

type reflogEntry struct {
	at      time.Time
	message string
}

// reflog reads git's log of the changes of a ref, oldest first: lines "OLD NEW NAME <MAIL> SECONDS ZONE\tMESSAGE". There
// may be no log; ok is false if it cannot be read.
func reflog(path string) (out []reflogEntry, ok bool) {
	data, err := readSmall(path)
	if isNotExist(err) {
		return nil, true
	}
	if err != nil {
		return nil, false
	}
	for line := range bytes.Lines(data) {
		head, message, _ := strings.Cut(strings.TrimSpace(string(line)), "\t")
		f := strings.Fields(head)
		if len(f) < 4 {
			continue
		}
		seconds, err := strconv.ParseInt(f[len(f)-2], 10, 64)
		if err != nil {
			return nil, false
		}
		out = append(out, reflogEntry{time.Unix(seconds, 0), message})
	}
	return out, true
}
