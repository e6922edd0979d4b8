package op

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ken/internal/operation"
	"ken/internal/token"
)

// TestOverviewFits: an overview of long paths has lists short enough for its tokens and a line with the option for longer ones; a larger limit is kept.
func TestOverviewFits(t *testing.T) {
	a := &overviewAnswer{}
	for i := range 20 {
		p := operation.Path(fmt.Sprintf("library/src/main/java/com/example/project/internal/adapters/Adapter%d.java", i))
		a.Entries = append(a.Entries, FileName{Path: p})
		a.Files = append(a.Files, HotFile{Path: p, Dependents: 1, Purpose: "Converts values of one type to those of another."})
		a.Communities = append(a.Communities, Community{Path: p, Files: 3, Top: []FileName{{Path: p}, {Path: p}, {Path: p}}})
		a.Symbols = append(a.Symbols, HotSymbol{Symbol: Symbol{Qualified: "Adapter.convert", Kind: "method", Path: p}})
		a.Cycles = append(a.Cycles, Cycle{Files: []FileName{{Path: p}, {Path: "other/" + p}}})
	}
	for _, x := range []struct {
		limit int
		fits  bool
	}{{5, true}, {10, false}} {
		var b bytes.Buffer
		text := operation.NewText(&b, false)
		if err := textOverview(text, &overviewInput{Limit: x.limit}, a); err != nil {
			t.Fatal(err)
		}
		if err := text.Flush(); err != nil {
			t.Fatal(err)
		}
		n := token.CountText(b.Bytes()).O200K
		if fits := n <= maxOverview; fits != x.fits || fits != strings.Contains(b.String(), "--limit 10") {
			t.Errorf("limit %d: %d tokens:\n%s", x.limit, n, b.String())
		}
	}
}
