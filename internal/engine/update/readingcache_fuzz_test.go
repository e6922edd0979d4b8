package update

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/code"
	"ken/internal/engine/extract"
)

// FuzzReading: what was put comes back, and bytes that are no reading are told so.
func FuzzReading(f *testing.F) {
	f.Add("a.go", "package a\n\n// F does it.\nfunc F(x int) (y string) { return G(x) }\n\ntype T struct{ a, b int }\n\nfunc (t T) M() { t.N() }\n", []byte{})
	f.Add("a.ts", "import {a as b} from './x'\nexport class C extends D<b> { m(x: number = 1) { return this.n(x) } }\nexport * from './y'\n", []byte{1, 2, 3})
	f.Add("a.py", "from .x import y\n\nclass A(y.B):\n    def m(self, z=None):\n        return self.k(z)\n", []byte{9, 9, 9, 9, 9, 9, 0, 0, 255, 255, 255, 255, 15})
	f.Add("a.txt", "no facts\n", []byte{0, 0, 0, 0, 0, 0, 0, 0})
	langs := map[string]code.Lang{"a.go": "go", "a.ts": "typescript", "a.py": "python"}
	f.Fuzz(func(t *testing.T, path, text string, noise []byte) {
		decodeReading(noise)
		x := extract.New()
		defer x.Close()
		facts := x.Extract(path, langs[path], []byte(text))
		c := storeContent(facts)
		file := code.File{CL100K: 7, O200K: 8, Flags: code.FlagTest | code.FlagVendored, ErrorBytes: facts.ErrorBytes, Branches: facts.Branches, Package: facts.Package, Doc: facts.Doc}
		packed := appendReading(nil, &file, facts.Symbols, c.Packed)
		m, err := decodeReading(packed)
		if err != nil {
			t.Fatal(err)
		}
		var r fileReading
		m.completeReading(&r)
		if diff := cmp.Diff(c, r.content); diff != "" {
			t.Error(diff)
		}
		if m.cl100k != 7 || m.o200k != 8 || r.file.Flags != code.FlagTest || r.file.Branches != facts.Branches || r.file.Package != facts.Package || r.file.Doc != facts.Doc {
			t.Errorf("%+v", r.file)
		}
		for i, b := range noise { // spoilt: an error or other facts, no more
			if len(packed) > 0 {
				packed[(i*7+int(b))%len(packed)] ^= b
			}
		}
		if m, err := decodeReading(packed); err == nil {
			m.completeReading(&r)
		}
	})
}
