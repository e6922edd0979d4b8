//go:build unix

package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"ken/internal/git/gittest"
	"ken/internal/operation"
	"ken/internal/workflow/plan/settings"
)

// settingRow is a key of config.json with the command whose answer it changes.
type settingRow struct {
	key, value string
	line       string // of ken plan, or "hook" and "statusline" lines with the event after them
	sees       string // a part of the answer that is there with the value and not without it
	gone       bool   // it is there without the value, and not with it
	before     string // command lines of ken plan that come first, separated by "; "
	files      string // files of the planning folder with their text that are written then: NAME=TEXT, separated by "; "
}

// settingRows returns a row for each key that ken uses. A key in settings.Kept has none.
func settingRows() []settingRow {
	gates := func(key, value, sees string) settingRow {
		return settingRow{key: "workflow." + key, value: value, line: "check config-gates", sees: sees}
	}
	const begun = "run start 1; run report 1 checked --blockers 0; run report 1 started --plan 01-02"
	const repair = begun + "; run report 1 failed --plan 01-02 --text no"
	const threats = "phases/01-first/01-SECURITY.md=---\nthreats_open: 2\n---\n; phases/01-first/01-VERIFICATION.md=---\nstatus: passed\n---\n"
	const done = "phases/01-first/01-02-SUMMARY.md=---\nphase: 01-first\n---\n\n# S\n"
	const prunable = "STATE.md=# State\n\n## Current Position\n\nPhase: 8 of 9 (Far)\nStatus: x\n\n## Decisions\n\n- [Phase 1]: a — b\n; " +
		"ROADMAP.md=# Roadmap\n\n- [ ] **Phase 8: Far**\n- [ ] **Phase 9: Last**\n\n### Phase 8: Far\n\n### Phase 9: Last\n; phases/08-far/08-CONTEXT.md=# C\n"
	const idle = "STATE.md=# State\n\n## Current Position\n\nPhase: 1 of 2 (First)\nStatus: Ready to plan\n"
	const event = `hook claude post-tool-use {"session_id":"SESSION","hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"SESSION","tool_input":{"command":"%s"},"tool_response":{"stdout":""}}`
	const edit = `hook claude pre-tool-use {"session_id":"SESSION","hook_event_name":"PreToolUse","tool_name":"Edit","tool_use_id":"SESSION",` +
		`"tool_input":{"file_path":"a.go","old_string":"a","new_string":"b"}}`
	return []settingRow{
		{key: "mode", value: "interactive", line: "run next 1", sees: `"auto":false`},
		{key: "model_profile", value: "budget", line: "resolve-model gsd-planner", sees: "sonnet"},
		{key: "model_overrides.gsd-planner", value: "mine", line: "resolve-model gsd-planner", sees: "mine"},
		{key: "resolve_model_ids", value: "omit", line: "resolve-model gsd-planner", sees: `"model":""`},
		{key: "parallelization", value: "false", line: "waves 1", sees: "parallelization is off"},
		{key: "parallelization.enabled", value: "false", line: "waves 1", sees: "parallelization is off"},
		{key: "parallelization.plan_level", value: "false", line: "waves 1", sees: "parallelization.plan_level is off"},
		{key: "parallelization.max_concurrent_agents", value: "1", line: "waves 1", sees: `"max_concurrent_agents":1`},
		{key: "parallelization.min_plans_for_parallel", value: "3", line: "waves 2", sees: `"batches":[["02-01"],["02-02"]]`},
		{key: "commit_docs", value: "false", line: "check-commit", sees: "no_planning_files_staged"},
		{key: "search_gitignored", value: "true", line: "init map-codebase", sees: `"search_gitignored":true`},
		{key: "brave_search", value: "true", line: "init phase-op 1", sees: `"brave_search":true`},
		{key: "firecrawl", value: "true", line: "init phase-op 1", sees: `"firecrawl":true`},
		{key: "exa_search", value: "true", line: "init phase-op 1", sees: `"exa_search":true`},
		{key: "context_window", value: "1000000", line: "payload 1 01-02", sees: `"window":1000000`},
		{key: "project_code", value: "ABC", line: "phase add Far --dry-run", sees: "ABC-"},
		{key: "phase_naming", value: "custom", line: "phase add Far --dry-run", sees: "custom"},
		{key: "response_language", value: "German", line: "init plan-phase 1", sees: "German"},
		{key: "claude_md_path", value: "docs/AGENT.md", line: "generate-claude-profile --analysis analysis.json --dry-run", sees: "docs/AGENT.md"},
		{key: "agent_skills.gsd-planner", value: `["skills/a"]`, line: "agent-skills gsd-planner", sees: "skills/a"},
		{
			key: "learnings.max_inject", value: "0", line: "payload 1 --role planner --text", gone: true, sees: "Try the cache twice.",
			files: `../.ken/knowledge/learnings/learning-1.json={"id": "learning-1", "context": "First things", "learning": "Try the cache twice.", "tags": ["first"]}`,
		},
		{key: "intel.enabled", value: "false", line: "intel status", sees: `"disabled":true`},
		{key: "graphify.enabled", value: "false", line: "graphify status", sees: `"disabled":true`},
		{key: "graphify.build_timeout", value: "7777", line: "graphify build", sees: `"timeout_seconds":7777`},
		{key: "manager.flags.discuss", value: "auto", line: "init manager", sees: `"discuss":"auto"`},
		{key: "manager.flags.plan", value: "auto", line: "init manager", sees: `"plan":"auto"`},
		{key: "manager.flags.execute", value: "auto", line: "init manager", sees: `"execute":"auto"`},

		{key: "workflow.research", value: "false", line: "init plan-phase 1", sees: `"research_enabled":false`},
		{key: "workflow.plan_check", value: "false", line: "run next 1", sees: "workflow.plan_check is off"},
		{key: "workflow.verifier", value: "false", line: "run next 1", sees: "workflow.verifier is off"},
		{key: "workflow.nyquist_validation", value: "false", line: "init plan-phase 1", sees: `"nyquist_validation_enabled":false`},
		gates("ui_phase", "false", `"ui_phase":false`),
		gates("ui_safety_gate", "false", `"ui_safety_gate":false`),
		gates("ui_review", "false", `"ui_review":false`),
		{key: "workflow.context_coverage_gate", value: "false", line: "check decision-coverage-plan .planning/phases/01-first .planning/phases/01-first/01-CONTEXT.md", sees: "x"},
		{key: "workflow.post_planning_gaps", value: "false", line: "gap-analysis --phase-dir .planning/phases/01-first", sees: `"enabled":false`},
		gates("code_review", "false", `"code_review":false`),
		{key: "workflow.node_repair", value: "false", line: "run next 1", before: repair, sees: "what is left is to halt it"},
		{key: "workflow.node_repair_budget", value: "7", line: "run next 1", before: repair, sees: "attempt 1 of 7"},
		{key: "workflow.security_enforcement", value: "false", line: "check gates ship", files: threats, sees: `"blockers":[]`},
		{key: "workflow.use_worktrees", value: "false", line: "executor create 2 --dry-run", sees: "workflow.use_worktrees is off"},
		{key: "workflow.auto_advance", value: "true", line: "check auto-mode", sees: `"source":"auto_advance"`},
		{key: "workflow.tdd_mode", value: "true", line: "init execute-phase 1", sees: `"tdd_mode":true`},
		{key: "workflow.text_mode", value: "true", line: "init plan-phase 1", sees: `"text_mode":true`},
		gates("research_before_questions", "true", `"research_before_questions":true`),
		gates("skip_discuss", "true", `"skip_discuss":true`),
		{key: "workflow.auto_prune_state", value: "true", line: "phase complete 8 --force --dry-run", files: prunable, sees: `"auto_pruned":true`},
		{key: "workflow._auto_chain_active", value: "true", line: "check auto-mode", sees: `"source":"auto_chain"`},
		gates("discuss_mode", "assumptions", `"discuss_mode":"assumptions"`),
		gates("max_discuss_passes", "9", `"max_discuss_passes":9`),
		gates("code_review_depth", "deep", `"code_review_depth":"deep"`),
		{key: "workflow.subagent_timeout", value: "7777", line: "executor create 2 --dry-run", sees: `"subagent_timeout_ms":7777`},
		{key: "executor.stall_detect_interval_minutes", value: "7777", line: "executor create 2 --dry-run", sees: `"stall_detect_interval_minutes":7777`},
		{key: "executor.stall_threshold_minutes", value: "7777", line: "executor create 2 --dry-run", sees: `"stall_threshold_minutes":7777`},
		gates("security_asvs_level", "3", `"security_asvs_level":3`),
		{key: "workflow.security_block_on", value: "none", line: "check gates ship", files: threats, sees: `"blockers":[]`},
		{key: "workflow.test_command", value: "make try", line: "run next 1", before: begun, files: done, sees: "make try"},

		{key: "git.branching_strategy", value: "phase", line: "init execute-phase 1", sees: `"branch_name":"gsd/phase-01-first"`},
		{key: "git.base_branch", value: "trunk", line: "check ship-ready 1", sees: "trunk"},
		{key: "git.phase_branch_template", value: "p/{phase}", line: "init execute-phase 1", sees: `"p/{phase}"`},
		{key: "git.milestone_branch_template", value: "m/{milestone}", line: "init execute-phase 1", sees: `"m/{milestone}"`},
		{key: "git.quick_branch_template", value: "q/{slug}", line: "init quick things", sees: `"branch_name":"q/things"`},
		{key: "planning.sub_repos", value: `["api"]`, line: "init execute-phase 1", sees: `"sub_repos":["api"]`},
		{key: "gates.confirm_plan", value: "false", line: "run next 1", sees: "gates.confirm_plan is off"},
		{key: "gates.confirm_transition", value: "false", line: "run next 1", sees: "gates.confirm_transition is off"},
		{key: "hooks.context_warnings", value: "false", line: fmt.Sprintf(event, "ls"), sees: "20 % of the context is left", gone: true},
		{key: "hooks.workflow_guard", value: "true", line: edit, files: idle, sees: "while no plan is being carried out"},
		{key: "hooks.community", value: "true", line: fmt.Sprintf(event, "git commit -m 'Bad message.'"), sees: "begins with no type"},
	}
}

