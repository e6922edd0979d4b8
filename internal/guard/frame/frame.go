// Package frame checks the frame of a guarded task: the user's request in four slots, each backed by a quote of the user. A quote has
// to occur in a recorded prompt, and a value has to follow from its quote, because an agent that fills a slot from its own imagination
// plans for another request than the user's. It is pure. Its neighbour guard derives the risk of a task from it.
package frame

import (
	"fmt"
	"slices"
	"strings"
)

// Slot is one of the four parts of a request.
type Slot string

// The slots, in the order of output.
const (
	TargetFeature    Slot = "target_feature"
	TriggerCondition Slot = "trigger_condition"
	ObservedIssue    Slot = "observed_issue"
	DesiredAction    Slot = "desired_action"
)

// Slots returns all slots.
func Slots() []Slot { return []Slot{TargetFeature, TriggerCondition, ObservedIssue, DesiredAction} }

// Source is the degree to which the value of a slot can be trusted.
type Source string

// The sources. A FACT is in the words of the user, or was shown by evidence. A HYPOTHESIS is an assumption of the agent; it has to
// be verified before anything is written. UNRESOLVED is unknown.
const (
	Fact       Source = "FACT"
	Hypothesis Source = "HYPOTHESIS"
	Unresolved Source = "UNRESOLVED"
)

// Basis is the place where a quote of the user was found.
type Basis string

// The bases. Without hooks ken sees no prompt, so that it can look for a quote only in the agent's own account of the request.
const (
	FromPrompt Basis = "prompt"
	FromAgent  Basis = "text given by the agent, unverified"
	FromLook   Basis = "evidence"
)

// Given is the value of a slot, with its quote, as an agent submits it.
type Given struct {
	Slot         Slot
	Value, Quote string
}

// Filled is a slot with its checked value, and how far that can be trusted.
type Filled struct {
	Slot   Slot   `json:"slot"`
	Value  string `json:"value,omitempty"`
	Quote  string `json:"quote,omitempty"` // as the prompt has it
	Source Source `json:"source"`
	Basis  Basis  `json:"basis,omitempty"`
	Why    string `json:"why,omitempty"` // place of the evidence that verified it
}

// Frame is the four slots, in their order.
type Frame []Filled

const (
	MaxValue = 2000 // MaxValue bounds a value, and a quote, in bytes
)

