package update_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"ken/internal/engine/enginetest"
	"ken/internal/engine/source"
	"ken/internal/engine/update"
	"ken/internal/store/sqlite"
)

// TestClassifiesOnce: an update derives the kind of an edited file from its path once, whatever happened to the file.
func TestClassifiesOnce(t *testing.T) {
	p := enginetest.New(t, map[string]string{
		"go.mod": "module a\n\ngo 1.22\n", "a.go": "package a\n", "package.json": "{}", "gone.go": "package a\n", "b/go.mod": "module b\n",
	})
	w := &update.Writer{Tree: source.New(source.Options{Root: p.Root}), Store: sqlite.New(p.DB), Log: slog.New(slog.DiscardHandler)}
	var mu sync.Mutex
	counts := map[string]int{}
	update.OnClassify(w, func(path string) {
		mu.Lock()
		defer mu.Unlock()
		counts[path]++
	})
	p.Write("go.mod", "module c\n\ngo 1.22\n")
	p.Write("a.go", "package a\n\nfunc A() {}\n")
	p.Write("package.json", `{"name": "x"}`)
	p.Write("new.ts", "export const x = 1\n")
	p.Remove("gone.go")
	p.Remove("b/go.mod")
	edited := []string{"go.mod", "a.go", "package.json", "new.ts", "gone.go", "b/go.mod"}
	if _, err := w.Update(context.Background(), update.Request{}); err != nil {
		t.Fatal(err)
	}
	for _, path := range edited {
		if counts[path] != 1 {
			t.Errorf("%s was classified %d times, want once", path, counts[path])
		}
	}
	clear(counts)
	p.Write("a.go", "package a\n\nfunc B() {}\n")
	if _, err := w.Update(context.Background(), update.Request{Paths: []string{"a.go"}}); err != nil {
		t.Fatal(err)
	}
	if len(counts) != 1 || counts["a.go"] != 1 {
		t.Errorf("an update of a.go alone classified %v", counts)
	}
}
