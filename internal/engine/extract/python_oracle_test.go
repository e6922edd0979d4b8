package extract

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ken/internal/code"
)

// TestPythonOracle compares declarations and imports over KEN_CORPUS with what
// Python's ast module finds (KEN_ORACLE=1; needs python3).
func TestPythonOracle(t *testing.T) {
	if os.Getenv("KEN_ORACLE") == "" {
		t.Skip("KEN_ORACLE is not set")
	}
	paths, sources := corpus(t, ".py")
	cmd := exec.Command("python3", "testdata/oracle/python/oracle.py")
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\n") + "\n")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e := testExtractor(t)
	var sum pythonScore
	scan := bufio.NewScanner(out)
	scan.Buffer(nil, 64<<20)
	for i := 0; scan.Scan(); i++ {
		var want pythonAnswer
		if err := json.Unmarshal(scan.Bytes(), &want); err != nil || want.Path != paths[i] {
			t.Fatalf("oracle: %v, %s for %s", err, want.Path, paths[i])
		}
		facts := e.Extract(paths[i], "python", sources[i])
		checkFacts(t, sources[i], facts)
		if want.Error == "" {
			sum.compare(t, &want, facts)
		} else {
			t.Logf("%s: %s", want.Path, want.Error)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files: of %d declarations %d are found, %d are not in the oracle; of %d import statements %d; %d variables, of %d assignments to names",
		sum.files, sum.want, sum.both, sum.got-sum.both, sum.imports, sum.importsFound, sum.variables, sum.assignments)
	if float64(sum.both) < 0.99*float64(sum.want) || float64(sum.both) < 0.99*float64(sum.got) || float64(sum.importsFound) < 0.99*float64(sum.imports) {
		t.Error("less than 99 %")
	}
}

type pythonAnswer struct {
	Path, Error  string
	Declarations [][4]any
	Imports      [][]string
	Assignments  int
}

type pythonScore struct{ files, want, got, both, imports, importsFound, variables, assignments, shown int }

func (s *pythonScore) compare(t *testing.T, want *pythonAnswer, facts *code.Facts) {
	s.files++
	s.assignments += want.Assignments
	have := map[string]int{}
	for _, d := range facts.Symbols {
		kind := "variable"
		switch {
		case d.Kind.IsFunction():
			kind = "function"
		case d.Kind.IsType():
			kind = "class"
		}
		have[fmt.Sprint(kind, " ", d.Qualified, " ", d.Span.Start, " ", d.Span.End)]++
		s.got++
	}
	for _, d := range want.Declarations {
		s.want++
		if d[0] == "variable" {
			s.variables++
		}
		key := fmt.Sprintf("%s %s %.0f %.0f", d[0], d[1], d[2], d[3])
		if have[key] > 0 {
			have[key]--
			s.both++
		} else if s.shown++; s.shown < 60 {
			t.Logf("%s: missing %s", want.Path, key)
		}
	}
	for key, n := range have {
		if n > 0 && s.shown < 60 {
			s.shown++
			t.Logf("%s: extra %s", want.Path, key)
		}
	}
	imports := map[string]int{}
	for _, m := range facts.Imports {
		imports[pythonImport(m)]++
	}
	for _, m := range want.Imports {
		s.imports++
		if key := strings.Join(m, "|"); imports[key] > 0 {
			imports[key]--
			s.importsFound++
		} else {
			t.Logf("%s: missing import %s", want.Path, key)
		}
	}
}

func pythonImport(m code.Import) string {
	if len(m.Names) == 0 {
		return m.Spec + "|" + m.Alias
	}
	s := m.Spec
	for _, n := range m.Names {
		s += "|" + n.Name + " " + n.Alias
	}
	return s
}
