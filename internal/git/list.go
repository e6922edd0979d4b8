package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
)

// Tracked is one path of git's index.
type Tracked struct {
	Path         string // relative to the top of the working tree
	Mode         uint32 // 0100644, 0100755, 0120000 (link), 0160000 (gitlink)
	SkipWorktree bool   // left out of a sparse checkout
}

// IsSubmodule reports whether the entry is a submodule.
func (t Tracked) IsSubmodule() bool { return t.Mode == ModeGitlink }

// The modes of index entries that are not plain files.
const (
	ModeLink    = 0o120000
	ModeGitlink = 0o160000
	modeTree    = 0o040000
)

// Listing holds the files that `git ls-files -co --exclude-standard` lists, in git's order.
type Listing struct {
	Tracked []Tracked // whether they exist on disk or not; a path in conflict occurs once
	// Others are untracked and not ignored. A nested repository is named once,
	// with a trailing slash. Both kinds of paths are relative to the listed
	// directory.
	Others []string
}

// List has git list dir, a directory of r's working tree. excludesFile is the user's own ignore file ("" for none). ken
// reads that setting itself, because it must check that the file is not a pipe before git opens it. List fails if git does
// or its output is invalid.
func (g Git) List(ctx context.Context, r *Repo, dir, excludesFile string) (*Listing, error) {
	if excludesFile == "" {
		excludesFile = os.DevNull
	}
	out, err := g.runWith(ctx, r, dir, []string{"core.excludesFile=" + excludesFile},
		[]string{"ls-files", "-z", "-t", "-s", "-c", "-o", "--exclude-standard"})
	if err != nil {
		return nil, err
	}
	return parseList(out)
}

// parseList reads the output of git ls-files -z -t -s: "? path" for
// untracked files and "TAG MODE ID STAGE\tPATH" for entries of the index.
func parseList(out []byte) (*Listing, error) {
	l := &Listing{}
	text := string(out) // one copy; the paths are slices of it
	for len(out) > 0 {
		end := bytes.IndexByte(out, 0)
		if end < 0 || end < 3 || out[1] != ' ' {
			return nil, fmt.Errorf("read ls-files: %w: record %.120q", ErrUnsupported, out)
		}
		rec, tag := text[2:end], out[0]
		out, text = out[end+1:], text[end+1:]
		if tag == '?' {
			l.Others = append(l.Others, rec)
			continue
		}
		t, err := parseStage(rec)
		if err != nil {
			return nil, err
		}
		t.SkipWorktree = tag == 'S'
		if n := len(l.Tracked); n == 0 || l.Tracked[n-1].Path != t.Path {
			l.Tracked = append(l.Tracked, t)
		}
	}
	return l, nil
}

func parseStage(rec string) (Tracked, error) {
	tab := bytes.IndexByte([]byte(rec[:min(len(rec), 80)]), '\t')
	if tab < 7 || tab+1 == len(rec) {
		return Tracked{}, fmt.Errorf("read ls-files: %w: entry %.120q", ErrUnsupported, rec)
	}
	mode, err := strconv.ParseUint(rec[:6], 8, 32)
	if err != nil {
		return Tracked{}, fmt.Errorf("read ls-files: %w: mode %q", ErrUnsupported, rec[:6])
	}
	return Tracked{Path: rec[tab+1:], Mode: uint32(mode)}, nil
}
