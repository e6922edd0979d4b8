package engine_test

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ken/internal/code"
	"ken/internal/engine"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/extract"
)

// nesting says how declarations nest in a language; where they cannot, whatever nests
// deepest. NAME is replaced by a name, INDENT by two blanks a level.
type nesting struct {
	lang        code.Lang
	file        string
	head, tail  string
	open, close string
	flat        string // one declaration of the same kind outside of others
}

// nestings has a row for every language that is read.
var nestings = []nesting{
	{lang: "go", file: "a.go", head: "package p\n\ntype T struct {\n", tail: "}\n", open: "NAME struct {\n", close: "}\n", flat: "NAME struct {\n}\n"},
	{lang: "python", file: "a.py", open: "INDENTclass NAME:\n", close: "INDENTpass\n", flat: "class NAME:\n  pass\n"},
	{lang: "typescript", file: "a.ts", open: "function NAME() {\n", close: "}\n"},
	{lang: "typescript", file: "b.ts", open: "namespace NAME {\n", close: "}\n"},
	{lang: "typescript", file: "a.tsx", open: "function NAME() {\n", close: "}\n"},
	{lang: "javascript", file: "a.js", open: "function NAME() {\n", close: "}\n"},
	{lang: "javascript", file: "b.js", open: "class NAME { NAME = ", close: "}\n", flat: "class NAME { NAME = 1 }\n"},
	{lang: "rust", file: "a.rs", open: "mod NAME {\n", close: "}\n"},
	{lang: "java", file: "a.java", open: "class NAME {\n", close: "}\n"},
	{lang: "c", file: "a.c", open: "struct NAME {\n", close: "} NAME;\n"},
	{lang: "cpp", file: "a.cc", open: "struct NAME {\n", close: "};\n"},
	{lang: "cpp", file: "b.cc", open: "namespace NAME {\n", close: "}\n"},
	{lang: "kotlin", file: "a.kt", open: "class NAME {\n", close: "}\n"},
	{lang: "scala", file: "a.scala", open: "object NAME {\n", close: "}\n"},
	{lang: "swift", file: "a.swift", open: "class NAME {\n", close: "}\n"},
	{lang: "csharp", file: "a.cs", open: "class NAME {\n", close: "}\n"},
	{lang: "csharp", file: "b.cs", open: "class NAME{int NAME;", close: "}\n"},
	{lang: "csharp", file: "c.cs", open: "namespace NAME {\n", close: "}\n", flat: "namespace NAME { class NAME {} }\n"},
	{lang: "php", file: "a.php", head: "<?php\n", open: "function NAME() {\n", close: "}\n"},
	{lang: "ruby", file: "a.rb", open: "class NAME\n", close: "end\n"},
	{lang: "vue", file: "a.vue", head: "<script>\n", tail: "</script>\n", open: "function NAME() {\n", close: "}\n"},
	{lang: "svelte", file: "a.svelte", head: "<script>\n", tail: "</script>\n", open: "function NAME() {\n", close: "}\n"},
	{lang: "html", file: "a.html", open: "<div id=\"NAME\">\n", close: "</div>\n"},
	{lang: "css", file: "a.css", open: ".NAME {\n", close: "}\n"},
	{lang: "scss", file: "a.scss", open: ".NAME {\n", close: "}\n"},
	{lang: "less", file: "a.less", open: ".NAME {\n", close: "}\n"},
	{lang: "sql", file: "a.sql", open: "CREATE FUNCTION NAME() BEGIN\n", close: "END;\n"},
	{lang: "proto", file: "a.proto", open: "message NAME {\n", close: "}\n"},
	{lang: "hcl", file: "a.tf", open: "resource \"NAME\" \"NAME\" {\n", close: "}\n"},
	{lang: "yaml", file: "a.yaml", open: "INDENTNAME:\n", close: "", flat: "NAME:\n"},
	{lang: "json", file: "a.json", head: "[", tail: "1]", open: "{\"NAME\":", close: "},", flat: "{\"NAME\":1},"},
	{lang: "toml", file: "a.toml", open: "[NAME.NAME.NAME]\n", close: "NAME = 1\n"},
	{lang: "markdown", file: "a.md", open: "INDENT- # NAME\n", close: "", flat: "- # NAME\n"},
	{lang: "makefile", file: "a.mk", open: "ifdef NAME\nNAME:\n", close: "endif\n"},
	{lang: "dockerfile", file: "Dockerfile", open: "FROM a AS NAME\n", close: "RUN a\n"},
	{lang: "lua", file: "a.lua", open: "function NAME()\n", close: "end\n"},
	{lang: "shell", file: "a.sh", open: "NAME() {\n", close: ":\n}\n"},
	{lang: "zig", file: "a.zig", open: "const NAME = struct {\n", close: "};\n", flat: "const NAME = 1;\n"},
	{lang: "elixir", file: "a.ex", open: "defmodule NAME do\n", close: "end\n"},
	{lang: "ocaml", file: "a.ml", open: "module NAME = struct\n", close: "end\n"},
	{lang: "ocaml", file: "a.mli", open: "module NAME : sig\n", close: "end\n"},
	{lang: "dart", file: "a.dart", open: "void NAME() {\n", close: "}\n"},
	{lang: "haskell", file: "a.hs", open: "NAME = let\nINDENT", close: "INDENTin 1\n", flat: "NAME = 1\n"},
}