// New returns a frame of the given slots. Each quote has to occur in prompts, the recorded prompts of the session, or in text, the
// agent's account of the request, if there are no prompts. If a slot is wrong, the frame is nil and problems lists the reasons.
func New(given []Given, prompts []string, text string) (f Frame, problems []string) {
	f = Empty()
	for _, g := range given {
		i := f.slotIndex(g.Slot)
		if i < 0 {
			problems = append(problems, fmt.Sprintf("%q is not a slot", string(g.Slot)))
			continue
		}
		filled, why := checkSlot(g, prompts, text)
		if why != "" {
			problems = append(problems, string(g.Slot)+": "+why)
			continue
		}
		f[i] = filled
	}
	if slot := f.withoutOwnWord(); slot != "" {
		problems = append(problems, string(slot)+": its quote says nothing that the quotes of other slots do not say; one word fills one slot")
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return f, nil
}

// Empty returns a frame whose slots are all unresolved.
func Empty() Frame {
	var f Frame
	for _, s := range Slots() {
		f = append(f, Filled{Slot: s, Source: Unresolved})
	}
	return f
}

func (f Frame) slotIndex(s Slot) int {
	for i := range f {
		if f[i].Slot == s {
			return i
		}
	}
	return -1
}

// checkSlot checks one slot that an agent submitted. why describes the problem with it, "" if there is none.
func checkSlot(g Given, prompts []string, text string) (out Filled, why string) {
	out = Filled{Slot: g.Slot, Value: strings.TrimSpace(g.Value), Source: Unresolved}
	quote := strings.TrimSpace(g.Quote)
	switch {
	case len(out.Value) > MaxValue || len(quote) > MaxValue:
		return out, fmt.Sprintf("value and quote have at most %d bytes each", MaxValue)
	case out.Value == "" && quote == "":
		return out, ""
	case out.Value == "":
		return out, "a quote without a value"
	case quote == "":
		out.Source = Hypothesis
		return out, ""
	}
	basis := FromPrompt
	if len(prompts) == 0 {
		prompts, basis = []string{text}, FromAgent
	}
	for i := len(prompts) - 1; i >= 0; i-- { // the last prompt is the most likely
		if original, ok := findQuote(prompts[i], quote); ok {
			if len(contentWords(original)) == 0 || len(contentWords(out.Value)) == 0 {
				return out, "the quote or its value has no word that says what it is about: words as \"the\", \"fix\" and \"code\" are in every request"
			}
			if !followsFromQuote(out.Value, original) {
				return out, "the value does not follow from its quote: fewer than half of its words are there; quote the words that say it, or leave the quote out, which makes it a HYPOTHESIS"
			}
			out.Quote, out.Source, out.Basis = original, Fact, basis
			return out, ""
		}
	}
	if basis == FromAgent {
		return out, "the quote is not in the query that was given to start_session; copy it from there"
	}
	return out, "the quote is in no prompt of this session; copy it from what the user wrote, or leave it out, which makes the value a HYPOTHESIS"
}

// withoutOwnWord returns a slot whose quote has no word of its own, if each word may fill one slot; "" if all can be filled.
func (f Frame) withoutOwnWord() Slot {
	var words [][]string
	var slots []Slot
	for _, s := range f {
		if s.Quote != "" {
			words, slots = append(words, contentWords(s.Quote)), append(slots, s.Slot)
		}
	}
	var fill func(i int, taken []string) int // the number of slots that can be filled
	fill = func(i int, taken []string) (most int) {
		if i == len(words) {
			return i
		}
		most = i
		for _, w := range words[i] {
			if !slices.ContainsFunc(taken, func(o string) bool { return sameStem(o, w) }) {
				most = max(most, fill(i+1, append(slices.Clip(taken), w)))
			}
		}
		return most
	}
	if n := fill(0, nil); n < len(slots) {
		return slots[n]
	}
	return ""
}

// Find returns a slot of the frame. It is unresolved if the frame does not have it.
func (f Frame) Find(s Slot) Filled {
	if i := f.slotIndex(s); i >= 0 {
		return f[i]
	}
	return Filled{Slot: s, Source: Unresolved}
}

// WithSource returns the slots that have a source, for example all facts.
func (f Frame) WithSource(src Source) (out []Slot) {
	for _, s := range Slots() {
		if f.Find(s).Source == src {
			out = append(out, s)
		}
	}
	return out
}

// WithFact returns a copy of the frame in which slot s is a fact. why describes the evidence.
func (f Frame) WithFact(s Slot, why string) Frame {
	out := append(Frame{}, f...)
	if i := out.slotIndex(s); i >= 0 && out[i].Source == Hypothesis {
		out[i].Source, out[i].Basis, out[i].Why = Fact, FromLook, why
	}
	return out
}

// Step describes how to find the value of an unknown slot.
type Step struct {
	Slot  Slot
	Tools []string
	How   string
}

// Guidance returns, for each slot that is not a fact, a way to find its value, in the order of slots.
func (f Frame) Guidance() (out []Step) {
	for _, step := range []Step{
		{TargetFeature, []string{"query", "find_definitions", "get_symbols"}, "ask for the feature in the user's words, then look its declarations up"},
		{TriggerCondition, []string{"search_text", "find_definitions"}, "search for the condition, a message or an option that leads there"},
		{ObservedIssue, []string{"search_text", "query"}, "search for the message or behaviour that was seen; if the user did not say what is wrong, ask"},
		{DesiredAction, []string{"find_references", "analyze_structure"}, "see who would notice the change; if the user did not say what is wanted, ask"},
	} {
		if f.Find(step.Slot).Source != Fact {
			out = append(out, step)
		}
	}
	return out
}

// WithAssumption returns a copy of the frame in which slot s has an assumed value, unless the slot is a fact.
func (f Frame) WithAssumption(s Slot, value string) Frame {
	out := append(Frame{}, f...)
	if i := out.slotIndex(s); i >= 0 && out[i].Source != Fact {
		out[i] = Filled{Slot: s, Value: value, Source: Hypothesis}
	}
	return out
}

// Names reports whether a pattern of a search has a word of the request in it: of a value that is not a mere assumption.
func (f Frame) Names(pattern string) bool {
	said := contentWords(pattern)
	for _, s := range f {
		if s.Source == Fact && slices.ContainsFunc(contentWords(s.Value), func(w string) bool { return slices.Contains(said, w) }) {
			return true
		}
	}
	return false
}
