//go:build !unix

package owner

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// recordName returns the name of a folder's record, made of its path, because there are no inodes
// here. It fails if dir is no directory.
func recordName(dir string) (string, error) {
	st, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	if !st.IsDir() {
		return "", fmt.Errorf("%s: %w", dir, errNotFolder)
	}
	abs, err := filepath.Abs(dir)
	sum := sha256.Sum256([]byte(abs))
	return hex.EncodeToString(sum[:16]), err
}
