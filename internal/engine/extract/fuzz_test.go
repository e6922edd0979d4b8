package extract

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzExtract reads any bytes as any language, which the first argument chooses. Seeds
// are the sources in testdata and their broken halves.
func FuzzExtract(f *testing.F) {
	e := testExtractor(f)
	readers := e.readers
	archives, _ := filepath.Glob("testdata/*/*.txtar")
	for _, path := range archives {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if strings.HasSuffix(file.Name, ".want") {
				continue
			}
			for i, r := range readers {
				if r.lang == languageOf(file.Name) {
					f.Add(byte(i), file.Data)
					f.Add(byte(i), file.Data[:len(file.Data)/2])
					f.Add(byte(i), file.Data[len(file.Data)/3:])
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, lang byte, src []byte) {
		r := readers[int(lang)%len(readers)]
		checkFacts(t, src, e.Extract("f"+r.ext, r.lang, src))
		e.ExtractHead("f"+r.ext, r.lang, src)
	})
}
