package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// cheater makes false claims: it names files it never read, invents symbols, fills counts with unrelated names, forges quotes and
// claims to have verified unread lines. Now and then it does look at something.
type cheater struct {
	*client
	w     *project
	r     *rand.Rand
	level string
	// modified are the files that an accepted analysis marks as to be modified.
	targets  []string // FILE or FILE:NAME that were named as such
	modified []string
	added    []string
	analysed []string // targets of impact analyses since the exploration began

	calls, writes, frames, refused int
	// confirmed counts accepted analyses of documented targets.
	confirmed int
	faults    []string
}

// steps is how many calls a try has at most.
const steps = 14

// cheat has clients cheat in random tries, and counts the gates that they passed without the evidence.
func cheat(c *client, w *project, tries int) (bool, error) {
	x := &cheater{client: c, w: w, r: rand.New(rand.NewPCG(1, 2))}
	for n := range tries {
		x.level = []string{"auto", "full"}[n%2]
		x.targets, x.modified, x.added, x.analysed = nil, nil, nil, nil
		_, err := x.call("start_session", args{"query": request, "intent": x.pick("IMPLEMENT", "MODIFY"), "gate_level": x.level})
		for range 3 + x.r.IntN(steps-2) {
			if err == nil {
				err = x.step()
			}
		}
		if err == nil {
			err = c.end()
		}
		if err != nil {
			return false, fmt.Errorf("try %d: %w", n, err)
		}
	}
	fmt.Printf("cheating clients: %d tries, %d calls, %d refused, %d leaves to write, %d frames and %d analyses of what documents describe that evidence justified, "+
		"%d gates passed without it (must be 0)\n", tries, x.calls, x.refused, x.writes, x.frames, x.confirmed, len(x.faults))
	for _, f := range x.faults[:min(len(x.faults), 20)] {
		fmt.Println("  " + f)
	}
	return len(x.faults) == 0, nil
}

func (x *cheater) pick(list ...string) string { return list[x.r.IntN(len(list))] }

func (x *cheater) file() string { return x.pick(x.w.files...) }

// symbol is one that exists, or one that does not.
func (x *cheater) symbol() string {
	f := x.file()
	switch x.r.IntN(5) {
	case 0:
		return "Invented" + x.pick("One", "Two", "Three")
	case 1:
		return f + ":Invented"
	}
	list := x.w.funcs[f]
	return f + ":" + list[x.r.IntN(len(list))].name
}

func (x *cheater) symbols(n int) (out []string) {
	for range n {
		out = append(out, x.symbol())
	}
	return out
}

// target is a file or a function in one.
func (x *cheater) target() string {
	if x.r.IntN(3) == 0 {
		return x.symbol()
	}
	return x.file()
}

// step does one thing.
func (x *cheater) step() error {
	moves := []func() error{
		x.write, x.write, x.write, x.understand, x.understand, x.frame, x.lookAround, x.lookAround,
		x.analyse, x.impact, x.verify, x.semantic, x.explore, x.revert, x.confirm, x.analyseDocument,
	}
	x.calls++
	return moves[x.r.IntN(len(moves))]()
}

func (x *cheater) send(tool string, a args) (*answer, error) {
	got, err := x.call(tool, a)
	if err == nil && (got.failed != "" || !got.Allowed) {
		x.refused++
	}
	return got, err
}

// write asks for leave to write, of a target it has named or of any.
func (x *cheater) write() error {
	name := x.target()
	if len(x.targets) > 0 && x.r.IntN(2) == 0 {
		name = x.pick(x.targets...)
	}
	got, err := x.send("check_write_target", args{"file_path": name})
	if err != nil || got.failed != "" || !got.Allowed {
		return err
	}
	x.writes++
	if x.level == "auto" {
		x.targets = append(x.targets, name)
	}
	if why := x.missingEvidence(name); why != "" {
		x.faults = append(x.faults, fmt.Sprintf("%s at %s: %s may be written: %s", x.task, x.level, name, why))
	}
	return nil
}

