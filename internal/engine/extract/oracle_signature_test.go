package extract

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/lang"
)

// TestSignatures has the parser of each language read the signatures of a corpus again:
// each must be a declaration once it has a body or a value. It runs as TestOracles does.
func TestSignatures(t *testing.T) {
	for _, o := range signatureOracles() {
		t.Run(o.name, func(t *testing.T) {
			files := o.files(t)
			list := o.signatures(t, files)
			o.check(t, list, o.refused(t, list))
		})
	}
}

// signatureOracle is a row of the table: a parser and the forms in which it is given signatures.
type signatureOracle struct {
	oracle
	// command reads a JSON list of sources a line and prints, for each, an error of the
	// parser, "" if it reads one of them. With nil, parse is called instead.
	parse func(source string) error
	// forms are sources that hold a signature, each with %s in its place and %c in that of
	// the name of the type around it. One of them must be read.
	forms func(k code.Kind) []string
}

func signatureOracles() []signatureOracle {
	script := func(k code.Kind) []string {
		switch k {
		case code.KindFunction, code.KindMethod, code.KindConstructor, code.KindField:
			return []string{"%s {}", "%s => {}", "%s;", "class A { %s {} }", "class A { %s => {} }", "class A { %s }", "interface A { %s }", "({ %s {} })", "({ %s => {} })",
				"({ %s: 0 })", "({ %s })", "abstract class A { %s }", "export default %s => {}", "(%s)", "function f(%s) {}", "class A { constructor(%s) {} }"}
		case code.KindEnumMember:
			return []string{"enum A { %s }"}
		}
		return []string{"%s {}", "%s;", "%s = 0", "%s => {}", "%s 0", "class A { %s }", "class A { %s {} }", "({ %s })", "({ %s: 0 })", "({ %s {} })"}
	}
	return []signatureOracle{
		{oracle: oracle{name: "go", exts: []string{".go"}, when: inCI, corpus: goModule("k8s.io/kubernetes@v1.31.0", "pkg"), tools: []string{"go"}, maxSize: 500_000},
			parse: func(source string) error {
				_, err := parser.ParseFile(token.NewFileSet(), "a.go", source, parser.SkipObjectResolution)
				return err
			},
			forms: func(k code.Kind) []string {
				switch k {
				case code.KindFunction, code.KindMethod:
					return []string{"package p; %s {}", "package p; type I interface { %s }"}
				case code.KindField:
					return []string{"package p; type S struct { %s }", "package p; type S struct { %s {} }"}
				}
				return []string{"package p; %s", "package p; %s = 0", "package p; %s {}", "package p; const ( _ = iota; %s )"}
			}},
		{oracle: oracle{name: "python", exts: []string{".py"}, when: inCI, tools: []string{"python3"}, maxSize: 500_000,
			corpus:  standardLibrary("python3", "-c", "import json, os; print(os.path.dirname(os.path.dirname(json.__file__)))"),
			command: program("python3", "testdata/oracle/python/parse.py")},
			forms: func(k code.Kind) []string {
				if k.IsFunction() || k.IsType() {
					return []string{"%s: pass", "%s"}
				}
				return []string{"%s", "%s: pass"}
			}},
		{oracle: oracle{name: "script", exts: []string{".ts", ".mts", ".cts", ".tsx", ".js", ".cjs", ".mjs", ".jsx"}, when: inCI, tools: []string{"node", "npm"}, maxSize: 500 << 10,
			corpus: func(t *testing.T) string { return filepath.Join(nodeModules(t), "rxjs", "src") },
			command: func(t *testing.T) *exec.Cmd {
				cmd := scriptCommand(t)
				cmd.Args[1] = "testdata/oracle/ts/parse.js"
				return cmd
			}},
			forms: script},
		{oracle: oracle{name: "java", exts: []string{".java"}, when: inCI, tools: []string{"java", "mvn"}, corpus: mavenSources("io.netty:netty-common:4.1.115.Final"),
			command: program("java", "testdata/oracle/java/Parse.java")},
			forms: func(k code.Kind) []string {
				switch {
				case k.IsType():
					return []string{"%s {}"}
				case k == code.KindEnumMember:
					return []string{"enum A { %s }"}
				}
				return []string{"class %c { %s {} }", "class %c { %s; }", "interface %c { %s; }", "@interface %c { %s; }", "class %c { %s = 0; }", "record %c(%s) {}", "record %c() { %s {} }"}
			}},
	}
}

