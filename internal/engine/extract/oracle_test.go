package extract

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/lang"
)

// TestOracles compares what extraction finds with what another reader of the language
// finds, row by row of the table oracles:
//
//	KEN_ORACLE=1 go test -run TestOracles                                    what CI runs
//	KEN_ORACLE=1 KEN_CORPUS=/path/to/rust-analyzer go test -run TestOracles/rust
//	KEN_ORACLE=1 KEN_ORACLE_ALL=1 …                                          every difference
//
// Without KEN_CORPUS (folders, separated as in PATH) a row reads the corpus that CI reads
// with it; a manual row has none. With CI set, a row of CI whose tool or corpus is missing
// fails; otherwise it is skipped.
func TestOracles(t *testing.T) {
	for _, o := range oracles() {
		t.Run(o.name, func(t *testing.T) {
			files := o.files(t)
			o.compare(t, files, o.ask(t, files))
		})
	}
}

// oracle is a row of the table: another reader of a language, and how its findings are
// compared with those of extraction.
type oracle struct {
	name string
	lang code.Lang // "" asks lang.Detect for each file
	exts []string  // the files of a corpus that are read
	when oracleTime
	// corpus is where CI finds source for the row; nil in manual rows.
	corpus func(t *testing.T) string
	// tools are the programs that command needs.
	tools []string
	// command reads the paths of files from its standard input, one a line; nil for a
	// reader that is part of this test.
	command func(t *testing.T) *exec.Cmd
	// answer is what the oracle finds in each file; out is the output of command.
	answer func(t *testing.T, files []oracleFile, out []byte) map[string]*oracleAnswer
	// normalise is what extraction finds, with the properties that the oracle knows. The
	// two are equal if all properties are.
	normalise func(f *oracleFile, facts *code.Facts) []decl
	// match is used instead of normalise by oracles whose findings need not be equal to
	// count as found. They say nothing about precision.
	match   func(f *oracleFile, facts *code.Facts) matcher
	least   least
	maxSize int64 // of a file in bytes, 0 for any
}

// oracleTime says when a row is compared.
type oracleTime uint8

const (
	manual oracleTime = iota // with KEN_ORACLE and KEN_CORPUS set
	inCI                     // with KEN_ORACLE set: tool and corpus come from packages
	always                   // in every run, over testdata
)

// least are the shares a row must reach: of the oracle's findings those that extraction
// finds (recall), and of the findings of extraction those that the oracle has too
// (precision). Imports count apart.
type least struct{ recall, precision, imports float64 }

type oracleFile struct {
	path string
	src  []byte
}

// oracleAnswer is what an oracle says of one file.
type oracleAnswer struct {
	refused string // why it does not read the file, "" if it does
	decls   []decl
	excused map[string]int // findings left out because of what they are, by class
}

// decl is one finding, as oracles print it. Unknown properties are zero.
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

// kindImport is the kind of findings that are imports.
const kindImport = "import"

func (d decl) String() string {
	return fmt.Sprintf("%s:%d-%d %s %s [%d,%d) name %s %d", d.Path, d.Line, d.EndLine, d.Kind, d.Qualified, d.Start, d.End, d.Name, d.NameStart)
}

// pair is equal in two readings of the same declaration that differ otherwise.
func (d decl) pair() string {
	return fmt.Sprint(d.Path, d.NameStart, cmp.Or(d.Name, d.Qualified), d.Kind == kindImport)
}

// matcher decides about the findings of an oracle in one file.
type matcher struct {
	found func(d decl) bool
	// excuse names the class of a finding that extraction leaves out rightly, "" if it
	// should not; nil if there is none.
	excuse func(d decl) string
	// differs names a difference that does not count in a finding that is found.
	differs func(d decl) string
}

// files returns the files a row reads. It skips the row where it is not asked for.
// With -short it samples large corpora.
func (o *oracle) files(t *testing.T) (files []oracleFile) {
	t.Helper()
	dirs := os.Getenv("KEN_CORPUS")
	if o.when == always {
		return o.dataFiles(t)
	}
	if os.Getenv("KEN_ORACLE") == "" {
		t.Skip("KEN_ORACLE is not set")
	}
	if dirs == "" && o.when == manual {
		t.Skip("manual: KEN_CORPUS is not set")
	}
	for _, tool := range o.tools {
		if _, err := exec.LookPath(tool); err != nil {
			o.unavailable(t, err)
		}
	}
	if o.exts == nil {
		files = o.dataFiles(t)
	} else if dirs != "" {
		files = o.read(t, filepath.SplitList(dirs)...)
	} else if files = o.read(t, o.corpus(t)); len(files) == 0 {
		t.Fatal("the corpus has no files of the language")
	}
	if len(files) == 0 {
		t.Skipf("no files of the language below %s", dirs)
	}
	if testing.Short() {
		files = every(files, (len(files)+shortFiles-1)/shortFiles)
	}
	return files
}

