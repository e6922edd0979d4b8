package scan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/source/scan/scantest"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	big := strings.Repeat("import x\n", 100_000) // 900 KB
	for _, c := range []struct {
		path, text string
		lines      uint32
		lang       code.Lang
		problem    code.Problem
		flags      code.Flags
	}{
		{"empty.go", "", 0, "go", "", 0},
		{"one.go", "package a", 1, "go", "", 0},
		{"two.py", "a\nb\n", 2, "python", "", 0},
		{"three.py", "a\nb\n\n", 3, "python", "", 0},
		{"crlf.py", "a\r\nb", 2, "python", "", 0},
		{"bin.go", "a\x00b\n", 1, "go", code.ProblemBinary, 0},
		{"late.txt", strings.Repeat("x", 8000) + "\x00", 1, "text", "", 0},
		{"early.txt", strings.Repeat("x", 7999) + "\x00", 1, "text", code.ProblemBinary, 0},
		{"utf16.txt", "\xff\xfea\x00\n\x00", 1, "text", code.ProblemNone, 0},
		{"bom.go", "\ufeffpackage a\n", 1, "go", "", 0},
		{"big.py", big, 100_000, "python", code.ProblemTooLarge, 0},
		{"bigbin.py", "\x00" + big, 100_000, "python", code.ProblemBinary, 0},
		{"edge.py", strings.Repeat("x", DefaultMaxFileSize), 1, "python", "", 0},
		{"over.py", strings.Repeat("x", DefaultMaxFileSize+1), 1, "python", code.ProblemTooLarge, 0},
		{"run", "#!/usr/bin/python3\n", 1, "python", "", 0},
		{"go.mod", "module a\n", 1, "go-module", "", code.FlagConfig},
		{"a_test.go", "package a\n", 1, "go", "", code.FlagTest},
		{"m.js", strings.Repeat("!function(e,t){var n=e.f(t);return n};", 100), 1, "javascript", code.ProblemMinified, code.FlagMinified},
		{"x.min.js", "var a\n", 1, "javascript", code.ProblemMinified, code.FlagMinified},
	} {
		scantest.Write(t, dir, c.path, c.text)
		got, err := mustNew(t, Options{Root: dir}).Read(t.Context(), c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		st, err := os.Lstat(filepath.Join(dir, c.path))
		if err != nil {
			t.Fatal(err)
		}
		if got.Lines != c.lines || got.Lang != c.lang || got.Problem != c.problem || got.Flags != c.flags || got.Stat.Size != int64(len(c.text)) || got.Stat.MTime != st.ModTime().UnixNano() {
			t.Errorf("%s: lines %d lang %s problem %q flags %b size %d", c.path, got.Lines, got.Lang, got.Problem, got.Flags, got.Stat.Size)
		}
		if got.Hash != sha256.Sum256([]byte(c.text)) {
			t.Errorf("%s: hash %x", c.path, got.Hash)
		}
		want := string(Text([]byte(c.text)))
		if len(want) > DefaultMaxFileSize {
			want = want[:HeadSize]
		}
		if string(got.Bytes) != want {
			t.Errorf("%s: %d bytes, want %d", c.path, len(got.Bytes), len(want))
		}
	}
}

