package guard

import "slices"

// The tools. Write is not a tool of ken: it is the program around the agent that writes a file, as a hook reports it.
const (
	StartSession     Tool = "start_session"
	GetSessionStatus Tool = "get_session_status"
	SetQueryFrame    Tool = "set_query_frame"
	Query            Tool = "query"
	FindDefinitions  Tool = "find_definitions"
	FindReferences   Tool = "find_references"
	SearchText       Tool = "search_text"
	SearchFiles      Tool = "search_files"
	AnalyzeStructure Tool = "analyze_structure"
	GetSymbols       Tool = "get_symbols"
	GetFunction      Tool = "get_function_at_line"
	SubmitUnderstood Tool = "submit_understanding"
	ValidateSymbols  Tool = "validate_symbol_relevance"
	ConfirmSymbols   Tool = "confirm_symbol_relevance"
	SemanticSearch   Tool = "semantic_search"
	SubmitSemantic   Tool = "submit_semantic"
	SubmitVerified   Tool = "submit_verification"
	AnalyzeImpact    Tool = "analyze_impact"
	SubmitImpact     Tool = "submit_impact_analysis"
	CheckWriteTarget Tool = "check_write_target"
	AddExplored      Tool = "add_explored_files"
	Revert           Tool = "revert_to_exploration"
	SubmitForReview  Tool = "submit_for_review"
	ReviewChanges    Tool = "review_changes"
	FinalizeChanges  Tool = "finalize_changes"
	MergeToMain      Tool = "merge_to_main"
	Cleanup          Tool = "cleanup"
	RecordOutcome    Tool = "record_outcome"
	OutcomeStats     Tool = "get_outcome_stats"
	SessionAnalysis  Tool = "get_session_analysis"
	Insights         Tool = "get_improvement_insights"
	SyncIndex        Tool = "sync_index"
	UpdateContext    Tool = "update_context"
	Write            Tool = "write"
)

// Gate tells in which states a tool may be called, and why it may not be called in others.
type Gate struct {
	Tool Tool
	Full []State // at level full
	Auto []State // at level auto
	// OnlyWriting is set if tasks whose intent changes nothing may not call it.
	OnlyWriting bool
	// Ended is set if it may be called for a task that has ended, or without a task.
	Ended bool
	Why   string
}

const (
	whyReads = "Reading is never stopped: an agent that may not look here looks by other means, and the evidence is lost."
	whyLog   = "It changes nothing of the code."
)

// Gates returns the gates of all tools, in the order in which a task uses them.
func Gates() []Gate {
	all := States()
	read := func(t Tool) Gate { return Gate{Tool: t, Full: all, Auto: all, Ended: true, Why: whyReads} }
	free := func(t Tool, why string) Gate { return Gate{Tool: t, Full: all, Auto: all, Ended: true, Why: why} }
	at := func(t Tool, full, auto []State, why string) Gate {
		return Gate{Tool: t, Full: full, Auto: auto, Why: why}
	}
	writing := func(t Tool, full, auto []State, why string) Gate {
		return Gate{Tool: t, Full: full, Auto: auto, OnlyWriting: true, Why: why}
	}
	return []Gate{
		free(StartSession, "A new piece of work may begin at any time; the old one stays as it is."),
		free(GetSessionStatus, whyLog),
		at(SetQueryFrame, []State{Exploration}, []State{Exploration}, "The risk, and with it the required evidence, follows from the frame, which may not change after evidence was rated by it."),
		read(Query), read(FindDefinitions), read(FindReferences), read(SearchText), read(SearchFiles), read(AnalyzeStructure), read(GetSymbols), read(GetFunction),
		at(SubmitUnderstood, []State{Exploration}, []State{Exploration}, "An understanding is rated once for each exploration; to change it, go back to EXPLORATION."),
		at(ValidateSymbols, []State{Exploration, Semantic, Verification}, []State{Exploration, Semantic, Verification}, "The intended symbols are settled before the impact of changing them is analysed."),
		at(ConfirmSymbols, []State{Exploration, Semantic, Verification}, []State{Exploration, Semantic, Verification}, "As validate_symbol_relevance."),
		at(SemanticSearch, all[1:], all, "At level full declarations and references are looked up first, because similar text is easily taken for the code that is meant."),
		at(SubmitSemantic, []State{Semantic}, []State{Semantic}, "It ends SEMANTIC, which is entered when an understanding lacks something."),
		at(SubmitVerified, []State{Verification}, []State{Verification}, "It ends VERIFICATION: there is something to verify only after hypotheses were named."),
		writing(AnalyzeImpact, []State{Impact, Ready}, []State{Exploration, Impact, Ready}, "The impact of a change can be analysed only once its targets are known."),
		writing(SubmitImpact, []State{Impact, Ready}, []State{Exploration, Impact, Ready}, "It answers analyze_impact."),
		writing(CheckWriteTarget, []State{Ready}, []State{Exploration, Impact, Ready}, "At level full files are written in READY only. At level auto each file is judged by itself: most changes need no ceremony."),
		writing(AddExplored, []State{Ready}, []State{Exploration, Impact, Ready}, "It widens what may be written, so it belongs to where writing is allowed."),
		at(Revert, all, all, "Going back is always possible, because being wrong is."),
		writing(SubmitForReview, []State{Ready}, []State{Ready}, "There is something to review only after something may have been written."),
		writing(ReviewChanges, []State{PreCommit}, []State{PreCommit}, "Changes are reviewed when they are complete."),
		writing(FinalizeChanges, []State{PreCommit}, []State{PreCommit}, "Only what was reviewed is committed."),
		writing(MergeToMain, []State{PreCommit}, []State{PreCommit}, "Only what was committed is merged."),
		free(Cleanup, "Leftovers may be removed in any state; work is never removed by itself."),
		free(RecordOutcome, "How work turned out may be learned at any time."),
		free(OutcomeStats, whyLog),
		free(SessionAnalysis, whyLog),
		free(Insights, whyLog),
		free(SyncIndex, "The index is brought up to date; nothing depends on who asks for it."),
		free(UpdateContext, "It writes knowledge, not code."),
		writing(Write, []State{Ready}, []State{Exploration, Impact, Ready}, "As check_write_target: a hook makes the same decision for a write that was not announced."),
	}
}

// LookupGate returns the gate of a tool; false if there is no such tool.
func LookupGate(t Tool) (Gate, bool) {
	list := Gates()
	i := slices.IndexFunc(list, func(g Gate) bool { return g.Tool == t })
	if i < 0 {
		return Gate{}, false
	}
	return list[i], true
}

// StatesAt returns the states in which the tool may be called at a level.
func (g *Gate) StatesAt(l Level) []State {
	if l == Full {
		return g.Full
	}
	return g.Auto
}

// allowsNow reports whether the tool of the gate may be called in the current state of a task.
func (g *Gate) allowsNow(t *Task) bool {
	switch {
	case g.Ended:
		return true
	case !t.Ended.IsZero(), g.OnlyWriting && !t.Intent.Writes():
		return false
	}
	return slices.Contains(g.StatesAt(t.Level), t.State)
}

// AllowedTools returns the tools that a task may call now. Of a task without a work tree those of its review are left out, because its
// changes are in the project and are not ken's to commit.
func AllowedTools(t *Task) (out []Tool) {
	list := Gates()
	for i := range list {
		noTree := !t.Overlay && slices.Contains([]Tool{ReviewChanges, FinalizeChanges, MergeToMain}, list[i].Tool)
		if list[i].Tool != Write && list[i].allowsNow(t) && !noTree {
			out = append(out, list[i].Tool)
		}
	}
	return out
}
