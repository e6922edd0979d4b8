package extract

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"ken/internal/code"
)

type scriptSource struct {
	path string
	lang code.Lang
	data []byte
}

// scriptCorpus reads every file of the wanted languages under KEN_CORPUS, up to the
// default size limit; it skips the test if that is not set.
func scriptCorpus(t testing.TB, langs ...code.Lang) (files []scriptSource, size int64) {
	t.Helper()
	dir := os.Getenv("KEN_CORPUS")
	if dir == "" {
		t.Skip("KEN_CORPUS names no corpus")
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		lang := langOf[filepath.Ext(path)]
		for _, l := range langs {
			if l != lang || !d.Type().IsRegular() {
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil || len(data) > 500<<10 {
				return err
			}
			files = append(files, scriptSource{path, lang, data})
			size += int64(len(data))
		}
		return nil
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	return files, size
}

func benchParse(b *testing.B, langs ...code.Lang) {
	files, size := scriptCorpus(b, langs...)
	e := testExtractor(b)
	b.SetBytes(size)
	for b.Loop() {
		for _, f := range files {
			i := e.find(f.path, f.lang)
			if e.grammars[i] == nil {
				e.grammars[i], _ = newGrammar(e.readers[i].spec)
			}
			if e.parser == nil {
				e.parser, _ = newTreeParser()
			}
			e.parser.parse(e.grammars[i], f.data, limits{})
		}
	}
}

func benchExtract(b *testing.B, langs ...code.Lang) {
	files, size := scriptCorpus(b, langs...)
	e := testExtractor(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			e.Extract(f.path, f.lang, f.data)
		}
	}
}

func BenchmarkParseScript(b *testing.B)   { benchParse(b, "typescript", "javascript") }
func BenchmarkExtractScript(b *testing.B) { benchExtract(b, "typescript", "javascript") }
