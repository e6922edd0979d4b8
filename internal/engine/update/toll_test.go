package update

import "testing"

// TestToll: what goes weighs most, and an index is changed where most of it is kept.
func TestToll(t *testing.T) {
	for _, c := range []struct {
		what string
		t    workEstimate
		want bool
	}{
		{"a tenth changed", workEstimate{fresh: 10, kept: 90}, false},
		{"a third changed", workEstimate{fresh: 33, kept: 67}, false},
		{"most changed", workEstimate{fresh: 55, kept: 45}, true},
		{"a fifth moved", workEstimate{fresh: 20, gone: 20, kept: 80}, false},
		{"a third moved", workEstimate{fresh: 33, gone: 33, kept: 67}, true},
		{"a third went", workEstimate{gone: 33, kept: 67}, true},
		{"all went", workEstimate{gone: 100}, true},
		{"nothing but stats", workEstimate{kept: 100}, false},
	} {
		if got := c.t.isRebuildCheaper(); got != c.want {
			t.Errorf("%s: made anew %v, want %v", c.what, got, c.want)
		}
	}
}
