package settings

// Kind is the kind of values that a key accepts.
type Kind uint8

// The kinds of values.
const (
	Switch Kind = iota // true or false
	Number
	Text
	Choice // one of Values
	Texts  // a list of texts
	Any    // more than one of these kinds, listed in Values
)

// Key is a key of config.json. It determines how the key is read, set, checked and documented.
type Key struct {
	Name    string // the path with dots; * as the last part means any name
	Kind    Kind
	Default any // the value of a missing key, or nil
	Values  []string
	Also    string // the name in older files
	Doc     string
}

// Schema lists all keys. A key that switches a feature of ken is on by default, one for an optional feature is off.
var Schema = [...]Key{
	{"mode", Choice, "interactive", []string{"interactive", "yolo"}, "", "whether steps wait for a person"},
	{"granularity", Choice, "standard", []string{"coarse", "standard", "fine"}, "", "how many phases a roadmap has: 3 to 5, 5 to 8, 8 to 12"},
	{"model_profile", Choice, "balanced", []string{"quality", "balanced", "budget", "adaptive", "inherit"}, "", "which models agents get"},
	{"model_overrides.*", Text, nil, nil, "", "the model of one agent"},
	{"resolve_model_ids", Any, false, []string{"true", "false", "omit"}, "", "whether names of models become full ids, or are left out"},
	{"parallelization", Any, true, []string{"true", "false", "an object with enabled"}, "", "whether plans of one wave run at the same time"},
	{"parallelization.enabled", Switch, true, nil, "", "the same, in an object"},
	{"parallelization.plan_level", Switch, true, nil, "", "plans run at the same time"},
	{"parallelization.task_level", Switch, false, nil, "", "tasks of a plan run at the same time"},
	{"parallelization.skip_checkpoints", Switch, true, nil, "", "checkpoints are skipped while plans run at the same time"},
	{"parallelization.max_concurrent_agents", Number, 3, nil, "", "how many agents at once"},
	{"parallelization.min_plans_for_parallel", Number, 2, nil, "", "fewer plans run one after the other"},
	{"commit_docs", Switch, true, nil, "planning.commit_docs", "whether the planning folder is committed"},
	{"search_gitignored", Switch, false, nil, "planning.search_gitignored", "whether ignored files are searched"},
	{"brave_search", Switch, false, nil, "", "whether a key for this search was found"},
	{"firecrawl", Switch, false, nil, "", "whether a key for this search was found"},
	{"exa_search", Switch, false, nil, "", "whether a key for this search was found"},
	{"context_window", Number, 200000, nil, "", "tokens that an agent can hold"},
	{"context", Choice, nil, []string{"dev", "research", "review"}, "", "what work is about"},
	{"project_code", Text, nil, nil, "", "one to six capitals before the numbers of phases"},
	{"phase_naming", Choice, "sequential", []string{"sequential", "custom"}, "", "numbers or names for phases"},
	{"response_language", Text, nil, nil, "", "the language of answers to a person"},
	{"claude_md_path", Text, "./CLAUDE.md", nil, "", "where the file of instructions is"},
	{"agent_skills.*", Texts, nil, nil, "", "skills of a kind of agent"},
	{"review.models.*", Text, nil, nil, "", "the model of a reviewing program"},
	{"features.thinking_partner", Switch, false, nil, "", "questions at decisions"},
	{"features.global_learnings", Switch, false, nil, "", "what is learned goes to other projects"},
	{"features.*", Switch, nil, nil, "", "another feature, by its name"},
	{"learnings.max_inject", Number, nil, nil, "", "how many learnings a planner gets, 5 unless set"},
	{"intel.enabled", Switch, false, nil, "", "files of code intelligence"},
	{"graphify.enabled", Switch, false, nil, "", "a graph of the code"},
	{"graphify.build_timeout", Number, 300, nil, "", "seconds for it"},
	{"manager.flags.discuss", Text, nil, nil, "", "flags passed on"},
	{"manager.flags.plan", Text, nil, nil, "", "flags passed on"},
	{"manager.flags.execute", Text, nil, nil, "", "flags passed on"},

	{"workflow.research", Switch, true, nil, "research", "research before planning"},
	{"workflow.plan_check", Switch, true, nil, "plan_checker", "plans are checked"},
	{"workflow.verifier", Switch, true, nil, "verifier", "phases are verified"},
	{"workflow.nyquist_validation", Switch, true, nil, "nyquist_validation", "tests are sampled for each task"},
	{"workflow.ui_phase", Switch, true, nil, "", "a contract for user interfaces"},
	{"workflow.ui_safety_gate", Switch, true, nil, "", "interfaces need their contract"},
	{"workflow.ai_integration_phase", Switch, true, nil, "ai_integration_phase", "a contract for systems with models"},
	{"workflow.ui_review", Switch, true, nil, "", "a finished interface is reviewed"},
	{"workflow.context_coverage_gate", Switch, true, nil, "", "every decision of a discussion has to be in a plan"},
	{"workflow.post_planning_gaps", Switch, true, nil, "", "plans are compared with requirements and decisions"},
	{"workflow.code_review", Switch, true, nil, "", "code is reviewed"},
	{"workflow.pattern_mapper", Switch, true, nil, "", "patterns of the code are looked up"},
	{"workflow.node_repair", Switch, true, nil, "", "failed tasks are repaired"},
	{"workflow.security_enforcement", Switch, true, nil, "", "threats have to be answered"},
	{"workflow.use_worktrees", Switch, true, nil, "", "each executor has a work tree"},
	{"workflow.auto_advance", Switch, false, nil, "auto_advance", "the next step begins by itself"},
	{"workflow.tdd_mode", Switch, false, nil, "tdd_mode", "tests first"},
	{"workflow.text_mode", Switch, false, nil, "text_mode", "questions as numbered lists"},
	{"workflow.research_before_questions", Switch, false, nil, "", "research before questions"},
	{"workflow.skip_discuss", Switch, false, nil, "", "phases are not discussed"},
	{"workflow.auto_prune_state", Switch, false, nil, "", "old entries of STATE.md are archived"},
	{"workflow.plan_bounce", Switch, false, nil, "", "plans go to another program"},
	{"workflow.cross_ai_execution", Switch, false, nil, "", "plans are carried out by another program"},
	{"workflow._auto_chain_active", Switch, false, nil, "_auto_chain_active", "a chain of steps is under way"},
	{"workflow.node_repair_budget", Number, 2, nil, "", "how often a task is repaired"},
	{"workflow.discuss_mode", Choice, "discuss", []string{"discuss", "assumptions"}, "", "how phases are discussed"},
	{"workflow.max_discuss_passes", Number, 3, nil, "", "how often a phase is discussed at most"},
	{"workflow.code_review_depth", Choice, "standard", []string{"quick", "standard", "deep"}, "", "how far a review goes"},
	{"workflow.code_review_command", Text, nil, nil, "", "a program for reviews; ken never runs it"},
	{"workflow.plan_bounce_script", Text, nil, nil, "", "a program for plans; ken never runs it"},
	{"workflow.plan_bounce_passes", Number, 2, nil, "", "how often"},
	{"workflow.cross_ai_command", Text, nil, nil, "", "a program that carries plans out; ken never runs it"},
	{"workflow.cross_ai_timeout", Number, 300, nil, "", "seconds for it"},
	{"workflow.subagent_timeout", Number, 300000, nil, "subagent_timeout", "milliseconds for an agent"},
	{"executor.stall_detect_interval_minutes", Number, 5, nil, "", "how often somebody looks whether an executor goes on"},
	{"executor.stall_threshold_minutes", Number, 10, nil, "", "after so long without a sign of life an executor is stalled"},
	{"workflow.inline_plan_threshold", Number, 2, nil, "", "plans of so few tasks need no agent of their own"},
	{"workflow.security_asvs_level", Number, 1, nil, "", "1 to 3"},
	{"workflow.security_block_on", Choice, "high", []string{"low", "medium", "high", "critical", "none"}, "", "from which threat on work stops"},
	{"workflow.test_command", Text, nil, nil, "", "what runs the tests; ken never runs it"},

	{"git.branching_strategy", Choice, "none", []string{"none", "phase", "milestone"}, "branching_strategy", "what gets a branch"},
	{"git.base_branch", Text, nil, nil, "base_branch", "what branches begin from"},
	{"git.phase_branch_template", Text, "gsd/phase-{phase}-{slug}", nil, "phase_branch_template", "the name of a phase's branch"},
	{"git.milestone_branch_template", Text, "gsd/{milestone}-{slug}", nil, "milestone_branch_template", "the name of a milestone's branch"},
	{"git.quick_branch_template", Text, nil, nil, "quick_branch_template", "the name of a quick task's branch: {num}, {slug}"},
	{"planning.sub_repos", Texts, nil, nil, "sub_repos", "folders that are repositories of their own"},

	{"gates.confirm_project", Switch, true, nil, "", "a person confirms the project"},
	{"gates.confirm_phases", Switch, true, nil, "", "a person confirms the phases"},
	{"gates.confirm_roadmap", Switch, true, nil, "", "a person confirms the roadmap"},
	{"gates.confirm_breakdown", Switch, true, nil, "", "a person confirms how a phase is divided"},
	{"gates.confirm_plan", Switch, true, nil, "", "a person confirms a plan"},
	{"gates.execute_next_plan", Switch, true, nil, "", "a person starts the next plan"},
	{"gates.issues_review", Switch, true, nil, "", "a person looks at issues"},
	{"gates.confirm_transition", Switch, true, nil, "", "a person ends a phase"},
	{"safety.always_confirm_destructive", Switch, true, nil, "", "a person confirms what destroys"},
	{"safety.always_confirm_external_services", Switch, true, nil, "", "a person confirms what leaves the machine"},
	{"hooks.context_warnings", Switch, true, nil, "", "a warning when the window fills"},
	{"hooks.workflow_guard", Switch, false, nil, "", "a warning at edits outside a plan"},
	{"hooks.community", Switch, false, nil, "", "advice about messages of commits and changes by hand in the planning folder"},
}

