//go:build !linux

package world

import (
	"errors"
	"os"
)

// OpenTerminal fails, because it is known for Linux only.
func OpenTerminal(rows, columns uint16) (master, program *os.File, err error) {
	return nil, nil, errors.ErrUnsupported
}
