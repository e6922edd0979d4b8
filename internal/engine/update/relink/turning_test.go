package relink

import (
	"fmt"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/store"
)

// crowded is an index in which every directory holds many files; it counts what it
// is asked.
type crowded struct {
	store.Tx
	asked int
}

func (c *crowded) CountBelow(_ string, _ bool, limit int) (int, error) {
	c.asked += limit
	return limit, nil
}

func (c *crowded) NodesIn(dir string) ([]code.File, error) {
	list := make([]code.File, 1000)
	for i := range list {
		list[i] = code.File{ID: int64(i + 1), Path: fmt.Sprintf("%s/F%d.java", dir, i), Lang: "java", Package: "q"}
	}
	c.asked += len(list)
	return list, nil
}

func (c *crowded) ProbedBy(uint64) ([]int64, error) {
	c.asked++
	return nil, nil
}

// TestMovedFolder: what it takes to find out whom a moved folder concerns grows with
// the number of its files and not with its square.
func TestMovedFolder(t *testing.T) {
	cost := func(n int) int {
		c, tx := NewChanges(), &crowded{}
		for i := range n {
			c.Added = append(c.Added, code.File{ID: int64(i + 1), Path: fmt.Sprintf("lib/java/q/F%d.java", i), Lang: "java", Package: "q"})
			c.Removed = append(c.Removed, code.File{ID: int64(i + 1), Path: fmt.Sprintf("src/java/q/F%d.java", i), Lang: "java", Package: "q"})
		}
		l := &relinkRun{Changes: c, importChanges: newImportChanges(tx, c.Added), tx: tx, probes: map[uint64]bool{}}
		for _, f := range c.Added {
			if err := l.markProbing(f, true); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range c.Removed {
			if err := l.markProbing(f, false); err != nil {
				t.Fatal(err)
			}
		}
		return tx.asked
	}
	few, many := cost(100), cost(400)
	if many > 6*few {
		t.Errorf("%d rows and keys are asked for 100 files, %d for 400", few, many)
	}
}
