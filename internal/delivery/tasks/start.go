package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/guard"
	"ken/internal/guard/frame"
	"ken/internal/knowledge/essential"
	"ken/internal/knowledge/outcome"
	"ken/internal/knowledge/task"
	"ken/internal/operation"
)

type startInput struct {
	Query   []string `arg:"QUERY…" text:"yes" help:"what was asked for, in the user's words"`
	Intent  string   `flag:"intent" required:"yes" value:"INTENT" enum:"IMPLEMENT,MODIFY,INVESTIGATE,QUESTION" help:"what the task is for; the last two change nothing"`
	Level   string   `flag:"gate-level" value:"LEVEL" enum:"auto,full" default:"auto" help:"how much is demanded: auto demands evidence where a change is risky, full for every change"`
	Overlay bool     `flag:"enable-overlay" help:"write in a git work tree of the task's own, made on entering READY; what is kept of it is merged"`
}

func startTool() *tool {
	return spec[startInput, answer]{
		Name: string(guard.StartSession), Group: group, Topic: operation.ChangeSafely, MCP: offer(), Effect: operation.Adds, Summary: "begin a guarded task",
		Long: "Begins a piece of work of which the server checks evidence: what was looked at before something is written. A query that says that the work before\n" +
			"has failed is recorded as its outcome. The declarations that the query is most likely about are answered, with what has to be read before they are changed, and\n" +
			"rules and design documents of the project in short.",
		Example: []string{`task start_session "login shows no error when the password is empty" --intent MODIFY`},
		Run:     runStart,
		Text:    text[startInput],
	}.Tool()
}

func runStart(ctx context.Context, e *env, in *startInput, emit func(*answer) error) error {
	p, err := project.Open(e, operation.Existing)
	if err != nil {
		return err
	}
	m, err := p.Memory(true)
	if err != nil {
		return err
	}
	a := &answer{}
	now := time.Now().UTC()
	intent := guard.Intent(in.Intent)
	t := &guard.Task{
		ID: newID(), Session: p.Session, Intent: intent, Level: guard.Level(in.Level), State: guard.Exploration,
		Query: p.Engine.Hide(strings.Join(in.Query, " ")), Risk: guard.RequestRisk(intent, nil), Began: now,
		Overlay: in.Overlay,
	}
	var unseen []string
	err = p.AskWhole(ctx, func(ctx context.Context, s *view.Snapshot) error {
		a.Revision = s.Rev()
		unseen = noteTree(ctx, p, s, t)
		if intent.Writes() {
			w := &taskCall{p: p, s: s, task: t, policy: taskPolicy(p)}
			if a.Likely, err = w.likelyTargets(ctx); err != nil {
				return err
			}
		}
		return a.setContext(ctx, p, s)
	})
	if err != nil {
		return operation.Finish(a, err, emit)
	}
	failed, err := recordEarlierFailure(ctx, p, t)
	if err != nil {
		return err
	}
	strict, err := strictTask(ctx, m, t.Session, "", now)
	if err != nil {
		return err
	}
	if strict != "" && t.Level != guard.Full {
		t.Level = guard.Full
		failed = append(failed, raisedText(strict))
	}
	if err := storeNewTask(ctx, p, m, t); err != nil {
		return err
	}
	a.setAllFields(t)
	a.Warnings = append(append(a.Warnings, failed...), unseen...)
	if t.Level == guard.Full {
		a.setFrame(frame.Empty())
		a.Slots = nil
	}
	a.Hint = firstStep(t)
	if list, err := m.Tasks.Tasks(ctx, "", true, maxOpen); err == nil && len(list) > 1 {
		a.Warnings = append(a.Warnings, "other tasks go on, so give task with each call if another agent works on one; "+listOpenTasks(ctx, m))
	}
	return operation.Finish(a, nil, emit)
}

// Documents of which nothing was kept yet are shown in fewer words, and only the first of them, because they were found by their names.
const (
	maxNewDocuments = 4
	maxNewSummary   = 300
)

