package extract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"ken/internal/code"
)

// TestRustOracle compares declarations with those syn finds. It needs cargo:
//
//	KEN_ORACLE=1 KEN_CORPUS=/path/to/rust-analyzer go test -run RustOracle
func TestRustOracle(t *testing.T) {
	corpus := oracleCorpus(t)
	target := filepath.Join(os.TempDir(), "ken-oracle-target")
	build := exec.Command("cargo", "build", "--release", "--locked", "--quiet", "--target-dir", target)
	build.Dir = "testdata/oracle/rust"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build oracle: %v\n%s", err, out)
	}
	checkOracle(t, corpus, ".rs", "rust", exec.Command(filepath.Join(target, "release", "oracle")))
}

func oracleCorpus(t *testing.T) string {
	if os.Getenv("KEN_ORACLE") == "" || os.Getenv("KEN_CORPUS") == "" {
		t.Skip("KEN_ORACLE and KEN_CORPUS are not set")
	}
	return os.Getenv("KEN_CORPUS")
}

// decl is one declaration as an oracle prints it.
type decl struct {
	Path      string `json:"path"`
	Error     bool   `json:"error,omitempty"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Qualified string `json:"qualified"`
	Start     uint32 `json:"start"`
	End       uint32 `json:"end"`
	Line      uint32 `json:"line"`
	EndLine   uint32 `json:"end_line"`
	NameStart uint32 `json:"name_start"`
}

func (d decl) String() string {
	return fmt.Sprintf("%s:%d-%d %s %s [%d,%d) name %d", d.Path, d.Line, d.EndLine, d.Kind, d.Qualified, d.Start, d.End, d.NameStart)
}

// checkOracle runs cmd, which reads the names of a corpus's files and prints
// their declarations, and insists on 99 % recall and precision, where a
// declaration counts only if everything about it is equal.
func checkOracle(t *testing.T, corpus, ext string, lang code.Lang, cmd *exec.Cmd) {
	t.Helper()
	checkOracleAt(t, 0.99, corpus, ext, lang, cmd)
}

// checkOracleAt is checkOracle with the least recall and precision asked.
func checkOracleAt(t *testing.T, least float64, corpus, ext string, lang code.Lang, cmd *exec.Cmd) {
	t.Helper()
	files := filesOf(t, corpus, ext)
	cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Join(files, "\n")+"\n"), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run oracle: %v", err)
	}
	want, refused := readDecls(t, out)
	e := testExtractor(t)
	both, missing, extra := 0, map[decl]bool{}, map[decl]bool{}
	for _, path := range files {
		if refused[path] {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range e.Extract(path, lang, src).Symbols {
			d := decl{Path: path, Kind: s.Kind.String(), Name: s.Name, Qualified: s.Qualified, Start: s.Span.Start, End: s.Span.End,
				Line: s.Span.Line, EndLine: s.Span.EndLine, NameStart: s.NameStart}
			if want[d] > 0 {
				want[d]--
				both++
			} else {
				extra[d] = true
			}
		}
	}
	for d, n := range want {
		if n > 0 {
			missing[d] = true
		}
	}
	report(t, missing, extra)
	recall, precision := float64(both)/float64(both+len(missing)), float64(both)/float64(both+len(extra))
	t.Logf("%d files, %d refused by the oracle, %d declarations: recall %.4f precision %.4f", len(files), len(refused), both+len(missing), recall, precision)
	if recall < least || precision < least {
		t.Errorf("recall and precision are to be %.2f at least", least)
	}
}

func filesOf(t *testing.T, dir, ext string) (files []string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(path) == ext {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("list %s: %d files, %v", dir, len(files), err)
	}
	return files
}

func readDecls(t *testing.T, out []byte) (want map[decl]int, refused map[string]bool) {
	want, refused = map[decl]int{}, map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var d decl
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatalf("oracle said %q: %v", lines.Text(), err)
		}
		if d.Error {
			refused[d.Path] = true
			continue
		}
		want[d]++
	}
	return want, refused
}

// report pairs differences about the same name and shows some of each class.
func report(t *testing.T, missing, extra map[decl]bool) {
	byName := map[string]decl{}
	for d := range extra {
		byName[fmt.Sprint(d.Path, d.NameStart, d.Name)] = d
	}
	classes := map[string][]string{}
	paired := map[decl]bool{}
	for d := range missing {
		if x, ok := byName[fmt.Sprint(d.Path, d.NameStart, d.Name)]; ok {
			paired[x] = true
			class := differs(d, x)
			classes[class] = append(classes[class], fmt.Sprintf("%v\n\t\tgot %v", d, x))
		} else {
			classes["missing "+d.Kind] = append(classes["missing "+d.Kind], d.String())
		}
	}
	for d := range extra {
		if !paired[d] {
			classes["extra "+d.Kind] = append(classes["extra "+d.Kind], d.String())
		}
	}
	var names []string
	for c := range classes {
		names = append(names, c)
	}
	sort.Strings(names)
	for _, c := range names {
		sort.Strings(classes[c])
		t.Logf("%s: %d\n\t%s", c, len(classes[c]), strings.Join(classes[c][:min(6, len(classes[c]))], "\n\t"))
	}
}

// differs names what two readings of one declaration disagree about.
func differs(a, b decl) string {
	var s []string
	if a.Kind != b.Kind {
		s = append(s, "kind "+a.Kind+"/"+b.Kind)
	}
	if a.Qualified != b.Qualified {
		s = append(s, "qualified")
	}
	if a.Start != b.Start || a.Line != b.Line {
		s = append(s, "start")
	}
	if a.End != b.End || a.EndLine != b.EndLine {
		s = append(s, "end")
	}
	return "different " + strings.Join(s, ", ")
}
