package gittest

import (
	"path/filepath"
	"strings"
	"testing"
)

// EvilRepo is a repository whose configuration names programs. Each program that runs leaves a file in Canaries, so that tests can detect
// it.
type EvilRepo struct {
	testing.TB
	Dir, Canaries string
}

// NewEvil returns an evil repository with a file and with attributes that name filters. Nothing is committed yet, and the configuration
// names no program yet.
func NewEvil(t testing.TB) *EvilRepo {
	t.Helper()
	e := &EvilRepo{t, t.TempDir(), t.TempDir()}
	Run(t, e.Dir, "init", "-q")
	Write(t, e.Dir, "a.txt", "hello\n")
	Write(t, e.Dir, ".gitattributes", "* filter=evil diff=evil merge=evil text eol=crlf\n")
	return e
}

// Canary makes a program that, when it runs, leaves a file with a name, and returns the program's path.
func (e *EvilRepo) Canary(name string) string {
	e.Helper()
	WriteScript(e, e.Dir, ".git/evil-"+name, "#!/bin/sh\ntouch "+e.Canaries+"/"+name+"\ncat\n")
	return filepath.Join(e.Dir, ".git", "evil-"+name)
}

// Configure makes the configuration name a program under each of the keys and as each of the aliases, and marks the filter as required.
func (e *EvilRepo) Configure(keys, aliases []string) {
	e.Helper()
	for _, key := range keys {
		Run(e, e.Dir, "config", key, e.Canary(strings.ReplaceAll(key, ".", "-")))
	}
	for _, alias := range aliases {
		Run(e, e.Dir, "config", "alias."+alias, "!"+e.Canary("alias-"+alias))
	}
	Run(e, e.Dir, "config", "filter.evil.required", "true")
}