// TestSettingsMakeADifference sets each key to another value than its default and looks for it in an answer. A key that changes none has to
// be in settings.Kept, whose keys in turn change no answer.
func TestSettingsMakeADifference(t *testing.T) {
	gittest.IsolateSettings(t)
	gittest.SetUser(t, "t")
	rows := map[string]bool{}
	for _, row := range settingRows() {
		k, ok := settings.Find(row.key)
		if !ok || rows[k.Name] {
			t.Fatalf("%s is no key, or has two rows", row.key)
		}
		rows[k.Name] = true
	}
	for _, k := range settings.Kept {
		if rows[k.Key] {
			t.Errorf("%s is in settings.Kept, and has a row", k.Key)
		}
		rows[k.Key] = true
	}
	for i := range settings.Schema {
		if name := settings.Schema[i].Name; !rows[name] {
			t.Errorf("%s has no row: use it, or list it in settings.Kept with the program that reads it", name)
		}
		delete(rows, settings.Schema[i].Name)
	}
	if len(rows) > 0 {
		t.Errorf("no keys: %v", slices.Sorted(maps.Keys(rows)))
	}
	for _, row := range settingRows() {
		t.Run(row.key, func(t *testing.T) {
			t.Parallel()
			w := newSettingWorld(t)
			for line := range strings.SplitSeq(row.before, "; ") {
				if line != "" {
					w.plan(strings.Fields(line)...)
				}
			}
			for file := range strings.SplitSeq(row.files, "; ") {
				if name, text, ok := strings.Cut(file, "="); ok {
					gittest.Write(t, w.p.Dir, ".planning/"+name, text)
				}
			}
			without := w.answer(row.line)
			w.set(row.key, row.value)
			with := w.answer(row.line)
			if strings.Contains(with, row.sees) == row.gone || strings.Contains(without, row.sees) != row.gone {
				t.Errorf("%s\nwithout: %s\nwith %s=%s: %s\n%q is to be in one of them", row.line, without, row.key, row.value, with, row.sees)
			}
		})
	}
}

