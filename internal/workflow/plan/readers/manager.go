package readers

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
	"ken/internal/workflow/plan/roadmap"
)

type managedPhase struct {
	Number     string   `json:"number"`
	Name       string   `json:"name"`
	Goal       *string  `json:"goal"`
	DependsOn  *string  `json:"depends_on"`
	Status     string   `json:"disk_status"`
	Context    bool     `json:"has_context"`
	Research   bool     `json:"has_research"`
	Plans      int      `json:"plan_count"`
	Summaries  int      `json:"summary_count"`
	Ticked     bool     `json:"roadmap_complete"`
	Activity   *string  `json:"last_activity"`
	Active     bool     `json:"is_active"`
	Display    string   `json:"display_name"`
	Satisfied  bool     `json:"deps_satisfied"`
	Needs      []string `json:"dep_phases"`
	NeedsShown string   `json:"deps_display"`
	Discuss    bool     `json:"is_next_to_discuss"`

	id    phaseid.ID
	needs []phaseid.ID
}

type action struct {
	Phase   string `json:"phase"`
	Name    string `json:"phase_name"`
	Action  string `json:"action"`
	Reason  string `json:"reason"`
	Command string `json:"command"`
}

// activeFor is the time after the last change of a phase's file during which the phase counts as active.
const activeFor = 5 * time.Minute

// managedPhases are the phases that are led at once.
type managedPhases []managedPhase

// initManager returns the payload for leading several phases at once: those that are ready, and the next steps that do not conflict.
func initManager(_ context.Context, a *source, _ *planop.NoInput) (payload, error) {
	for name, missing := range map[string]bool{"ROADMAP.md": a.inv.Roadmap == nil, "STATE.md": a.inv.State == nil} {
		if missing && a.inv.Original {
			return nil, &planop.Fault{Reason: "file_not_found", Message: "there is no " + name, Ends: true}
		}
	}
	list, recommended := managedPhases{}, []action{}
	for _, p := range a.inv.Phases {
		if p.Detail != nil {
			list = append(list, a.newManagedPhase(p))
		}
	}
	completed, working := 0, 0
	for i := range list {
		p := &list[i]
		switch p.Status {
		case "complete":
			completed++
		case "partial", "planned", "discussed", "researched":
			working++
		}
		if r, ok := recommendAction(p); ok && !list.isBlockedByActive(p, r.Action) {
			recommended = append(recommended, r)
		}
	}
	var waiting any
	if text := a.readText("WAITING.json"); text != "" {
		if err := json.Unmarshal([]byte(text), &waiting); err != nil {
			waiting = nil
		}
	}
	flags := planop.NewFields("discuss", a.commandFlags("discuss"), "plan", a.commandFlags("plan"), "execute", a.commandFlags("execute"))
	return a.newPayload("milestone_version milestone_name phases phase_count completed_count in_progress_count recommended_actions "+
		"waiting_signal all_complete"+planningFiles+" manager_flags"+commonFields, values{
		"phases": list, "phase_count": len(list), "completed_count": completed, "in_progress_count": working, "recommended_actions": recommended,
		"waiting_signal": waiting, "all_complete": len(list) > 0 && completed == len(list), "manager_flags": flags,
	}), nil
}

// isDone reports whether the phase with this number is done, in the current milestone or in one that was shipped.
func (a *source) isDone(id phaseid.ID) bool {
	if p, archived := a.inv.Find(id); p != nil && (archived != "" || p.DiskStatus() == "complete") {
		return true
	}
	if a.inv.Roadmap == nil {
		return false
	}
	if p, ok := a.inv.Roadmap.Find(id); ok && p.Shipped {
		return true
	}
	// The checklist of a shipped milestone counts, too.
	return slices.ContainsFunc(a.inv.Roadmap.Checklist, func(c roadmap.CheckItem) bool { return c.Done && phaseid.Same(c.ID, id) })
}

