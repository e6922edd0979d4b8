package facts

import (
	"reflect"
	"testing"

	"ken/internal/code"
)

func sample() *code.Facts {
	return &code.Facts{
		Symbols: []code.Symbol{
			{Name: "a", Doc: "Doc of a.", Returns: "int", Params: []code.Param{{Name: "x", Type: "int", Optional: true, Default: "1"}}},
			{Name: "b"},
		},
		Imports: []code.Import{{Spec: "./x", Kind: code.ImportReexport, Alias: "ns", Line: 3, Static: true, Within: "a.b a", Names: []code.ImportName{{Name: "p", Alias: "q"}}}},
		Exports: []code.Export{{Name: "default", Local: "a", From: -1, Line: 9}, {Name: "*", From: 0, Line: 10}},
		Types:   []code.TypeHint{{Symbol: 0, Type: "f()"}, {Symbol: 1, Name: "x", Type: "a.b"}},
		Refs: []code.Ref{
			{Name: "p", Kind: code.RefCall, Via: code.ViaImport, Import: 0, Args: "(int,?)", Start: 10, End: 11, Line: 2, Scope: -1},
			{Name: "p", Kind: code.RefDecorate, Via: code.ViaMember, Import: -1, Start: 15, End: 16, Line: 3, Scope: 0},
			{Name: "long", Kind: code.RefInherit, Via: code.ViaBare, Import: -1, Args: "{,}", Start: 16, End: 20, Line: 3, Scope: 1},
			{Name: "long", Kind: code.RefUse, Via: code.ViaSelf, Import: -1, Recv: "T", Start: 20, End: 22, Line: 4, Scope: 1},
		},
	}
}

func TestRoundTrip(t *testing.T) {
	f := sample()
	p, err := Open(Encode(nil, f))
	if err != nil {
		t.Fatal(err)
	}
	got := &code.Facts{Symbols: []code.Symbol{{Name: "a"}, {Name: "b"}}}
	if err := p.All(got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, f) {
		t.Errorf("got  %+v\nwant %+v", got, f)
	}
	named, err := p.Refs("p")
	if err != nil || !reflect.DeepEqual(named, []code.Ref{f.Refs[0], f.Refs[1]}) {
		t.Errorf("Refs(p) = %+v, %v", named, err)
	}
	if p.Refers("q") || !p.Refers("T") {
		t.Error("Refers is wrong")
	}
	if n := Names(f); !reflect.DeepEqual(n, []string{"long", "p"}) {
		t.Errorf("Names = %v", n)
	}
}

// FuzzOpen checks that a damaged blob is an error or nonsense, never a panic or
// an allocation out of proportion.
func FuzzOpen(f *testing.F) {
	f.Add(Encode(nil, sample()))
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := Open(b)
		if err != nil {
			return
		}
		facts := &code.Facts{Symbols: make([]code.Symbol, 2)}
		if p.All(facts) == nil && len(facts.Refs) > len(b) {
			t.Fatalf("%d references from %d bytes", len(facts.Refs), len(b))
		}
	})
}
