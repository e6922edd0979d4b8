package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
)

// table has the rows of what must be reached.
type table struct{ rows []row }

type row struct {
	what, bound, got string
	kept             bool
}

func (t *table) add(kept bool, what, bound, format string, args ...any) {
	t.rows = append(t.rows, row{what, bound, fmt.Sprintf(format, args...), kept})
}

// print prints the rows. It returns errMissed if one was missed.
func (t *table) print() error {
	missed := 0
	fmt.Println("| what | must reach | got | |\n|---|---|---|---|")
	for _, r := range t.rows {
		mark := "kept"
		if !r.kept {
			mark = "**missed**"
			missed++
		}
		fmt.Printf("| %s | %s | %s | %s |\n", r.what, r.bound, r.got, mark)
	}
	fmt.Printf("\n%d passed, %d failed\n", len(t.rows)-missed, missed)
	if missed > 0 {
		return errMissed
	}
	return nil
}

// zipped returns the size of a text as gzip packs it.
func zipped(b []byte) int {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Len()
}

// checkAssets measures the files that pages load.
func (t *table) checkAssets() {
	for name, most := range map[string]int{"app.js": 25 << 10, "app.css": 10 << 10} {
		b, err := os.ReadFile(filepath.Join("internal", "delivery", "web", "assets", name))
		t.add(err == nil && zipped(b) <= most, name, fmt.Sprintf("≤ %d KB gz", most>>10), "%.1f KB", float64(zipped(b))/1024)
	}
}