// setContext adds the rules and design documents of the project in short: those that are kept, and those that are found by name and are not
// kept yet. It returns an error if the index cannot be read.
func (a *answer) setContext(ctx context.Context, p *project.Project, s *view.Snapshot) error {
	c, err := essential.AllDocuments(ctx, s, p.Root)
	if err != nil {
		return err
	}
	found := 0
	for _, d := range c.Documents {
		text := p.Engine.Hide(d.Summary)
		if d.Status == essential.Gone || len(injection.Scan(d.Path+"\n"+text)) > 0 {
			continue
		}
		switch d.Status {
		case essential.Changed:
			a.Renew = append(a.Renew, injection.Shown(d.Path))
		case essential.New:
			if found++; found > maxNewDocuments {
				continue
			}
			text = clipLine(text, maxNewSummary)
		}
		a.Context = append(a.Context, contextRow{p.Path(d.Path), text})
	}
	if found > maxNewDocuments {
		a.Warnings = append(a.Warnings, operation.Plural(found-maxNewDocuments, "further document")+" with rules or the design: ken context shows them")
	}
	return nil
}

// strictTask returns the id of a task at level full, other than that with the id but, that goes on in a session; "" if there is none. A new
// task of the session is at full then, because else the level could be lowered by beginning again. Of tasks without a session those count
// that were worked on within the last hours, because their owner is not known.
func strictTask(ctx context.Context, m *project.Memory, session, but string, now time.Time) (id string, err error) {
	list, err := m.Tasks.Tasks(ctx, session, true, maxOthers)
	for i := range list {
		k := &list[i]
		if k.Session != session || k.ID == but || session == "" && now.Sub(k.Changed) > strictTime {
			continue
		}
		if t, err := parseTask(k); err == nil && t.Level == guard.Full {
			return k.ID, nil
		}
	}
	return "", err
}

// strictTime is how long a task without a session makes those after it strict.
const strictTime = 12 * time.Hour

func raisedText(strict string) string {
	return "the task " + strict + " goes on at level full, so this one is at full, too; record_outcome or merge_to_main ends it"
}

// storeNewTask stores a task, and first a copy of what decides where the memory cannot be read.
func storeNewTask(ctx context.Context, p *project.Project, m *project.Memory, t *guard.Task) error {
	body, err := json.Marshal(t)
	if err == nil {
		err = keepCopy(p, t)
	}
	if err != nil {
		return err
	}
	return m.Tasks.BeginTask(ctx, task.StoredTask{ID: t.ID, Session: t.Session, Began: t.Began, Changed: t.Began, Body: body})
}

// firstStep returns the cheapest first step of a task.
func firstStep(t *guard.Task) string {
	switch {
	case t.Level == guard.Full:
		return "set_query_frame, then look up what the user asks for"
	case t.Intent.Writes():
		return "look up what the user asks for; check_write_target says of a file whether it may be written, and what is missing"
	}
	return "look up what the user asks for, and answer"
}

// recordEarlierFailure records a failed outcome of the earlier work if the request of a new task complains about it, and returns lines
// about that.
func recordEarlierFailure(ctx context.Context, p *project.Project, t *guard.Task) ([]string, error) {
	c, ok := outcome.FindComplaint(t.Query)
	logs := p.Logs()
	if !ok || logs == nil {
		return nil, nil
	}
	m, err := p.Memory(false)
	if err != nil || m == nil {
		return nil, err
	}
	before, err := m.Tasks.Tasks(ctx, t.Session, false, 1)
	if err != nil || len(before) == 0 {
		return nil, err
	}
	old, err := parseTask(&before[0])
	if err != nil || old.Outcome == string(outcome.Failure) {
		return nil, err
	}
	w := &taskCall{p: p, m: m, task: old}
	o, err := w.newOutcome(ctx, outcome.Outcome{
		At: t.Began, Result: outcome.Failure, Source: outcome.FromPrompt, Reason: string(c.Kind), Detail: c.Phrase, Confidence: c.Confidence,
	})
	if err != nil {
		return nil, err
	}
	if err := logs.Record(&o); err != nil {
		return nil, err
	}
	said := fmt.Sprintf("the task before (%s) is recorded as a failure, because the query says %s", old.ID, operation.Quote(c.Phrase))
	return []string{said}, p.LearnOutcome(ctx, logs, &o)
}

