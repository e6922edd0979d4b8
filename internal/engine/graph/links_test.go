package graph

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sampleLinks use every part of the format.
func sampleLinks() []*Links {
	return []*Links{{}, {
		Imports: []Link{
			{File: 7}, {File: 7, Runs: 300}, {Dirs: []string{"a", "b/c"}, External: "x.org/m"}, {Std: true}, {IsPackage: true}, {IsPackage: true, Package: "A.B", Std: true},
			{File: 1 << 40, Subs: []Sub{{"f", 3}, {"ü", 1}}},
		},
		Probes: []uint64{0, 5, 5, 1 << 39},
	}}
}

func TestLinks(t *testing.T) {
	for _, want := range sampleLinks() {
		b := want.Encode()
		got, err := DecodeLinks(b)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		for i := 1; i < len(b); i++ {
			if _, err := DecodeLinks(b[:i]); err == nil {
				t.Errorf("cut at %d of %d: no error", i, len(b))
			}
		}
	}
}

// FuzzLinks: damaged links are an error or nonsense that can be written again.
func FuzzLinks(f *testing.F) {
	for _, l := range sampleLinks() {
		f.Add(l.Encode())
	}
	f.Add([]byte{linksVersion, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := DecodeLinks(b)
		if err != nil {
			return
		}
		if n := len(l.Imports) + len(l.Probes); n > len(b) {
			t.Errorf("%d links and probes from %d bytes", n, len(b))
		}
		again, err := DecodeLinks(l.Encode())
		if diff := cmp.Diff(l, again, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%v (-read +written and read):\n%s", err, diff)
		}
	})
}
