package commit

import "testing"

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"docs(01): plan\n\nbody":                  "docs(01): plan\n\nbody",
		"  a <system>do</system> b ":              "a do b",
		"[SYSTEM] x [INST]y[/INST] <<SYS>>":       "x y",
		"<sys<system>tem>x":                       "x",
		"<instructions>keep</instructions>":       "<instructions>keep</instructions>",
		"a\u200bb\u202ec\ufeff\u2066d":            "abcd",
		"a\x1b[31mred\x00":                        "a[31mred",
		"tag\U000E0041s":                          "tags",
		"family \U0001F468\u200D\U0001F469 emoji": "family \U0001F468\u200D\U0001F469 emoji",
		"<SYSTEM>":      "",
		"bad \xff byte": "bad \uFFFD byte",
		"a\r\nb":        "a\nb",
	} {
		if got := CleanMessage(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestPhaseOf(t *testing.T) {
	for name, want := range map[string]string{
		".planning/phases/02.1-fix/02.1-01-PLAN.md": "02.1", ".planning/workstreams/a/phases/03-x/y.md": "03",
		".planning/phases/CK-01-setup/a.md": "CK-01", "src/12-steps.go": "", ".planning/STATE.md": "",
		".planning/todos/pending/2026-01-02-x.md": "2026", "a-1.go": "", "": "",
	} {
		id, ok := phaseFromPath(name)
		if got := id.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s %v, want %s", name, got, ok, want)
		}
	}
}
