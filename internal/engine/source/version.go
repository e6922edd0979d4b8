package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"ken/internal/engine/source/scan"
	"ken/internal/git"
)

// Version is the text of a file at one time, in the working tree or in git. It
// is compared as it is, because a mask would hide that a value changed; what it
// gives away are ranges of lines, a hash and masked text.
type Version struct {
	raw    []byte
	masked []byte // made when first asked for
}

// Version is the text of a file of the working tree; nil if it is not held whole.
func (r *Reader) Version(ctx context.Context, p string) *Version {
	c, err := r.scan.ReadInto(ctx, p, &r.buf)
	if err != nil || !HeldWhole(c.Problem) {
		return nil
	}
	return &Version{raw: slices.Clone(c.Bytes)}
}

// maxBlob bounds a content of git's that is compared, in bytes.
const maxBlob = 4 << 20

// binaryProbe is how many bytes git looks at for a zero byte, in bytes.
const binaryProbe = 8000

// OldVersions reads contents that git keeps and hands each to f. Binary and
// over-size ones are left out.
func OldVersions(ctx context.Context, repo *git.Repo, ids []string, f func(id string, v *Version)) error {
	if len(ids) == 0 {
		return nil
	}
	ask := make([]git.Staged, len(ids))
	for i, id := range ids {
		ask[i].ID = id
	}
	err := git.Git{}.Blobs(ctx, repo, ask, func(b git.Blob, r io.Reader) error {
		if b.Size > maxBlob {
			return nil
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		text := scan.Text(raw)
		if bytes.IndexByte(text[:min(len(text), binaryProbe)], 0) < 0 {
			f(b.ID, &Version{raw: text})
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read changed files: %w", err)
	}
	return nil
}

// Len is the number of bytes; 0 for nil.
func (v *Version) Len() int {
	if v == nil {
		return 0
	}
	return len(v.raw)
}

// Hash is the SHA-256 of the text.
func (v *Version) Hash() [32]byte { return sha256.Sum256(v.raw) }

// ChangedLines are the ranges of lines of v that differ from an older version,
// nil for none.
func (v *Version) ChangedLines(old *Version) []LineRange {
	if old == nil {
		return changedLines(nil, v.raw)
	}
	return changedLines(old.raw, v.raw)
}

// Masked is the text with every secret masked.
func (v *Version) Masked(r *Reader) []byte {
	if v.masked == nil {
		v.masked = slices.Clone(v.raw)
		r.Mask(v.masked)
	}
	return v.masked
}
