package query

import (
	"cmp"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/settings"
)

// ErrNoState reports that there is no STATE.md.
var ErrNoState = errors.New("STATE.md not found")

// State has the values of the front matter of STATE.md, but with counters that are computed from the files.
type State struct {
	Version      string   `json:"gsd_state_version"`
	Milestone    string   `json:"milestone,omitempty"`
	Name         string   `json:"milestone_name,omitempty"`
	Phase        string   `json:"current_phase,omitempty"`
	PhaseName    string   `json:"current_phase_name,omitempty"`
	Plan         string   `json:"current_plan,omitempty"`
	Status       string   `json:"status"`
	StoppedAt    string   `json:"stopped_at,omitempty"`
	PausedAt     string   `json:"paused_at,omitempty"`
	LastUpdated  string   `json:"last_updated"`
	LastActivity string   `json:"last_activity,omitempty"`
	Progress     Progress `json:"progress"`
}

// Progress are the counters of a milestone.
type Progress struct {
	TotalPhases     int `json:"total_phases"`
	CompletedPhases int `json:"completed_phases"`
	TotalPlans      int `json:"total_plans"`
	CompletedPlans  int `json:"completed_plans"`
	Percent         int `json:"percent"`
}

// Milestone returns the version and name of the current milestone. If no file has a version, it returns "v1.0". For a caller of gsd-tools
// the name is that of ROADMAP.md alone.
func (q *Questions) Milestone() (version, name string) {
	version, name = q.Inventory.View.Version, q.Inventory.View.Name
	s := q.Inventory.State
	if q.Inventory.Original {
		s = nil
	}
	if name == "" && s != nil && (version == "" || s.FrontValue("milestone") == version) {
		name = s.FrontValue("milestone_name")
	}
	if version == "" {
		version = "v1.0"
	}
	if name == "" {
		name = "milestone"
	}
	return version, name
}

// State returns the state of the project at a time. It fails with ErrNoState.
func (q *Questions) State(now time.Time) (State, error) {
	s := q.Inventory.State
	if s == nil {
		return State{}, ErrNoState
	}
	pos := s.Position()
	out := State{Version: "1.0", LastUpdated: now.UTC().Format("2006-01-02T15:04:05.000Z"), PhaseName: pos.PhaseName, LastActivity: s.Value("Last Activity")}
	out.Milestone, out.Name = q.Milestone()
	if !pos.Phase.IsNone() {
		out.Phase = pos.Phase.String()
	}
	if pos.Plan > 0 {
		out.Plan = strconv.Itoa(pos.Plan)
	}
	_, out.Status = s.Status()
	out.StoppedAt = cmp.Or(s.Session().StoppedAt, s.Value("Stopped At"), s.FrontValue("stopped_at"))
	out.PausedAt = cmp.Or(s.Value("Paused At"), s.FrontValue("paused_at"))
	if p := q.Inventory.Current(); p != nil && !q.Inventory.Original {
		plan, _ := p.CurrentPlan()
		out.Phase, out.PhaseName, out.Plan = p.ID.String(), p.Name, ""
		if plan > 0 {
			out.Plan = strconv.Itoa(plan)
		}
	}
	c := q.Inventory.AnsweredCounts()
	out.Progress = Progress{c.Phases, c.CompletedPhases, c.Plans, c.CompletedPlans, c.Percent}
	if percent, ok := s.Percent(); ok && c.Plans == 0 && q.Inventory.Original {
		out.Progress.Percent = percent
	}
	return out, nil
}

// Snapshot has the values in STATE.md, as they are written there.
type Snapshot struct {
	Phase           *string            `json:"current_phase"`
	PhaseName       *string            `json:"current_phase_name"`
	TotalPhases     *int               `json:"total_phases"`
	Plan            *string            `json:"current_plan"`
	TotalPlans      *int               `json:"total_plans_in_phase"`
	Status          *string            `json:"status"`
	Percent         *int               `json:"progress_percent"`
	LastActivity    *string            `json:"last_activity"`
	LastActivityDoc *string            `json:"last_activity_desc"`
	Decisions       []SnapshotDecision `json:"decisions"`
	Blockers        []string           `json:"blockers"`
	PausedAt        *string            `json:"paused_at"`
	Session         SnapshotSession    `json:"session"`
}

// SnapshotDecision is a decision in a Snapshot.
type SnapshotDecision struct {
	Phase     string `json:"phase"`
	Summary   string `json:"summary"`
	Rationale string `json:"rationale"`
}

// SnapshotSession is the place where the last session stopped.
type SnapshotSession struct {
	LastDate   *string `json:"last_date"`
	StoppedAt  *string `json:"stopped_at"`
	ResumeFile *string `json:"resume_file"`
}

// Snapshot returns the values in the text of STATE.md, not those in its front matter. It fails with ErrNoState if there is none.
func (q *Questions) Snapshot() (Snapshot, error) {
	s := q.Inventory.State
	if s == nil {
		return Snapshot{}, ErrNoState
	}
	pos, status := s.Position(), ""
	status, _ = s.Status()
	_, activity := s.Activity()
	session := s.Session()
	out := Snapshot{
		PhaseName: OrNil(pos.PhaseName), TotalPhases: nonZero(pos.Phases), TotalPlans: nonZero(pos.Plans), Status: OrNil(status), LastActivity: OrNil(s.Value("Last Activity")),
		LastActivityDoc: OrNil(activity), Decisions: []SnapshotDecision{}, Blockers: append([]string{}, s.Blockers()...), PausedAt: OrNil(s.Value("Paused At")),
		Session: SnapshotSession{OrNil(session.Last), OrNil(session.StoppedAt), OrNil(session.ResumeFile)},
	}
	if !pos.Phase.IsNone() {
		out.Phase = OrNil(pos.Phase.String())
	}
	if pos.Plan > 0 {
		out.Plan = OrNil(strconv.Itoa(pos.Plan))
	}
	if percent, ok := s.Percent(); ok {
		out.Percent = &percent
	}
	for _, d := range s.Decisions() {
		out.Decisions = append(out.Decisions, SnapshotDecision{d.Phase, d.Summary, d.Rationale})
	}
	return out, nil
}

