package artefact_test

import (
	"fmt"
	"strings"
	"testing"

	"ken/internal/workflow/plan/artefact"
)

// TestDecisions reads decisions in all forms that people and templates write them in, whole files and half ones.
func TestDecisions(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "<decisions>\n</decisions>\n": "",
		"<decisions>\n- **D-01:** a\n</decisions>\n- **D-02:** outside\n":                            "D-01||a|true",
		"<decisions>\n- **D-01:** a\n</decisions>\n<decisions>\n- **D-02:** b\n</decisions>":         "D-01||a|true D-02||b|true",
		"<decisions>\n- **D-01:** a\n":                                                               "D-01||a|true",
		"<decisions>\r\n- **D-01:** a\r\n  more\r\n\r\n  not\r\n</decisions>\r\n":                    "D-01||a more|true",
		"<decisions>\n- **D-01 [Folded, x: y]:** a\n</decisions>":                                    "D-01||a|false",
		"<decisions>\n- **D-01 [ui]:** a: b\n</decisions>":                                           "D-01||a: b|true",
		"<decisions>\n- **D-01** a\n* D-02: b\n1. **D-X_1**: c\n</decisions>":                        "D-01||a|true D-02||b|true D-X_1||c|true",
		"<decisions>\n- **D--1:** a\n- **D-:** b\n- **E-1:** c\n- **D-a b:** d\n</decisions>":        "",
		"<decisions>\n### Form\n- **D-01:** a\n### Claude's Discretion\n- **D-02:** b\n</decisions>": "D-01|Form|a|true D-02|Claude's Discretion|b|false",
		"# X\n## Deferred Ideas\n- **D-01:** a\n":                                                    "D-01|Deferred Ideas|a|false",
		"```\n<decisions>\n- **D-01:** a\n</decisions>\n```\n":                                       "",
		"<!--\n<decisions>\n- **D-01:** a\n</decisions>\n-->\n":                                      "",
	} {
		var got []string
		for _, d := range artefact.ParseDecisions(text) {
			got = append(got, fmt.Sprintf("%s|%s|%s|%v", d.ID, d.Category, d.Text, d.Tracked))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q:\n got %s\nwant %s", text, s, want)
		}
	}
}

func FuzzDecisions(f *testing.F) {
	f.Add("<decisions>\n- **D-01 [a]:** b\n  c\n</decisions>")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range artefact.ParseDecisions(text) {
			if !strings.HasPrefix(d.ID, "D-") || strings.ContainsAny(d.ID, " \n*:") {
				t.Errorf("%q: id %q", text, d.ID)
			}
		}
	})
}
