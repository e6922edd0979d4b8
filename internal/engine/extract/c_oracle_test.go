package extract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/lang"
)

// TestCOracle compares the declarations of C and C++ with those Universal
// Ctags finds. A tag counts as found if a symbol of its name, of a kind that fits,
// begins within two lines of it.
//
//	KEN_ORACLE=1 KEN_CORPUS=/path/to/redis go test -run COracle
//
// Tags that extraction leaves out on purpose are excused by tagExcuse, which names
// each class; how many fell under each is logged. Beyond them, extraction misses in
// nlohmann/json members and functions whose type is `typename A::B`, the first
// declaration behind a label that is a macro (`PRIVATE_UNLESS_TESTED:`), declarations
// hidden by a conditional within a template's head or by a macro in front of a function,
// and those that ctags sees within a function's body.
func TestCOracle(t *testing.T) {
	corpus := oracleCorpus(t)
	files := cFiles(t, corpus)
	tags := ctags(t, files)
	e := testExtractor(t)
	found, missing, excused := 0, map[string][]string{}, map[string]int{}
	extra, symbols := 0, 0
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		l := lang.Detect(path, src)
		facts := e.Extract(path, l, src)
		checkFacts(t, src, facts)
		byName := map[string][]code.Symbol{}
		for _, s := range facts.Symbols {
			byName[tagName(s.Name)] = append(byName[tagName(s.Name)], s)
		}
		symbols += len(facts.Symbols)
		matched, bodies := map[string]int{}, macroBodies(src)
		for _, tag := range tags[path] {
			if reason := tagExcuse(tag, bodies); reason != "" {
				excused[reason]++
				continue
			}
			if tagFound(tag, byName[tagName(tag.Name)]) {
				found++
				matched[tagName(tag.Name)]++
				continue
			}
			miss := fmt.Sprintf("%s:%d %s %s", strings.TrimPrefix(path, corpus), tag.Line, tag.Kind, tag.Name)
			missing[tag.Kind] = append(missing[tag.Kind], miss)
		}
		for _, s := range facts.Symbols {
			if matched[tagName(s.Name)] == 0 && s.Kind != code.KindModule && !strings.HasSuffix(s.Signature, ";") {
				extra++
			}
		}
	}
	lost := 0
	for k, list := range missing {
		lost += len(list)
		slices.Sort(list)
		n := len(list)
		step := max(1, n/25)
		var sample []string
		for i := 0; i < n; i += step {
			sample = append(sample, list[i])
		}
		t.Logf("missing %s: %d\n\t%s", k, n, strings.Join(sample, "\n\t"))
	}
	recall := float64(found) / float64(found+lost)
	t.Logf("%d files, %d symbols of which %d have no tag of their name (prototypes left out), %d tags: recall %.4f; excused %v",
		len(files), symbols, extra, found+lost, recall, excused)
	if recall < 0.98 {
		t.Errorf("recall is to be 0.98 at least")
	}
}

type cTag struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Line  int    `json:"line"`
	Kind  string `json:"kind"`
	Scope string `json:"scope"`
}

func ctags(t *testing.T, files []string) map[string][]cTag {
	cmd := exec.Command("ctags", "--output-format=json", "--fields=+nKSs", "--langmap=C:.c",
		"--langmap=C++:+.h.ipp.inl.tpp", "-L", "-", "-f", "-")
	cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Join(files, "\n")+"\n"), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run ctags: %v", err)
	}
	tags := map[string][]cTag{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var tag cTag
		if err := json.Unmarshal(lines.Bytes(), &tag); err != nil {
			t.Fatalf("ctags said %q: %v", lines.Text(), err)
		}
		tags[tag.Path] = append(tags[tag.Path], tag)
	}
	return tags
}

// cFiles are the sources of C and C++ below dir that are not vendored.
func cFiles(t *testing.T, dir string) (files []string) {
	for _, ext := range []string{".c", ".h", ".cc", ".cpp", ".hpp", ".cxx"} {
		list, err := filepath.Glob(filepath.Join(dir, "*"+ext))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, en := range entries {
		if en.IsDir() && en.Name() != ".git" {
			files = append(files, cFiles(t, filepath.Join(dir, en.Name()))...)
		}
	}
	return slices.DeleteFunc(files, func(p string) bool {
		st, err := os.Stat(p)
		return err != nil || !st.Mode().IsRegular() || st.Size() > 1_000_000
	})
}

// tagName spells an operator as extraction does.
func tagName(s string) string {
	if strings.HasPrefix(s, "operator") || strings.HasPrefix(s, "~") {
		return strings.ReplaceAll(s, " ", "")
	}
	return s[strings.LastIndex(s, "::")+1:]
}

// tagFound reports whether one of the symbols of a tag's name is the tag's.
func tagFound(tag cTag, list []code.Symbol) bool {
	return slices.ContainsFunc(list, func(s code.Symbol) bool {
		line := int(s.Span.Line)
		return tag.Line >= line-2 && tag.Line <= max(line+2, min(int(s.Span.EndLine), line+30)) && tagKind(tag.Kind, s.Kind)
	})
}

func tagKind(tag string, k code.Kind) bool {
	switch tag {
	case "function":
		return k.IsFunction()
	case "macro":
		return k == code.KindMacro
	case "struct", "class", "union":
		return k == code.KindStruct || k == code.KindClass || k == code.KindUnion
	case "enum", "typedef":
		return k.IsType()
	case "enumerator":
		return k == code.KindEnumMember
	case "member", "variable":
		return k == code.KindField || k == code.KindVariable || k == code.KindConstant
	case "namespace":
		return k == code.KindModule
	}
	return true
}

// macroBodies are the first and last lines of the blocks behind a call of a macro in
// the place of a declaration: TEST_CASE("x") { … }. They are bodies of functions whose
// names the macro makes.
func macroBodies(src []byte) (bodies [][2]int) {
	tokens, _ := lexC(src)
	tokens = slices.DeleteFunc(tokens, func(t cToken) bool { return t.kind == tokDirective })
	line := func(i int) int { return 1 + bytes.Count(src[:tokens[i].start], []byte("\n")) }
	closing := func(i int) int {
		depth := 0
		for ; i < len(tokens); i++ {
			switch tokens[i].kind {
			case '(', '{':
				depth++
			case ')', '}':
				depth--
			}
			if depth == 0 {
				break
			}
		}
		return i
	}
	for i := 0; i+1 < len(tokens); i++ {
		t := tokens[i]
		if t.kind != tokWord || !isMacroName(src[t.start:t.end]) || tokens[i+1].kind != '(' {
			continue
		}
		if i > 0 && !slices.Contains([]byte{';', '{', '}'}, tokens[i-1].kind) {
			continue
		}
		open := closing(i+1) + 1
		if open >= len(tokens) || tokens[open].kind != '{' {
			continue
		}
		if end := closing(open); end < len(tokens) {
			bodies = append(bodies, [2]int{line(open), line(end)})
			i = end
		}
	}
	return bodies
}

// tagExcuse is the reason why extraction need not find a tag, "" if it must.
func tagExcuse(tag cTag, bodies [][2]int) string {
	local := func(b [2]int) bool { return b[0] <= tag.Line && tag.Line <= b[1] }
	switch {
	case tag.Kind == "variable" && slices.ContainsFunc(bodies, local):
		return "local variable of a function that a macro declares"
	case strings.HasPrefix(tag.Name, "__anon"):
		return "made-up name of something without one"
	case tag.Kind == "header":
		return "include"
	}
	return ""
}
