package session

import "testing"

func TestAchievement(t *testing.T) {
	for _, c := range []struct {
		message, want string
		sure          bool
	}{
		{"", "", false},
		{"Done!", "", false},
		{"All done. I've added rate limiting to the login route. The tests pass.", "I've added rate limiting to the login route", true},
		{"## Summary\n\nHere is what happened:\n\n- Fixed the off-by-one in `parse.go`.\n- more", "Fixed the off-by-one in `parse.go`", true},
		{"**Implemented the cache** in `store/cache.go`, 1.5 times faster.", "Implemented the cache in `store/cache.go`, 1.5 times faster", true},
		{"Let me look at the tests next.\nShould I fix the other one, too?", "", false},
		{"The function reads one line at a time.", "The function reads one line at a time", false},
		{"```go\nfixed the whole thing here\n```\nIt moved to another package.", "It moved to another package", true},
		{"Ich habe die Anmeldung begrenzt. Alles läuft.", "Ich habe die Anmeldung begrenzt", false},
		{"ログイン経路にレート制限を追加しました。テストは通ります。", "ログイン経路にレート制限を追加しました", false},
		{"1. Renamed the store and its users", "Renamed the store and its users", true},
	} {
		got, sure := Achievement(c.message)
		if got != c.want || sure != c.sure {
			t.Errorf("%q: %q, %v; want %q, %v", c.message, got, sure, c.want, c.sure)
		}
	}
}