// TestKeptSettingsChangeNothing sets all keys of settings.Kept at once and asks every operation that only reads: a key that changes an
// answer is used after all. config-get and state load
// give back what is in the file, and changes lists what was set.
func TestKeptSettingsChangeNothing(t *testing.T) {
	gittest.IsolateSettings(t)
	gittest.SetUser(t, "t")
	w := newSettingWorld(t)
	ops := planningOperations(nil)
	w.set("workflow.research", "true") // validate health asks for the section
	answers := func() map[string]string {
		all := map[string]string{}
		for _, o := range ops {
			if !slices.Contains([]string{"config-get", "state load", "changes"}, o.Name) && o.Effect == operation.Reads && o.Lasting == "" {
				all[o.Name] = clocks().ReplaceAllString(w.plan(planWords(t, o)...), "TIME")
			}
		}
		return all
	}
	before := answers()
	for _, kept := range settings.Kept {
		k, _ := settings.Find(kept.Key)
		w.set(strings.Replace(k.Name, "*", "gsd-planner", 1), otherValue(k))
	}
	for name, answer := range answers() {
		if answer != before[name] {
			t.Errorf("%s changed by a key of settings.Kept:\n%s\n%s", name, before[name], answer)
		}
	}
}

// clocks matches what an answer has of the time: dates with hours, ages, and the numbers of quick tasks and files that are made of them.
var clocks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d[^"]*|\b\d{6}-[0-9a-z]{3}\b|\bjust now\b|\b\d+ (second|minute)s? ago\b`)
})

