package guard

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/guard/frame"
	"ken/internal/knowledge/task"
)

// client works on a task as an agent does, one request after the other.
type client struct {
	t    *testing.T
	task *Task
	p    Policy
	now  time.Time
}

func newClient(t *testing.T, l Level, i Intent) *client {
	c := &client{t: t, p: DefaultPolicy(), now: time.Unix(1000, 0), task: &Task{Level: l, Intent: i, State: Exploration, Risk: Low}}
	if i.Writes() {
		c.task.Risk = Medium
	}
	return c
}

func (c *client) do(r *Request) Decision {
	c.now = c.now.Add(time.Second)
	d := Decide(c.p, c.task, r)
	c.task.Apply(c.p, r, &d, c.now)
	return d
}

// want does a request that has to end in a state.
func (c *client) want(s State, r *Request) Decision {
	c.t.Helper()
	d := c.do(r)
	if !d.Allowed || c.task.State != s {
		c.t.Fatalf("%s: %v in %s, want %s: %s\n%+v", r.Tool, d.Allowed, c.task.State, s, d.Message, d.Missing)
	}
	return d
}

// refused does a request that has to be refused with a text.
func (c *client) refused(kind, text string, r *Request) Decision {
	c.t.Helper()
	before := c.task.State
	d := c.do(r)
	said := d.Message + " " + d.Hint + " " + strings.Join(d.Inconsistent, " ")
	if d.Allowed || d.Error != kind || !strings.Contains(said, text) || c.task.State != before && d.Intervention == "" {
		c.t.Fatalf("%s: allowed %v, %s %q in %s, want %s %q", r.Tool, d.Allowed, d.Error, said, c.task.State, kind, text)
	}
	if d.Hint == "" {
		c.t.Errorf("%s: no way forward is named", r.Tool)
	}
	return d
}

func (c *client) look(tool Tool, path, symbol string, d task.Depth, lines ...int) {
	l := task.ReadPart{Tool: string(tool), Path: path, Symbol: symbol, Depth: d, At: c.now}
	if len(lines) == 2 {
		l.First, l.Last = lines[0], lines[1]
	}
	c.task.Looks = append(c.task.Looks, l)
}

func (c *client) read(path string) { c.look("Read", path, "", task.Read) }

// widget is a target that two files use.
func widget() Target {
	return Target{Name: "widget.go:Draw", Path: "widget.go", Symbol: "Draw", Dependents: 2, Tests: []string{"widget_test.go"},
		Callers: []Caller{{Path: "a.go", Lines: []int{10, 30}}, {Path: "b.go", Lines: []int{5}}}}
}

