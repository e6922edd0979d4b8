package guard

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"ken/internal/knowledge/task"
)

// judgeAnalysis judges analyze_impact, which lists the files that a change may break. It only warns, and never refuses for lack of
// evidence.
func (t *Task) judgeAnalysis(p Policy, r *Request) Decision {
	d := t.allow()
	for i := range r.Targets {
		if t.Level == Full && !t.isKnown(&r.Targets[i]) {
			d.Warnings = append(d.Warnings, fmt.Sprintf("%s is not a target of the understanding: it is analysed but may not be written; revert_to_exploration to name it as a target", r.Targets[i].Key()))
		}
	}
	d.Hint = "submit_impact_analysis with a status for each of these files; lines that are shown here count as read"
	return d
}

func (t *Task) isKnown(g *Target) bool {
	return slices.ContainsFunc(t.Targets, func(o Target) bool { return o.Key() == g.Key() })
}

// gatherAnalysis collects the files that use the targets of a request, and the documents that describe them. It leaves out a file that
// is itself a target only if its uses were read already; of documents, tests and other files it leaves out all targets.
func (t *Task) gatherAnalysis(p Policy, r *Request) *Analysis {
	a := &Analysis{}
	targets, should := r.Targets, slices.Clone(r.Should)
	at := map[string]int{}
	for i := range targets {
		a.Targets = append(a.Targets, targets[i].Key())
		for _, c := range targets[i].Callers {
			if t.isTarget(c.Path) && t.ReadCaller(&c) { // a file to be changed that was read already
				continue
			}
			if k, ok := at[c.Path]; ok {
				a.Must[k].merge(&c)
				continue
			}
			at[c.Path] = len(a.Must)
			a.Must = append(a.Must, c)
		}
		should = append(should, targets[i].Tests...)
	}
	if n := len(a.Must); n > p.MaxVerify {
		a.Left, a.Must = n-p.MaxVerify, a.Must[:p.MaxVerify]
	}
	other := func(file string) bool {
		_, must := at[file]
		return must || slices.ContainsFunc(targets, func(g Target) bool { return g.Path == file })
	}
	a.Documents, a.DocumentsLeft = p.documentsToConfirm(r.Mentions, other)
	for _, s := range should {
		if !other(s) && !a.hasPath(s) {
			a.Should = append(a.Should, s)
		}
	}
	return a
}

