// Package health declares the operations that check a planning folder: whether all needed files exist, whether roadmap and folders agree,
// which copies of computed values are wrong, and what can be repaired without guessing.
package health

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
	"ken/internal/statefile"
	"ken/internal/workflow/content/models"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
	"ken/internal/workflow/plan/roadmap"
	"ken/internal/workflow/plan/settings"
)

type repairInput struct {
	Repair bool `flag:"repair" help:"repair what needs no guess: settings that are missing or broken, a STATE.md that is missing"`
}

type validateContextInput struct {
	Used   int `flag:"used" default:"-1" value:"N" help:"tokens that are used"`
	Window int `flag:"window" value:"N" help:"tokens that there are"`
}

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[repairInput, answer]{
			Name: "validate health", Also: []string{"health"}, Summary: "whether the planning folder has all that work needs",
			Anywhere: true, Writes: true, Run: checkHealth,
		}.Operation(),
		planop.Spec[planop.NoInput, consistencyAnswer]{
			Name: "validate consistency", Summary: "whether roadmap and folders agree", Run: checkConsistency,
		}.Operation(),
		planop.Spec[planop.NoInput, agentsAnswer]{
			Name: "validate agents", Summary: "which agents of the workflow are installed", Anywhere: true, Run: checkInstalledAgents,
		}.Operation(),
		planop.Spec[validateContextInput, contextAnswer]{
			Name: "validate context", Summary: "how full a context is, and whether that is too full", Anywhere: true, Run: checkContext,
		}.Operation(),
		planop.Spec[planop.NoInput, diagnosis]{
			Name: "doctor", Everyday: true, Summary: "where copies of counters and marks are not what the files say", Run: diagnose,
			Page: func(a diagnosis) string { return a.page() },
		}.Operation(),
	}
}

// answer is the health of a planning folder.
type answer struct {
	Status     string   `json:"status"` // healthy, degraded, broken
	Errors     []issue  `json:"errors"`
	Warnings   []issue  `json:"warnings"`
	Info       []issue  `json:"info"`
	Repairable int      `json:"repairable_count"`
	Repairs    []repair `json:"repairs_performed,omitempty"`
}

type issue struct {
	Code       string `json:"code"`
	Message    string `json:"message"`
	Fix        string `json:"fix"`
	Repairable bool   `json:"repairable"`
}

type repair struct {
	Action  string `json:"action"`
	Success bool   `json:"success"`
	Path    string `json:"path"`
}

// healthCheck is a check of a planning folder, with the answer so far.
type healthCheck struct {
	a       answer
	c       *planop.Call
	f       *folder.Folder
	inv     *inventory.Inventory
	set     *settings.Settings
	repairs []string
}

func (l *healthCheck) addError(code, message, fix string) {
	l.a.Errors = append(l.a.Errors, issue{code, message, fix, false})
}
func (l *healthCheck) addWarning(code, message, fix string) {
	l.a.Warnings = append(l.a.Warnings, issue{code, message, fix, false})
}
func (l *healthCheck) addRepairable(list *[]issue, code, message, action string) {
	*list = append(*list, issue{code, message, "ken plan validate health --repair", true})
	l.repairs = append(l.repairs, action)
}

func checkHealth(ctx context.Context, c *planop.Call, in *repairInput) (answer, error) {
	l := &healthCheck{c: c, a: answer{Errors: []issue{}, Warnings: []issue{}, Info: []issue{}}}
	var err error
	if l.inv, err = c.Inventory(); errors.Is(err, folder.ErrNone) {
		l.addError("E001", ".planning/ directory not found", "ken plan config-new-project begins one")
		return l.finishAnswer(), nil
	} else if err != nil {
		return answer{}, err
	}
	if l.f, err = c.Folder(); err != nil {
		return answer{}, err
	}
	if l.set, err = c.Settings(); err != nil {
		return answer{}, err
	}
	l.checkFiles()
	l.checkConfig()
	l.checkPhases()
	l.checkAgents()
	l.checkPosition()
	l.checkWorktrees()
	if in.Repair {
		if err := l.makeRepairs(ctx); err != nil {
			return answer{}, err
		}
	}
	return l.finishAnswer(), nil
}

