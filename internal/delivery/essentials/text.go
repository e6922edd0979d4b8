package essentials

import (
	"fmt"
	"strings"

	"ken/internal/operation"
)

func text(t *operation.Text, in *input, a *answer) error {
	if len(a.Documents) > 0 {
		t.Line("%s", t.Dim("quoted from the project's documents"))
	}
	for i := range a.Documents {
		d := &a.Documents[i]
		about := fmt.Sprintf("%s, %s", d.Kind, d.Status)
		switch d.By {
		case "extraction":
			about += ", taken from it"
		case "":
		default:
			about += ", by " + d.By
		}
		t.Line("%s  %s", t.Bold(string(d.Path)), t.Dim(operation.Escape(about)))
		for _, p := range d.Problem {
			t.Line("    ! %s", p)
		}
		t.Paragraph("    ", trimLines(d.Summary))
		if d.Extra != "" {
			t.Line("    %s", t.Dim("added by hand:"))
			t.Paragraph("    ", trimLines(d.Extra))
		}
	}
	for _, c := range a.Done {
		t.Line("%s  %s", c.Action, c.Path)
	}
	if in.Action == "sync" && len(a.Done) == 0 {
		t.Line("nothing new is to be kept")
	}
	for _, n := range a.Notes {
		t.Line("%s", n)
	}
	return nil
}

// trimLines returns a text without empty lines, so that an empty line never seems to end a document.
func trimLines(s string) string {
	var b strings.Builder
	for l := range strings.Lines(s) {
		if strings.TrimSpace(l) != "" {
			b.WriteString(l)
		}
	}
	return b.String()
}
