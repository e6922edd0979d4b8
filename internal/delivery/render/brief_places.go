package render

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/ask/brief"
	"ken/internal/ask/find"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

// BriefPlace is the source of a declaration of a file likely to be changed. Its fields and its lines in text are those of the task
// operation that shows a function, so that what was sent of it counts as read in a task.
type BriefPlace struct {
	Path    operation.Path `json:"path" doc:"file"`
	Line    int            `json:"line" doc:"first line that is shown"`
	EndLine int            `json:"end_line" doc:"last line that is shown"`
	Name    string         `json:"name,omitempty" doc:"declaration"`
	Kind    string         `json:"kind,omitempty" doc:"as in def"`
	Text    []string       `json:"text_lines" doc:"the lines, secrets masked"`
}

// Limits of the source in a brief.
const (
	placeFiles = 8   // files of which declarations are shown
	placeLines = 120 // lines of one declaration
)

// ReadPlaces returns the declarations of the first files to be changed that fit the goal, with their source, the likeliest file first. It
// returns an error if a text cannot be read or ctx ends.
func ReadPlaces(ctx context.Context, s *view.Snapshot, b *brief.Brief) (out []BriefPlace, err error) {
	for i := range b.Modify[:min(len(b.Modify), placeFiles)] {
		c := &b.Modify[i]
		if len(c.Spots) == 0 {
			continue
		}
		text, err := s.Text(ctx, c.Path)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		for k := range c.Spots {
			if spot := &c.Spots[k]; !insideOther(spot, c.Spots[:k]) && spot.Line >= 1 && spot.EndLine <= len(lines) {
				last := min(spot.EndLine, spot.Line+placeLines-1)
				out = append(out, BriefPlace{operation.Path(c.Path), spot.Line, last, spot.Name, spot.Kind.String(), lines[spot.Line-1 : last]})
			}
		}
	}
	return out, nil
}

// insideOther reports whether one of the declarations before holds a line of another one.
func insideOther(spot *find.FoundSymbol, before []find.FoundSymbol) bool {
	for i := range before {
		if spot.Line <= before[i].EndLine && before[i].Line <= spot.EndLine {
			return true
		}
	}
	return false
}

// text returns the lines of a place as the block shows them. None of them can end the block.
func (p *BriefPlace) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", strings.TrimRight(operation.Escape(fmt.Sprintf("%s:%d  %s %s", p.Path, p.Line, p.Kind, p.Name)), " "))
	for i, line := range p.Text {
		fmt.Fprintf(&out, "%d\t%s\n", p.Line+i, strings.ReplaceAll(operation.EscapeLine(line), "</"+briefTag, "&lt;/"+briefTag))
	}
	return out.String()
}
