package scan

import (
	"context"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source/scan/list"
	"ken/internal/engine/source/scan/nofollow"
	"ken/internal/lang"
)

// DecodeIgnored decodes Listing.Ignored alone from the form that Listing.Encode returns. It fails as DecodeListing does.
func DecodeIgnored(data []byte) ([]string, error) { return list.DecodeIgnored(data) }

// maxUnlisted is the number of names that Below looks at.
const maxUnlisted = 20_000

// cacheTag is the name of the file by which programs mark a directory of what they can make again; see bford.info/cachedir.
const cacheTag = "CACHEDIR.TAG"

// Below returns the files of programming languages among some paths and in the directories of them, whose paths end in '/', those of
// fewer directories first. It leaves out hidden directories, caches, other repositories and installed packages, which cannot use the
// project's code. more is set if there are too many names to look at all.
func (s *Scanner) Below(ctx context.Context, paths []string) (files []string, more bool, err error) {
	r, err := nofollow.Open(s.root)
	if err != nil {
		return nil, false, err
	}
	defer r.Close()
	buf := make([]byte, 32<<10)
	seen := 0
	var dirs []string
	add := func(p string, isDir bool) {
		switch {
		case !isDir && lang.Of(lang.Detect(p, nil)).Tier == lang.Full && !isVendored(code.Dir(p)+"/"):
			files = append(files, p)
		case isDir && !isVendored(p) && !strings.HasPrefix(path.Base(p), "."):
			dirs = append(dirs, p)
		}
	}
	for _, p := range paths {
		add(p, strings.HasSuffix(p, "/"))
	}
	for len(dirs) > 0 && ctx.Err() == nil {
		dir := dirs[0]
		dirs = dirs[1:]
		d, err := r.OpenDir(strings.TrimSuffix(dir, "/"))
		if err != nil {
			continue // gone, or unreadable for the user
		}
		names, err := d.Names(buf)
		if err == nil && !slices.Contains(names, cacheTag) && !slices.Contains(names, ".git") {
			slices.Sort(names)
			for _, name := range names {
				if seen++; seen > maxUnlisted {
					break
				}
				switch _, k, err := d.Lstat("", name); {
				case err != nil:
				case k == nofollow.Directory:
					add(dir+name+"/", true)
				case k == nofollow.Regular:
					add(dir+name, false)
				}
			}
		}
		d.Close()
		if seen > maxUnlisted {
			return files, true, nil
		}
	}
	return files, false, ctx.Err()
}