func TestAuto(t *testing.T) {
	c := newClient(t, Auto, Modify)
	file := []Target{widget()}
	d := c.refused(EvidenceMissing, "2 of 2 files that use widget.go:Draw were not read", &Request{Tool: CheckWriteTarget, Targets: file})
	if d.Hint != `analyze_impact widget.go:Draw, which shows these lines; or get_function_at_line with places "a.go:10,30 b.go:5"` {
		t.Errorf("hint %q", d.Hint)
	}
	c.look(FindReferences, "a.go", "", task.Named, 10, 10)
	c.refused(EvidenceMissing, "2 of 2", &Request{Tool: CheckWriteTarget, Targets: file}) // a line in a list is not read
	c.look(GetFunction, "a.go", "F", task.Read, 1, 20)
	c.read("b.go")
	c.refused(EvidenceMissing, "1 of 2", &Request{Tool: Write, Targets: file}) // a.go uses it twice
	c.look(GetFunction, "a.go", "G", task.Read, 25, 40)
	c.want(Ready, &Request{Tool: Write, Targets: file})
	c.want(Ready, &Request{Tool: Write, Targets: []Target{{Name: "notes.txt", Path: "notes.txt", Isolated: true}}})
	many := Target{Name: "hub.go", Path: "hub.go", Dependents: 11, Callers: []Caller{{Path: "x.go"}, {Path: "y.go"}}}
	c.refused(EvidenceMissing, "11 files depend on hub.go", &Request{Tool: Write, Targets: []Target{many}})
	c.want(Ready, &Request{Tool: AnalyzeImpact, Targets: []Target{many}, Should: []string{"docs/hub.md"}})
	statuses := []FileStatus{{"x.go", NoChange, "reads only"}, {"y.go", WillModify, ""}}
	c.refused(EvidenceMissing, `with places "x.go y.go"`, &Request{Tool: SubmitImpact, Statuses: statuses})
	c.read("x.go")
	c.read("y.go")
	d = c.want(Ready, &Request{Tool: SubmitImpact, Statuses: append(statuses, FileStatus{"evil.go", WillModify, ""})})
	if want := []string{"no status was given for docs/hub.md", "evil.go is not among the files of the analysis, so this does not allow writing it"}; !slices.Equal(d.Warnings, want) {
		t.Errorf("warnings %q", d.Warnings)
	}
	c.want(Ready, &Request{Tool: Write, Targets: []Target{many}})
	for range 2 { // what gives leave once gives it again
		c.want(Ready, &Request{Tool: Write, Targets: []Target{{Name: "y.go", Path: "y.go", Dependents: 50}}})
	}
	c.refused(EvidenceMissing, "50 files", &Request{Tool: Write, Targets: []Target{{Name: "evil.go", Path: "evil.go", Dependents: 50}}})
	c.refused(NotCovered, "it belongs to git", &Request{Tool: Write, Targets: []Target{{Name: ".git/config", Path: ".git/config", Uncovered: "it belongs to git"}}})
	c.refused(EvidenceMissing, "changed without leave: c.go", &Request{Tool: SubmitForReview, Unpermitted: []string{"c.go"}})
	c.want(PreCommit, &Request{Tool: SubmitForReview})
	c.refused(PhaseBlocked, "a write is not allowed in PRE_COMMIT", &Request{Tool: Write, Targets: file})
}

// TestWrittenTwice: a file of which a declaration was named may be written again. The write names no more than that: neither it nor
// an analysis demands what uses the rest of the file.
func TestWrittenTwice(t *testing.T) {
	c := newClient(t, Auto, Modify)
	c.read("a.go")
	c.read("b.go")
	c.want(Ready, &Request{Tool: CheckWriteTarget, Targets: []Target{widget()}})
	whole := []Target{{Name: "widget.go", Path: "widget.go", Compared: true, Changed: []Change{{Name: "Draw"}, {Name: "Draw.inner", Around: []string{"Draw"}}}, Dependents: 3, Callers: []Caller{{Path: "a.go"}, {Path: "b.go"}, {Path: "c.go"}}}}
	for range 3 {
		c.want(Ready, &Request{Tool: Write, Targets: whole})
	}
	if len(c.task.Targets) != 1 || c.task.Targets[0].Symbol != "Draw" {
		t.Errorf("targets %+v", c.task.Targets)
	}
	whole[0].Changed = []Change{{Name: "Draw"}, {Name: "Drawer"}, {}}
	c.refused(EvidenceMissing, "of widget.go only Draw may be written; this write changes Drawer, lines outside", &Request{Tool: Write, Targets: whole})
	whole[0].Compared = false
	c.refused(EvidenceMissing, "what this write changes is not known", &Request{Tool: Write, Targets: whole})
	c.refused(EvidenceMissing, "1 of 3 files that use widget.go were not read", &Request{Tool: CheckWriteTarget, Targets: whole})
	c.refused(EvidenceMissing, "what this write changes is not known", &Request{Tool: Write, Targets: whole}) // asking gave no leave
	c.read("c.go")
	c.want(Ready, &Request{Tool: CheckWriteTarget, Targets: whole})
	c.want(Ready, &Request{Tool: Write, Targets: whole})
}

