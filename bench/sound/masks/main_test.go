package main

import "testing"

// TestMasks makes a few of the values that the command makes: each way of writing three times.
func TestMasks(t *testing.T) {
	const path = "../../../" + samples
	ways, err := allWays(path)
	if err != nil {
		t.Fatal(err)
	}
	n := 3 * len(ways)
	if testing.Short() {
		n = len(ways)
	}
	r, err := run(path, "", n, 7)
	if err != nil {
		t.Fatal(err)
	}
	for kind, values := range r.kinds {
		t.Errorf("%d of %s are left readable", values, kind)
	}
	if len(r.rules) < 300 {
		t.Errorf("%d rules have values", len(r.rules))
	}
}