// nonZero returns a pointer to n, or nil if n is 0.
func nonZero(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// StartFacts is the information with which work begins: settings, the text of STATE.md, and the files that exist.
type StartFacts struct {
	Config        map[string]any `json:"config"`
	StateRaw      string         `json:"state_raw"`
	StateExists   bool           `json:"state_exists"`
	RoadmapExists bool           `json:"roadmap_exists"`
	ConfigExists  bool           `json:"config_exists"`
	Warnings      []string       `json:"warnings,omitempty"`
}

// loadedKeys are the keys of the settings in Loaded, with their names there.
var loadedKeys = [...][2]string{
	{"model_profile", "model_profile"}, {"commit_docs", "commit_docs"}, {"search_gitignored", "search_gitignored"}, {"branching_strategy", "git.branching_strategy"},
	{"phase_branch_template", "git.phase_branch_template"}, {"milestone_branch_template", "git.milestone_branch_template"}, {"quick_branch_template", "git.quick_branch_template"},
	{"research", "workflow.research"}, {"plan_checker", "workflow.plan_check"}, {"verifier", "workflow.verifier"}, {"nyquist_validation", "workflow.nyquist_validation"},
	{"brave_search", "brave_search"}, {"firecrawl", "firecrawl"}, {"exa_search", "exa_search"}, {"tdd_mode", "workflow.tdd_mode"}, {"text_mode", "workflow.text_mode"},
	{"auto_advance", "workflow.auto_advance"}, {"_auto_chain_active", "workflow._auto_chain_active"}, {"mode", "mode"}, {"resolve_model_ids", "resolve_model_ids"},
	{"context_window", "context_window"}, {"phase_naming", "phase_naming"}, {"project_code", "project_code"}, {"subagent_timeout", "workflow.subagent_timeout"},
	{"response_language", "response_language"}, {"claude_md_path", "claude_md_path"},
}

// StartFacts returns the information with which work begins. It returns a warning for a defect of config.json, because settings that
// could not be read have their defaults.
func (q *Questions) StartFacts() StartFacts {
	out := StartFacts{Config: map[string]any{}, RoadmapExists: q.Inventory.Roadmap != nil}
	text, err := q.Folder.Read("config.json")
	out.ConfigExists = err == nil
	where := q.Folder.Path("config.json")
	if errors.Is(err, fs.ErrNotExist) { // a workstream without settings of its own uses the shared ones
		text, err = q.Folder.ReadRoot("config.json")
		where = folder.Name + "/config.json"
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		out.Warnings = append(out.Warnings, err.Error())
	}
	s := settings.Parse(text)
	for _, p := range s.Problems() {
		out.Warnings = append(out.Warnings, where+": "+p.Error())
	}
	for _, k := range loadedKeys {
		out.Config[k[0]], _ = s.Get(k[1])
	}
	if q.Inventory.Original && !s.Has("claude_md_path") {
		out.Config["claude_md_path"] = nil
	}
	out.Config["parallelization"] = s.IsOn("parallelization")
	out.Config["sub_repos"] = orEmpty(s, "planning.sub_repos", []any{})
	out.Config["model_overrides"] = s.Section("model_overrides")
	out.Config["agent_skills"] = orEmpty(s, "agent_skills", map[string]any{})
	out.Config["manager"] = orEmpty(s, "manager", map[string]any{})
	if st := q.Inventory.State; st != nil {
		out.StateRaw, out.StateExists = st.Doc.Text(), true
	}
	return out
}

// orEmpty returns the settings below a name, or the empty value if there are none.
func orEmpty(s *settings.Settings, name string, empty any) any {
	if v := s.Section(name); v != nil {
		return v
	}
	return empty
}

// StateGet returns the text of STATE.md, or of the field or section with a name. It fails with ErrNoState, or with a *FieldError if there
// is none with this name.
func (q *Questions) StateGet(name string) (string, error) {
	s := q.Inventory.State
	if s == nil {
		return "", ErrNoState
	}
	if name == "" {
		return s.Doc.Text(), nil
	}
	if f, ok := s.Field(name); ok {
		return s.Doc.Value(f), nil
	}
	for _, f := range s.Doc.Fields(s.Doc.Body()) {
		if strings.EqualFold(f.Name, name) {
			return s.Doc.Value(f), nil
		}
	}
	if h, ok := s.Doc.FindHeading(s.Doc.Body(), name); ok {
		return strings.TrimSpace(s.Doc.BytesOf(h.Section()).Text(s.Doc.Text())), nil
	}
	if v := s.FrontValue(strings.ReplaceAll(strings.ToLower(name), " ", "_")); v != "" {
		return v, nil
	}
	return "", &FieldError{name}
}

// FieldError reports that STATE.md has no section or field with a name.
type FieldError struct{ Name string }

func (e *FieldError) Error() string { return `Section or field "` + e.Name + `" not found` }