func TestAmbiguous(t *testing.T) {
	for _, l := range Levels() {
		c := newClient(t, l, Modify)
		name := Target{Name: "Draw", Symbol: "Draw", Candidates: []Place{{"widget.go", "Draw", 7}, {"other.go", "Draw", 9}}}
		exact := widget()
		tool := SubmitUnderstood
		d := c.do(&Request{Tool: tool, Targets: []Target{name}})
		if !slices.ContainsFunc(d.Missing, func(m Missing) bool { return m.Kind == Ambiguity }) {
			t.Fatalf("%s: %+v", l, d)
		}
		c.do(&Request{Tool: Revert})
		c.read("a.go")
		c.read("b.go")
		d = c.do(&Request{Tool: tool, Targets: []Target{exact}})
		if !slices.ContainsFunc(d.Missing, func(m Missing) bool { return m.Kind == Ambiguity }) {
			t.Errorf("%s: one of several was named without reading it: %+v", l, d)
		}
		c.do(&Request{Tool: Revert})
		c.look(GetFunction, "widget.go", "Draw", task.Read, 7, 20)
		d = c.do(&Request{Tool: tool, Targets: []Target{exact}})
		if slices.ContainsFunc(d.Missing, func(m Missing) bool { return m.Kind == Ambiguity }) {
			t.Errorf("%s: %+v", l, d.Missing)
		}
	}
}

// claims are five symbols, two entry points, four files and two patterns that are tied to widget.
func claims() (out []Claim) {
	for i, n := range []string{"A", "B", "C", "D", "E"} {
		out = append(out, Claim{Kind: Symbols, Name: n, Path: "s.go", Symbol: n, First: 10 * (i + 1), Last: 10*i + 15, Tied: true})
	}
	for _, n := range []string{"F", "G"} {
		out = append(out, Claim{Kind: EntryPoints, Name: n, Path: "a.go", Symbol: n, First: 1, Last: 9, Tied: true, Entry: true, Linked: []string{"A"}})
	}
	for _, f := range []string{"a.go", "b.go", "s.go", "widget.go"} {
		out = append(out, Claim{Kind: Files, Name: f, Path: f, Tied: true})
	}
	for _, f := range []string{"a.go", "b.go"} {
		out = append(out, Claim{Kind: Patterns, Name: f, Text: "draws " + f, Path: f, Tied: true})
	}
	return out
}

var plenty = Counts{Symbols: 50, EntryPoints: 50, Files: 50, Patterns: 50}

func (c *client) lookAll() {
	for _, f := range []string{"a.go", "b.go", "s.go", "widget.go"} {
		c.read(f)
	}
	c.look(FindDefinitions, "widget.go", "Draw", task.Named)
	c.look(FindReferences, "a.go", "F", task.Named)
}

