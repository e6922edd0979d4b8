package storetest

import (
	"errors"
	"iter"
	"reflect"
	"strings"
	"testing"
)

// wantResult returns a function that compares the result of a reader with a value. An empty list may be nil or not: the contract
// leaves that open.
func wantResult[T any](t *testing.T, what string, value T) func(T, error) {
	t.Helper()
	return func(got T, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		wantEqual(t, what, got, value)
	}
}

// wantFound does the same as want, for a reader that also returns whether there is a value.
func wantFound[T any](t *testing.T, what string, value T) func(T, bool, error) {
	t.Helper()
	return func(got T, ok bool, err error) {
		t.Helper()
		if !ok {
			t.Errorf("%s: not found", what)
		}
		wantResult(t, what, value)(got, err)
	}
}

// wantMissing returns a function that checks that a reader returned a zero value, false and no error.
func wantMissing[T any](t *testing.T, what string) func(T, bool, error) {
	t.Helper()
	return func(got T, ok bool, err error) {
		t.Helper()
		if ok {
			t.Errorf("%s: found", what)
		}
		var zero T
		wantResult(t, what, zero)(got, err)
	}
}

// wantEqual fails the test unless two values are equal; an empty list equals another, nil or not.
func wantEqual[T any](t *testing.T, what string, got, value T) {
	t.Helper()
	if reflect.DeepEqual(got, value) || emptyList(got) && emptyList(value) {
		return
	}
	t.Errorf("%s:\n got %+v\nwant %+v", what, got, value)
}

func emptyList(v any) bool {
	x := reflect.ValueOf(v)
	return x.IsValid() && x.Kind() == reflect.Slice && x.Len() == 0
}

// collect returns all values of an iterator.
func collect[T any](t *testing.T, what string, seq iter.Seq2[T, error]) []T {
	t.Helper()
	var out []T
	for v, err := range seq {
		if err != nil {
			t.Errorf("%s: %v", what, err)
			break
		}
		out = append(out, v)
	}
	return out
}

// wantAll compares the values of an iterator with a list, order included.
func wantAll[T any](t *testing.T, what string, seq iter.Seq2[T, error], list []T) {
	t.Helper()
	wantEqual(t, what, collect(t, what, seq), list)
}

// wantError checks that an error wraps another.
func wantError(t *testing.T, what string, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Errorf("%s: error %v, want %v", what, err, target)
	}
}

// sameState compares two dumps of a store, and shows the lines that only one of them has.
func sameState(t *testing.T, what, got, value string) {
	t.Helper()
	if got == value {
		return
	}
	g, w := strings.SplitAfter(got, "\n"), strings.SplitAfter(value, "\n")
	var b strings.Builder
	for _, side := range []struct {
		mark        string
		lines, rest []string
	}{{"- ", w, g}, {"+ ", g, w}} {
		in := map[string]bool{}
		for _, l := range side.rest {
			in[l] = true
		}
		for _, l := range side.lines {
			if !in[l] {
				b.WriteString(side.mark + l)
			}
		}
	}
	t.Errorf("%s: the state differs (- wanted, + found):\n%s", what, b.String())
}
