package memories

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/knowledge/memory"
	"ken/internal/knowledge/session"
	"ken/internal/operation"
)

type rememberInput struct {
	Words   []string `arg:"TEXT…" help:"what to remember"`
	Kind    string   `flag:"kind" value:"KIND" help:"note (default), decision or outcome: a task that ended well, by what was asked"`
	Files   string   `flag:"files" value:"TARGETS" help:"files and symbols it is about, by commas; of an outcome those that were right"`
	Topic   string   `flag:"topic" value:"TEXT" help:"what it is about"`
	Why     string   `flag:"why" value:"TEXT" help:"decision: the reason"`
	Session string   `flag:"session" value:"ID" help:"session it belongs to (default: the one that runs the command)"`
}

type rememberAnswer struct {
	Revision code.Rev  `json:"revision" doc:"state of the index the answer was computed from"`
	Items    []ItemRow `json:"items" doc:"what is remembered now"`
	Known    bool      `json:"known" doc:"it was remembered before: the two are one now"`
}

// RememberTool is the operation ken remember.
func RememberTool() *project.Tool {
	return operation.Spec[*project.Project, rememberInput, rememberAnswer]{
		Name:  "remember",
		Topic: operation.Remember,
		MCP: operation.Offer{
			Set: "knowledge", Place: 1,
			About: "Write down what a later session should know: a note, a decision with its reason, how a task ended.",
		},
		Effect:  operation.Adds,
		Summary: "write down what helps next time: a note, a decision, a task that ended well",
		Long: "Credentials in it are masked. What says the same as something that is remembered becomes one with it. Agents are shown it once in a session, when\n" +
			"a prompt is about it. A decision goes into .ken/knowledge/decisions.md, too.",
		Example: []string{"remember \"the gateway drops connections after a minute\" --files src/upload.ts",
			"remember --kind decision \"one SQLite file\" --why \"no daemon\" --topic store"},
		Run: runRemember,
		Text: func(t *operation.Text, in *rememberInput, a *rememberAnswer) error {
			for i := range a.Items {
				a.Items[i].text(t)
			}
			if a.Known {
				t.Line("  it was known before")
			}
			return nil
		},
	}.Tool()
}

func runRemember(ctx context.Context, e *env, in *rememberInput, emit func(*rememberAnswer) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(strings.Join(in.Words, " "))
	if text == "" {
		return code.Usagef("say what to remember: ken remember TEXT")
	}
	kind := memory.Kind(in.Kind)
	if kind == "" {
		kind = memory.Note
	}
	if !slices.Contains([]memory.Kind{memory.Note, memory.Decision, memory.Outcome}, kind) {
		return code.Usagef("what can be remembered is a note, a decision or an outcome, not %s", operation.Quote(in.Kind))
	}
	if in.Why != "" && kind != memory.Decision {
		return code.Usagef("--why goes with --kind decision")
	}
	it := memory.Item{Kind: kind, Topic: in.Topic, Text: text, Session: in.Session, At: time.Now().UTC()}
	if it.Session == "" {
		it.Session = p.Session
	}
	a := &rememberAnswer{}
	if a.Revision, err = indexRevision(ctx, p); err != nil {
		return err
	}
	a.Known, err = storeItem(ctx, p, &it, in)
	if err == nil {
		a.Items, err = itemRows(ctx, p, []*memory.Item{&it}, it.At)
	}
	return operation.Finish(a, err, emit)
}

// storeItem stores an item; known reports whether it was there already. A note or decision is also stored with the session's notes.
func storeItem(ctx context.Context, p *project.Project, it *memory.Item, in *rememberInput) (known bool, err error) {
	m, err := p.Memory(true)
	if err != nil {
		return false, err
	}
	pins, err := parsePins(in.Files)
	if err == nil {
		pins, err = ResolvePins(ctx, p, pins)
	}
	if err != nil {
		return false, err
	}
	for _, pin := range pins {
		it.Pins = append(it.Pins, memory.Pin{Target: pin.Target, Hash: pin.Hash})
	}
	if in.Why != "" {
		it.Text += memory.Because + in.Why
	}
	m.Mask(it)
	same, err := m.Learned.Items(ctx, memory.Filter{Key: it.Key()})
	if err != nil {
		return false, err
	}
	known = len(same) > 0
	ids, _, err := m.Learned.Learn(ctx, []memory.Item{*it})
	if err != nil {
		return known, err
	}
	if it.Kind != memory.Outcome && !known {
		if _, err := AddNote(ctx, p, itemNote(it)); err != nil { // the disk may be full: what failed is not remembered
			_, dropErr := m.Learned.Drop(ctx, ids)
			return false, errors.Join(err, dropErr)
		}
	}
	list, err := m.Learned.Items(ctx, memory.Filter{IDs: ids})
	if err == nil && len(list) == 1 {
		*it = list[0]
	}
	return known, err
}

// itemNote returns an item as a note or decision of a session.
func itemNote(it *memory.Item) session.Note {
	n := session.Note{Kind: session.Noted, Session: it.Session, At: it.At, Topic: it.Topic}
	if it.Kind == memory.Decision {
		n.Kind = session.Decided
	}
	n.Text, n.Rationale, _ = strings.Cut(it.Text, memory.Because)
	for _, p := range it.Pins {
		n.Pins = append(n.Pins, session.Pin{Target: p.Target})
	}
	return n
}

// parsePins parses a comma-separated list of files and symbols.
func parsePins(list string) (out []session.Pin, err error) {
	for _, t := range strings.Split(list, ",") {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, session.Pin{Target: t})
		}
	}
	if len(out) > memory.MaxPins {
		err = code.Usagef("--files names %d: at most %d can be kept", len(out), memory.MaxPins)
	}
	return out, err
}