func TestFull(t *testing.T) {
	c := newClient(t, Full, Modify)
	c.task.Frame = frame.Empty().WithAssumption(frame.ObservedIssue, "nothing is drawn")
	c.task.Frame[0] = frame.Filled{Slot: frame.TargetFeature, Value: "drawing", Source: frame.Fact}
	c.task.Risk = High
	submit := &Request{Tool: SubmitUnderstood, Targets: []Target{widget()}, Claims: claims(), Have: plenty}
	c.refused(PhaseBlocked, "check_write_target is not allowed in EXPLORATION", &Request{Tool: CheckWriteTarget, Targets: []Target{widget()}})
	c.lookAll()
	d := c.want(Semantic, submit) // a slot is a hypothesis
	if d.Rating != "low" || len(d.Missing) != 1 || d.Missing[0].Kind != Slots {
		t.Errorf("%+v", d)
	}
	c.refused(EvidenceMissing, `"no_definition_found" does not fit`, &Request{Tool: SubmitSemantic, Reasons: []Reason{NoDefinition}, Hypotheses: []string{"x"}})
	c.refused(EvidenceMissing, "semantic_search was not called", &Request{Tool: SubmitSemantic, Reasons: []Reason{NoArchitecture}, Hypotheses: []string{"Draw returns early"}})
	c.look(SemanticSearch, "", "", task.Named)
	c.want(Verification, &Request{Tool: SubmitSemantic, Reasons: []Reason{NoArchitecture}, Hypotheses: []string{"Draw returns early"}})
	verdicts := []Verified{
		{"observed_issue: nothing is drawn", Confirmed, "Read", Claim{Name: "widget.go:Draw", Path: "widget.go", Symbol: "Draw", Tied: true}},
		{"Draw returns early", Confirmed, "find_references", Claim{Name: "a.go:F", Path: "a.go", Symbol: "F", Tied: true}},
	}
	forged := slices.Clone(verdicts)
	forged[1].Tool = "search_text"
	c.refused(EvidenceMissing, "was not shown by search_text", &Request{Tool: SubmitVerified, Verdicts: forged, Claims: claims(), Have: plenty})
	c.want(Impact, &Request{Tool: SubmitVerified, Verdicts: verdicts, Claims: claims(), Have: plenty})
	c.refused(EvidenceMissing, "nothing was analysed", &Request{Tool: SubmitImpact})
	c.want(Impact, &Request{Tool: AnalyzeImpact, Targets: []Target{widget()}})
	c.refused(EvidenceMissing, "a reason is required", &Request{Tool: SubmitImpact, Statuses: []FileStatus{{"a.go", NoChange, " "}, {"b.go", WillModify, ""}}})
	c.refused(EvidenceMissing, "no status was given for b.go", &Request{Tool: SubmitImpact, Statuses: []FileStatus{{"a.go", NoChange, "x"}}})
	c.want(Ready, &Request{Tool: SubmitImpact, Statuses: []FileStatus{{"a.go", NoChange, "same arguments"}, {"b.go", WillModify, ""}}})
	c.want(Ready, &Request{Tool: Write, Targets: []Target{{Name: "widget.go", Path: "widget.go", Compared: true, Dependents: 9}}})
	c.want(Ready, &Request{Tool: Write, Targets: []Target{{Name: "b.go", Path: "b.go"}}})
	c.refused(EvidenceMissing, "a.go is neither a target", &Request{Tool: Write, Targets: []Target{{Name: "a.go", Path: "a.go"}}})
	c.refused(EvidenceMissing, "was not read", &Request{Tool: AddExplored, Targets: []Target{{Name: "z.go", Path: "z.go"}}})
	c.want(Ready, &Request{Tool: AddExplored, Targets: []Target{{Name: "a.go", Path: "a.go"}}})
	c.want(Ready, &Request{Tool: Write, Targets: []Target{{Name: "a.go", Path: "a.go"}}})
	c.want(PreCommit, &Request{Tool: SubmitForReview})
}

// TestWillModify: a file that will be modified because it uses a target may be written where it uses it, and one that only goes with the
// target as any other file.
func TestWillModify(t *testing.T) {
	g := Target{Name: "x.go:F", Path: "x.go", Symbol: "F", Dependents: 1, Callers: []Caller{{Path: "y.go", Lines: []int{3}, In: []string{"G"}}}}
	k := &Task{Level: Auto, State: Ready, Intent: Modify, Looks: []task.ReadPart{{Path: "y.go", Depth: task.Read, First: 1, Last: 9}}}
	call := func(r Request) Decision {
		d := Decide(DefaultPolicy(), k, &r)
		k.Apply(DefaultPolicy(), &r, &d, time.Time{})
		return d
	}
	call(Request{Tool: AnalyzeImpact, Targets: []Target{g}, Should: []string{"x_helper.go"}})
	d := call(Request{Tool: SubmitImpact, Statuses: []FileStatus{{"y.go", WillModify, ""}, {"x_helper.go", WillModify, ""}}})
	if !d.Allowed {
		t.Fatalf("%+v", d)
	}
	y := Target{Name: "y.go", Path: "y.go", Compared: true, Dependents: 20}
	helper := Target{Name: "x_helper.go", Path: "x_helper.go", Dependents: 20}
	for _, c := range []struct {
		name    string
		r       Request
		changed []Change
		want    bool
	}{
		{"the function with the use", Request{Tool: Write, Targets: []Target{y}}, []Change{{Name: "G"}}, true},
		{"the file is asked for", Request{Tool: CheckWriteTarget, Targets: []Target{y}}, nil, true},
		{"a function beside it", Request{Tool: Write, Targets: []Target{y}}, []Change{{Name: "G"}, {Name: "H"}}, false},
		{"lines outside", Request{Tool: Write, Targets: []Target{y}}, []Change{{}}, false},
		{"a file that goes with the target", Request{Tool: Write, Targets: []Target{helper}}, nil, false},
	} {
		c.r.Targets[0].Changed = c.changed
		if d := call(c.r); d.Allowed != c.want {
			t.Errorf("%s: %+v", c.name, d)
		}
	}
	if whole, symbols := k.Leave("y.go"); whole || !slices.Contains(symbols, "G") {
		t.Errorf("leave %v %q", whole, symbols)
	}
}

