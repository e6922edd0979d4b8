package operation

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/code"
)

// maxQueryFile is how much of a query is read, in bytes.
const maxQueryFile = 1 << 20

// QueryText returns the query of an operation, given as words or in a file; - is standard input. It fails if both are given, if the
// file cannot be read, and if the query is empty.
func QueryText(stdin io.Reader, dir string, words []string, file string) (string, error) {
	text := strings.Join(words, " ")
	if file != "" {
		if text != "" {
			return "", code.Usagef("give the query or --query-file, not both")
		}
		b, err := readQuery(stdin, dir, file)
		if err != nil {
			return "", err
		}
		text = string(b)
	}
	if strings.TrimSpace(text) == "" {
		return "", code.Usagef("the query is empty")
	}
	return text, nil
}

func readQuery(in io.Reader, dir, file string) ([]byte, error) {
	if file != "-" {
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		f, err := os.Open(file)
		if err != nil {
			return nil, code.Usagef("read the query: %v", err)
		}
		defer f.Close()
		in = f
	}
	b, err := io.ReadAll(io.LimitReader(in, maxQueryFile))
	if err != nil {
		return nil, fmt.Errorf("read the query: %w", err)
	}
	return b, nil
}
