package history

import (
	"strings"
	"testing"
	"time"
)

// TestLatest compares a packed history of several blocks with the list it was made of.
func TestLatest(t *testing.T) {
	const n = 2500
	list := long(n)
	v := view(t, line(5000, list...))
	since := time.Unix(list[n-100].Time, 0)
	for _, c := range []struct {
		f    Filter
		want func(i int) bool
		more bool
	}{
		{Filter{}, func(int) bool { return true }, false},
		{Filter{Limit: 3}, func(i int) bool { return i >= n-3 }, true},
		{Filter{Limit: n}, func(int) bool { return true }, false},
		{Filter{Since: since}, func(i int) bool { return list[i].Time >= since.Unix() }, false},
		{Filter{Under: []string{"dir2"}}, func(i int) bool { return i%9 == 2 }, false},
		{Filter{Under: []string{"dir2/f4.go", "dir1/g7.go"}}, func(i int) bool { return i%9 == 2 && i%200 == 4 || i%9 == 1 && i%300 == 7 }, false},
		{Filter{Under: []string{"dir"}}, func(int) bool { return false }, false},
		{Filter{Under: []string{"."}, Limit: 1}, func(i int) bool { return i == n-1 }, true},
	} {
		got, more, err := v.Latest(c.f, nil)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for i := n - 1; i >= 0; i-- {
			if c.want(i) {
				want = append(want, list[i].ID[:20]+" "+time.Unix(list[i].Time, 0).UTC().Format(time.RFC3339))
			}
		}
		var lines []string
		for _, x := range got {
			lines = append(lines, x.Hash+" "+x.Time.Format(time.RFC3339))
		}
		if strings.Join(lines, "\n") != strings.Join(want, "\n") || more != c.more {
			t.Errorf("%+v: %d commits, more %v, want %d, more %v", c.f, len(lines), more, len(want), c.more)
		}
	}
}

func BenchmarkLatest(b *testing.B) {
	v := view(b, line(5000, long(5000)...))
	for b.Loop() {
		if _, _, err := v.Latest(Filter{}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