// TestHidden: nothing is decided while the index leaves out what it had when the task began.
func TestHidden(t *testing.T) {
	for _, tool := range []Tool{SubmitUnderstood, AnalyzeImpact, SubmitImpact, CheckWriteTarget, Write, AddExplored, SubmitForReview} {
		k := &Task{Level: Auto, State: Exploration, Intent: Modify}
		if tool == SubmitForReview {
			k.State = Ready
		}
		d := Decide(DefaultPolicy(), k, &Request{Tool: tool, Targets: []Target{{Name: "a.go", Path: "a.go", Isolated: true}}, Hidden: []string{"web"}})
		if d.Allowed || !strings.Contains(d.Message, "leaves out what it had") {
			t.Errorf("%s: %+v", tool, d)
		}
	}
}

// TestCounts: what does not exist, was not looked up or is tied to nothing does not count, and each number is lowered to what there is.
func TestCounts(t *testing.T) {
	spoil := map[string]func(*Claim){
		"there is no":                   func(c *Claim) { c.Path = "" },
		"was not looked at":             func(c *Claim) { c.Path = "unseen.go" },
		"symbols that were looked up":   func(c *Claim) { c.Tied = false },
		"means several":                 func(c *Claim) { c.Several = true },
		"is listed twice":               func(c *Claim) { c.Symbol = "B" },
		"leads to none of the symbols ": func(c *Claim) { c.Kind, c.Entry = EntryPoints, true },
	}
	for want, f := range spoil {
		c := newClient(t, Full, Modify)
		c.task.Risk = High
		c.task.Frame = frame.Empty()
		c.task.Frame[0].Source, c.task.Frame[2].Source = frame.Fact, frame.Fact
		c.lookAll()
		list := claims()
		f(&list[0])
		d := c.want(Semantic, &Request{Tool: SubmitUnderstood, Targets: []Target{widget()}, Claims: list, Have: plenty})
		said := strings.Join(d.Inconsistent, "\n")
		for _, m := range d.Missing {
			said += "\n" + m.What
		}
		if d.Rating != "low" || !strings.Contains(said, want) {
			t.Errorf("%q is not said: %s", want, said)
		}
	}
	c := newClient(t, Full, Modify)
	c.task.Frame = frame.Empty()
	c.task.Frame[0].Source = frame.Fact
	c.lookAll()
	lone := claims()[:1]
	c.want(Impact, &Request{Tool: SubmitUnderstood, Targets: []Target{widget()}, Claims: lone, Have: Counts{Symbols: 1}})
}

// TestFast: what changes nothing, and what nothing is tied to, goes straight to READY.
func TestFast(t *testing.T) {
	for _, in := range []Intent{Investigate, Question} {
		c := newClient(t, Full, in)
		c.refused(EvidenceMissing, "0 of 1 symbols", &Request{Tool: SubmitUnderstood, Have: plenty})
		c.lookAll()
		c.want(Ready, &Request{Tool: SubmitUnderstood, Have: plenty, Claims: []Claim{claims()[0], claims()[7]}})
		c.refused(PhaseBlocked, "changes nothing", &Request{Tool: Write, Targets: []Target{widget()}})
		c = newClient(t, Auto, in)
		c.want(Ready, &Request{Tool: SubmitUnderstood})
	}
	c := newClient(t, Full, Modify)
	lonely := Target{Name: "page.html", Path: "page.html", Isolated: true}
	c.refused(EvidenceMissing, "page.html was not looked at", &Request{Tool: SubmitUnderstood, Targets: []Target{lonely}, Have: plenty})
	c.read("page.html")
	c.want(Ready, &Request{Tool: SubmitUnderstood, Targets: []Target{lonely}, Have: plenty})
	c.want(Ready, &Request{Tool: Write, Targets: []Target{lonely}})
}

