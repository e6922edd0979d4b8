package extract

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"ken/internal/code"
	"ken/internal/lang"
)

// dataFile is a file to try a scanner on.
type dataFile struct {
	path string
	data []byte
}

// dataFiles returns the files of a language in testdata and below the folders that
// KEN_CORPUS lists (by colons).
func dataFiles(t testing.TB, l code.Lang) []dataFile {
	t.Helper()
	var out []dataFile
	archives, _ := filepath.Glob("testdata/*/*.txtar")
	for _, p := range archives {
		a, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if languageOf(f.Name) == l {
				out = append(out, dataFile{p + ":" + f.Name, f.Data})
			}
		}
	}
	for dir := range strings.SplitSeq(os.Getenv("KEN_CORPUS"), ":") {
		if dir == "" {
			continue
		}
		filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == ".git" {
				return filepath.SkipDir
			}
			if !d.Type().IsRegular() {
				return nil
			}
			if found := lang.Detect(p, nil); found != l {
				return nil
			}
			if b, err := os.ReadFile(p); err == nil {
				out = append(out, dataFile{p, b})
			}
			return nil
		})
	}
	return out
}

// BenchmarkPlain measures how fast each scanner reads the files of KEN_CORPUS.
func BenchmarkPlain(b *testing.B) {
	for _, r := range languages() {
		if r.spec != nil || r.direct == nil {
			continue
		}
		b.Run(string(r.lang), func(b *testing.B) {
			files := dataFiles(b, r.lang)
			size := int64(0)
			for _, f := range files {
				size += int64(len(f.data))
			}
			b.SetBytes(size)
			e := testExtractor(b)
			for b.Loop() {
				for _, f := range files {
					e.Extract(f.path, r.lang, f.data)
				}
			}
		})
	}
}

// TestPlainLinear checks that no input makes a scanner take more than linear time: half
// a megabyte of each pattern is some ten milliseconds of work.
func TestPlainLinear(t *testing.T) {
	patterns := []string{"[", "{", "{\"a\":", "[{\"a\":[", "\"\\\"", "\"", "'", "'''", "\"\"\"", "\"\"\"\\\"", "- ", "- - a: ", "a: &b ", "? ", "a:\n ", "a: |\n", "#\n", "# a\n", "a:\n# c\n",
		"> ", "* ", "`", "` `` ", "](", "[](", "[a](b ", "<a ", "<!--", "<div\n", "1. ", "\t", " ", "\\\n", "a\\\n", "$(", "a: b\n", "a = b\n", "define x\n", "include $(", "include $(a)/b ",
		"ENV a=", "ENV a=\"", "<<A ", "RUN <<A\n", "FROM a AS b\n", "COPY --from=b a b\n", "COPY [", "a.b.", "[a.b]\n", "[[a]]\n", "a.b=1\n", "a={b=", "===\n", "a\n===\n", "a\n---\n", "---\n",
		":", "::", ":1", "/a.b:1 ", "a/b.c:1:", "**", "_", "%", "\x00", "\xff", "\r\n", "//", "/*", "</", "<script>", "<style>", "{{", "}}", "@import ", "(", ")", ";", "--", "$$", "$a$", "<<", "~~~\n", "```\n"}
	for _, r := range languages() {
		if r.spec != nil || r.direct == nil {
			continue
		}
		e := testExtractor(t)
		for _, p := range patterns {
			src := []byte(strings.Repeat(p, 1<<19/len(p)))
			var facts *code.Facts
			if took := effort(func() { facts = e.Extract("x"+r.ext, r.lang, src) }); took > 1200*time.Millisecond {
				t.Errorf("%s: %v for half a megabyte of %q", r.lang, took, p)
			}
			checkFacts(t, src, facts)
		}
	}
}
