package export

import (
	"context"
	"time"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// Times are the real times of files, which differ between clones and between runs. A nil *Times adds nothing to a format.
type Times struct{ inGit map[string]time.Time }

// NewTimes returns the times of the files of an index. It fails if the index or the history cannot be read.
func NewTimes(ctx context.Context, s *view.Snapshot) (*Times, error) {
	var paths []string
	for f, err := range s.Files(ctx) {
		if err != nil {
			return nil, err
		}
		paths = append(paths, f.Path)
	}
	list, err := s.Activities(paths)
	if err != nil {
		return nil, err
	}
	t := &Times{inGit: map[string]time.Time{}}
	for i := range list {
		if list[i].Commits > 0 {
			t.inGit[paths[i]] = list[i].Last
		}
	}
	return t, nil
}

// fileTimes are the real times of one file as text.
type fileTimes struct {
	FirstIndexed  string `json:"firstIndexed,omitempty" doc:"with --times real: time at which the index first had the file, RFC 3339"`
	ChangedOnDisk string `json:"changedOnDisk,omitempty" doc:"with --times real: its time of modification on disk, RFC 3339"`
	ChangedInGit  string `json:"changedInGit,omitempty" doc:"with --times real: time of the last commit that changed it, RFC 3339; left out if no commit did that the index knows"`
}

// fileMillis are the real times of one file in milliseconds since 1970.
type fileMillis struct {
	FirstIndexed  int64 `json:"firstIndexed,omitempty" doc:"with --times real: time at which the index first had the file, in milliseconds since 1970"`
	ChangedOnDisk int64 `json:"changedOnDisk,omitempty" doc:"with --times real: its time of modification on disk"`
	ChangedInGit  int64 `json:"changedInGit,omitempty" doc:"with --times real: time of the last commit that changed it; left out if no commit did that the index knows"`
}

func (t *Times) millis(f *code.File) (m fileMillis) {
	if t == nil {
		return m
	}
	m = fileMillis{FirstIndexed: f.FirstIndexed, ChangedOnDisk: time.Unix(0, f.Stat.MTime).UnixMilli()}
	if at, ok := t.inGit[f.Path]; ok {
		m.ChangedInGit = at.UnixMilli()
	}
	return m
}

func (t *Times) text(f *code.File) (x fileTimes) {
	if t == nil {
		return x
	}
	x = fileTimes{FirstIndexed: timestamp(time.UnixMilli(f.FirstIndexed)), ChangedOnDisk: timestamp(time.Unix(0, f.Stat.MTime))}
	if at, ok := t.inGit[f.Path]; ok {
		x.ChangedInGit = timestamp(at)
	}
	return x
}
