package plumbing

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"ken/internal/git"
)

// TestMergeTexts: what both sides changed in different places is joined, and a conflict is given with the lines of each side.
func TestMergeTexts(t *testing.T) {
	const base = "a\nb\nc\nd\ne\n"
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for _, test := range []struct {
		name, base, ours, theirs, want string
		conflicts                      []TextConflict
	}{
		{"one side", base, base, "A\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", nil},
		{"both sides", base, "a\nb\nc\nd\nE\n", "A\nb\nc\nd\ne\nf\n", "", []TextConflict{{"e\n", "E\n", "e\nf\n"}}},
		{"apart", base, "a\nb\nc\nd\nE\n", "A\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n", nil},
		{"the same", base, "x\n", "x\n", "x\n", nil},
		{"line ends", crlf(base), crlf("a\nb\nc\nd\nE\n"), crlf("A\nb\nc\nd\ne\n"), crlf("A\nb\nc\nd\nE\n"), nil},
		{"marks in the text", "<<<<<<< x\na\n=======\nb\nc\nd\n", "<<<<<<< x\na\n=======\nb\nc\nD\n", "<<<<<<< x\nA\n=======\nb\nc\nd\n", "<<<<<<< x\nA\n=======\nb\nc\nD\n", nil},
		{"deleted", base, "", "A\nb\nc\nd\ne\n", "", []TextConflict{{base, "", "A\nb\nc\nd\ne\n"}}},
		{"no base", "", "a\n", "b\n", "", []TextConflict{{"", "a\n", "b\n"}}},
	} {
		got, conflicts, err := MergeTexts(context.Background(), git.Git{}, []byte(test.base), []byte(test.ours), []byte(test.theirs))
		if err != nil || string(got) != test.want || !reflect.DeepEqual(conflicts, test.conflicts) {
			t.Errorf("%s: %q, %q, %v", test.name, got, conflicts, err)
		}
	}
	if _, _, err := MergeTexts(context.Background(), git.Git{}, []byte("\x00a"), []byte("\x00b"), []byte("\x00c")); err == nil {
		t.Error("binary texts were merged")
	}
	if _, _, err := MergeTexts(context.Background(), git.Git{Bin: "/nowhere/git"}, nil, []byte("a"), []byte("b")); err == nil {
		t.Error("merged without git")
	}
}
