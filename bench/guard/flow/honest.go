package main

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// script is one run through the flow. It ends with the first unexpected answer.
type script struct {
	*client
	w   *project
	err error
}

// do calls a tool and holds its answer to a state, or to an error.
func (s *script) do(want, tool string, a args) *answer {
	if s.err != nil {
		return &answer{}
	}
	got, err := s.call(tool, a)
	if err != nil {
		s.err = err
		return &answer{}
	}
	met := want == "" || slices.Contains([]string{got.State, got.Error, got.Intervention}, want)
	switch {
	case got.failed != "" && !strings.Contains(got.failed, want):
		s.err = fmt.Errorf("%s: %s", tool, got.failed)
	case got.failed == "" && !met:
		s.err = fmt.Errorf("%s: state %s, error %s, want %s: %s %v %v",
			tool, got.State, got.Error, want, got.Message, got.Missing, got.Inconsistent)
	}
	return got
}

const request = "The invoice total is wrong when a customer has no discount. Please compute it with the rate."

// begin starts a task, after it has ended those that go on. Its calls are those of the task alone.
func (s *script) begin(level, intent string) {
	n := s.calls
	if err := s.end(); s.err == nil {
		s.err = err
	}
	s.calls = n
	s.do("EXPLORATION", "start_session", args{"query": request, "intent": intent, "gate_level": level})
}

// frame fills all slots with true quotes.
func (s *script) frame() {
	s.do("EXPLORATION", "set_query_frame", args{
		"target_feature":    args{"value": "invoice total", "quote": "invoice total"},
		"trigger_condition": args{"value": "customer has no discount", "quote": "when a customer has no discount"},
		"observed_issue":    args{"value": "total is wrong", "quote": "invoice total is wrong"},
		"desired_action":    args{"value": "compute with the rate", "quote": "compute it with the rate"},
	})
}

// target is a file that a few others use, with a function that they call.
func (s *script) target() (file, name string) {
	for _, f := range s.w.files {
		users := map[string]bool{}
		for _, u := range s.w.uses(f, "") {
			users[u.file] = true
		}
		if len(users) < 2 || len(users) > 4 {
			continue
		}
		for _, fn := range s.w.funcs[f] {
			if len(s.w.uses(f, fn.name)) > 0 && len(fn.calls) > 0 {
				return f, fn.name
			}
		}
	}
	return "", ""
}

// readUses reads each function that uses a target.
func (s *script) readUses(file, name string) {
	for _, u := range s.w.uses(file, name) {
		if !s.saw(u) {
			s.do("", "get_function_at_line", args{"file": u.file, "line": fmt.Sprint(u.line)})
		}
	}
}

// The least that level full demands of a request whose slots are all facts.
const (
	leastFiles   = 2
	leastSymbols = 3
)

// understanding returns the names tied to a file, as many as a table demands, after looking all of them up.
func (s *script) understanding(file, name string) args {
	s.do("", "find_definitions", args{"name": file + ":" + name})
	s.do("", "find_references", args{"name": file + ":" + name})
	a := args{"target_files": []string{file + ":" + name}}
	var symbols, entries, files, patterns []string
	for _, t := range slices.Sorted(maps.Keys(s.w.relatives(file, name))) {
		f, _, _ := strings.Cut(t, ":")
		if !slices.Contains(files, f) && len(files) < leastFiles {
			files = append(files, f)
			s.do("", "get_symbols", args{"file": f})
			patterns = append(patterns, f+" adds what it calls to a number")
		}
		if slices.Contains(files, f) && len(symbols) < leastSymbols {
			symbols = append(symbols, t)
		}
	}
	for _, u := range s.w.uses(file, name) {
		for _, fn := range s.w.funcs[u.file] {
			if fn.line <= u.line && u.line <= fn.line+len(fn.calls) && len(entries) < 1 {
				entries = append(entries, u.file+":"+fn.name)
			}
		}
	}
	symbols = append(append(symbols, entries...), file+":"+name)
	slices.Sort(symbols)
	slices.Sort(entries)
	a["symbols_identified"], a["entry_points"], a["files_analyzed"] = slices.Compact(symbols), slices.Compact(entries), files
	a["existing_patterns"] = patterns
	return a
}

