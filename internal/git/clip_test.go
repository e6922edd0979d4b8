package git

import (
	"strings"
	"testing"
)

// TestErrorsKeepCharacters: what an error quotes of git's output is not cut inside a character.
func TestErrorsKeepCharacters(t *testing.T) {
	if _, err := parseList([]byte("x" + strings.Repeat("ä", 200))); err == nil || strings.Contains(err.Error(), `\x`) || len(err.Error()) > 320 {
		t.Errorf("%v", err)
	}
}
