package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode"
)

// TestCommitted checks that the committed tables are what the generator makes.
func TestCommitted(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Errorf("the additions in classes.go are those from Unicode 15.0.0 to 16; this Go knows %s", unicode.Version)
	}
	all, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator makes; run go generate in internal/token", name)
		}
	}
}

// TestAdditions checks that an addition is news to Go.
func TestAdditions(t *testing.T) {
	for _, a := range additions {
		for r := a.first; r <= a.last; r++ {
			if !unicode.Is(unicode.Cn, r) {
				t.Errorf("%U is assigned already", r)
			}
		}
	}
}
