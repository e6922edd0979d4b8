package op

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/memories"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/knowledge/session"
	"ken/internal/operation"
)

type sessionInput struct {
	Action  string   `arg:"ACTION" enum:"show,list,note,decide,todo,done" help:"show [ID], list, note TEXT, decide TEXT, todo TEXT or done NUMBER"`
	Words   []string `arg:"[TEXT…]" help:"id of a session, text, or number"`
	Topic   string   `flag:"topic" value:"TEXT" help:"decide: what it is about"`
	Why     string   `flag:"why" value:"TEXT" help:"decide: the reason"`
	Pin     string   `flag:"pin" value:"TARGETS" help:"note, decide, todo: files and symbols it is about, by commas; it is shown as possibly outdated when they change"`
	Session string   `flag:"session" value:"ID" help:"session it belongs to (default: the one that runs the command)"`
	Limit   *int     `flag:"limit" value:"N" help:"sessions or notes listed; 0: all (default 10 in text, all in JSON)"`
}

func sessionTool() *Tool {
	return spec[sessionInput, sessionAnswer]{
		Name:  "session",
		Topic: operation.Remember,
		MCP: operation.Offer{
			Set: "knowledge", Place: 3,
			About: "What sessions did, decided and left to do; write a note, a decision or a thing to do.",
		},
		Effect:  operation.Adds,
		Summary: "what agents' sessions did and decided; write down notes, decisions and what is left to do",
		Long: "Sessions are remembered from the events that an agent's hooks report, in .ken/memory.db. What is written down is masked first.\n" +
			"Decisions also go into .ken/knowledge/decisions.md, which can be committed and edited by hand.",
		Example: []string{"session list", "session decide \"one SQLite file\" --topic store --why \"no daemon\" --pin internal/store", "session todo \"handle errors of the callback\"", "session done 3"},
		Run:     runSession,
		Text: func(t *operation.Text, in *sessionInput, a *sessionAnswer) error {
			limit := 10
			if in.Limit != nil {
				limit = *in.Limit
			}
			return a.SessionAnswer.Text(t, limit, in.Action == "show")
		},
	}.Tool()
}

type sessionAnswer struct {
	Revision
	memories.SessionAnswer
}

func runSession(ctx context.Context, env *Env, in *sessionInput, emit func(*sessionAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	a := &sessionAnswer{}
	err = p.Ask(ctx, engine.AsIndexed, func(_ context.Context, s *view.Snapshot) ([]string, error) {
		a.Revision = Revision{s.Rev()}
		return nil, nil
	})
	if err != nil {
		return err
	}
	text := strings.TrimSpace(strings.Join(in.Words, " "))
	switch in.Action {
	case "list":
		err = a.addSessions(ctx, p, in, "")
	case "show":
		err = a.showSession(ctx, p, in, text)
	case "done":
		err = a.markDone(ctx, p, text)
	default:
		err = a.addNote(ctx, p, in, text)
	}
	return operation.Finish(a, err, emit)
}

// addNote stores a note, a decision or an open task.
func (a *sessionAnswer) addNote(ctx context.Context, p *project.Project, in *sessionInput, text string) error {
	if text == "" {
		return code.Usagef("say what to write down: ken session %s TEXT", in.Action)
	}
	if in.Action != "decide" && in.Topic+in.Why != "" {
		return code.Usagef("--topic and --why go with decide")
	}
	kind := map[string]session.Kind{"note": session.Noted, "decide": session.Decided, "todo": session.Planned}[in.Action]
	n := session.Note{Kind: kind, Session: in.Session, At: time.Now().UTC(), Topic: in.Topic, Text: text, Rationale: in.Why}
	if n.Session == "" {
		n.Session = p.Session
	}
	for _, t := range strings.Split(in.Pin, ",") {
		if t = strings.TrimSpace(t); t != "" {
			n.Pins = append(n.Pins, session.Pin{Target: t})
		}
	}
	n, err := memories.AddNote(ctx, p, n)
	if err == nil {
		a.Notes = []memories.NoteRow{memories.NewNoteRow(&n, nil)}
	}
	return err
}

func (a *sessionAnswer) markDone(ctx context.Context, p *project.Project, text string) error {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return code.Usagef("done takes the number of what was left to do; ken session show lists them")
	}
	n, ok, err := memories.MarkDone(ctx, p, number, time.Now().UTC())
	if err == nil && !ok {
		err = operation.Nothingf("nothing left to do has the number %d", number)
	}
	if err == nil {
		row := memories.NewNoteRow(&n, nil)
		row.Done = true
		a.Notes = []memories.NoteRow{row}
	}
	return err
}

// showSession shows one session, or the last one, and the open tasks.
func (a *sessionAnswer) showSession(ctx context.Context, p *project.Project, in *sessionInput, id string) error {
	if err := a.addSessions(ctx, p, in, id); err != nil || id != "" {
		return err
	}
	m, err := p.Memory(false)
	if err != nil {
		return err
	}
	var open []session.Note
	if m != nil {
		if open, err = m.Notes(ctx, []session.Kind{session.Planned, session.Noted}, true, rowLimit(in.Limit)); err != nil {
			return err
		}
	}
	decisions, odd, err := memories.Decisions(ctx, p, rowLimit(in.Limit))
	if err != nil {
		return err
	}
	a.Odd = odd
	others := slices.DeleteFunc(append(open, decisions...), func(n session.Note) bool {
		return len(a.Sessions) > 0 && n.Session == a.Sessions[0].ID
	})
	if a.Notes, err = memories.NoteRows(ctx, p, others); err != nil {
		return err
	}
	if len(a.Sessions)+len(a.Notes) == 0 {
		return operation.Nothingf("nothing is remembered yet; ken install claude has an agent's sessions remembered")
	}
	return nil
}

// rowLimit returns the number of rows to read; all of them if the answer is not text.
func rowLimit(limit *int) int {
	if limit == nil {
		return 0
	}
	return *limit
}

// addSessions adds the session with an id, else the latest ones.
func (a *sessionAnswer) addSessions(ctx context.Context, p *project.Project, in *sessionInput, id string) error {
	m, err := p.Memory(false)
	if err != nil {
		return err
	}
	var list []session.Record
	if m != nil {
		err = m.Drain(ctx)
	}
	switch {
	case err != nil || m == nil:
	case id != "":
		r, ok, err := m.Store.Session(ctx, id)
		if err == nil && !ok {
			err = operation.Nothingf("there is no session %s", operation.Quote(id))
		}
		if err != nil {
			return err
		}
		list = []session.Record{r}
	case in.Action == "show":
		list, err = m.Sessions(ctx, 1)
	default:
		list, err = m.Sessions(ctx, rowLimit(in.Limit))
	}
	if err != nil {
		return err
	}
	if id != "" && len(list) == 0 {
		return operation.Nothingf("there is no session %s", operation.Quote(id))
	}
	for i := range list {
		if err := a.AddSession(ctx, p, &list[i]); err != nil {
			return err
		}
	}
	if in.Action == "list" && len(list) == 0 {
		return operation.Nothingf("no session is remembered yet; ken install claude has them remembered")
	}
	return nil
}