// printedSignature is a signature with its place.
type printedSignature struct {
	text, path, place string
	forms             []string
}

// signatures returns the files that ken reads without an error and, after each, its signatures
// that no file before has. One that was cut at its largest length is left out.
func (o *signatureOracle) signatures(t *testing.T, files []oracleFile) (list []printedSignature) {
	e := testExtractor(t)
	seen := map[string]bool{}
	cut := 0
	for i := range files {
		facts := e.Extract(files[i].path, lang.Detect(files[i].path, files[i].src), files[i].src)
		if facts.ErrorBytes > 0 || facts.Problem != "" {
			continue
		}
		list = append(list, printedSignature{path: files[i].path, forms: []string{string(files[i].src)}}) // in front of its signatures
		for _, s := range facts.Symbols {
			around := "A"
			if s.Parent >= 0 {
				around = facts.Symbols[s.Parent].Name
			}
			p := printedSignature{text: s.Signature, path: files[i].path, place: fmt.Sprintf("%s:%d %s", files[i].path, s.Span.Line, s.Kind)}
			for _, form := range o.forms(s.Kind) {
				p.forms = append(p.forms, strings.NewReplacer("%s", s.Signature, "%c", around).Replace(form))
			}
			switch key := p.forms[0]; {
			case s.Signature == "" || seen[key]:
			case len(s.Signature) > code.MaxSignature-40: // a cut may take away the word it is in
				cut++
			default:
				seen[key] = true
				list = append(list, p)
			}
		}
	}
	t.Logf("%d files; %d signatures are cut", len(files), cut)
	return list
}

// refused returns the parser's error for each signature, "" if it reads one of the forms.
func (o *signatureOracle) refused(t *testing.T, list []printedSignature) []string {
	t.Helper()
	if o.parse == nil {
		var in strings.Builder
		for _, p := range list {
			line, err := json.Marshal(p.forms)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&in, "%s\n", line)
		}
		cmd := o.command(t)
		cmd.Stdin, cmd.Stderr = strings.NewReader(in.String()), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("run the parser: %v", err)
		}
		return oracleLines[string](t, out)
	}
	out := make([]string, len(list))
	for i, p := range list {
		for _, form := range p.forms {
			err := o.parse(form)
			if err == nil {
				out[i] = ""
				break
			}
			out[i] = err.Error()
		}
	}
	return out
}

func (o *signatureOracle) check(t *testing.T, list []printedSignature, refused []string) {
	t.Helper()
	if len(refused) != len(list) {
		t.Fatalf("%d answers for %d signatures", len(refused), len(list))
	}
	var wrong []string
	n, without := 0, "" // the file that the parser refuses itself
	for i, p := range list {
		switch {
		case p.place == "":
			if refused[i] != "" {
				without = p.path
			}
			continue
		case p.path == without:
			continue
		}
		n++
		if refused[i] != "" {
			wrong = append(wrong, fmt.Sprintf("%s\n\t\t%s\n\t\t%s", p.place, p.text, refused[i]))
		}
	}
	t.Logf("%d of %d signatures parse", n-len(wrong), n)
	slices.Sort(wrong)
	if len(wrong) > 0 {
		t.Errorf("%d signatures do not parse:\n\t%s", len(wrong), strings.Join(wrong, "\n\t"))
	}
}
