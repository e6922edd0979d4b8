package extract

import (
	"testing"

	"ken/internal/code"
)

// The share of extraction over parsing is Extract against Parse of one language:
//
//	KEN_CORPUS=/path/to/netty go test -run '^$' -bench 'Java$' -count 3

func BenchmarkParseJava(b *testing.B)     { benchTreeParse(b, ".java", "java") }
func BenchmarkExtractJava(b *testing.B)   { benchTreeExtract(b, ".java", "java") }
func BenchmarkParseRust(b *testing.B)     { benchTreeParse(b, ".rs", "rust") }
func BenchmarkExtractRust(b *testing.B)   { benchTreeExtract(b, ".rs", "rust") }
func BenchmarkParseKotlin(b *testing.B)   { benchTreeParse(b, ".kt", "kotlin") }
func BenchmarkExtractKotlin(b *testing.B) { benchTreeExtract(b, ".kt", "kotlin") }
func BenchmarkParseCSharp(b *testing.B)   { benchTreeParse(b, ".cs", "csharp") }
func BenchmarkExtractCSharp(b *testing.B) { benchTreeExtract(b, ".cs", "csharp") }
func BenchmarkParsePHP(b *testing.B)      { benchTreeParse(b, ".php", "php") }
func BenchmarkExtractPHP(b *testing.B)    { benchTreeExtract(b, ".php", "php") }
func BenchmarkParseC(b *testing.B)        { benchTreeParse(b, ".c", "c") }
func BenchmarkExtractC(b *testing.B)      { benchTreeExtract(b, ".c", "c") }
func BenchmarkParseCpp(b *testing.B)      { benchTreeParse(b, ".cc", "cpp") }
func BenchmarkExtractCpp(b *testing.B)    { benchTreeExtract(b, ".cc", "cpp") }
func BenchmarkParseSwift(b *testing.B)    { benchTreeParse(b, ".swift", "swift") }
func BenchmarkExtractSwift(b *testing.B)  { benchTreeExtract(b, ".swift", "swift") }

// benchTreeParse only parses and flattens.
func benchTreeParse(b *testing.B, ext string, lang code.Lang) {
	_, sources := corpus(b, ext)
	e := testExtractor(b)
	e.Extract("a"+ext, lang, nil) // opens the parser
	g := e.grammars[e.find("a"+ext, lang)]
	for b.Loop() {
		for _, src := range sources {
			e.parser.parse(g, src, limits{})
		}
	}
	setBytes(b, sources)
}

func benchTreeExtract(b *testing.B, ext string, lang code.Lang) {
	paths, sources := corpus(b, ext)
	e := testExtractor(b)
	b.ReportAllocs()
	for b.Loop() {
		for i, src := range sources {
			e.Extract(paths[i], lang, src)
		}
	}
	setBytes(b, sources)
}

func setBytes(b *testing.B, sources [][]byte) {
	size := 0
	for _, s := range sources {
		size += len(s)
	}
	b.SetBytes(int64(size))
}