func statusTool() *tool {
	return spec[taskInput, answer]{
		Name: string(guard.GetSessionStatus), Group: group, Topic: operation.ChangeSafely, MCP: offer(), Summary: "where a task is, what is known and what is next",
		Example: []string{"task get_session_status"},
		Run: func(ctx context.Context, e *env, in *taskInput, emit func(*answer) error) error {
			return withTask(ctx, e, in.Task, emit, func(w *taskCall, _ context.Context) error {
				w.a.setAllFields(w.task)
				return nil
			})
		},
		Text: text[taskInput],
	}.Tool()
}

type frameInput struct {
	Feature string `flag:"target-feature" value:"JSON" objects:"yes" help:"what it is about: {value, quote}; a value alone is a hypothesis"`
	Trigger string `flag:"trigger-condition" value:"JSON" objects:"yes" help:"when it happens: {value, quote}"`
	Issue   string `flag:"observed-issue" value:"JSON" objects:"yes" help:"what is wrong: {value, quote}"`
	Action  string `flag:"desired-action" value:"JSON" objects:"yes" help:"what shall be done: {value, quote}"`
	Task    string `flag:"task" value:"ID" help:"the task; default: the one that goes on"`
}

func frameTool() *tool {
	return spec[frameInput, answer]{
		Name: string(guard.SetQueryFrame), Group: group, Topic: operation.ChangeSafely, Rare: true, MCP: offer(), Effect: operation.Adds, Summary: "what was asked for, in four slots, each with the user's words",
		Long: "A quote has to be in a prompt of the session, and the value has to follow from it; one wrong slot refuses all. Without hooks quotes are looked for in the\n" +
			"query of start_session. What nobody said is left out, or given without a quote: then it is a hypothesis that has to be verified.",
		Example: []string{`task set_query_frame --target-feature '{"value":"login","quote":"the login page"}' --desired-action '{"value":"validation"}'`},
		Run:     runFrame,
		Text:    text[frameInput],
	}.Tool()
}

func runFrame(ctx context.Context, e *env, in *frameInput, emit func(*answer) error) error {
	return withTask(ctx, e, in.Task, emit, func(w *taskCall, ctx context.Context) error {
		var given []frame.Given
		for slot, s := range map[frame.Slot]string{
			frame.TargetFeature: in.Feature, frame.TriggerCondition: in.Trigger, frame.ObservedIssue: in.Issue, frame.DesiredAction: in.Action,
		} {
			if s == "" {
				continue
			}
			g, err := givenSlot(slot, w.p.Engine.Hide(s))
			if err != nil {
				return err
			}
			given = append(given, g)
		}
		d, err := w.decide(ctx, &guard.Request{Tool: guard.SetQueryFrame})
		if err != nil || !d.Allowed {
			return firstError(err, &d)
		}
		return w.setFrame(ctx, given)
	})
}

// setFrame checks the slots of the task's frame (its goal, limits and such, filled in by the agent) and stores them.
func (w *taskCall) setFrame(ctx context.Context, given []frame.Given) error {
	prompts, err := w.prompts(ctx)
	if err != nil {
		return err
	}
	var texts []string
	for _, p := range prompts {
		texts = append(texts, p.Text)
	}
	f, problems := frame.New(given, texts, w.task.Query)
	if len(problems) > 0 {
		w.a.Allowed, w.a.Error, w.a.Inconsistent = false, "frame_refused", problems
		w.a.Message, w.a.Hint = "the frame is as it was", "copy each quote from what the user wrote, or leave it out"
		return &operation.AlarmError{Message: w.a.Error, Refused: true}
	}
	err = w.changeTask(ctx, func(t *guard.Task) { t.Frame, t.Risk = f, guard.RequestRisk(t.Intent, f) })
	if err != nil {
		return err
	}
	w.a.setFrame(f)
	w.a.Risk, w.a.Hint = string(w.task.Risk), "look up what is not known, then submit_understanding"
	return nil
}

// givenSlot reads a slot of the frame: an object, or a plain value.
func givenSlot(slot frame.Slot, s string) (frame.Given, error) {
	g := frame.Given{Slot: slot, Value: s}
	if !strings.HasPrefix(strings.TrimSpace(s), "{") {
		return g, nil
	}
	var o struct{ Value, Quote string }
	if err := json.Unmarshal([]byte(s), &o); err != nil {
		return g, code.Usagef("%s is no object with value and quote", slot)
	}
	return frame.Given{Slot: slot, Value: o.Value, Quote: o.Quote}, nil
}
