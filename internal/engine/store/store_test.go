package store_test

import (
	"errors"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/history"
	"ken/internal/engine/store"
)

// meta is a reader of single values only.
type meta struct {
	store.Reader
	value string
	err   error
}

func (m meta) Meta(key string) (string, error) {
	if key != store.MetaRevision {
		return "", errors.New("asked for " + key)
	}
	return m.value, m.err
}

func TestRevision(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		value string
		err   error
		rev   code.Rev
		fails bool
	}{{"", nil, 0, false}, {"0", nil, 0, false}, {"12", nil, 12, false}, {"9000000000", nil, 9000000000, false},
		{"many", nil, 0, true}, {"12", broken, 0, true}} {
		rev, err := store.Revision(meta{value: c.value, err: c.err})
		if rev != c.rev || (err != nil) != c.fails || c.err != nil && !errors.Is(err, c.err) {
			t.Errorf("Revision of %q, %v: %d, %v", c.value, c.err, rev, err)
		}
	}
}

func TestHistoryLimit(t *testing.T) {
	for setting, limit := range map[int]int{-1: 0, -9: 0, 0: history.DefaultLimit, 1: 1, 500: 500} {
		if got := store.HistoryLimit(setting); got != limit {
			t.Errorf("HistoryLimit(%d) is %d, want %d", setting, got, limit)
		}
	}
}

// TestOrigins pins the stored numbers and the printed names.
func TestOrigins(t *testing.T) {
	for o, name := range []string{"types", "scip", "", ""} {
		if got := store.Origin(o).String(); got != name {
			t.Errorf("origin %d is %q, want %q", o, got, name)
		}
	}
	if store.FromTypes != 0 || store.FromSCIP != 1 {
		t.Error("the stored origins have other numbers")
	}
}

func TestSymbolRow(t *testing.T) {
	row := store.SymbolRow{FileID: 7, Ord: 9}
	if id := row.ID(); id != (code.SymbolID{File: 7, Ord: 9}) {
		t.Errorf("ID is %+v", id)
	}
}

func TestHashes(t *testing.T) {
	s := store.Secret{Hash: [16]byte{0xab, 1}}
	if got, want := s.HashText(), "ab01"+strings.Repeat("0", 28); got != want {
		t.Errorf("HashText is %s", got)
	}
	// The beginning of the SHA-256 of nothing.
	if got := store.HashPassage(""); got[0] != 0xe3 || got[15] != 0x24 {
		t.Errorf("HashPassage is %x", got)
	}
	if store.HashPassage("a") == store.HashPassage("b") {
		t.Error("two texts have one hash")
	}
}

// TestErrors keeps the damaged index the error that package code has for all
// damaged forms, because callers ask for either.
func TestErrors(t *testing.T) {
	if !errors.Is(store.ErrDamaged, code.ErrDamaged) {
		t.Error("ErrDamaged is another error")
	}
}