// TestStepBack: after three failed verifications the agent steps back, then the user is asked, and nothing goes on before the answer.
func TestStepBack(t *testing.T) {
	for _, session := range []string{"", "s1"} {
		c := newClient(t, Auto, Modify)
		c.task.Session = session
		lonely := Target{Name: "x", Path: "x", Isolated: true}
		c.want(Verification, &Request{Tool: SubmitUnderstood, Targets: []Target{lonely}, Hypotheses: []string{"x is read at start"}})
		bad := &Request{Tool: SubmitVerified, Prompts: 1}
		for n, want := range []string{"", "", StepBack, AskUser} {
			if d := c.do(bad); d.Allowed || d.Intervention != want || want != "" && d.Prompt == "" {
				t.Fatalf("%d: %+v", n, d)
			}
		}
		good := &Request{Tool: SubmitVerified, Prompts: 1, Verdicts: []Verified{{"x is read at start", Confirmed, "Read", Claim{Name: "x", Path: "x", Tied: true}}}}
		c.read("x")
		if d := c.do(good); d.Allowed || d.Intervention != AskUser || d.Error != PhaseBlocked {
			t.Fatalf("%+v", d)
		}
		if session == "" {
			c.want(Exploration, &Request{Tool: Revert})
			continue
		}
		if d := c.do(&Request{Tool: Revert, Prompts: 1}); d.Allowed {
			t.Fatal("went back before the user has answered")
		}
		good.Prompts = 2
		c.want(Ready, good)
	}
}

// TestRejected: a hypothesis that is wrong leads back to the beginning.
func TestRejected(t *testing.T) {
	c := newClient(t, Auto, Modify)
	c.want(Verification, &Request{Tool: SubmitUnderstood, Targets: []Target{{Name: "x", Path: "x", Isolated: true}}, Hypotheses: []string{"a", "b"}})
	c.read("x")
	see := Claim{Name: "x", Path: "x", Tied: true}
	d := c.want(Exploration, &Request{Tool: SubmitVerified, Verdicts: []Verified{{"a", Rejected, "Read", see}, {"b", Confirmed, "Read", see}}})
	if !strings.Contains(d.Message, "wrong hypothesis: a") || c.task.Failed != 1 {
		t.Errorf("%+v", d)
	}
	c.want(Ready, &Request{Tool: SubmitUnderstood, Targets: []Target{{Name: "x", Path: "x", Isolated: true}}})
}

// TestRisk holds the table of risks.
func TestRisk(t *testing.T) {
	fact := func(slots ...frame.Slot) frame.Frame {
		f := frame.Empty()
		for i := range f {
			if slices.Contains(slots, f[i].Slot) {
				f[i].Source = frame.Fact
			}
		}
		return f
	}
	for _, c := range []struct {
		intent Intent
		f      frame.Frame
		want   Risk
	}{
		{Modify, nil, High},
		{Modify, fact(frame.TargetFeature, frame.DesiredAction), High},
		{Modify, fact(frame.TargetFeature, frame.ObservedIssue), Medium},
		{Modify, fact(frame.Slots()...), Low},
		{Modify, fact(frame.ObservedIssue).WithAssumption(frame.TargetFeature, "x"), Medium},
		{Implement, nil, High},
		{Implement, frame.Empty().WithAssumption(frame.DesiredAction, "x"), High},
		{Implement, fact(frame.DesiredAction), Medium},
		{Implement, fact(frame.Slots()...), Low},
		{Investigate, nil, Low},
		{Question, nil, Low},
	} {
		if got := RequestRisk(c.intent, c.f); got != c.want {
			t.Errorf("%s %+v: %s, want %s", c.intent, c.f, got, c.want)
		}
	}
}
