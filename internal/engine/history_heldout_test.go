package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/engine/history"
	store "ken/internal/store/sqlite"
)

// TestHistoryHeldOut measures what the past told of the last 500 commits (of 2–10
// files; for words 1–10) before they were made. KEN_PAST lists indexed projects:
//
//	KEN_PAST=/a:/b go test ./internal/engine -run TestHistoryHeldOut -v
func TestHistoryHeldOut(t *testing.T) {
	if os.Getenv("KEN_PAST") == "" {
		t.Skip("KEN_PAST names no indexed project")
	}
	for root := range strings.SplitSeq(os.Getenv("KEN_PAST"), ":") {
		st := store.New(filepath.Join(root, ".ken", "index.db"))
		defer st.Close()
		r, err := st.Read(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		s, err := history.Unpack(r.History)
		if err != nil || s == nil {
			t.Fatal(err)
		}
		h := holdOut(t, s, 500)
		seeds, pairs := h.coChanged(t)
		asked, found, rank := h.learned(t)
		t.Logf("%s: co-change: of %d files, the others of their commit: recall@10 %.3f; words: of %d commits recall@10 %.3f, first right file MRR %.3f",
			filepath.Base(root), seeds, pairs, asked, found, rank)
	}
}

// heldOut is a history without its newest commits, and these.
type heldOut struct {
	view  *history.View
	known map[string]bool
	list  []heldCommit
}

type heldCommit struct {
	files []string
	terms []history.Query
}

func holdOut(t *testing.T, s *history.State, n int) *heldOut {
	t.Helper()
	cut := len(s.Commits) - n
	h := &heldOut{known: map[string]bool{}}
	for _, c := range s.Commits[cut:] {
		var k heldCommit
		for _, f := range c.Touched {
			k.files = append(k.files, s.Paths[f])
		}
		for _, w := range c.Terms {
			k.terms = append(k.terms, history.Query{Term: w.Term(), Weight: 1 + float64(w&1)})
		}
		h.list = append(h.list, k)
	}
	for _, c := range s.Commits[:cut] {
		for _, f := range c.Touched {
			h.known[s.Paths[f]] = true
		}
	}
	s.Commits = s.Commits[:cut]
	s.Head = s.Commits[cut-1].ID.String()
	blobs := map[history.Key][]byte{}
	for _, b := range s.Pack() {
		blobs[b.Key] = b.Data
	}
	v, err := history.NewView(func(k history.Key) ([]byte, error) { return blobs[k], nil })
	if err != nil {
		t.Fatal(err)
	}
	h.view = v
	return h
}

func anyFile(string) (bool, error) { return true, nil }

// coChanged asks with every file of a commit for the others.
func (h *heldOut) coChanged(t *testing.T) (asked int, recall float64) {
	for _, c := range h.list {
		if len(c.files) < 2 || len(c.files) > 10 {
			continue
		}
		for _, seed := range c.files {
			if !h.known[seed] {
				continue
			}
			list, err := h.view.CoChanged(seed, 10, anyFile)
			if err != nil {
				t.Fatal(err)
			}
			hits := 0
			for _, f := range list {
				if slices.Contains(c.files, f.Path) {
					hits++
				}
			}
			asked++
			recall += float64(hits) / float64(len(c.files)-1)
		}
	}
	return asked, recall / float64(max(asked, 1))
}

// learned asks with the words of a commit for the files it changed.
func (h *heldOut) learned(t *testing.T) (asked int, recall, rank float64) {
	for _, c := range h.list {
		want := slices.DeleteFunc(slices.Clone(c.files), func(f string) bool { return !h.known[f] })
		if len(want) == 0 || len(c.files) > 10 {
			continue
		}
		list, err := h.view.LearnedFiles(c.terms, 0, anyFile)
		if err != nil {
			t.Fatal(err)
		}
		hits, first := 0, 0
		for i, f := range list {
			if !slices.Contains(want, f.Path) {
				continue
			}
			if first == 0 {
				first = i + 1
				rank += 1 / float64(first)
			}
			if i < 10 {
				hits++
			}
		}
		asked++
		recall += float64(hits) / float64(len(want))
	}
	n := float64(max(asked, 1))
	return asked, recall / n, rank / n
}