func (a *source) newManagedPhase(p *inventory.Phase) managedPhase {
	r := a.inv.Roadmap
	m := managedPhase{
		Number: p.ID.String(), Name: p.Name, Goal: query.OrNil(r.Value(*p.Detail, "Goal")), DependsOn: query.OrNil(r.Value(*p.Detail, "Depends on")), Status: p.DiskStatus(),
		Context: p.Has("CONTEXT"), Research: p.Has("RESEARCH"), Plans: len(p.Plans), Summaries: len(p.Summaries), Ticked: p.Ticked, Display: shortName(p.Name),
		Satisfied: true, Needs: []string{}, NeedsShown: "—", id: p.ID, needs: r.DependsOn(*p.Detail),
	}
	for _, id := range m.needs {
		m.Needs = append(m.Needs, id.String())
		m.Satisfied = m.Satisfied && a.isDone(id)
	}
	if len(m.Needs) > 0 {
		m.NeedsShown = strings.Join(m.Needs, ",")
	}
	m.Discuss = (m.Status == "empty" || m.Status == "no_directory") && m.Satisfied
	var newest time.Time
	for _, name := range p.Names {
		if at, ok := a.at.ModTime(path.Join("phases", path.Base(p.Dir), name)); ok && at.After(newest) {
			newest = at
		}
	}
	if !newest.IsZero() {
		m.Activity = query.OrNil(newest.UTC().Format(timeFormat))
		m.Active = a.call.Now().Sub(newest) < activeFor
	}
	return m
}

// shortName shortens a name to the width of a table.
func shortName(name string) string {
	const most = 20
	if r := []rune(name); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return name
}

// recommendAction returns the next action for a phase, and false if the phase is not ready for one.
func recommendAction(p *managedPhase) (action, bool) {
	of := func(what, reason string) (action, bool) {
		return action{p.Number, p.Name, what, reason, "/gsd-" + what + "-phase " + p.Number}, true
	}
	switch {
	case p.Status == "planned" && p.Satisfied:
		return of("execute", fmt.Sprintf("%d plans ready, dependencies met", p.Plans))
	case p.Status == "discussed" || p.Status == "researched":
		return of("plan", "Context gathered, ready for planning")
	case p.Discuss:
		return of("discuss", "Unblocked, ready to gather context")
	}
	return action{}, false
}

// isBlockedByActive reports whether an active phase depends on this phase, or this phase on it. The parameter names the activity:
// executing or planning.
func (l managedPhases) isBlockedByActive(p *managedPhase, what string) bool {
	for i := range l {
		o := &l[i]
		executing := o.Status == "partial" || o.Status == "planned" && o.Active
		planning := o.Active && (o.Status == "discussed" || o.Status == "researched")
		under := what == "execute" && executing || what == "plan" && planning
		if under && (l.dependsOn(p, o.id, nil) || l.dependsOn(o, p.id, nil)) {
			return true
		}
	}
	return false
}

// dependsOn reports whether phase p depends on phase to, directly or through other phases. The phases in seen are not followed again.
func (l managedPhases) dependsOn(p *managedPhase, to phaseid.ID, seen []string) bool {
	if slices.Contains(seen, p.Number) {
		return false
	}
	seen = append(seen, p.Number)
	for _, id := range p.needs {
		if phaseid.Same(id, to) {
			return true
		}
		i := slices.IndexFunc(l, func(o managedPhase) bool { return phaseid.Same(o.id, id) })
		if i >= 0 && l.dependsOn(&l[i], to, seen) {
			return true
		}
	}
	return false
}

// commandFlags returns the flags that the settings have for a command, to be put into a command line. It returns "" if one of them
// is not a plain flag or word, because the command line would then do something else.
func (a *source) commandFlags(of string) string {
	value := a.set.Text("manager.flags." + of)
	for _, w := range strings.Fields(value) {
		w = strings.TrimPrefix(w, "--")
		const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
		if w == "" || strings.HasPrefix(w, "-") || strings.Trim(w, plain) != "" {
			return ""
		}
	}
	return value
}
