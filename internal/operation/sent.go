package operation

import (
	"encoding/json"
	"strings"
)

// Sent is an answer as its reader got it: a surface may cut one that is too long.
type Sent struct {
	Whole bool   // nothing was left out
	Text  string // what was sent; "" if it is not kept, because it is whole
	JSON  bool   // Text is JSON; rows are missing at the ends of its lists
}

// Holds reports whether a text was sent.
func (s *Sent) Holds(text string) bool { return s.Whole || strings.Contains(s.Text, text) }

// HoldsLine reports whether a line of text was sent.
func (s *Sent) HoldsLine(line string) bool {
	return s.Whole || strings.Contains("\n"+s.Text+"\n", "\n"+line+"\n")
}

// Decode fills a copy of an answer with what was sent of it; false if it was not sent as JSON.
func (s *Sent) Decode(answer any) bool {
	return s.JSON && json.Unmarshal([]byte(s.Text), answer) == nil
}

// WhenSent has f called once the answer was sent, with what was sent of it. A surface that cuts no answers calls it at once. It fails as f
// does.
func (e *Env[P]) WhenSent(f func(*Sent) error) error {
	if e.AfterSending == nil {
		return f(&Sent{Whole: true})
	}
	e.AfterSending(f)
	return nil
}
