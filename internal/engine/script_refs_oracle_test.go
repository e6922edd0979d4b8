package engine_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine"
	"ken/internal/engine/view"
)

// oracleSymbol is a line of testdata/oracle/references.cjs.
type oracleSymbol struct {
	Path  string `json:"path"`
	Start uint32 `json:"start"`
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Uses  []spot `json:"uses"`

	Files []string `json:"files"` // of the first line only: what the compiler looked at
}

type spot struct {
	Path  string `json:"path"`
	Start uint32 `json:"start"`
}

// tally counts references of one kind of symbol.
type tally struct{ symbols, missing, right, wrong, missed int }

func (c tally) String() string {
	return fmt.Sprintf("%d symbols (%d not found), precision %.2f %% of %d, recall %.2f %% of %d", c.symbols, c.missing,
		percent(c.right, c.right+c.wrong), c.right+c.wrong, percent(c.right, c.right+c.missed), c.right+c.missed)
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(max(1, whole)) }

// TestScriptReferences compares the references of KEN_COUNT (500) random
// exported symbols of the TypeScript repository KEN_CORPUS, and of as many
// members of exported classes and interfaces, with the compiler's
// findReferences: `npm install` in extract/testdata/oracle/ts, NODE_PATH at its
// node_modules, KEN_ORACLE=1. A reference counts if it is import-resolved or exact,
// or likely. KEN_SHOW lists so many differences.
func TestScriptReferences(t *testing.T) {
	root := os.Getenv("KEN_CORPUS")
	if os.Getenv("KEN_ORACLE") == "" || root == "" {
		t.Skip("KEN_ORACLE and KEN_CORPUS are not set")
	}
	symbols := scriptOracle(t, root)
	p := newProject(t, root)
	for _, floor := range []code.Confidence{code.ImportResolved, code.UniqueName} {
		sums := map[string]*tally{"top": {}, "member": {}}
		show := envInt("KEN_SHOW", 0)
		err := p.e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			inspected, seen := map[string]bool{}, symbols[0].Files
			for f, err := range s.Files(ctx) {
				if err != nil {
					return nil, err
				}
				inspected[f.Path] = f.Lang == "typescript" && f.Problem == "" && slices.Contains(seen, f.Path)
			}
			for i := range symbols {
				o := &symbols[i]
				if !inspected[o.Path] {
					continue
				}
				if err := sums[o.Kind].add(ctx, t, s, o, floor, inspected, &show); err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s or better: exported: %v", floor, sums["top"])
		t.Logf("%s or better: members: %v", floor, sums["member"])
	}
}

func (c *tally) add(ctx context.Context, t *testing.T, s *view.Snapshot, o *oracleSymbol, floor code.Confidence, inspected map[string]bool, show *int) error {
	c.symbols++
	list, err := s.Symbols(ctx, o.Path)
	if err != nil {
		return err
	}
	var target []view.Symbol
	for _, sym := range list {
		if sym.NameStart == o.Start {
			target = append(target, sym)
		}
	}
	if len(target) == 0 {
		c.missing++
		return nil
	}
	refs, err := refs.References(ctx, s, target)
	if err != nil {
		return err
	}
	want := map[spot]bool{}
	for _, u := range o.Uses {
		if inspected[u.Path] {
			want[u] = true
		}
	}
	got := map[spot]bool{}
	for _, r := range refs.List {
		at := spot{r.Path, r.Start}
		if r.Confidence < floor || !inspected[r.Path] || got[at] {
			continue
		}
		got[at] = true
		if want[at] {
			c.right++
		} else if c.wrong++; *show > 0 {
			*show--
			t.Logf("wrong  %s %s:%d: %s:%d %s", o.Name, o.Path, o.Start, r.Path, r.Line, r.Confidence)
		}
	}
	for at := range want {
		if !got[at] {
			if c.missed++; *show > 0 {
				*show--
				t.Logf("missed %s %s:%d: %s byte %d", o.Name, o.Path, o.Start, at.Path, at.Start)
			}
		}
	}
	return nil
}

func scriptOracle(t *testing.T, root string) []oracleSymbol {
	t.Helper()
	out, err := os.ReadFile(os.Getenv("KEN_ORACLE_FILE"))
	if err != nil {
		cmd := exec.Command("node", "testdata/oracle/references.cjs", root, strconv.Itoa(envInt("KEN_COUNT", 500)), strconv.Itoa(envInt("KEN_SEED", 1)))
		cmd.Stderr = os.Stderr
		if out, err = cmd.Output(); err != nil {
			t.Fatal(err)
		}
	}
	var list []oracleSymbol
	for lines := bufio.NewReader(bytes.NewReader(out)); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 {
			return list
		}
		var o oracleSymbol
		if err := json.Unmarshal(line, &o); err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
		if err != nil {
			return list
		}
	}
}
