package store

import "testing"

func TestGet(t *testing.T) {
	if Open("x").Get("hat") != 0 {
		t.Fatal("a price from nowhere")
	}
}
