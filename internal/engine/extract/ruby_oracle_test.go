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

// TestRubyOracle compares declarations and requires over KEN_CORPUS with what
// Ruby's own parser finds (KEN_ORACLE=1; needs ruby 3.1 or newer).
func TestRubyOracle(t *testing.T) {
	if os.Getenv("KEN_ORACLE") == "" {
		t.Skip("KEN_ORACLE is not set")
	}
	paths, sources := corpus(t, ".rb")
	cmd := exec.Command("ruby", "testdata/oracle/ruby/oracle.rb")
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\n") + "\n")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e := testExtractor(t)
	var sum rubyScore
	scan := bufio.NewScanner(out)
	scan.Buffer(nil, 64<<20)
	for i := 0; scan.Scan(); i++ {
		var want rubyAnswer
		if err := json.Unmarshal(scan.Bytes(), &want); err != nil || want.Path != paths[i] {
			t.Fatalf("oracle: %v, %s for %s", err, want.Path, paths[i])
		}
		facts := e.Extract(paths[i], "ruby", sources[i])
		checkFacts(t, sources[i], facts)
		if want.Error == "" {
			sum.compare(t, &want, facts, string(sources[i]))
		} else {
			t.Logf("%s: %s", want.Path, want.Error)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files: of %d declarations %d are found, %d are not in the oracle; of %d requires %d", sum.files, sum.want, sum.both, sum.got-sum.both, sum.requires, sum.requiresFound)
	if float64(sum.both) < 0.98*float64(sum.want) || float64(sum.both) < 0.98*float64(sum.got) || float64(sum.requiresFound) < 0.99*float64(sum.requires) {
		t.Error("less than 98 %")
	}
}

type rubyAnswer struct {
	Path, Error  string
	Declarations [][3]any
	Requires     [][3]any
}

type rubyScore struct{ files, want, got, both, requires, requiresFound, shown int }

func (s *rubyScore) compare(t *testing.T, want *rubyAnswer, facts *code.Facts, src string) {
	s.files++
	have := map[string]int{}
	for _, d := range facts.Symbols {
		sort := "T"
		switch {
		case d.Kind.IsFunction():
			sort = "M"
		case d.Kind == code.KindField:
			sort = "F"
		}
		have[fmt.Sprint(sort, " ", d.Qualified, " ", d.Span.Line)]++
		s.got++
	}
	for _, d := range want.Declarations {
		s.want++
		key := fmt.Sprintf("%s %s %.0f", d[0], d[1], d[2])
		if have[key] > 0 {
			have[key]--
			s.both++
		} else if s.shown++; s.shown < 80 {
			t.Logf("%s: missing %s", want.Path, key)
		}
	}
	for key, n := range have {
		if n > 0 && s.shown < 80 {
			s.shown++
			t.Logf("%s: extra %s", want.Path, key)
		}
	}
	requires := map[string]int{}
	for _, m := range facts.Imports {
		requires[fmt.Sprint(m.Spec, " ", m.Line)]++
	}
	for _, m := range want.Requires {
		spec := m[1].(string)
		if m[0] == "require_relative" && !isRelative(spec) {
			spec = "./" + spec
		}
		s.requires++
		if key := fmt.Sprintf("%s %.0f", spec, m[2]); requires[key] > 0 {
			requires[key]--
			s.requiresFound++
		} else {
			t.Logf("%s: missing require %s", want.Path, key)
		}
	}
}