// shortFiles is the most files of a corpus that a row reads with -short.
const shortFiles = 150

// every returns every nth file. Neighbours in a folder are alike, so a sample over the whole corpus is worth more than its beginning.
func every(files []oracleFile, n int) (some []oracleFile) {
	for i := 0; i < len(files); i += n {
		some = append(some, files[i])
	}
	return some
}

// unavailable ends a row whose tool or corpus is missing: in CI that is an error, because
// the row would go unnoticed otherwise.
func (o *oracle) unavailable(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("CI") != "" && o.when == inCI {
		t.Fatal(err)
	}
	t.Skip(err)
}

// dataFiles returns the files of the row's language in testdata and in the corpus. Those of
// testdata are written where a command can read them.
func (o *oracle) dataFiles(t *testing.T) (files []oracleFile) {
	dir := t.TempDir()
	for i, f := range dataFiles(t, o.lang) {
		if o.command != nil {
			f.path = filepath.Join(dir, fmt.Sprint(i, filepath.Ext(f.path)))
			if err := os.WriteFile(f.path, f.data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		files = append(files, oracleFile{f.path, f.data})
	}
	return files
}

// ask runs the row's command over files and returns its answers by path.
func (o *oracle) ask(t *testing.T, files []oracleFile) map[string]*oracleAnswer {
	t.Helper()
	var out []byte
	if o.command != nil {
		var paths strings.Builder
		for _, f := range files {
			fmt.Fprintln(&paths, f.path)
		}
		cmd := o.command(t)
		cmd.Stdin, cmd.Stderr = strings.NewReader(paths.String()), os.Stderr
		var err error
		if out, err = cmd.Output(); err != nil {
			t.Fatalf("run the oracle: %v", err)
		}
	}
	return o.answer(t, files, out)
}

// oracleScore counts what a row compares.
type oracleScore struct {
	files, refused       int
	want, got, both      int // declarations
	imports, importsBoth int
	missing, extra       []decl
	classes              map[string][]string // other differences, by class
	excused              map[string]int
}

// compare reads files and insists on what the row asks for at least.
func (o *oracle) compare(t *testing.T, files []oracleFile, answers map[string]*oracleAnswer) {
	t.Helper()
	e := testExtractor(t)
	s := oracleScore{classes: map[string][]string{}, excused: map[string]int{}}
	for i := range files {
		f := &files[i]
		l := o.lang
		if l == "" {
			l = lang.Detect(f.path, f.src)
		}
		facts := e.Extract(f.path, l, f.src)
		checkFacts(t, f.src, facts)
		answer := answers[f.path]
		if answer == nil {
			t.Fatalf("no answer for %s", f.path)
		}
		if answer.refused != "" {
			s.refused++
			continue
		}
		s.files++
		for class, n := range answer.excused {
			s.excused[class] += n
		}
		if o.match != nil {
			s.match(answer.decls, o.match(f, facts))
			s.got += len(facts.Symbols)
		} else {
			s.equal(answer.decls, o.normalise(f, facts))
		}
	}
	s.report(t)
	s.check(t, o.least)
}

// equal compares the findings in one file, in which the same finding may come twice.
func (s *oracleScore) equal(want, got []decl) {
	left := map[decl]int{}
	for _, d := range want {
		left[d]++
		if d.Kind == kindImport {
			s.imports++
		} else {
			s.want++
		}
	}
	for _, d := range got {
		switch found := left[d] > 0; {
		case found && d.Kind == kindImport:
			s.importsBoth++
		case found:
			s.both++
		case d.Kind != kindImport:
			s.extra = append(s.extra, d)
		}
		if left[d] > 0 {
			left[d]--
		}
		if d.Kind != kindImport {
			s.got++
		}
	}
	for d, n := range left {
		for range n {
			s.missing = append(s.missing, d)
		}
	}
}

// match counts the findings in one file that m finds.
func (s *oracleScore) match(want []decl, m matcher) {
	for _, d := range want {
		if m.found(d) {
			s.want, s.both = s.want+1, s.both+1
			if m.differs == nil {
				continue
			}
			if class := m.differs(d); class != "" {
				s.classes[class] = append(s.classes[class], d.String())
			}
			continue
		}
		if m.excuse != nil {
			if class := m.excuse(d); class != "" {
				s.excused[class]++
				continue
			}
		}
		s.want++
		s.missing = append(s.missing, d)
	}
}

// check insists on the least shares.
func (s *oracleScore) check(t *testing.T, l least) {
	t.Helper()
	share := func(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
	recall, precision, imports := share(s.both, s.want), share(s.both, s.got), share(s.importsBoth, s.imports)
	t.Logf("%d files, %d refused by the oracle: of %d declarations %d are found (recall %.4f)", s.files, s.refused, s.want, s.both, recall)
	if l.precision > 0 {
		t.Logf("of %d declarations of ken %d are the oracle's (precision %.4f)", s.got, s.both, precision)
	}
	if s.imports > 0 {
		t.Logf("of %d imports %d are found", s.imports, s.importsBoth)
	}
	if s.want > 0 && recall < l.recall {
		t.Errorf("recall is to be %.2f at least", l.recall)
	}
	if s.got > 0 && precision < l.precision {
		t.Errorf("precision is to be %.2f at least", l.precision)
	}
	if s.imports > 0 && imports < l.imports {
		t.Errorf("recall of imports is to be %.2f at least", l.imports)
	}
}

// report pairs differences about the same name and shows some of each class.
func (s *oracleScore) report(t *testing.T) {
	t.Helper()
	extra := map[string][]int{}
	for i, d := range s.extra {
		extra[d.pair()] = append(extra[d.pair()], i)
	}
	paired := map[int]bool{}
	for _, d := range s.missing {
		if list := extra[d.pair()]; len(list) > 0 {
			x := s.extra[list[0]]
			extra[d.pair()], paired[list[0]] = list[1:], true
			s.classes[differs(d, x)] = append(s.classes[differs(d, x)], fmt.Sprintf("%v\n\t\tgot %v", d, x))
			continue
		}
		s.classes["missing "+d.Kind] = append(s.classes["missing "+d.Kind], d.String())
	}
	for i, d := range s.extra {
		if !paired[i] {
			s.classes["extra "+d.Kind] = append(s.classes["extra "+d.Kind], d.String())
		}
	}
	shown := 6
	if os.Getenv("KEN_ORACLE_ALL") != "" {
		shown = 1 << 20
	}
	for _, class := range slices.Sorted(maps.Keys(s.classes)) {
		list := s.classes[class]
		slices.Sort(list)
		t.Logf("%s: %d\n\t%s", class, len(list), strings.Join(list[:min(shown, len(list))], "\n\t"))
	}
	for _, class := range slices.Sorted(maps.Keys(s.excused)) {
		t.Logf("left out, %s: %d", class, s.excused[class])
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

// answersFor has an empty answer for each file.
func answersFor(files []oracleFile) map[string]*oracleAnswer {
	answers := map[string]*oracleAnswer{}
	for _, f := range files {
		answers[f.path] = &oracleAnswer{}
	}
	return answers
}

// oracleLines decodes the output of an oracle, one JSON value a line.
func oracleLines[T any](t *testing.T, out []byte) (values []T) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(bytes.ToValidUTF8(lines.Bytes(), nil), &v); err != nil {
			t.Fatalf("the oracle said %q: %v", lines.Text(), err)
		}
		values = append(values, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return values
}

// declLines returns the answer of oracles that print every declaration with all properties.
func declLines(t *testing.T, files []oracleFile, out []byte) map[string]*oracleAnswer {
	answers := answersFor(files)
	for _, d := range oracleLines[decl](t, out) {
		a := answers[d.Path]
		switch {
		case a == nil:
			t.Fatalf("the oracle answers for %s, which it was not asked about", d.Path)
		case d.Error:
			a.refused = "syntax errors"
		default:
			a.decls = append(a.decls, d)
		}
	}
	return answers
}

// everything is what extraction finds with all properties.
func everything(f *oracleFile, facts *code.Facts) (decls []decl) {
	for _, s := range facts.Symbols {
		decls = append(decls, decl{Path: f.path, Kind: s.Kind.String(), Name: s.Name, Qualified: s.Qualified, Start: s.Span.Start, End: s.Span.End,
			Line: s.Span.Line, EndLine: s.Span.EndLine, NameStart: s.NameStart})
	}
	return decls
}
