package gittest

import (
	"path/filepath"
	"strings"
	"testing"
)

// Evil is a repository whose configuration names programs. Each that runs leaves a file in Canaries.
type Evil struct {
	testing.TB
	Dir, Canaries string
}

// NewEvil returns one with a file and attributes that name filters; nothing is committed yet, and no program named.
func NewEvil(t testing.TB) *Evil {
	t.Helper()
	e := &Evil{t, t.TempDir(), t.TempDir()}
	Run(t, e.Dir, "init", "-q")
	Write(t, e.Dir, "a.txt", "hello\n")
	Write(t, e.Dir, ".gitattributes", "* filter=evil diff=evil merge=evil text eol=crlf\n")
	return e
}

// Canary returns the path of a new program that leaves a file of a name.
func (e *Evil) Canary(name string) string {
	e.Helper()
	WriteScript(e, e.Dir, ".git/evil-"+name, "#!/bin/sh\ntouch "+e.Canaries+"/"+name+"\ncat\n")
	return filepath.Join(e.Dir, ".git", "evil-"+name)
}

// Configure names a program under each key of the configuration and as each alias, and makes the filter required.
func (e *Evil) Configure(keys, aliases []string) {
	e.Helper()
	for _, key := range keys {
		Run(e, e.Dir, "config", key, e.Canary(strings.ReplaceAll(key, ".", "-")))
	}
	for _, alias := range aliases {
		Run(e, e.Dir, "config", "alias."+alias, "!"+e.Canary("alias-"+alias))
	}
	Run(e, e.Dir, "config", "filter.evil.required", "true")
}
