package main

import (
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRecording runs the session again and compares everything but times with the picture in docs.
func TestRecording(t *testing.T) {
	t.Chdir("../..")
	picture, err := os.ReadFile("docs/recording.svg")
	if err != nil {
		t.Fatal(err)
	}
	screen, err := record(t.Context(), t.TempDir())
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("no terminals are known here")
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(texts(picture), texts(draw(screen))); diff != "" {
		t.Errorf("docs/recording.svg is not what ken prints: go run ./bench/recording (-picture +now)\n%s", diff)
	}
}

// TestRead: lines as a terminal shows them.
func TestRead(t *testing.T) {
	got := read([]byte("reading 1\rreading 2\r\x1b[Kdone \x1b[1mall\x1b[0m <x>\r\n\r\nlast"))
	want := []line{{{"done ", ""}, {"all", "b"}, {" <x>", ""}}, nil, {{"last", ""}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(part{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"done all <x>", "", "last"}, texts(draw(got))); diff != "" {
		t.Error(diff)
	}
}