// nthName returns the nth of a series of names, as many bytes long as asked.
func nthName(n, size int) string {
	s := "A"
	for ; n > 0; n /= 26 {
		s += string(rune('a' + n%26))
	}
	return s + strings.Repeat("x", max(0, size-len(s)))
}

// text is units of so many levels each, up to size bytes, each unit closed or not, and
// the number of declarations in it.
func (n *nesting) text(levels, size, nameSize int, closed bool) (text string, count int) {
	var b strings.Builder
	b.WriteString(n.head)
	for b.Len()+len(n.tail) < size {
		for level := 0; level < levels && (closed || b.Len() < size); level++ {
			b.WriteString(n.piece(n.open, count, level, nameSize))
			count++
		}
		for level := levels; closed && level > 0; level-- {
			b.WriteString(n.piece(n.close, count, level, nameSize))
		}
	}
	return b.String() + n.tail, count
}

func (n *nesting) piece(pattern string, i, level, nameSize int) string {
	return strings.NewReplacer("NAME", nthName(i%1000, nameSize), "INDENT", strings.Repeat("  ", level)).Replace(pattern)
}

// plain is so many declarations beside each other, and empty lines up to size bytes.
func (n *nesting) plain(count, size, nameSize int) string {
	flat := n.flat
	if flat == "" {
		flat = n.open + n.close
	}
	var b strings.Builder
	b.WriteString(n.head)
	for i := range count {
		b.WriteString(n.piece(flat, i, 0, nameSize))
	}
	b.WriteString(strings.Repeat("\n", max(0, size-b.Len())))
	return b.String() + n.tail
}

// deepest returns how many levels are read before the language's limit stops it.
func (n *nesting) deepest(e *extract.Extractor, size, nameSize int) int {
	levels := 1
	for ; levels < 1<<15; levels *= 2 {
		src, _ := n.text(2*levels, 1, nameSize, true)
		if len(src) > size || e.Extract(n.file, n.lang, []byte(src)).Problem != code.ProblemNone {
			break
		}
	}
	return levels
}

// reading is what extracting a text costs.
type reading struct {
	facts   *code.Facts
	bytes   uint64
	seconds float64
}

// readNested extracts a text with buffers of its own.
func readNested(n *nesting, text string) reading {
	e := extract.New()
	defer e.Close()
	src := []byte(text)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := processorTime()
	facts := e.Extract(n.file, n.lang, src)
	took := processorTime() - start
	runtime.ReadMemStats(&after)
	return reading{facts, after.TotalAlloc - before.TotalAlloc, took.Seconds()}
}

// processorTime is what this process has taken, because the machine may be busy.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// indexSize returns the size of the index of one text.
func indexSize(t *testing.T, n *nesting, text string) int64 {
	p := enginetest.NewWith(t, map[string]string{n.file: text}, engine.Options{MaxFileSize: 4 << 20})
	p.Engine.Close()
	st, err := os.Stat(p.DB)
	if err != nil {
		t.Fatal(err)
	}
	return st.Size()
}

// TestNesting: however deeply declarations nest, the index is not much larger than that of
// as many declarations beside each other, and reading them allocates not much more.
func TestNesting(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 176 indexes")
	}
	size := 120_000 // what grows with the square of the depth shows at this size too
	if os.Getenv("KEN_ORACLE") != "" {
		size = 480_000
	}
	e := extract.New()
	defer e.Close()
	langs := e.Languages()
	for i := range nestings {
		n := &nestings[i]
		langs = slices.DeleteFunc(langs, func(l code.Lang) bool { return l == n.lang })
		t.Run(n.file, func(t *testing.T) { nest(t, e, n, size) })
	}
	if len(langs) > 0 {
		t.Errorf("no row for %v", langs)
	}
}

// nest holds a language to the bounds: at the deepest nesting that it reads, and with
// everything left open.
func nest(t *testing.T, e *extract.Extractor, n *nesting, size int) {
	levels := n.deepest(e, size, 1)
	for _, shape := range []struct {
		levels, nameSize int
		closed           bool
	}{{levels, 1, true}, {1 << 20, 12, false}} {
		text, count := n.text(shape.levels, size, shape.nameSize, shape.closed)
		flatText := n.plain(count, len(text), shape.nameSize)
		deep, flat := readNested(n, text), readNested(n, flatText)
		deepSize, flatSize := indexSize(t, n, text), indexSize(t, n, flatText)
		sizes, allocated := float64(deepSize)/float64(flatSize), float64(deep.bytes)/float64(flat.bytes)
		ok := sizes <= 1.5 && allocated <= 2
		report := t.Logf
		if !ok {
			report = t.Errorf
		}
		report("%s %d levels %v: %d of %d symbols %q (flat %d %q); index %d (%.2f); allocated %d (%.2f); %.2f s (%.2f)", n.file, shape.levels, shape.closed,
			len(deep.facts.Symbols), count, deep.facts.Problem, len(flat.facts.Symbols), flat.facts.Problem, deepSize, sizes, deep.bytes, allocated, deep.seconds, flat.seconds)
	}
}
