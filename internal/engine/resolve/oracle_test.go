package resolve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ken/internal/code"
	"ken/internal/lang"
)

// The tests of this file compare with the ecosystems' own resolution. They run
// with KEN_ORACLE=1 over the repositories in the folder KEN_CORPUS; the one of
// TypeScript needs typescript 5.9.3 on NODE_PATH.

func corpus(t testing.TB, name string) string {
	t.Helper()
	if os.Getenv("KEN_ORACLE") != "1" {
		t.Skip("set KEN_ORACLE=1 and KEN_CORPUS to compare with other resolvers")
	}
	dir := filepath.Join(os.Getenv("KEN_CORPUS"), name)
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Skipf("no corpus: %v", err)
	}
	return dir
}

// diskTree reads the paths below root, and the content of what the resolver
// may ask for.
func diskTree(t testing.TB, root string) *memTree {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		files[rel] = nil
		if ConfigAt(rel) != nil {
			files[rel], err = os.ReadFile(p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return newMemTree(files)
}

// answer is one line of an oracle's output.
type answer struct{ From, Spec, Name, To string }

func askOracle(t *testing.T, cmd *exec.Cmd) []answer {
	t.Helper()
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run oracle: %v", err)
	}
	var answers []answer
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	return answers
}

// score compares and logs what differs: at most 40 lines of either kind.
type score struct {
	inside, right int
	wrong, extra  []string
	asked, probes int
	took          time.Duration
}

// resolve asks our resolver, and keeps account of what that costs.
func (s *score) resolve(r *Resolver, from string, lang code.Lang, imp *code.Import) Result {
	start := time.Now()
	res := r.Resolve(from, lang, imp)
	s.took += time.Since(start)
	s.asked++
	s.probes += len(res.Probes)
	return res
}

func (s *score) add(a answer, got string) {
	switch {
	case a.To != "":
		s.inside++
		if got == a.To {
			s.right++
		} else {
			s.wrong = append(s.wrong, a.From+" "+a.Spec+" "+a.Name+": want "+a.To+", got "+got)
		}
	case got != "":
		s.extra = append(s.extra, a.From+" "+a.Spec+" "+a.Name+": got "+got)
	}
}

func (s *score) check(t *testing.T, atLeast float64) {
	t.Helper()
	for _, l := range s.wrong[:min(40, len(s.wrong))] {
		t.Log(l)
	}
	for _, l := range s.extra[:min(40, len(s.extra))] {
		t.Log("oracle has none: " + l)
	}
	t.Logf("%d questions in %v, %.1f probes each", s.asked, s.took.Round(time.Millisecond), float64(s.probes)/float64(s.asked))
	share := 100 * float64(s.right) / float64(s.inside)
	t.Logf("%d specifiers point inside, %d the same (%.2f %%); %d resolved that the oracle does not", s.inside, s.right, share, len(s.extra))
	if s.inside == 0 || share < atLeast {
		t.Errorf("%.2f %% the same, want %.2f", share, atLeast)
	}
}

func TestOracleTypeScript(t *testing.T) {
	for _, name := range []string{"core", "typeorm", "excalidraw"} {
		t.Run(name, func(t *testing.T) {
			src := corpus(t, name)
			root := t.TempDir()
			if out, err := exec.Command("sh", "-c", `cd "$1" && tar cf - --exclude=./.git . | tar xf - -C "$2"`, "sh", src, root).CombinedOutput(); err != nil {
				t.Fatalf("copy: %v\n%s", err, out)
			}
			tree := diskTree(t, root)
			linkWorkspaces(t, root, tree)
			var s score
			r := New(tree)
			for _, a := range askOracle(t, exec.Command("node", "testdata/oracle/typescript.cjs", root)) {
				res := s.resolve(r, a.From, lang.Detect(a.From, nil), &code.Import{Spec: a.Spec})
				s.add(a, res.File)
			}
			s.check(t, 99)
		})
	}
}

// linkWorkspaces does what a package manager's install does for the packages of
// a workspace.
func linkWorkspaces(t *testing.T, root string, tree *memTree) {
	t.Helper()
	s := newScript(tree)
	s.loadWorkspaces()
	for _, w := range s.workspaces {
		for name, dir := range w.members {
			if dir == w.dir {
				continue
			}
			link := filepath.Join(root, w.dir, "node_modules", name)
			if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(root, dir), link); err != nil && !os.IsExist(err) {
				t.Fatal(err)
			}
		}
	}
}

func TestOraclePython(t *testing.T) {
	for name, roots := range map[string][]string{"sympy": {"."}, "flask": {"src", "."}} {
		t.Run(name, func(t *testing.T) {
			root := corpus(t, name)
			r := New(diskTree(t, root))
			var s score
			for _, a := range askOracle(t, exec.Command("python3", append([]string{"testdata/oracle/python.py", root}, roots...)...)) {
				imp := &code.Import{Spec: a.Spec}
				if a.Name == "" {
					s.add(a, s.resolve(r, a.From, langPython, imp).File)
					continue
				}
				imp.Names = []code.ImportName{{Name: a.Name, Alias: a.Name}}
				s.add(a, s.resolve(r, a.From, langPython, imp).Subs[a.Name])
			}
			s.check(t, 97)
		})
	}
}

// goImports reads the imports of all Go files below root.
func goImports(t testing.TB, root string) []answer {
	t.Helper()
	var list []answer
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		f, _ := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly|parser.SkipObjectResolution)
		if f == nil {
			return nil
		}
		for _, spec := range f.Imports {
			if s, err := strconv.Unquote(spec.Path.Value); err == nil {
				list = append(list, answer{From: rel, Spec: s})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestOracleGo(t *testing.T) {
	root := corpus(t, "kubernetes")
	r := New(diskTree(t, root))
	ctxt := build.Default
	ctxt.UseAllFiles = true
	var s score
	std := 0
	for _, a := range goImports(t, root) {
		if rel, ok := strings.CutPrefix(a.Spec+"/", "k8s.io/kubernetes/"); ok {
			rel = strings.TrimSuffix(rel, "/")
			p, err := ctxt.ImportDir(filepath.Join(root, rel), 0)
			if _, multiple := err.(*build.MultiplePackageError); err == nil || multiple && len(p.GoFiles)+len(p.TestGoFiles) > 0 {
				a.To = rel
			}
		}
		res := s.resolve(r, a.From, langGo, &code.Import{Spec: a.Spec})
		got := res.Dir
		if res.IsDir != (res.External == "") {
			t.Errorf("%s %s: %+v", a.From, a.Spec, res)
		}
		inGoroot := false
		if _, err := os.Stat(filepath.Join(build.Default.GOROOT, "src", a.Spec)); err == nil {
			inGoroot = true
		}
		if res.Std != (inGoroot || a.Spec == "C") {
			t.Errorf("%s %s: std %v", a.From, a.Spec, res.Std)
		}
		if res.Std {
			std++
		}
		s.add(a, got)
	}
	t.Logf("%d imports of the standard library", std)
	s.check(t, 100)
}

func BenchmarkGo(b *testing.B) {
	root := corpus(b, "kubernetes")
	tree := diskTree(b, root)
	list := goImports(b, root)
	imps := make([]code.Import, len(list))
	for i, a := range list {
		imps[i].Spec = a.Spec
	}
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		r := New(tree)
		for i := range imps {
			r.Resolve(list[i].From, langGo, &imps[i])
		}
	}
	b.ReportMetric(float64(len(imps)), "imports")
	b.ReportMetric(float64(b.Elapsed())/float64(time.Millisecond)/float64(b.N), "ms/repo")
}