// readDocuments reads the descriptions of a target, and returns a status for each document. ken has to have named exactly these.
func (s *script) readDocuments(file, name string, named []place) (out []args) {
	want := map[string]bool{}
	for _, u := range s.w.descriptions(file, name) {
		if want[u.file] = true; !s.saw(u) {
			s.do("", "get_function_at_line", args{"file": u.file, "line": fmt.Sprint(u.line)})
		}
	}
	for _, p := range named {
		if !want[p.File] && s.err == nil {
			s.err = fmt.Errorf("%s must be confirmed, and does not describe %s:%s", p.File, file, name)
		}
	}
	if len(named) != len(want) && s.err == nil {
		s.err = fmt.Errorf("%d documents must be confirmed for %s:%s, %d describe it", len(named), file, name, len(want))
	}
	for _, d := range slices.Sorted(maps.Keys(want)) {
		out = append(out, args{"file": d, "status": "no_change_needed", "reason": "it stays a number"})
	}
	return out
}

// statuses are a word on each file that must be verified.
func statuses(must []place) (out []args) {
	for _, p := range must {
		out = append(out, args{"file": p.File, "status": "no_change_needed", "reason": "it only adds the number"})
	}
	return out
}

// modify changes an existing function.
func (s *script) modify(level string) {
	file, name := s.target()
	s.begin(level, "MODIFY")
	if level == "auto" {
		s.do("evidence_missing", "check_write_target", args{"file_path": file + ":" + name})
		s.do("EXPLORATION", "analyze_impact", args{"target_files": []string{file + ":" + name}}) // shows the uses
		s.do("READY", "check_write_target", args{"file_path": file + ":" + name})
		return
	}
	s.frame()
	known := s.understanding(file, name)
	s.do("EXPLORATION", "validate_symbol_relevance", args{"target_feature": name, "symbols": []string{file + ":" + name}})
	s.do("IMPACT_ANALYSIS", "submit_understanding", known)
	found := s.do("IMPACT_ANALYSIS", "analyze_impact", args{"change_description": "the invoice total"})
	s.readUses(file, name)
	s.do("READY", "submit_impact_analysis", args{"verified_files": append(statuses(found.Must), s.readDocuments(file, name, found.Confirm)...)})
	s.do("READY", "check_write_target", args{"file_path": file})
}

// implement makes a file beside others.
func (s *script) implement(level string) {
	s.begin(level, "IMPLEMENT")
	near := s.w.files[0]
	made := path.Dir(near) + "/rate.go"
	if level == "auto" {
		s.do("READY", "check_write_target", args{"file_path": made})
		return
	}
	s.frame()
	s.do("", "query", args{"query": "rate"})
	a := args{"target_files": []string{made}, "files_analyzed": []string{}, "existing_patterns": []string{}}
	var symbols, files, patterns []string
	for _, f := range s.w.files {
		if path.Dir(f) == path.Dir(near) {
			s.do("", "get_symbols", args{"file": f})
			files, patterns = append(files, f), append(patterns, f+" computes a number")
			for _, fn := range s.w.funcs[f] {
				symbols = append(symbols, f+":"+fn.name)
			}
		}
	}
	a["symbols_identified"], a["entry_points"], a["files_analyzed"], a["existing_patterns"] = symbols, symbols[:2], files, patterns
	s.do("READY", "submit_understanding", a)
	s.do("READY", "check_write_target", args{"file_path": made})
}

// investigate answers a question; nothing is written.
func (s *script) investigate(level, intent string) {
	file, name := s.target()
	s.begin(level, intent)
	s.do("", "query", args{"query": strings.ToLower(name)})
	if level == "full" {
		s.frame()
		s.do("", "find_definitions", args{"name": file + ":" + name})
		s.do("", "get_symbols", args{"file": file})
		s.do("READY", "submit_understanding", args{"symbols_identified": []string{file + ":" + name}, "files_analyzed": []string{file}})
	}
	s.do("", "get_function_at_line", args{"file": file, "line": fmt.Sprint(s.w.home[name].line)})
}

