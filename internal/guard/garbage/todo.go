package garbage

import (
	"regexp"
	"strings"
)

// todoRules recognise notes of work that is left.
type todoRules struct {
	note    *regexp.Regexp // in the text of a comment
	owned   *regexp.Regexp // names an issue
	request *regexp.Regexp // a request about such notes
}

func newTodoRules() todoRules {
	return todoRules{
		note: regexp.MustCompile(`^(?:[-*@\\/!#( ]*)(TODO|FIXME|XXX|HACK|KLUDGE|WIP)\b|\b(TODO|FIXME)\b|^@?(todo|fixme|hack)\b\s*[:(-]|\bXXX\b` +
			`|\b(NOCOMMIT|NOMERGE|DONOTCOMMIT|DO NOT (COMMIT|MERGE|SUBMIT|CHECK IN))\b|(?i:\bremove (this |me )?(after|before|once|when) (debug|test|merg|commit|releas|done|finish)\w*|\bdo(n't| not) (commit|check in) this\b|\b(temporary|quick|ugly|dirty) hack\b)`),
		owned:   regexp.MustCompile(`https?://|(^|[\s(\[:])(#|gh-?|[A-Z]{2,8}-)\d+\b`),
		request: regexp.MustCompile(`(?i)\b(todos?|fixmes?)\b`),
	}
}

// findNotes finds the notes of work left that a change adds to comments. moved has the lines that the change removed elsewhere. A
// finding is less sure if the note names an issue or if the request is about notes.
func (r *todoRules) findNotes(request string, file *File, t *text, moved map[string]bool) []Finding {
	var out []Finding
	asked := r.request.MatchString(request)
	for _, s := range t.added {
		for n := s.From; n <= s.To; n++ {
			l := t.lines[n]
			if l == nil || l.state == stringLine || moved[l.raw] || !r.note.MatchString(l.comment) {
				continue
			}
			sure, why := Likely, "a note of work that is left"
			switch {
			case asked:
				sure, why = Possible, why+"; but the request speaks of such notes"
			case r.owned.MatchString(l.comment):
				sure, why = Possible, why+"; but it says where that is kept track of"
			case strings.Count(l.comment, "XXX") > 0 && strings.Contains(l.comment, "XXXX"):
				continue
			}
			out = append(out, Finding{LeftTodo, file.Path, n, n, why, sure})
		}
	}
	return out
}