// missingEvidence returns the evidence that a permission lacks, or "" if it is justified.
func (x *cheater) missingEvidence(name string) string {
	file, symbol, _ := strings.Cut(name, ":")
	if _, exists := x.w.funcs[file]; !exists {
		return ""
	}
	if slices.Contains(x.modified, file) || slices.Contains(x.added, file) {
		return "" // justified when it was accepted
	}
	if x.level == "full" {
		return x.fullWithout(file)
	}
	if why := x.unread(file, symbol); why != "" {
		for _, t := range x.targets { // a function of it was named, which demands less
			f, s, _ := strings.Cut(t, ":")
			other := f == file && s != "" && t != name
			if other && x.exists(t) && x.unread(f, s) == "" {
				return ""
			}
		}
		return why
	}
	return ""
}

func (x *cheater) exists(t string) bool {
	f, s, _ := strings.Cut(t, ":")
	return slices.ContainsFunc(x.w.funcs[f], func(fn function) bool { return fn.name == s })
}

// unread names a use of a target that was not read. A whole file is judged for the files that use it.
func (x *cheater) unread(file, symbol string) string {
	users := map[string]bool{}
	for _, u := range x.w.uses(file, symbol) {
		users[u.file] = true
		if !x.saw(u) {
			return fmt.Sprintf("%s:%d was not read", u.file, u.line)
		}
	}
	return ""
}

// fullWithout returns the evidence that level full demands of the targets in a file and that is missing, or "".
func (x *cheater) fullWithout(file string) string {
	why := "it was named by no submission"
	for _, t := range x.targets {
		f, symbol, _ := strings.Cut(t, ":")
		if f != file || symbol != "" && !x.exists(t) {
			continue
		}
		if why = x.unread(f, symbol); why != "" {
			continue
		}
		tied := x.w.relatives(f, symbol)
		n := 0
		for s := range tied {
			if x.named[s] {
				n++
			}
		}
		alone := len(x.w.uses(f, "")) == 0 && len(tied) <= len(x.w.funcs[f])
		if need := min(leastSymbols, len(tied)); n < need && !alone {
			why = fmt.Sprintf("%d of %d tied symbols were looked up", n, need)
			continue
		}
		return ""
	}
	return why
}

// understand submits an understanding of noise.
func (x *cheater) understand() error {
	targets := []string{x.target()}
	if x.r.IntN(3) == 0 {
		targets = append(targets, x.target())
	}
	got, err := x.send("submit_understanding", args{
		"target_files": targets, "symbols_identified": x.symbols(x.r.IntN(7)), "entry_points": x.symbols(x.r.IntN(3)),
		"files_analyzed": []string{x.file(), x.file(), x.file(), x.file()}, "existing_patterns": []string{x.file() + " does it", x.file() + " too"},
	})
	if err == nil && got.failed == "" {
		x.targets = append(x.targets, targets...)
	}
	return err
}

// frame forges quotes in half of its tries.
func (x *cheater) frame() error {
	quote, forged := x.pick("invoice total", "a customer has no discount", "compute it with the rate"), false
	if x.r.IntN(2) == 0 {
		forged = true
		quote = x.pick("invoice totals", "the cart total", "customer has a discount", "compute it", "INVOICE TOTAL", "total invoice", "nvoice tota")
		if quote == "compute it" {
			forged = false // the user wrote this
		}
	}
	got, err := x.send("set_query_frame", args{"target_feature": args{"value": quote, "quote": quote}})
	if err == nil && got.failed == "" && got.Allowed {
		x.frames++
		if forged {
			x.faults = append(x.faults, fmt.Sprintf("%s: the quote %q was taken", x.task, quote))
		}
	}
	return err
}

// lookAround reads something, mostly not the code that matters.
func (x *cheater) lookAround() error {
	f := x.file()
	fn := x.w.funcs[f][x.r.IntN(len(x.w.funcs[f]))]
	if len(x.targets) > 0 && x.r.IntN(2) == 0 { // at one use of a target
		t, s, _ := strings.Cut(x.pick(x.targets...), ":")
		if uses := x.w.uses(t, s); len(uses) > 0 {
			u := uses[x.r.IntN(len(uses))]
			_, err := x.call("get_function_at_line", args{"file": u.file, "line": u.line})
			return err
		}
	}
	var err error
	switch x.r.IntN(5) {
	case 0:
		_, err = x.call("get_function_at_line", args{"file": f, "line": fn.line})
	case 1:
		_, err = x.call("get_symbols", args{"file": f})
	case 2:
		_, err = x.call("find_references", args{"name": f + ":" + fn.name})
	case 3:
		_, err = x.call("find_definitions", args{"name": f + ":" + fn.name})
	case 4:
		_, err = x.call("search_text", args{"regex": fn.name})
	}
	return err
}

