package git

import (
	"context"
	"fmt"
	"strings"
)

// Blob returns the content of path (relative to the top of the working tree) in a revision, as it is stored: no filter, no
// textconv, no line-end conversion. rev is an object id, "HEAD" or a full ref name; "" is the index. It fails with
// ErrNotFound if the revision or the path in it does not exist, or if git fails.
func (g Git) Blob(ctx context.Context, r *Repo, rev, path string) ([]byte, error) {
	if rev != "" && rev != "HEAD" && !isHex(rev) && !ValidRef(rev) {
		return nil, fmt.Errorf("read blob: %w: revision %q", ErrNotFound, rev)
	}
	if rev == "" {
		path = "0:" + path
	}
	// "./" and "../" would be taken relative to the current directory.
	if path == "" || strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") || strings.ContainsRune(path, 0) {
		return nil, fmt.Errorf("read blob: %w: path %q", ErrNotFound, path)
	}
	return g.run(ctx, r, r.Root, "cat-file", "blob", rev+":"+path)
}