func (l *healthCheck) finishAnswer() answer {
	a := l.a
	switch {
	case len(a.Errors) > 0:
		a.Status = "broken"
	case len(a.Warnings) > 0:
		a.Status = "degraded"
	default:
		a.Status = "healthy"
	}
	for _, i := range append(append([]issue{}, a.Errors...), a.Warnings...) {
		if i.Repairable {
			a.Repairable++
		}
	}
	return a
}

// checkFiles checks that the files exist without which no operation works.
func (l *healthCheck) checkFiles() {
	project, err := l.f.ReadRoot("PROJECT.md")
	if err != nil {
		l.addError("E002", "PROJECT.md not found", "begin it with the project")
	} else {
		for _, section := range []string{"## What This Is", "## Core Value", "## Requirements"} {
			if !strings.Contains(project, section) {
				l.addWarning("W001", "PROJECT.md missing section: "+section, "Add section manually")
			}
		}
	}
	if l.inv.Roadmap == nil {
		l.addError("E003", "ROADMAP.md not found", "begin a milestone")
	}
	if l.inv.State == nil {
		l.addRepairable(&l.a.Errors, "E004", "STATE.md not found", "regenerateState")
		return
	}
	if p := l.inv.State.Position(); !p.Phase.IsNone() {
		if found, _ := l.inv.Find(p.Phase); found == nil && len(phasesWithFolder(l.inv)) > 0 {
			var there []string
			for _, d := range phasesWithFolder(l.inv) {
				there = append(there, d.Token())
			}
			l.addWarning("W002", fmt.Sprintf("STATE.md references phase %s, but only phases %s exist", p.Phase, strings.Join(there, ", ")),
				"Review STATE.md manually before changing it; a repair does not overwrite it")
		}
	}
}

// checkConfig checks the settings.
func (l *healthCheck) checkConfig() {
	if !l.f.Exists("config.json") && !l.f.ExistsRoot("config.json") {
		l.addRepairable(&l.a.Warnings, "W003", "config.json not found", "createConfig")
		return
	}
	if l.set.Unreadable() {
		l.addRepairable(&l.a.Errors, "E005", "config.json: "+l.set.Problems()[0].Error(), "resetConfig")
		return
	}
	profile, strategy := l.set.Section("model_profile"), l.set.Section("branching_strategy")
	if text, ok := profile.(string); ok {
		if _, known := models.ProfileModels(text); !known {
			l.addWarning("W004", fmt.Sprintf("config.json: invalid model_profile %q", text), "Valid values: "+strings.Join(models.Profiles(), ", ")+", inherit")
		}
	}
	if text, ok := strategy.(string); ok && text != "none" && text != "phase" && text != "milestone" {
		l.addWarning("W012", fmt.Sprintf("config.json: invalid branching_strategy %q", text), "Valid values: none, phase, milestone")
	}
	if window := l.set.Section("context_window"); window != nil && l.set.Number("context_window") <= 0 {
		l.addWarning("W013", fmt.Sprintf("config.json: context_window should be a positive integer, got \"%v\"", window), "200000 is the default")
	}
	for _, t := range []struct{ code, key, needs string }{{"W014", "phase_branch_template", "{phase}"}, {"W015", "milestone_branch_template", "{milestone}"}} {
		if text, ok := l.set.Section(t.key).(string); ok && !strings.Contains(text, t.needs) {
			l.addWarning(t.code, fmt.Sprintf("config.json: %s missing %s placeholder", t.key, t.needs), "Put "+t.needs+" into it")
		}
	}
	if l.set.Section("workflow") == nil {
		return
	}
	for _, k := range []struct{ code, key, action string }{{"W008", "nyquist_validation", "addNyquistKey"}, {"W016", "ai_integration_phase", "addAiIntegrationPhaseKey"}} {
		if !l.set.Has("workflow." + k.key) {
			l.addRepairable(&l.a.Warnings, k.code, "config.json: workflow."+k.key+" absent (it counts as enabled; agents may skip it)", k.action)
		}
	}
}