// nobodys is the Reader of a key that is only in the template of config.json.
const nobodys = "no program known"

// Kept lists the keys that ken checks, keeps and gives back, but does not use: the program that reads them is named.
var Kept = [...]struct{ Key, Reader string }{
	{"granularity", "workflow new-project, agents gsd-planner and gsd-roadmapper"},
	{"parallelization.task_level", nobodys},
	{"parallelization.skip_checkpoints", nobodys},
	{"context", nobodys},
	{"review.models.*", "workflow review"},
	{"features.thinking_partner", "workflows discuss-phase and plan-phase"},
	{"features.global_learnings", "workflow execute-phase, agent gsd-planner"},
	{"features.*", nobodys},
	{"workflow.ai_integration_phase", "workflows ai-integration-phase and plan-phase"},
	{"workflow.pattern_mapper", "workflow plan-phase"},
	{"workflow.plan_bounce", "workflow plan-phase"},
	{"workflow.plan_bounce_script", "workflow plan-phase"},
	{"workflow.plan_bounce_passes", "workflow plan-phase"},
	{"workflow.cross_ai_execution", "workflow execute-phase"},
	{"workflow.cross_ai_command", "workflow execute-phase"},
	{"workflow.cross_ai_timeout", "workflow execute-phase"},
	{"workflow.code_review_command", "workflow ship"},
	{"workflow.inline_plan_threshold", "workflow execute-plan"},
	{"gates.confirm_project", nobodys},
	{"gates.confirm_phases", nobodys},
	{"gates.confirm_roadmap", nobodys},
	{"gates.confirm_breakdown", "agent gsd-planner"},
	{"gates.execute_next_plan", "workflow execute-plan"},
	{"gates.issues_review", "workflow execute-plan"},
	{"safety.always_confirm_destructive", "workflow transition"},
	{"safety.always_confirm_external_services", nobodys},
}
