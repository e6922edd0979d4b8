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
// is compared unmasked, because a mask would hide that a value changed. It returns only
// ranges of lines, a hash and masked text.
type Version struct {
	raw    []byte
	masked []byte // made when first asked for
}

// Version returns the text of a file of the working tree, or nil if it is not read completely.
func (r *Reader) Version(ctx context.Context, p string) *Version {
	c, err := r.scan.ReadInto(ctx, p, &r.buf)
	if err != nil || !IsHeldWhole(c.Problem) {
		return nil
	}
	return &Version{raw: slices.Clone(c.Bytes)}
}

// maxBlob bounds the size of git's objects that are compared, in bytes.
const maxBlob = 4 << 20

// binaryProbe is the number of bytes in which git searches for a zero byte.
const binaryProbe = 8000

// OldVersions reads git objects and calls f with each. It skips binary and over-size
// ones. It fails if git does.
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

// Len returns the number of bytes, 0 for nil.
func (v *Version) Len() int {
	if v == nil {
		return 0
	}
	return len(v.raw)
}

// Hash returns the SHA-256 of the text.
func (v *Version) Hash() [32]byte { return sha256.Sum256(v.raw) }

// ChangedLines returns the ranges of lines of v that differ from an older version. If
// old is nil, that is all lines.
func (v *Version) ChangedLines(old *Version) []LineRange {
	if old == nil {
		return changedLines(nil, v.raw)
	}
	return changedLines(old.raw, v.raw)
}

// MaskedText returns the text with every secret masked.
func (v *Version) MaskedText(r *Reader) []byte {
	if v.masked == nil {
		v.masked = slices.Clone(v.raw)
		r.Mask(v.masked)
	}
	return v.masked
}
