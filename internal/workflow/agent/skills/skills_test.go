package skills

import (
	"regexp"
	"strings"
	"testing"

	"ken/internal/token"
)

// most is how many tokens a skill may cost once it is used. That of guarded tasks replaces the descriptions of thirty tools.
func (k Skill) most() int {
	if k.Name == "ken-code" {
		return 1500
	}
	return 1000
}

// TestSkill: name and description are as the format has them, and what a client lists of all skills in each session is short.
func TestSkill(t *testing.T) {
	listed := 0
	for _, k := range All() {
		m := regexp.MustCompile(`^---\nname: ([a-z0-9-]{1,64})\ndescription: ([^\n:<>]+)\n---\n`).FindStringSubmatch(k.Text)
		if m == nil || m[1] != k.Name || len(m[2]) > 1024 {
			t.Errorf("%.200s", k.Text)
		}
		if n := token.New(token.O200K).CountString(k.Text); n > k.most() {
			t.Errorf("%s: %d tokens", k.Name, n)
		}
		if m != nil {
			listed += token.New(token.O200K).CountString("- " + m[1] + ": " + m[2] + "\n")
		}
		if n := strings.Count(k.Text, "\n"); n > 250 {
			t.Errorf("%s: %d lines", k.Name, n)
		}
		if p := k.PluginForm(); !strings.HasPrefix(p.Text, "---\nname: "+p.Name+"\n") {
			t.Errorf("in a plugin: %.80s", p.Text)
		}
	}
	if t.Logf("%d skills, %d tokens of names and descriptions", len(All()), listed); len(All()) != 6 || listed > 600 {
		t.Errorf("%d skills with %d tokens, want 6 with at most 600", len(All()), listed)
	}
}
