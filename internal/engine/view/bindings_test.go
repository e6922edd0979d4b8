package view_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

// bound returns the shop of testdata, with its Go packages type-checked if exact is set.
func bound(t *testing.T, exact bool) *enginetest.Project {
	t.Helper()
	ar, err := txtar.ParseFile("testdata/shop.txtar")
	if err != nil {
		t.Fatal(err)
	}
	w := enginetest.NewTree(t)
	for _, f := range ar.Files[:len(ar.Files)-1] {
		w.Write(f.Name, string(f.Data))
	}
	p := w.IndexWith(engine.Options{Getenv: os.Getenv})
	if exact {
		if _, err := p.Engine.Exact(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// uses lists who uses a name: place, confidence and who vouches for it.
func used(ctx context.Context, s *view.Snapshot, name string) ([]string, error) {
	targets, err := s.Definitions(ctx, name)
	if err != nil {
		return nil, err
	}
	list, err := refs.References(ctx, s, targets)
	var out []string
	for _, r := range list.List {
		out = append(out, fmt.Sprintf("%s:%d %s %s in %s", r.Path, r.Line, r.Confidence, r.By, r.In))
	}
	return out, err
}

// TestBindings: what imports and scopes prove is bound without a type checker, and
// the type checker's word comes first where it was asked.
func TestBindings(t *testing.T) {
	for _, c := range []struct {
		exact bool
		name  string
		want  []string
	}{
		{false, "Clean", []string{"store/cache.go:7 import-resolved  in Cache.Read", "store/store.go:20 exact  in Open", "store/store_test.go:6 import-resolved  in TestOpen"}},
		{false, "Open", []string{"main.go:5 import-resolved  in main", "store/store_test.go:9 import-resolved  in TestOpen"}},
		{false, "web/b.py:helper", []string{"web/a.py:7 import-resolved  in View.render"}},
		{true, "Clean", []string{"store/cache.go:7 exact types in Cache.Read", "store/store.go:20 exact types in Open", "store/store_test.go:6 exact types in TestOpen"}},
		{true, "Open", []string{"main.go:5 exact types in main", "store/store_test.go:9 exact types in TestOpen"}},
		{true, "Store.Read", []string{"store/cache.go:7 ambiguous interface in Cache.Read"}},
	} {
		bound(t, c.exact).Ask(func(ctx context.Context, s *view.Snapshot) error {
			got, err := used(ctx, s, c.name)
			if !slices.Equal(got, c.want) {
				t.Errorf("%s, exact %v:\n%s\nwant\n%s", c.name, c.exact, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			return err
		})
	}
}

// TestImplementers asks who implements a method of an interface, by types alone.
func TestImplementers(t *testing.T) {
	p := bound(t, true)
	p.Ask(func(ctx context.Context, s *view.Snapshot) error {
		method, err := s.Definitions(ctx, "Reader.Read")
		if err != nil {
			return err
		}
		list, err := s.Implementers(ctx, &method[0])
		if err != nil {
			return err
		}
		var got []string
		for _, m := range list {
			got = append(got, m.Qualified)
		}
		slices.Sort(got)
		if want := []string{"Cache.Read", "Store.Read"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		info, err := s.ExactInfo(ctx)
		if info.Covered != info.Packages || info.Covered != 2 || info.GoBound == 0 {
			t.Errorf("the exact tier says %+v", info)
		}
		return err
	})
	p.Write("store/store.go", "package store\n\nfunc Clean(key string, more int) string { return key }\n")
	p.Update("store/store.go")
	p.Ask(func(ctx context.Context, s *view.Snapshot) error {
		info, err := s.ExactInfo(ctx)
		if info.Stale != 2 || info.Covered != 0 {
			t.Errorf("after a change of what both packages build on: %+v", info)
		}
		return err
	})
}

// TestRemembered: a later answer over the same revision uses what the first read, and
// one over another revision does not.
func TestRemembered(t *testing.T) {
	p := bound(t, false)
	ask := func(want int) {
		t.Helper()
		p.Ask(func(ctx context.Context, s *view.Snapshot) error {
			got, err := used(ctx, s, "Clean")
			if len(got) != want {
				t.Errorf("%d uses, want %d: %v", len(got), want, got)
			}
			return err
		})
	}
	ask(3)
	ask(3)
	p.Write("store/more.go", "package store\n\nfunc more() { Clean(\"\") }\n")
	p.Update("store/more.go")
	ask(4)
	p.Ask(func(ctx context.Context, s *view.Snapshot) error {
		if rev := s.Rev(); rev != code.Rev(2) {
			t.Errorf("revision %d", rev)
		}
		return nil
	})
}

// TestPathID: the ids of paths can be asked for before the history.
func TestPathID(t *testing.T) {
	bound(t, false).Ask(func(_ context.Context, s *view.Snapshot) error {
		for range 2 {
			is, err := s.IndexedPath("store/store.go")
			if err != nil || !is {
				t.Errorf("IndexedPath: %v, %v", is, err)
			}
		}
		return nil
	})
}