// TestReadInto: one buffer serves files of all sizes, and reading allocates
// next to nothing.
func TestReadInto(t *testing.T) {
	dir := t.TempDir()
	s := mustNew(t, Options{Root: dir, MaxFileSize: 300_000})
	sizes := []int{0, 1, 300_000, 300_001, 5, HeadSize*3 + 17, 1 << 16, HeadSize, 600_000}
	var buf Buffer
	for i, n := range sizes {
		text := bytes.Repeat([]byte{byte('a' + i), '\n'}, n/2+1)[:n]
		scantest.Write(t, dir, "f", string(text))
		c, err := s.ReadInto(t.Context(), "f", &buf)
		if err != nil || c.Hash != sha256.Sum256(text) || !bytes.HasPrefix(text, c.Bytes) || len(c.Bytes) != n && (n <= 300_000 || len(c.Bytes) != HeadSize) {
			t.Errorf("size %d: %d bytes, %v", n, len(c.Bytes), err)
		}
	}
	scantest.Write(t, dir, "g.go", strings.Repeat("// x\n", 1000))
	if n := testing.AllocsPerRun(100, func() { _, _ = s.ReadInto(context.Background(), "g.go", &buf) }); n > 12 {
		t.Errorf("%v allocations for a file", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.ReadInto(ctx, "f", &buf); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestReadStat: the Stat returned belongs to the bytes returned.
func TestReadStat(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	scantest.Write(t, dir, "f", strings.Repeat("a", 1000))
	s := mustNew(t, Options{Root: dir})
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			tmp := path + ".tmp"
			os.WriteFile(tmp, bytes.Repeat([]byte{byte('a' + i%26)}, 1000+i%26), 0o644)
			os.Rename(tmp, path)
			runtime.Gosched()
		}
	}()
	for range 2000 {
		c, err := s.Read(t.Context(), "f")
		if err != nil {
			t.Fatal(err)
		}
		if int64(len(c.Bytes)) != c.Stat.Size || bytes.Count(c.Bytes, c.Bytes[:1]) != len(c.Bytes) || c.Hash != sha256.Sum256(c.Bytes) {
			t.Fatalf("torn: %d bytes, size %d", len(c.Bytes), c.Stat.Size)
		}
	}
	close(stop)
	<-done
}

func TestPathFlags(t *testing.T) {
	langOf := map[string]code.Lang{".go": "go", ".py": "python", ".ts": "typescript", ".tsx": "typescript", ".js": "javascript", ".java": "java", ".rs": "rust", ".rb": "ruby", ".md": "markdown", ".cs": "csharp", ".c": "c", ".kt": "kotlin"}
	check := func(flag code.Flags, want bool, list string) {
		for _, p := range strings.Fields(list) {
			if got := PathFlags(p, langOf[filepath.Ext(p)])&flag != 0; got != want {
				t.Errorf("%s: flag %b = %v", p, flag, got)
			}
		}
	}
	check(code.FlagTest, true, `a/foo_test.go test_x.py a/x_test.py conftest.py a.test.ts a.spec.ts a.test.tsx b.cy.js a/__tests__/b.ts src/test/java/com/A.java
		src/main/java/FooTest.java FooTests.java TestFoo.java FooIT.java crates/x/tests/it.rs tests/test_a.py sympy/core/tests/helper.py src/tests.rs a_spec.rb testdata/x.go
		src/integrationTest/java/A.java test/a.js e2e/login.ts tests.py FooTestCase.java Test1.java x_test.c FooSpec.kt src/test/kotlin/FooSpec.kt src/jvmTest/kotlin/FooSpec.kt`)
	check(code.FlagTest, false, `latest.ts contest.py testing.go attest.js a/testing/b.py pkg/test/util.go testament.py protest/x.py Contest.java Latest.java TestamentReader.java
		manifest.ts src/spectest.rs specs.ts fastest/x.go a/testutil/x.go Testimony.java UNIT.java mytests/x.go greatest.rs IT.java inspect.js src/main/java/a/TypeSpec.java a/src/commonMain/kotlin/a/TypeSpec.kt`)
	check(code.FlagVendored, true, `vendor/a/b.go a/node_modules/x.js third_party/x.c bower_components/a.js .yarn/releases/yarn.cjs`)
	check(code.FlagVendored, false, `vendor.go a/vendors/x.go src/node_modules.ts vendoring/x.go`)
	check(code.FlagGenerated, true, `api/x.pb.go a/zz_generated.deepcopy.go x_pb2.py go.sum web/package-lock.json yarn.lock app.js.map`)
	check(code.FlagGenerated, false, `generated.go pb.go a/generate/x.go package.json`)
	check(code.FlagDoc, true, `README.md docs/a.md LICENSE a/CHANGELOG README.txt`)
	check(code.FlagDoc, false, `readme.go license.py a.txt requirements.txt docs/conf.py`)
	check(code.FlagMinified, true, `a.min.js b/x.min.css`)
	check(code.FlagMinified, false, `admin.js min.js a.mini.js`)
}

func TestGeneratedMark(t *testing.T) {
	for text, want := range map[string]bool{
		"// Code generated by x. DO NOT EDIT.\npackage a\n":                                                    true,
		strings.Repeat("// license\n", 20) + "\n// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n": true,
		"# -*- coding: utf-8 -*-\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n":                true,
		"/**\n * @generated SignedSource<<x>>\n */\n":                                                          true,
		"//! @generated\n": true,
		"/* This file was generated.\n * Do not modify. */\n":                                true,
		"<!-- AUTOGENERATED FILE, DO NOT EDIT -->":                                           true,
		"; auto-generated\n;\n; don't edit\n":                                                true,
		"// This file is generated automatically by `fp.ts`. Please, don't change it.\n":     true,
		"\"\"\"Generated code. Do not edit.\"\"\"\n":                                         true,
		"package a\n\n// x\n":                                                                false,
		"package a\n\nvar mark = \"// Code generated by x. DO NOT EDIT.\"\n":                 false,
		"// Package gen writes generated files.\npackage gen\n":                              false,
		"// do not edit the list by hand\n":                                                  false,
		"a\nb\nc\nd\ne\nf\n// Code generated by x. DO NOT EDIT.\n":                           false,
		"// user@generated.example\n":                                                        false,
		strings.Repeat("// x\n", 3000) + "// Code generated by x. DO NOT EDIT.\npackage a\n": false,
		"": false,
	} {
		if got := hasGeneratedMark([]byte(text)); got != want {
			t.Errorf("%.60q: %v, want %v", text, got, want)
		}
	}
}

func TestMinified(t *testing.T) {
	min := strings.Repeat("function a(b,c){return b(c)};", 200)
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"one line":        {min, true},
		"license, then":   {"/* license */\n" + min + "\n", true},
		"lines of 2,000":  {strings.Repeat(min[:2000]+"\n", 5), true},
		"short":           {min[:900], false},
		"base64":          {"export default \"" + strings.Repeat("QUJDREVGR0g", 900) + "\"\n", false},
		"ordinary":        {strings.Repeat("const a = b(c, d);\n", 2000), false},
		"one long of two": {strings.Repeat("const a = b(c, d);\n", 2000) + min, false},
	} {
		if got := isMinified([]byte(c.text)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAttributes(t *testing.T) {
	dir := t.TempDir()
	scantest.Write(t, dir, ".gitattributes", "# c\n*.gen.go linguist-generated\n/libs/** linguist-vendored=true -text\ndocs/*.py linguist-documentation\n*.pb.go -linguist-generated\n\"quoted\" linguist-generated\n[attr]m linguist-generated\n!n linguist-generated\n")
	scantest.Write(t, dir, "sub/.gitattributes", "*.gen.go linguist-generated=false\nx.* linguist-generated\n")
	s := mustNew(t, Options{Root: dir})
	check := func(want map[string]code.Flags) {
		t.Helper()
		for p, f := range want {
			scantest.Write(t, dir, p, "x\n")
			if c, err := s.Read(t.Context(), p); err != nil || c.Flags != f {
				t.Errorf("%s: flags %b, %v; want %b", p, c.Flags, err, f)
			}
		}
	}
	check(map[string]code.Flags{
		"a.gen.go": code.FlagGenerated, "d/a.gen.go": code.FlagGenerated, "sub/a.gen.go": 0, "sub/deep/a.gen.go": 0, "sub/x.go": code.FlagGenerated, "x.go": 0,
		"libs/a/b.c": code.FlagVendored, "d/libs/b.c": 0, "docs/a.py": code.FlagDoc, "docs/d/a.py": 0, "a.pb.go": 0, "m": 0, "n": 0,
	})
	scantest.Write(t, dir, "sub/.gitattributes", "\n\n\n") // another buffer sees it change
	check(map[string]code.Flags{"sub/a.gen.go": code.FlagGenerated, "sub/x.go": 0})
	if !IsAttributes(".gitattributes") || !IsAttributes("a/.gitattributes") || IsAttributes("x.gitattributes") {
		t.Error("IsAttributes")
	}
}