// documents is refused for a document without a status, and accepted with one: its lines were shown.
func (s *script) documents() {
	d := s.w.docs[0]
	name := slices.Sorted(maps.Keys(d.of))[0]
	file := s.w.home[name].file
	found := s.do("READY", "analyze_impact", args{"target_files": []string{file + ":" + name}})
	s.readUses(file, name)
	code := statuses(found.Must)
	s.do("evidence_missing", "submit_impact_analysis", args{"verified_files": code})
	word := s.readDocuments(file, name, found.Confirm)
	s.do("evidence_missing", "submit_impact_analysis", args{"verified_files": code})
	s.do("READY", "submit_impact_analysis", args{"verified_files": append(code, word...)})
}

// branches takes each step that is refused, and then the step that leads on.
func (s *script) branches() {
	file, name := s.target()
	s.begin("full", "MODIFY")
	s.do("phase_blocked", "check_write_target", args{"file_path": file})
	s.do("phase_blocked", "semantic_search", args{"query": "invoice"}) // a gate, see below
	s.do("frame_refused", "set_query_frame", args{"target_feature": args{"value": "cart", "quote": "the cart total"}})
	s.frame()
	s.do("SEMANTIC", "submit_understanding", args{"target_files": []string{file + ":" + name}, "symbols_identified": []string{"Invented"}})
	s.do("evidence_missing", "submit_semantic", args{"semantic_reason": []string{"no_definition_found"}, "hypotheses": []string{"it is added twice"}})
	s.do("", "semantic_search", args{"query": "invoice total"})
	s.do("evidence_missing", "submit_semantic", args{"semantic_reason": []string{"because"}, "hypotheses": []string{"it is added twice"}})
	s.do("VERIFICATION", "submit_semantic", args{"semantic_reason": []string{"no_definition_found"}, "hypotheses": []string{"it is added twice"}})
	lie := args{"verified": []args{{"hypothesis": "it is added twice", "status": "confirmed", "evidence": args{"tool": "search_text", "target": file + ":" + name}}}}
	s.do("evidence_missing", "submit_verification", lie)
	s.do("evidence_missing", "submit_verification", lie)
	s.do("step_back", "submit_verification", lie)
	s.do("ask_user", "submit_verification", lie)
	s.do("phase_blocked", "submit_verification", lie)
	s.do("EXPLORATION", "revert_to_exploration", nil)
	s.do("IMPACT_ANALYSIS", "submit_understanding", s.understanding(file, name))
	s.do("evidence_missing", "submit_impact_analysis", nil)
	must := s.do("IMPACT_ANALYSIS", "analyze_impact", nil).Must
	s.do("evidence_missing", "submit_impact_analysis", args{"verified_files": statuses(must[:max(0, len(must)-1)])})
	s.do("EXPLORATION", "revert_to_exploration", args{"forget": true})
	s.do("there is no task", "get_session_status", args{"task": "forged"})
	s.begin("auto", "MODIFY")
	s.do("evidence_missing", "check_write_target", args{"file_path": "Twin"})
	s.do("evidence_missing", "check_write_target", args{"file_path": "twin/a.go:Twin"})
	s.do("", "get_function_at_line", args{"file": "twin/a.go", "line": fmt.Sprint(s.w.funcs["twin/a.go"][0].line)})
	s.do("READY", "check_write_target", args{"file_path": "twin/a.go:Twin"})
	s.do("evidence_missing", "check_write_target", args{"file_path": "base/base.go"})
	must = s.do("READY", "analyze_impact", args{"target_files": []string{"base/base.go"}}).Must
	s.do("evidence_missing", "submit_impact_analysis", args{"verified_files": statuses(must[1:])})
	s.do("READY", "submit_impact_analysis", args{"verified_files": statuses(must)})
	s.do("READY", "check_write_target", args{"file_path": "base/base.go"})
	s.do("READY", "check_write_target", args{"file_path": "notes/readme.go"})
	s.documents()
	s.do("PRE_COMMIT", "submit_for_review", nil)
	s.do("phase_blocked", "check_write_target", args{"file_path": "notes/readme.go"})
	s.begin("auto", "QUESTION")
	s.do("phase_blocked", "check_write_target", args{"file_path": "notes/readme.go"})
}