// otherValue returns a value of a key that is not its default.
func otherValue(k *settings.Key) string {
	switch k.Kind {
	case settings.Switch:
		return strconv.FormatBool(k.Default != true)
	case settings.Number:
		return "7"
	case settings.Choice:
		return k.Values[0]
	case settings.Texts:
		return `["x"]`
	}
	return "x"
}

// settingWorld is a project whose settings are changed.
type settingWorld struct {
	t        *testing.T
	p        *Program
	out, err *bytes.Buffer
	sessions int
}

func newSettingWorld(t *testing.T) *settingWorld {
	t.Helper()
	files := map[string]string{"a.go": "package a\n", "skills/a/SKILL.md": "---\nname: a\ndescription: helps\n---\n", "analysis.json": `{"dimensions": {}}`}
	for name, text := range soundPlans() {
		files[".planning/"+name] = text
	}
	for i, name := range []string{"01", "02"} {
		plan := strings.NewReplacer("01-first", "02-second", "plan: 01", "plan: "+name, "a.go", fmt.Sprintf("b%d.go", i)).Replace(planText)
		files[".planning/phases/02-second/02-"+name+"-PLAN.md"] = plan
	}
	w := &settingWorld{t: t}
	w.p, w.out, w.err = program(t, files)
	gittest.Run(t, w.p.Dir, "init", "-q")
	gittest.Run(t, w.p.Dir, "add", "-A")
	gittest.Run(t, w.p.Dir, "commit", "-qm", "begin")
	return w
}

// plan runs an operation of ken plan and returns its answer, or why there is none.
func (w *settingWorld) plan(words ...string) string {
	w.t.Helper()
	w.out.Reset()
	w.err.Reset()
	if w.p.run(w.t.Context(), append(append([]string{"plan"}, words...), "--json")...); w.out.Len()+w.err.Len() == 0 {
		w.t.Errorf("%q: neither an answer nor a word", words)
	}
	var short bytes.Buffer
	if json.Compact(&short, w.out.Bytes()) != nil {
		return w.out.String() + w.err.String()
	}
	return short.String() + w.err.String()
}

// answer returns the answer to the line of a row.
func (w *settingWorld) answer(line string) string {
	w.t.Helper()
	if name, event, ok := strings.Cut(line, " {"); ok {
		return w.event(strings.Fields(name), "{"+event)
	}
	return w.plan(strings.Fields(line)...)
}

// event returns what a hook answers in a session of its own, whose context is nearly full.
func (w *settingWorld) event(words []string, event string) string {
	w.t.Helper()
	if w.sessions++; w.sessions == 1 && w.p.run(w.t.Context(), "init") != Found { // a hook makes no index
		w.t.Fatal(w.err)
	}
	session := fmt.Sprint("s", w.sessions)
	for _, call := range []struct {
		words []string
		stdin string
	}{
		{[]string{"statusline"}, fmt.Sprintf(`{"session_id":%q,"workspace":{"current_dir":"."},"context_window":{"remaining_percentage":20}}`, session)},
		{words, strings.ReplaceAll(event, "SESSION", session)},
	} {
		w.out.Reset()
		w.p.Stdin = strings.NewReader(call.stdin)
		if code := w.p.run(w.t.Context(), call.words...); code != Found {
			w.t.Errorf("%q ends with %d: %s", call.words, code, w.err)
		}
	}
	return w.out.String()
}

// set sets a key as a user does.
func (w *settingWorld) set(key, value string) {
	w.t.Helper()
	if got := w.plan("config-set", key, value); !strings.Contains(got, `"updated":true`) {
		w.t.Fatalf("config-set %s %s: %s", key, value, got)
	}
}
