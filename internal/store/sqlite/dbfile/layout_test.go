package dbfile

import (
	"strings"
	"testing"
)

// TestErrorsKeepCharacters: what an error quotes of a foreign schema is not cut inside a character.
func TestErrorsKeepCharacters(t *testing.T) {
	if err := NewLayout().compareSchema([]string{"x" + strings.Repeat("ä", 200)}); err == nil || strings.Contains(err.Error(), `\x`) || len(err.Error()) > 240 {
		t.Errorf("%v", err)
	}
}