// checkPhases compares the folders of phases with the roadmap.
func (l *healthCheck) checkPhases() {
	for _, p := range phasesWithFolder(l.inv) {
		dir := path.Base(p.Dir)
		if _, _, ok := phaseid.ParseFolder(dir); !ok {
			l.addWarning("W005", fmt.Sprintf("Phase directory %q doesn't follow NN-name format", dir), "Rename to match pattern (e.g., 01-setup)")
		}
		for _, plan := range p.Plans {
			if !plan.HasSummary() {
				l.a.Info = append(l.a.Info, issue{"I001", dir + "/" + plan.File + " has no SUMMARY.md", "May be in progress", false})
			}
		}
		if name := p.FirstOfKind("RESEARCH"); name != "" && !p.Has("VALIDATION") {
			text, err := l.f.ReadRoot(path.Join(strings.TrimPrefix(p.Dir, folder.Name+"/"), name))
			if err == nil && strings.Contains(text, "## Validation Architecture") {
				l.addWarning("W009", "Phase "+dir+": has Validation Architecture in RESEARCH.md but no VALIDATION.md", "Plan the phase again with research")
			}
		}
	}
	for _, dir := range l.inv.Unnumbered {
		l.addWarning("W005", fmt.Sprintf("Phase directory %q doesn't follow NN-name format", dir), "Rename to match pattern (e.g., 01-setup)")
	}
	for _, p := range l.inv.Phases {
		if p.Detail != nil && p.Dir == "" && (!p.Listed || p.Ticked) { // a listed phase that has not begun needs no folder
			l.addWarning("W006", fmt.Sprintf("Phase %s in ROADMAP.md but no directory on disk", p.ID), "Create phase directory or remove from roadmap")
		}
	}
	for _, p := range l.inv.Others {
		if p.Dir != "" && l.inv.Roadmap != nil {
			l.addWarning("W007", fmt.Sprintf("Phase %s exists on disk but not in ROADMAP.md", p.Token()), "Add to roadmap or remove directory")
		}
	}
	if l.inv.View.Scope == roadmap.Truncated || l.inv.View.Scope == roadmap.Unreadable {
		l.addWarning("W018", "the phases of the milestone are not all known: "+l.inv.View.Why, "Put the phases below the heading of the milestone")
	}
}

func (l *healthCheck) checkAgents() {
	missing, err := models.MissingRoles(l.c)
	switch {
	case err != nil: // the folder was found before
	case len(missing) == len(models.Agents()):
		l.addWarning("W010", "no agents of the workflow are installed; general agents replace them", "install them, or go on without")
	case len(missing) > 0:
		l.addWarning("W010", fmt.Sprintf("Missing %d agents: %s", len(missing), strings.Join(missing, ", ")), "install them, or go on without")
	}
}

// checkPosition compares the current phase in STATE.md with the ticks in the roadmap.
func (l *healthCheck) checkPosition() {
	if l.inv.State == nil || l.inv.Roadmap == nil {
		return
	}
	at := l.inv.State.Position().Phase
	status, word := l.inv.State.Status()
	if ticked, _ := l.inv.Roadmap.CheckState(at); ticked && !strings.Contains(word+" "+strings.ToLower(status), "complete") {
		l.addWarning("W011", fmt.Sprintf("STATE.md says current phase is %s (status: %s) but ROADMAP.md shows it as [x] complete", at, status), "ken plan state sync")
	}
}

// checkWorktrees reports other work trees of the repository whose folders are missing.
func (l *healthCheck) checkWorktrees() {
	r, err := git.Find(l.f.Project)
	if err != nil {
		return // without a repository there are none
	}
	entries, err := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	if err != nil {
		return
	}
	for _, e := range entries {
		link, err := statefile.ReadFollow(filepath.Join(r.CommonDir, "worktrees", e.Name(), "gitdir"), 4096)
		at := filepath.Dir(strings.TrimSpace(string(link)))
		if _, gone := os.Lstat(at); err == nil && errors.Is(gone, os.ErrNotExist) {
			l.addWarning("W017", "Orphan git worktree: "+at+" (path no longer exists on disk)", "git worktree prune")
		}
	}
}

// defaults is a config.json with the settings that people change most often.
const defaults = `{
  "model_profile": "balanced",
  "commit_docs": true,
  "search_gitignored": false,
  "workflow": {
    "research": true,
    "plan_check": true,
    "verifier": true,
    "nyquist_validation": true,
    "ai_integration_phase": true
  },
  "parallelization": true
}
`