func (x *cheater) analyse() error {
	var targets []string
	if x.r.IntN(2) == 0 {
		targets = []string{x.target()}
	}
	got, err := x.send("analyze_impact", args{"target_files": targets})
	if err != nil || got.failed != "" {
		return err
	}
	if x.level == "auto" {
		x.targets = append(x.targets, targets...)
	}
	if got.Allowed {
		x.analysed = append(x.analysed, targets...)
	}
	return nil
}

// impact claims that files were verified.
func (x *cheater) impact() error {
	now, err := x.call("get_session_status", nil)
	if err != nil {
		return err
	}
	var list []args
	status := x.pick("no_change_needed", "will_modify", "not_affected")
	for _, p := range now.Must {
		list = append(list, args{"file": p.File, "status": status, "reason": "it is fine"})
	}
	for _, p := range now.Confirm {
		if x.r.IntN(8) > 0 {
			list = append(list, args{"file": p.File, "status": status, "reason": "I know it by heart"})
		}
	}
	list = append(list, args{"file": x.file(), "status": "will_modify"})
	got, err := x.send("submit_impact_analysis", args{"verified_files": list})
	if err != nil || got.failed != "" || !got.Allowed {
		return err
	}
	x.countUnread()
	for _, p := range now.Must {
		lines := p.Lines
		if len(lines) == 0 {
			lines = []int{1}
		}
		for _, l := range lines {
			if !x.saw(use{p.File, l}) {
				x.faults = append(x.faults, fmt.Sprintf("%s: %s:%d counts as verified and was not read", x.task, p.File, l))
			}
		}
		if status == "will_modify" {
			x.modified = append(x.modified, p.File)
		}
	}
	return nil
}

func (x *cheater) verify() error {
	now, err := x.call("get_session_status", nil)
	if err != nil {
		return err
	}
	var list []args
	for _, h := range now.Hypotheses {
		shown := args{"tool": x.pick("find_references", "Read", "search_text", "query"), "target": x.symbol()}
		list = append(list, args{"hypothesis": h, "status": "confirmed", "evidence": shown})
	}
	files := []string{x.file(), x.file()}
	_, err = x.send("submit_verification", args{"verified": list, "symbols_identified": x.symbols(5), "files_analyzed": files})
	return err
}

func (x *cheater) semantic() error {
	if x.r.IntN(2) == 0 {
		if _, err := x.call("semantic_search", args{"query": "invoice"}); err != nil {
			return err
		}
	}
	_, err := x.send("submit_semantic", args{
		"semantic_reason": []string{x.pick("no_definition_found", "no_reference_found", "no_similar_implementation", "architecture_unknown", "context_fragmented", "because")},
		"hypotheses":      []string{"it is somewhere"},
	})
	return err
}

func (x *cheater) explore() error {
	f := x.file()
	got, err := x.send("add_explored_files", args{"files": []string{f}})
	if err != nil || got.failed != "" || !got.Allowed {
		return err
	}
	if why := x.unread(f, ""); why != "" && !slices.Contains(x.modified, f) {
		x.faults = append(x.faults, fmt.Sprintf("%s: %s was added: %s", x.task, f, why))
	}
	x.added = append(x.added, f)
	return nil
}

func (x *cheater) revert() error {
	got, err := x.send("revert_to_exploration", args{"forget": x.r.IntN(2) == 0})
	if err == nil && got.Allowed {
		x.analysed = nil
	}
	return err
}

func (x *cheater) confirm() error {
	_, err := x.send("confirm_symbol_relevance", args{"relevant_symbols": []string{x.symbol()}, "code_evidence": []string{x.file()}})
	return err
}
