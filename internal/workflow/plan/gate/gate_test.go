package gate

import (
	"strings"
	"testing"
)

// TestAdded: a record is a line more; what was there stays, but for the oldest lines of a full file.
func TestAdded(t *testing.T) {
	for in, want := range map[string]string{"": "x\n", "a": "a\nx\n", "a\n": "a\nx\n", "a\r\nb": "a\r\nb\r\nx\r\n", "<<<<<<< HEAD\n": "<<<<<<< HEAD\nx\n"} {
		if got := appendLine(in, "x"); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	if got := appendLine(strings.Repeat("a\n", maxRecords), "x"); strings.Count(got, "\n") != maxRecords || !strings.HasSuffix(got, "a\nx\n") {
		t.Errorf("%d lines", strings.Count(got, "\n"))
	}
}

func TestParse(t *testing.T) {
	records, problems := parseRecords("\ufeff{\"command\":\"a\",\"exit\":1}\r\n\n<<<<<<< HEAD\n[]\n{\"command\":\"b\"}")
	if len(records) != 2 || records[0].Exit != 1 || len(problems) != 2 || problems[0] != "gates.jsonl: line 3 is not a record" {
		t.Errorf("%v %q", records, problems)
	}
}
