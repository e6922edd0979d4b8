package uses

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"ken/internal/engine/store"
)

// TestChanges: whatever files come to use a name and cease to, in one batch or
// many, the list is that of a set kept beside it.
func TestChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	set := map[int64]bool{}
	var ids []int64
	var c NameChanges
	for round := range 200 {
		for range r.IntN(6) {
			file, does := 1+r.Int64N(30), r.IntN(2) == 0
			c.Use("n", file, does)
			if set[file] = does; !does {
				delete(set, file)
			}
		}
		for name, ch := range c.Take() {
			if name != "n" {
				t.Fatalf("a change of %q", name)
			}
			ids = ch.Apply(ids)
		}
		if want := slices.Sorted(maps.Keys(set)); !slices.Equal(ids, want) {
			t.Fatalf("round %d: %v, want %v", round, ids, want)
		}
		packed := Pack(nil, ids)
		if got, err := Unpack(packed); err != nil || !slices.Equal(got, ids) {
			t.Fatalf("%v comes back as %v, %v", ids, got, err)
		}
	}
}

// TestRefer: only names that one side has are changes, and they come sorted.
func TestRefer(t *testing.T) {
	var c NameChanges
	c.Refer(7, []string{"a", "c", "d"}, []string{"b", "c", "e"})
	c.Define("c", 0)
	c.Define("z", 2)
	c.Define("z", -1)
	var names []string
	for name, ch := range c.Take() {
		names = append(names, name)
		users := ch.Apply([]int64{3})
		if does := slices.Contains(users, 7); does != (name == "a" || name == "d") {
			t.Errorf("%s: used by %v", name, users)
		}
		if name == "z" && ch.Defs != 1 {
			t.Errorf("z has %d declarations more", ch.Defs)
		}
	}
	if want := []string{"a", "b", "d", "e", "z"}; !slices.Equal(names, want) {
		t.Errorf("changes of %v, want %v", names, want)
	}
	for range c.Take() {
		t.Error("changes are left after they were taken")
	}
}

// TestFull: memory is bounded, because the changes ask to be written.
func TestFull(t *testing.T) {
	var c NameChanges
	for file := int64(1); !c.Full(); file++ {
		if file > maxChanges {
			t.Fatal("they never ask")
		}
		c.Use("n", file, true)
	}
	c.Take()
	if c.Full() {
		t.Error("they are full when taken")
	}
}

func TestDamaged(t *testing.T) {
	if _, err := Unpack([]byte{0xff}); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("half a number gives %v", err)
	}
}
