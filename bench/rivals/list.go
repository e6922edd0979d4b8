package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// install installs what is not there yet and returns all programs, ken first, or beside it those that are named.
func install(ctx context.Context, home, program, only string) ([]*rival, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	i := &installed{cache: filepath.Join(cache, "ken-rivals")}
	i.home = home
	if err := os.MkdirAll(i.home, 0o755); err != nil {
		return nil, err
	}
	i.path = []string{filepath.Join(i.cache, "go"), filepath.Join(i.cache, "serena", "bin")}
	ken, err := i.ken(ctx, program)
	if err != nil {
		return nil, err
	}
	list := []*rival{ken}
	for _, make := range []func(context.Context) *rival{
		i.codegraph, i.serena, i.gopls, i.ctags, i.astGrep, i.semgrep, i.aider, i.repomix, i.gitGrep, i.codebaseMemory, i.sense,
	} {
		r := make(ctx)
		if only == "" || slices.Contains(strings.Split(only, ","), r.name) {
			list = append(list, r)
		}
	}
	return list, nil
}
