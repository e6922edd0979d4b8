package update

import "testing"

// TestToll: what goes weighs most, and an index is changed where most of it is kept.
func TestToll(t *testing.T) {
	for _, c := range []struct {
		what string
		t    toll
		want bool
	}{
		{"a tenth changed", toll{fresh: 10, kept: 90}, false},
		{"a third changed", toll{fresh: 33, kept: 67}, false},
		{"most changed", toll{fresh: 55, kept: 45}, true},
		{"a fifth moved", toll{fresh: 20, gone: 20, kept: 80}, false},
		{"a third moved", toll{fresh: 33, gone: 33, kept: 67}, true},
		{"a third went", toll{gone: 33, kept: 67}, true},
		{"all went", toll{gone: 100}, true},
		{"nothing but stats", toll{kept: 100}, false},
	} {
		if got := c.t.remakePays(); got != c.want {
			t.Errorf("%s: made anew %v, want %v", c.what, got, c.want)
		}
	}
}
