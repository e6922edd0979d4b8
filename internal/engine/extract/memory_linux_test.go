package extract

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// TestMemory: source that can be read in very many ways has a bounded price. The runtime took 5.7 GB for the first
// of these, within one operation, before anything could stop it.
func TestMemory(t *testing.T) {
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // the peak begins anew
		t.Skip(err)
	}
	before := peak(t)
	for name, source := range map[string]string{
		"a.java": strings.Repeat("template<template<", 13_000),
		"b.java": strings.Repeat("a<", 120_000),
		"c.cc":   strings.Repeat("A<B<C<", 40_000),
	} {
		e := New()
		e.Extract(name, languageOf(name), []byte(source))
		e.Close()
	}
	if after := peak(t); after > before+400<<10 {
		t.Errorf("the peak of memory was %d kB, before %d", after, before)
	}
}

// peak returns the most memory that the process had, in kB.
func peak(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	n := 0
	for _, c := range strings.TrimSpace(rest) {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int(c-'0')
	}
	return n
}
