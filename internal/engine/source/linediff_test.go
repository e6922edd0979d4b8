package source

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChangedLines(t *testing.T) {
	for _, c := range []struct {
		name, old, now string
		want           []LineRange
	}{
		{"equal", "a b c", "a b c", nil},
		{"both empty", "", "", nil},
		{"new file", "", "a b", []LineRange{{1, 2}}},
		{"emptied", "a b", "", []LineRange{{1, 0}}},
		{"one changed", "a b c", "a x c", []LineRange{{2, 2}}},
		{"added in front", "a b", "x a b", []LineRange{{1, 1}}},
		{"added at the end", "a b", "a b x y", []LineRange{{3, 4}}},
		{"deleted in the middle", "a b c", "a c", []LineRange{{2, 1}}},
		{"deleted in front", "a b c", "b c", []LineRange{{1, 0}}},
		{"deleted at the end", "a b c", "a b", []LineRange{{3, 2}}},
		{"changed and deleted", "a b c d e f", "a x c f", []LineRange{{2, 2}, {4, 3}}},
		{"repeated lines", "{ } { } { }", "{ } { x } { }", []LineRange{{4, 4}}},
		{"moved", "f1 f2 f3 g h", "g h f1 f2 f3", []LineRange{{1, 2}, {6, 5}}},
		{"nothing in common", "a a a", "b b", []LineRange{{1, 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines := func(s string) []byte {
				var b bytes.Buffer
				for _, l := range strings.Fields(s) {
					fmt.Fprintln(&b, l)
				}
				return b.Bytes()
			}
			if d := cmp.Diff(c.want, changedLines(lines(c.old), lines(c.now))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	if got := changedLines([]byte("a\nb\nc"), []byte("a\r\nb\r\nc\r\n")); len(got) != 0 {
		t.Errorf("line ends make %v", got)
	}
	long := []byte(strings.Repeat("x\n", 50_000) + strings.Repeat("y\n", 50_000))
	if got := changedLines(long, append(bytes.Repeat([]byte("z\nx\n"), 50_000), long[100_000:]...)); len(got) != 1 {
		t.Errorf("what differs too much has %d ranges", len(got))
	}
}

// FuzzChangedLines checks what makes a diff one: the lines left over stand in
// the old text in the same order, and equal texts differ nowhere.
func FuzzChangedLines(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nc\nb\n"))
	f.Add([]byte("{\n}\n{\n}\n"), []byte("{\n}\nx\n{\n}\n"))
	f.Add([]byte(""), []byte("\n\n"))
	f.Add([]byte("a\r\nb"), []byte("b\na\r"))
	f.Fuzz(func(t *testing.T, old, now []byte) {
		var d lineDiff
		d.ids = map[string]int32{}
		a, b := d.lineNumbers(old), d.lineNumbers(now)
		ranges := changedLines(old, now)
		last, at, changed := uint32(0), 0, map[int]bool{}
		for _, r := range ranges {
			if r.Start <= last || r.End+1 < r.Start || int(r.End) > len(b) || int(r.Start) > len(b)+1 {
				t.Fatalf("ranges %v of %d lines", ranges, len(b))
			}
			last = max(r.End, r.Start-1)
			for l := r.Start; l <= r.End; l++ {
				changed[int(l)-1] = true
			}
		}
		for i, id := range b {
			if changed[i] {
				continue
			}
			for at < len(a) && a[at] != id {
				at++
			}
			if at == len(a) {
				t.Fatalf("line %d is not in the old text where it should be: %q %q %v", i+1, old, now, ranges)
			}
			at++
		}
		if bytes.Equal(old, now) != (len(ranges) == 0) && strings.ReplaceAll(string(old), "\r", "") == string(old) && strings.HasSuffix(string(old), "\n") == strings.HasSuffix(string(now), "\n") && strings.ReplaceAll(string(now), "\r", "") == string(now) {
			t.Fatalf("%q and %q differ in %v", old, now, ranges)
		}
	})
}
