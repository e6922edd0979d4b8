package history

import (
	"fmt"
	"testing"

	"ken/internal/code"
)

// TestTold: a file that many commits touch upon comes before one of one commit that
// is more alike, and a query asked before leaves nothing behind.
func TestTold(t *testing.T) {
	var list []string
	add := func(message, path string) { list = append(list, message, path) }
	for i := range 4 {
		add(fmt.Sprintf("Let the cache expire entries, step %d", i), "cache.go")
		add(fmt.Sprintf("Draw frames, step %d", i), "draw.go")
	}
	add("Cache URLs and let them expire", "url.go")
	var commits []*code.LogCommit
	for i := 0; i < len(list); i += 2 {
		commits = append(commits, commit(i/2+1, nil, list[i], list[i+1]))
	}
	v := view(t, line(100, commits...))
	paths := []string{"draw.go", "cache.go", "url.go", "gone.go"}
	if _, err := v.MessageScores(query("frames"), paths); err != nil {
		t.Fatal(err)
	}
	got, err := v.MessageScores(query("cache entries expire"), paths)
	if err != nil || len(got) != 4 || got[0] != 0 || got[3] != 0 || !(got[1] > got[2] && got[2] > 0) {
		t.Errorf("%v, %v", got, err)
	}
	again, err := v.MessageScores(query("cache entries expire"), paths)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(got) {
		t.Errorf("asked twice: %v, then %v, %v", got, again, err)
	}
	many := query("cache entries expire")
	for i := range 3 * maxScoredTerms {
		many = append(many, query(fmt.Sprintf("other%d", i))...)
	}
	if got, err := v.MessageScores(many, paths); err != nil || len(got) != 4 {
		t.Errorf("%d terms: %v, %v", len(many), got, err)
	}
}
