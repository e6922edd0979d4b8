package engine_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/engine"
	"ken/internal/engine/view"
)

// The tests of this file compare where imports of C# and PHP lead with what the
// sources themselves say:
//
//	KEN_ORACLE=1 KEN_CORPUS=/path/to/repository go test ./internal/engine -run 'TestPHPUses|TestCSharpUsings'

// use is one import and the files it may lead to; none if it leads outside.
type use struct {
	Path, Spec string
	Line       uint32
	To         []string
	space      string // or the namespace it names
}

func importCorpus(t *testing.T, ext string) (root string, files []string) {
	if os.Getenv("KEN_ORACLE") != "1" || os.Getenv("KEN_CORPUS") == "" {
		t.Skip("KEN_ORACLE and KEN_CORPUS are not set")
	}
	root, err := filepath.EvalSymlinks(os.Getenv("KEN_CORPUS"))
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(p) == ext {
			files = append(files, p)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Skipf("no %s files: %v", ext, err)
	}
	return root, files
}

func TestPHPUses(t *testing.T) {
	root, files := importCorpus(t, ".php")
	cmd := exec.Command("php", "-d", "memory_limit=2G", "testdata/oracle/uses.php")
	cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Join(files, "\n")+"\n"), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var uses []use
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var u use
		if err := json.Unmarshal(lines.Bytes(), &u); err != nil {
			t.Fatal(err)
		}
		uses = append(uses, u)
	}
	checkUses(t, root, uses)
}

// The oracle of C# reads namespaces and usings line by line.
var (
	csSpace = regexp.MustCompile(`(?m)^\s*namespace\s+([A-Za-z_][\w.]*)\s*[;{]?\s*$`)
	csUsing = regexp.MustCompile(`(?m)^[ \t]*(?:global\s+)?using\s+(static\s+)?(?:(\w+)\s*=\s*)?([A-Za-z_][\w.]*)\s*;`)
)

func TestCSharpUsings(t *testing.T) {
	root, files := importCorpus(t, ".cs")
	sources, spaces := map[string]string{}, map[string]bool{}
	byName := map[string][]string{} // full name of a type → files
	declares := regexp.MustCompile(`(?m)\b(?:class|struct|interface|enum|record|record struct|delegate\s+[\w<>\[\],.? ]+)\s+(\w+)`)
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		src = bytes.TrimPrefix(src, []byte("\ufeff"))
		sources[f] = string(src)
		for _, m := range csSpace.FindAllStringSubmatch(string(src), -1) {
			spaces[m[1]] = true
			for _, d := range declares.FindAllStringSubmatch(string(src), -1) {
				byName[m[1]+"."+d[1]] = append(byName[m[1]+"."+d[1]], f)
			}
		}
	}
	var uses []use
	for _, f := range files {
		for _, m := range csUsing.FindAllStringSubmatchIndex(sources[f], -1) {
			src := sources[f]
			u := use{Path: f, Spec: src[m[6]:m[7]], Line: 1 + uint32(strings.Count(src[:m[6]], "\n"))}
			if m[2] < 0 && m[4] < 0 {
				if spaces[u.Spec] {
					u.space = u.Spec
				}
			} else {
				u.To = byName[u.Spec]
			}
			uses = append(uses, u)
		}
	}
	checkUses(t, root, uses)
}

// checkUses indexes root and compares. An import is right if it leads to one of
// its files, or names its namespace, and wrong too if it leads to a file while it
// should lead outside.
func checkUses(t *testing.T, root string, uses []use) {
	p := newProject(t, root)
	byFile := map[string][]use{}
	for _, u := range uses {
		rel, err := filepath.Rel(root, u.Path)
		if err != nil {
			t.Fatal(err)
		}
		u.To = slices.Clone(u.To) // several imports share it
		for i := range u.To {
			u.To[i], _ = filepath.Rel(root, u.To[i])
		}
		byFile[rel] = append(byFile[rel], u)
	}
	inside, right, outside, stray, lost := 0, 0, 0, 0, 0
	err := p.e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		for rel, list := range byFile {
			imps, err := s.Imports(ctx, rel)
			if err != nil {
				return nil, err
			}
			for _, u := range list {
				i := slices.IndexFunc(imps, func(m view.ResolvedImport) bool { return m.Line == u.Line && m.Spec == u.Spec })
				if i < 0 {
					if lost++; lost < 20 {
						t.Logf("%s:%d %s is not among the imports", rel, u.Line, u.Spec)
					}
					continue
				}
				m := &imps[i]
				hit := u.space != "" && m.Package == u.space || slices.ContainsFunc(m.Targets, func(p string) bool { return slices.Contains(u.To, p) })
				// Which of the files of its namespace declares a name that is never used is not kept.
				hit = hit || len(m.Targets) == 0 && len(u.To) > 0 && m.Package != "" && strings.HasPrefix(u.Spec, m.Package)
				switch {
				case u.space == "" && len(u.To) == 0:
					if outside++; len(m.Targets) > 0 {
						if stray++; stray < 20 {
							t.Logf("%s:%d %s leads to %q", rel, u.Line, u.Spec, m.Targets)
						}
					}
				case hit:
					inside, right = inside+1, right+1
				default:
					if inside++; inside-right < 20 {
						t.Logf("%s:%d %s: want %s%q, got %s %q %s", rel, u.Line, u.Spec, u.space, u.To, m.Package, m.Targets, m.External)
					}
				}
			}
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	share := float64(right) / float64(max(inside, 1))
	t.Logf("%d imports point inside, %d right (%.4f); %d point outside, %d of them led inside; %d were not found", inside, right, share, outside, stray, lost)
	if share < 0.97 || lost*100 > len(uses) {
		t.Error("97 % of the imports that point inside are to be right")
	}
}
