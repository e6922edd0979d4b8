package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/mcp"
	"ken/internal/delivery/mcp/overhttp"
	"ken/internal/operation"
)

// tokenVariable names the environment variable that holds the token of requests over HTTP. There is no argument for it, because
// other users see those in the list of processes.
const tokenVariable = "KEN_MCP_TOKEN"

// serveHTTP answers agents over HTTP.
func (p *Program) serveHTTP(ctx context.Context, s *mcp.Server, opt *operation.Serving) error {
	token, err := p.token(opt.TokenFile)
	if err != nil {
		return err
	}
	return s.ServeOverHTTP(ctx, &overhttp.Options{Address: opt.Address, Token: token, Listening: func(url string) {
		with := ""
		if token != "" {
			with = ", with a token"
		}
		fmt.Fprintf(p.Stderr, "ken: listening on %s%s\n", url, with)
	}})
}

// Bounds of a token. A shorter one could be found by trying.
const (
	minToken = 16
	maxToken = 4096
)

// token returns the token that requests have to carry, "" if none is required. It fails if two are given or the token is invalid.
func (p *Program) token(file string) (string, error) {
	token, from := p.Getenv(tokenVariable), "the variable "+tokenVariable
	if file != "" {
		if token != "" {
			return "", code.Usagef("both %s and --token-file give a token: use one", tokenVariable)
		}
		from = operation.Quote(file)
		if !filepath.IsAbs(file) {
			file = filepath.Join(p.Dir, file)
		}
		var err error
		if token, err = readToken(file); err != nil {
			return "", fmt.Errorf("read the token: %w", err)
		}
	}
	switch {
	case token == "" && file == "":
		return "", nil
	case len(token) < minToken, len(token) > maxToken:
		return "", code.Usagef("the token in %s has to have %d to %d characters; `openssl rand -hex 32` makes one", from, minToken, maxToken)
	case !regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`).MatchString(token):
		return "", code.Usagef("the token in %s has characters that a header cannot carry: letters, digits and -._~+/ are possible, = at the end", from)
	}
	return token, nil
}

// readToken reads a file that only its owner may read. It fails if others may.
func readToken(file string) (string, error) {
	st, err := os.Stat(file) // before it is opened, which waits if it is a pipe
	if err == nil && !st.Mode().IsRegular() {
		return "", code.Usagef("%s is no regular file", operation.Quote(file))
	}
	if err != nil {
		return "", err
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if st, err = f.Stat(); err != nil {
		return "", err
	}
	if runtime.GOOS != "windows" && st.Mode().Perm()&0o077 != 0 {
		return "", code.Usagef("%s can be read or written by others (mode %04o): chmod 600 it", operation.Quote(file), st.Mode().Perm())
	}
	b, err := io.ReadAll(io.LimitReader(f, maxToken+2))
	return strings.TrimSpace(string(b)), err
}