// mergeLines merges two sorted sets of lines. An empty set stands for the whole file.
func mergeLines(a, b []int) []int {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// merge adds the uses of another target in the same file.
func (c *Caller) merge(o *Caller) {
	c.Lines = mergeLines(c.Lines, o.Lines)
	if len(c.In) == 0 || len(o.In) == 0 {
		c.In = nil
		return
	}
	for _, name := range o.In {
		if !slices.Contains(c.In, name) {
			c.In = append(slices.Clone(c.In), name)
		}
	}
}

// unverifiedPlaces returns the places in the analysis, uses and descriptions of a target, that the agent has not read in this task. gone
// lists deleted documents, which need no reading. Of a file that is being modified as it was announced lines are new by now.
func (t *Task) unverifiedPlaces(gone []string) (out []string) {
	if t.Analysis == nil {
		return nil
	}
	for i := range t.Analysis.Must {
		if c := &t.Analysis.Must[i]; !t.ReadCaller(c) && !t.mayModify(c.Path) {
			out = append(out, c.Place())
		}
	}
	for i := range t.Analysis.Documents {
		d := &t.Analysis.Documents[i]
		if unread := t.unreadLines(d); len(unread) > 0 && !slices.Contains(gone, d.Path) && !t.mayModify(d.Path) {
			out = append(out, placeText(d.Path, unread))
		}
	}
	return out
}

// judgeAnswers judges submit_impact_analysis, by which an agent answers for each file of an analysis whether the change breaks it.
func (t *Task) judgeAnswers(p Policy, r *Request) Decision {
	if t.Analysis == nil {
		return t.refuseForMissing([]Missing{{Kind: Statuses, Need: 1, What: "nothing was analysed", Next: "analyze_impact"}})
	}
	var missing []Missing
	for i := range t.Targets {
		if g := &t.Targets[i]; t.Level == Full && !slices.Contains(t.Analysis.Targets, g.Key()) && !g.hasNoDependents() {
			missing = append(missing, Missing{Kind: Statuses, Need: 1, What: g.Key() + " was not analysed", Next: "analyze_impact"})
		}
	}
	said := t.Analysis.withStatuses(r.Statuses)
	if missing = append(missing, t.missingAnswers(said, r.Gone)...); len(missing) > 0 {
		return t.refuseForMissing(missing)
	}
	d := t.moveToReady()
	open := slices.DeleteFunc(slices.Clone(t.Analysis.Should), func(s string) bool {
		return slices.ContainsFunc(said, func(f FileStatus) bool { return f.Path == s })
	})
	if len(open) > 0 {
		d.Warnings = append(d.Warnings, "no status was given for "+joinFirst(open, 3))
	}
	for _, f := range r.Statuses {
		if !t.Analysis.hasPath(f.Path) {
			d.Warnings = append(d.Warnings, f.Path+" is not among the files of the analysis, so this does not allow writing it")
		}
	}
	if t.Analysis.Left > 0 {
		d.Unjudged = append(d.Unjudged, fmt.Sprintf("%d more files use the targets; no status was required for them", t.Analysis.Left))
	}
	if t.Analysis.DocumentsLeft > 0 {
		d.Unjudged = append(d.Unjudged, fmt.Sprintf("%d more documents describe the targets; no status was required for them", t.Analysis.DocumentsLeft))
	}
	d.Unjudged = append(d.Unjudged, "whether the reasons are true; ken only checks that the lines were seen")
	return d
}

// withStatuses returns the statuses of the analysis together with given ones. If both have a file, the given status wins.
func (a *Analysis) withStatuses(given []FileStatus) []FileStatus {
	out := slices.Clone(given)
	for _, f := range a.Statuses {
		if !slices.ContainsFunc(given, func(o FileStatus) bool { return o.Path == f.Path }) {
			out = append(out, f)
		}
	}
	return out
}

// FingerprintsToModify returns, by path, the fingerprints of the files whose last answer is that they will be modified.
func (a *Analysis) FingerprintsToModify() map[string]string {
	out := map[string]string{}
	for _, f := range a.Statuses {
		if was := a.Was[f.Path]; f.Status == WillModify && was != "" {
			out[f.Path] = was
		}
	}
	return out
}

// mergeEarlier adds the files and documents of an earlier analysis, with their answers.
func (a *Analysis) mergeEarlier(o *Analysis) {
	for _, k := range o.Targets {
		if !slices.Contains(a.Targets, k) {
			a.Targets = append(a.Targets, k)
		}
	}
	for _, c := range o.Must {
		if i := slices.IndexFunc(a.Must, func(m Caller) bool { return m.Path == c.Path }); i >= 0 {
			a.Must[i].merge(&c)
			continue
		}
		a.Must = append(a.Must, c)
	}
	for _, d := range o.Documents {
		a.Documents = addDocument(a.Documents, d)
	}
	for _, s := range o.Should {
		if !a.hasPath(s) {
			a.Should = append(a.Should, s)
		}
	}
	a.Left, a.DocumentsLeft = max(a.Left, o.Left), max(a.DocumentsLeft, o.DocumentsLeft)
	a.Statuses, a.Was = o.Statuses, o.Was
}

func (a *Analysis) hasPath(path string) bool {
	return slices.Contains(a.Should, path) || a.Describes(path) || slices.ContainsFunc(a.Must, func(c Caller) bool { return c.Path == path })
}

// missingAnswers returns the evidence that the answers in said lack, each kind of lack once with all files that it concerns: places of the
// analysis that were not read, and files and documents without an answer. gone lists deleted documents, which need none.
func (t *Task) missingAnswers(said []FileStatus, gone []string) (missing []Missing) {
	if unread := t.unverifiedPlaces(gone); len(unread) > 0 {
		missing = append(missing, Missing{Kind: t.Analysis.kindOfLack(unread), Need: len(unread), Places: unread,
			What: "what uses or describes the targets was not read in this task",
			Next: readCall(unread) + ", then submit_impact_analysis"})
	}
	var none, unknown, bare []string
	for _, file := range t.Analysis.filesToAnswer(gone) {
		i := slices.IndexFunc(said, func(f FileStatus) bool { return f.Path == file })
		switch {
		case i < 0:
			none = append(none, file)
		case !slices.Contains([]Status{WillModify, NoChange, NotAffected}, said[i].Status):
			unknown = append(unknown, fmt.Sprintf("%s (%q)", file, string(said[i].Status)))
		case said[i].Status != WillModify && strings.TrimSpace(said[i].Reason) == "":
			bare = append(bare, file)
		}
	}
	for _, lack := range []struct {
		files      []string
		what, next string
	}{
		{none, "no status was given for ", "submit_impact_analysis with a status for each file"},
		{unknown, "no status that exists was given for ", "give will_modify, no_change_needed or not_affected"},
		{bare, "a reason is required, unless it will be modified, for ", "say why each of these files need not change"},
	} {
		if n := len(lack.files); n > 0 {
			what := lack.what + strings.Join(lack.files, ", ")
			missing = append(missing, Missing{Kind: t.Analysis.kindOfLack(lack.files), Need: n, What: what, Next: lack.next})
		}
	}
	return missing
}

// kindOfLack returns the kind of evidence that is missing of files, or of places in them: Documents if it is missing of documents alone.
func (a *Analysis) kindOfLack(places []string) Kind {
	for _, p := range places {
		if !slices.ContainsFunc(a.Documents, func(d Document) bool { return strings.HasPrefix(p, d.Path) }) {
			return Statuses
		}
	}
	return Documents
}

// filesToAnswer returns the files and documents of the analysis that need an answer.
func (a *Analysis) filesToAnswer(gone []string) (out []string) {
	for i := range a.Must {
		out = append(out, a.Must[i].Path)
	}
	for i := range a.Documents {
		if d := a.Documents[i].Path; !slices.Contains(gone, d) {
			out = append(out, d)
		}
	}
	return out
}

// judgeWrite judges a write of each named file, whether or not the write was announced.
func (t *Task) judgeWrite(p Policy, r *Request) Decision {
	if len(r.Targets) == 0 {
		return t.refuseForMissing([]Missing{missingTarget()})
	}
	if d, refused := t.refuseUncovered(r.Targets); refused {
		return d
	}
	var missing []Missing
	if open := t.openHypotheses(); len(open) > 0 {
		missing = append(missing, Missing{Kind: Hypotheses, Need: len(open), What: "not verified: " + joinFirst(open, 3), Next: "submit_understanding, then verify them"})
	}
	known := slices.DeleteFunc(slices.Clone(r.Targets), func(g Target) bool { return !t.isKnown(&g) })
	after := t.withTargets(known) // new facts of the targets of the task
	after.asked = r.Targets
	for i := range r.Targets {
		missing = append(missing, after.missingToWrite(p, &r.Targets[i])...)
		if named := after.declarationsOnly(&r.Targets[i]); len(named) > 0 {
			missing = append(missing, after.missingBeyond(p, r.Tool, &r.Targets[i], named)...)
		}
	}
	if len(missing) > 0 {
		return t.refuseForMissing(missing)
	}
	return t.moveToReady()
}

// missingBeyond returns the evidence that is missing because g, a file, is going to change outside of the declarations that are targets. A
// write is judged by what it changes; a question about the whole file by what uses the whole file.
func (t *Task) missingBeyond(p Policy, by Tool, g *Target, named []string) []Missing {
	if g.Symbol != "" {
		return nil
	}
	var symbols []string
	for _, k := range named {
		symbols = append(symbols, k[len(g.Path)+1:])
	}
	only := fmt.Sprintf("of %s only %s may be written", g.Path, joinFirst(symbols, 3))
	next := "check_write_target " + g.Path + ":NAME for each declaration that is going to change, or " + g.Path + " for the whole file"
	if t.Level == Full {
		next = "add_explored_files " + g.Path + ", after reading it and the files that use it"
	}
	if by != Write {
		if t.mayModify(g.Path) { // leave for these declarations is what is asked for
			return nil
		}
		if t.Level == Full {
			return []Missing{{Kind: Targets, Need: 1, What: only, Next: next, Places: named}}
		}
		return t.missingFor(p, g)
	}
	if !g.Compared {
		return []Missing{{Kind: Targets, Need: 1, What: only + ", and what this write changes is not known", Next: next, Places: named}}
	}
	var beyond []string
	for _, c := range g.Changed {
		within := func(symbol string) bool {
			return c.Name != "" && (symbol == c.Name || slices.Contains(c.Around, symbol))
		}
		switch {
		case slices.ContainsFunc(symbols, within):
		case c.Name == "":
			beyond = append(beyond, "lines outside of all declarations")
		default:
			beyond = append(beyond, c.Name)
		}
	}
	if len(beyond) == 0 {
		return nil
	}
	return []Missing{{Kind: Targets, Need: 1, What: only + "; this write changes " + joinFirst(beyond, 5), Next: next, Places: named}}
}

func missingTarget() Missing {
	return Missing{Kind: Targets, Need: 1, What: "no file was named", Next: "name the file that you are going to write"}
}

// missingToWrite returns the evidence that is missing before the file of g may be written. It judges the targets in that file
// first, because a declaration requires less evidence than the whole file.
func (t *Task) missingToWrite(p Policy, g *Target) []Missing {
	named := false
	var missing []Missing
	for i := range t.Targets {
		o := &t.Targets[i]
		if o.Path != g.Path || len(o.Candidates) > 0 {
			continue
		}
		named = true
		missing = append(missing, t.missingFor(p, o)...)
		if t.Level == Full && !o.hasNoDependents() && !t.isAnalysed(o) {
			missing = append(missing, Missing{Kind: Statuses, Need: 1, What: o.Key() + " was not analysed", Next: "analyze_impact, then submit_impact_analysis"})
		}
	}
	switch {
	case named && g.Symbol == "":
		return missing
	case t.usesTarget(g.Path), slices.Contains(t.Explored, g.Path):
		return nil
	case t.Level == Auto, t.mayModify(g.Path):
		return t.missingFor(p, g)
	case named:
		return missing
	case g.New && t.hasSeenFolder(g.Path), !g.New && g.hasNoDependents():
		return nil
	}
	return []Missing{{Kind: Targets, Need: 1, What: g.Path + " is neither a target nor a file that the analysis will modify", Places: []string{g.Path},
		Next: "add_explored_files, after reading it and the files that use it"}}
}

// mayModify reports whether the agent has answered that the file will be modified because a target changes. The files that use this
// file are one step further than the guard requires.
func (t *Task) mayModify(file string) bool {
	return t.Analysis != nil && t.Analysis.Done && t.Analysis.hasPath(file) &&
		slices.ContainsFunc(t.Analysis.Statuses, func(f FileStatus) bool { return f.Path == file && f.Status == WillModify })
}

// usesTarget reports whether a file that may be modified uses or describes a target, and is not one that only goes with it.
func (t *Task) usesTarget(file string) bool {
	return t.mayModify(file) && (t.Analysis.caller(file) != nil || t.Analysis.Describes(file))
}

// caller returns the file that uses a target, nil if it is none.
func (a *Analysis) caller(file string) *Caller {
	for i := range a.Must {
		if a.Must[i].Path == file {
			return &a.Must[i]
		}
	}
	return nil
}

// hasSeenFolder reports whether the agent has looked at a file in the folder of file, which is new.
func (t *Task) hasSeenFolder(file string) bool {
	return slices.ContainsFunc(t.Looks, func(l task.ReadPart) bool { return l.Depth >= task.Outlined && path.Dir(l.Path) == path.Dir(file) })
}

// judgeExplored judges add_explored_files: the agent must have read each file, and the files that use it.
func (t *Task) judgeExplored(p Policy, r *Request) Decision {
	if len(r.Targets) == 0 {
		return t.refuseForMissing([]Missing{missingTarget()})
	}
	if d, refused := t.refuseUncovered(r.Targets); refused {
		return d
	}
	var missing []Missing
	after := *t
	after.asked = r.Targets
	for i := range r.Targets {
		g := &r.Targets[i]
		known := t.hasSeenPart(g.Path, task.Read) || g.New && (t.Level == Auto || t.hasSeenFolder(g.Path))
		if !known {
			missing = append(missing, Missing{Kind: Files, Need: 1, What: g.Path + " was not read in this task", Next: readCall([]string{g.Path}), Places: []string{g.Path}})
		}
		missing = append(missing, after.missingFor(p, g)...)
	}
	if len(missing) > 0 {
		return t.refuseForMissing(missing)
	}
	return t.allow()
}

// revertToStart moves the task back to its first state.
func (t *Task) revertToStart(Policy, *Request) Decision {
	d := t.moveTo(Exploration)
	d.Hint = "code that was looked at stays known"
	return d
}

// judgeReview judges submit_for_review, by which an agent hands in its changes.
func (t *Task) judgeReview(_ Policy, r *Request) Decision {
	if len(r.Unpermitted) > 0 {
		return t.refuseForMissing([]Missing{{Kind: Shell, Have: len(r.Unpermitted), What: "changed without leave: " + joinFirst(r.Unpermitted, 5), Places: r.Unpermitted,
			Next: "check_write_target for each of them, or restore them"}})
	}
	d := t.moveTo(PreCommit)
	if d.Hint = "review_changes"; !t.Overlay {
		d.Hint = "look through the changes with git diff, commit what is wanted, then record_outcome"
	}
	if len(r.Unasked) > 0 {
		d.Warnings = append(d.Warnings, "these changed without being asked about, and may be written: "+joinFirst(r.Unasked, 5))
	}
	// It does not stop the review: a change may turn out not to be needed, and only a person can judge that.
	if len(r.Unchanged) > 0 {
		d.Warnings = append(d.Warnings, "these were answered will_modify but have not changed since: "+joinFirst(r.Unchanged, 5))
	}
	return d
}

func keepUnderstanding(t *Task, _ Policy, r *Request, d *Decision) {
	t.Targets = t.withTargets(r.Targets).Targets
	if d.Allowed {
		t.addHypotheses(r.Hypotheses)
		t.Claims = r.Claims
		t.Missing = nil
		for _, m := range d.Missing {
			t.Missing = append(t.Missing, m.Kind)
		}
	}
}

func keepHypotheses(t *Task, _ Policy, r *Request, d *Decision) {
	if d.Allowed {
		t.addHypotheses(r.Hypotheses)
	}
}

func keepVerdicts(t *Task, _ Policy, r *Request, d *Decision) {
	if !d.failed || d.State == Exploration {
		after, _, _ := t.judgeHypotheses(r)
		t.Hypotheses, t.Frame = after.Hypotheses, after.Frame
		t.Claims = r.Claims
	}
	if !d.failed {
		t.Failed = 0
	}
}

func keepAnalysis(t *Task, p Policy, r *Request, _ *Decision) {
	if t.Level == Auto {
		t.Targets = t.withTargets(r.Targets).Targets
	}
	a := t.gatherAnalysis(p, r)
	if t.Analysis != nil {
		a.mergeEarlier(t.Analysis)
	}
	t.Analysis = a
}

func keepStatuses(t *Task, _ Policy, r *Request, d *Decision) {
	if d.Allowed {
		a := t.Analysis
		was := maps.Clone(r.Was)
		if was == nil {
			was = map[string]string{}
		}
		maps.Copy(was, a.Was) // a file that is announced twice is compared with its first fingerprint
		a.Statuses, a.Done, a.Was = a.withStatuses(r.Statuses), true, was
	}
}

// keepTargets stores the targets that level Auto judged: ambiguous names, and files that may be written. Two sorts of files do not
// become targets when they are written, because more is required of a target and the second write would be refused: a file that the
// analysis or the exploration allows to write, and the whole of a file in which a declaration is a target.
func keepTargets(t *Task, _ Policy, r *Request, d *Decision) {
	if d.Allowed {
		for i := range r.Targets {
			t.permit(r.Tool, &r.Targets[i])
		}
	}
	if t.Level == Auto {
		judged := slices.DeleteFunc(slices.Clone(r.Targets), func(g Target) bool {
			named := slices.ContainsFunc(t.Targets, func(o Target) bool { return o.Path == g.Path })
			permitted := t.mayModify(g.Path) || slices.Contains(t.Explored, g.Path)
			isWholeFile := g.Symbol == "" && len(g.Candidates) == 0 && !t.isKnown(&g)
			hasDeclarations := slices.ContainsFunc(t.Targets, func(o Target) bool {
				return o.Path == g.Path && o.Symbol != "" && len(o.Candidates) == 0
			})
			return !named && permitted || isWholeFile && hasDeclarations
		})
		t.Targets = t.withTargets(judged).Targets
	}
	if d.Allowed {
		for _, g := range r.Targets {
			t.Unpermitted = slices.DeleteFunc(t.Unpermitted, func(p string) bool { return p == g.Path })
		}
	}
}

// permit notes that a target was allowed to be written: the whole file, unless only declarations of it are named and it was written
// without asking for the whole of it.
func (t *Task) permit(by Tool, g *Target) {
	keys := []string{g.Key()}
	if named := t.declarationsOnly(g); len(named) > 0 && (by == Write || t.mayModify(g.Path)) && g.Symbol == "" {
		keys = named
	}
	for _, k := range keys {
		if !slices.Contains(t.Permits, k) {
			t.Permits = append(t.Permits, k)
		}
	}
}

// LimitsTo reports whether the task gives leave for declarations of a file alone and not for the file as a whole, so that a write of it has
// to be compared.
func (t *Task) LimitsTo(g *Target) bool { return len(t.declarationsOnly(g)) > 0 }

// declarationsOnly returns the keys of the declarations of a file that are targets, or use one, if the task gives leave for these alone and
// not for the file as a whole.
func (t *Task) declarationsOnly(g *Target) (keys []string) {
	if slices.Contains(t.Explored, g.Path) || slices.Contains(t.Permits, g.Path+":") {
		return nil
	}
	if t.mayModify(g.Path) {
		c := t.Analysis.caller(g.Path)
		if c == nil || len(c.In) == 0 {
			return nil
		}
		for _, name := range c.In {
			keys = append(keys, g.Path+":"+name)
		}
	}
	for i := range t.Targets {
		o := &t.Targets[i]
		switch {
		case o.Path != g.Path || len(o.Candidates) > 0:
		case o.Symbol == "":
			return nil
		case !slices.Contains(keys, o.Key()):
			keys = append(keys, o.Key())
		}
	}
	return keys
}

func keepExplored(t *Task, _ Policy, r *Request, d *Decision) {
	if !d.Allowed {
		return
	}
	for _, g := range r.Targets {
		if !slices.Contains(t.Explored, g.Path) {
			t.Explored = append(t.Explored, g.Path)
		}
	}
}

func keepReverted(t *Task, _ Policy, r *Request, _ *Decision) {
	if t.Asking { // the user was asked, although no hook recorded it
		t.Failed, t.Asking = 0, false
	}
	t.Analysis, t.Missing = nil, nil
	t.Hypotheses = slices.DeleteFunc(slices.Clone(t.Hypotheses), func(h Hypothesis) bool { return h.Status == "" })
	if r.Forget {
		t.Targets, t.Claims, t.Explored, t.Relevance = nil, nil, nil, nil
	}
}
