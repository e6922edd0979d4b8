package readers

import (
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"ken/internal/workflow/content/models"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

// payload is the answer of an operation with which a workflow begins.
type payload = planop.Fields

// values are the values that only one payload has, or has otherwise than fieldTable, by their names.
type values map[string]any

// The names with which every payload ends.
const (
	agentFields  = " project_root agents_installed missing_agents"
	commonFields = agentFields + " response_language? project_code? project_title?"
)

// The names that several payloads have in a row.
const (
	phaseIdentity = " phase_found phase_dir phase_number phase_name phase_slug"
	documentPaths = " context_path? research_path? verification_path? uat_path? reviews_path?"
	planningFiles = " project_exists roadmap_exists state_exists"
)

// newPayload returns the values with the given names. A value comes from own, else from fieldTable. One whose name has a question mark is
// left out if it is empty.
func (a *source) newPayload(names string, own values) payload {
	table := fieldTable()
	var p payload
	for _, name := range strings.Fields(names) {
		name, optional := strings.CutSuffix(name, "?")
		value, ok := own[name]
		if !ok {
			value = table[name](a)
		}
		if !optional || !isEmpty(value) {
			p = append(p, planop.Field{Name: name, Value: value})
		}
	}
	return p
}

func isEmpty(value any) bool {
	v := reflect.ValueOf(value)
	return !v.IsValid() || v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

// fieldTable returns the fields that several payloads have, or that are a setting, a model, a file or a property of the phase.
func fieldTable() map[string]func(a *source) any {
	type get = func(a *source) any
	model := func(agent string) get { return func(a *source) any { return a.model(agent) } }
	on := func(key string) get { return func(a *source) any { return a.set.IsOn(key) } }
	text := func(key string) get { return func(a *source) any { return a.set.Text(key) } }
	number := func(key string) get { return func(a *source) any { return a.set.Number(key) } }
	exists := func(name string) get { return func(a *source) any { return a.at != nil && a.at.Exists(name) } }
	inRoot := func(name string) get { return func(a *source) any { return a.at != nil && a.at.ExistsRoot(name) } }
	pathTo := func(name string) get { return func(a *source) any { return a.path(name) } }
	rooted := func(name string) get { return func(*source) any { return path.Join(folder.Name, name) } }
	has := func(kind string) get { return func(a *source) any { return a.found.has(kind) } }
	first := func(kind string) get { return func(a *source) any { return a.found.firstFile(kind) } }
	version := func(a *source) any { version, _ := a.milestone(); return version }
	milestone := func(a *source) any { _, name := a.milestone(); return name }
	return map[string]get{
		"executor_model": model("gsd-executor"), "verifier_model": model("gsd-verifier"), "planner_model": model("gsd-planner"),
		"checker_model": model("gsd-plan-checker"), "researcher_model": model("gsd-project-researcher"), "roadmapper_model": model("gsd-roadmapper"),
		"synthesizer_model": model("gsd-research-synthesizer"), "mapper_model": model("gsd-codebase-mapper"), "doc_writer_model": model("gsd-doc-writer"),

		"commit_docs": on("commit_docs"), "parallelization": on("parallelization"), "verifier_enabled": on("workflow.verifier"),
		"tdd_mode": on("workflow.tdd_mode"), "research_enabled": on("workflow.research"), "plan_checker_enabled": on("workflow.plan_check"),
		"nyquist_validation_enabled": on("workflow.nyquist_validation"), "text_mode": on("workflow.text_mode"),
		"auto_advance": on("workflow.auto_advance"), "auto_chain_active": on("workflow._auto_chain_active"), "brave_search": on("brave_search"),
		"firecrawl": on("firecrawl"), "exa_search": on("exa_search"), "search_gitignored": on("search_gitignored"),
		"branching_strategy": text("git.branching_strategy"), "phase_branch_template": text("git.phase_branch_template"),
		"milestone_branch_template": text("git.milestone_branch_template"), "mode": text("mode"),
		"response_language": text("response_language"), "project_code": text("project_code"),
		"context_window": number("context_window"), "subagent_timeout": number("workflow.subagent_timeout"),
		"sub_repos": func(a *source) any { return stringList(a.set.Section("planning.sub_repos")) },

		"state_exists": exists("STATE.md"), "roadmap_exists": exists("ROADMAP.md"), "config_exists": exists("config.json"),
		"todos_dir_exists": exists("todos"), "pending_dir_exists": exists("todos/pending"), "phases_dir_exists": exists("phases"),
		"project_exists": inRoot("PROJECT.md"), "archive_exists": inRoot("archive"),
		"has_codebase_map": inRoot("codebase"), "codebase_dir_exists": inRoot("codebase"),
		"planning_exists": func(a *source) any { return a.at != nil },
		"state_path":      pathTo("STATE.md"), "roadmap_path": pathTo("ROADMAP.md"), "config_path": pathTo("config.json"),
		"requirements_path": pathTo("REQUIREMENTS.md"), "pending_dir": pathTo("todos/pending"), "completed_dir": pathTo("todos/completed"),
		"project_path": rooted("PROJECT.md"), "codebase_dir": rooted("codebase"), "quick_dir": rooted("quick"),
		"has_git": func(a *source) any { _, err := os.Lstat(filepath.Join(a.root(), ".git")); return err == nil },

		"phase_found": func(a *source) any { return a.found.phase != nil }, "phase_dir": func(a *source) any { return a.found.dir },
		"phase_number": func(a *source) any { return a.found.number() }, "phase_name": func(a *source) any { return a.found.name() },
		"phase_slug": func(a *source) any { return a.found.slug() }, "phase_req_ids": func(a *source) any { return a.requirements() },
		"padded_phase": func(a *source) any {
			if a.found.phase == nil {
				return nil
			}
			return query.OrNil(a.found.phase.ID.PaddedNumber())
		},
		"near": func(a *source) any { // phases close to a missing one
			if a.found.phase != nil {
				return nil
			}
			return a.inv.NearPhases(a.phaseText)
		},
		"plans": func(a *source) any { return a.found.plans(false) }, "plan_count": func(a *source) any { return len(a.found.plans(false)) },
		"incomplete_plans": func(a *source) any { return a.found.plans(true) },
		"incomplete_count": func(a *source) any { return len(a.found.plans(true)) },
		"has_plans":        func(a *source) any { return len(a.found.plans(false)) > 0 },
		"summaries":        func(a *source) any { return a.found.summaries() },
		"has_research":     has("RESEARCH"), "has_context": has("CONTEXT"), "has_reviews": has("REVIEWS"), "has_verification": has("VERIFICATION"),
		"context_path": first("CONTEXT"), "research_path": first("RESEARCH"), "verification_path": first("VERIFICATION"),
		"uat_path": first("UAT"), "reviews_path": first("REVIEWS"), "patterns_path": first("PATTERNS"),

		"milestone_version": version, "milestone_name": milestone, "current_milestone": version, "current_milestone_name": milestone,
		"milestone_slug": func(a *source) any { _, name := a.milestone(); return phaseid.Slug(name, maxSlug) },
		"date":           func(a *source) any { return a.call.Now().UTC().Format("2006-01-02") },
		"timestamp":      func(a *source) any { return a.call.Now().UTC().Format(timeFormat) },

		"project_root":     func(a *source) any { return a.root() },
		"agents_installed": func(a *source) any { return len(a.missingAgents()) == 0 },
		"missing_agents":   func(a *source) any { return a.missingAgents() },
		"project_title":    func(a *source) any { return a.title() },
	}
}

func (a *source) missingAgents() []string {
	list, err := models.MissingRoles(a.call)
	if err != nil {
		return []string{} // there is no project
	}
	return list
}

// title returns the title of PROJECT.md, or "".
func (a *source) title() string {
	text := a.readText("PROJECT.md")
	for _, h := range document.Parse(text).Headings() {
		if h.Level == 1 {
			return h.Text.Text(text)
		}
	}
	return ""
}

// stringList returns the strings in a list of the settings.
func stringList(v any) []string {
	out := []string{}
	list, _ := v.([]any)
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// timeFormat is the format of times in payloads.
const timeFormat = "2006-01-02T15:04:05.000Z"