// makeRepairs makes the repairs that need no guess. It keeps a replaced file beside the new one.
func (l *healthCheck) makeRepairs(ctx context.Context) error {
	if len(l.repairs) == 0 {
		return nil
	}
	version, name := "v1.0", "milestone"
	if q, err := query.New(l.c); err == nil {
		version, name = q.Milestone()
	}
	now := l.c.Now()
	config, err := l.c.PathBelowPlanning("config.json")
	if err != nil {
		return err
	}
	state, err := l.c.PathBelowPlanning("STATE.md")
	if err != nil {
		return err
	}
	_, err = l.c.Change(ctx, "validate health --repair", func(read change.Read) ([]change.File, error) {
		text, _, err := read(config)
		if err != nil {
			return nil, err
		}
		var files []change.File
		before := text
		for _, action := range l.repairs {
			at := "config.json"
			switch action {
			case "createConfig":
				text = defaults
			case "resetConfig":
				kept := before
				files = append(files, change.File{Name: config + ".bak-" + now.UTC().Format("2006-01-02T15-04-05"), Text: &kept})
				text = defaults
			case "addNyquistKey":
				text, err = addKey(text, "workflow.nyquist_validation")
			case "addAiIntegrationPhaseKey":
				text, err = addKey(text, "workflow.ai_integration_phase")
			case "regenerateState":
				at = "STATE.md"
				made := "# Session State\n\n## Project Reference\n\nSee: " + folder.Name + "/PROJECT.md\n\n## Current Position\n\n**Milestone:** " + version + " " + name +
					"\n**Current Phase:** \n**Status:** Resuming\n\n## Session Log\n\n- " + now.Format("2006-01-02") + ": STATE.md made again\n"
				files = append(files, change.File{Name: state, Text: &made})
			}
			if err != nil {
				return nil, err
			}
			l.a.Repairs = append(l.a.Repairs, repair{action, true, at})
		}
		if text != before {
			files = append(files, change.File{Name: config, Text: &text})
		}
		return files, nil
	})
	return err
}

func addKey(text, key string) (string, error) {
	edits, err := settings.Parse(text).Set(key, true)
	if err != nil {
		return "", err
	}
	return edit.Apply(text, edits)
}

type agentsAnswer struct {
	Dir       string   `json:"agents_dir"`
	Found     bool     `json:"agents_found"`
	Installed []string `json:"installed"` // those with a file
	Missing   []string `json:"missing"`   // those with neither a file nor a role
	Expected  []string `json:"expected"`
	Roles     string   `json:"roles,omitempty" calls:"text"` // where those without a file are; not for gsd-tools
}

func checkInstalledAgents(_ context.Context, c *planop.Call, _ *planop.NoInput) (agentsAnswer, error) {
	project, err := c.Project()
	if err != nil {
		return agentsAnswer{}, err
	}
	missing, err := models.MissingRoles(c)
	if err != nil {
		return agentsAnswer{}, err
	}
	a := agentsAnswer{Dir: c.Getenv("GSD_AGENTS_DIR"), Missing: missing, Expected: models.Agents(), Installed: []string{}}
	if !c.Original {
		a.Roles = models.Roles
	}
	if a.Dir == "" {
		a.Dir = filepath.Join(c.Home, ".claude", "agents")
	}
	absent := models.MissingAgents(project, c.Home, c.Getenv)
	for _, name := range a.Expected {
		if !slices.Contains(absent, name) {
			a.Installed = append(a.Installed, name)
		}
	}
	a.Found = len(a.Installed) > 0
	return a, nil
}

type contextAnswer struct {
	Status  string `json:"status"` // ok, warn, critical
	Percent int    `json:"percent"`
	Used    int    `json:"used"`
	Window  int    `json:"window"`
	Advice  string `json:"advice,omitempty"`
}

// The percentages of a full context window from which the work of an agent gets worse.
const warnFrom, criticalFrom = 60, 70

func checkContext(_ context.Context, c *planop.Call, in *validateContextInput) (contextAnswer, error) {
	used, window := in.Used, in.Window
	if window == 0 {
		window = settings.Parse("").Number("context_window")
		if s, err := c.Settings(); err == nil {
			window = s.Number("context_window")
		}
	}
	if used < 0 || window <= 0 {
		return contextAnswer{}, planop.Usagef("--used has to be a number of tokens, --window more than 0")
	}
	u := contextAnswer{Status: "ok", Percent: int(100 * int64(used) / int64(window)), Used: used, Window: window}
	switch {
	case u.Percent >= criticalFrom:
		u.Status, u.Advice = "critical", "stop at the next checkpoint and go on in a fresh context"
	case u.Percent >= warnFrom:
		u.Status, u.Advice = "warn", "begin nothing new in this context"
	}
	return u, nil
}
