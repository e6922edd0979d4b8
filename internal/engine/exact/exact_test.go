package exact

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBindings(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		want := map[uint32]int64{}
		var list []Binding
		for range n {
			b := Binding{Start: rnd.Uint32N(200), Target: rnd.Int64N(5) << 20}
			if _, ok := want[b.Start]; !ok {
				want[b.Start] = b.Target
			}
			list = append(list, b)
		}
		b, err := Unpack(Encode(list))
		if err != nil {
			t.Fatal(err)
		}
		got := map[uint32]int64{}
		for start := range uint32(201) {
			if target, ok := b.Find(start); ok {
				got[start] = target
			}
		}
		if d := cmp.Diff(want, got); d != "" || b.Len() != len(want) {
			t.Fatal(d)
		}
	}
}

func TestMethods(t *testing.T) {
	want := []Method{{"Close", 1, 7}, {"Get", 2, 0}, {"Get", 3, 1 << 40}}
	packed := EncodeMethods(want)
	got, err := DecodeMethods(packed)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Fatal(d, err)
	}
	for i := range packed {
		if _, err := DecodeMethods(packed[:i]); err == nil {
			t.Errorf("cut at %d it still decodes", i)
		}
	}
	for _, c := range []struct {
		want []Method
		ok   bool
	}{
		{[]Method{{Name: "Get", Print: 3}}, true}, {[]Method{{Name: "Close", Print: 1}, {Name: "Get", Print: 2}}, true},
		{[]Method{{Name: "Get", Print: 4}}, false}, {[]Method{{Name: "Close", Print: 1}, {Name: "Put", Print: 2}}, false}, {nil, false},
	} {
		if Implements(want, c.want) != c.ok {
			t.Errorf("%v: want %v", c.want, c.ok)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(Encode([]Binding{{1, 2}, {3, 0}}))
	f.Add(EncodeMethods([]Method{{"A", 1, 2}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if b, err := Unpack(bytes.Clone(data)); err == nil {
			for i := range b.Len() {
				b.Find(b.At(i).Start)
			}
		}
		DecodeMethods(data)
	})
}
