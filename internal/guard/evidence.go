package guard

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"ken/internal/guard/frame"
	"ken/internal/knowledge/task"
)

// requirement is the amount of evidence that level Full requires of an agent's understanding. It is lowered if the project has less.
type requirement struct {
	counts Counts
	slots  []frame.Slot
	tools  []Tool
}

// requirementRow is the requirement for tasks of one risk, either those that change files or the others.
type requirementRow struct {
	writes bool
	risk   Risk
	requirement
}

// requirements returns the table of requirements. A task that changes nothing needs little, whatever its risk.
func requirements() []requirementRow {
	return []requirementRow{
		{true, High, requirement{Counts{5, 2, 4, 2}, []frame.Slot{frame.TargetFeature, frame.ObservedIssue}, []Tool{FindDefinitions, FindReferences}}},
		{true, Medium, requirement{Counts{3, 1, 2, 1}, []frame.Slot{frame.TargetFeature}, nil}},
		{true, Low, requirement{Counts{3, 1, 2, 1}, nil, nil}},
		{false, "", requirement{Counts{1, 0, 1, 0}, nil, nil}},
	}
}

// RequestRisk returns the risk of a request. The risk is higher the more of the request's frame is unknown or assumed.
func RequestRisk(i Intent, f frame.Frame) Risk {
	known := func(s frame.Slot) bool { return f.Find(s).Source != frame.Unresolved }
	switch {
	case !i.Writes():
		return Low
	case i == Modify && !(known(frame.TargetFeature) && known(frame.ObservedIssue)):
		return High
	case i == Implement && len(f.WithSource(frame.Fact)) == 0:
		return High
	case len(f.WithSource(frame.Fact)) < len(frame.Slots()):
		return Medium
	}
	return Low
}

// hasSeenLines reports whether the agent has seen all given lines of a file, or the whole file, at least to depth d. Without lines it
// reports whether the agent has seen the whole file.
func (t *Task) hasSeenLines(path string, d task.Depth, lines ...int) bool {
	if t.hasSeenWhole(path, d) {
		return true
	}
	if len(lines) == 0 {
		return false
	}
	return !slices.ContainsFunc(lines, func(line int) bool {
		return !slices.ContainsFunc(t.Looks, func(l task.ReadPart) bool {
			holds := l.First > 0 && l.First <= line && line <= l.Last
			return holds && l.Path == path && t.shows(&l, d)
		})
	})
}

// shows reports whether a look showed something to depth d. Lines that were printed because they use a declaration count if that is a
// target, or in one; those that a search printed, if its pattern has a name of a target or of the request in it.
func (t *Task) shows(l *task.ReadPart, d task.Depth) bool {
	if l.Depth < d {
		return false
	}
	if l.Of == "" {
		return true
	}
	targets := slices.Concat(t.Targets, t.asked)
	if l.Tool == string(FindReferences) || l.Tool == string(AnalyzeImpact) {
		return slices.ContainsFunc(targets, func(g Target) bool {
			return l.Of == g.Key() || g.Symbol == "" && g.Path != "" && strings.HasPrefix(l.Of, g.Path+":")
		})
	}
	return t.Frame.Names(l.Of) || slices.ContainsFunc(targets, func(g Target) bool {
		return namesIn(l.Of, g.Symbol) || namesIn(l.Of, path.Base(g.Path))
	})
}

// namesIn reports whether a pattern has the last part of a name in it, as a word.
func namesIn(pattern, name string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	for from := 0; name != ""; {
		i := strings.Index(pattern[from:], name)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(name)
		before, after := i > 0 && isNameByte(pattern[i-1]), from < len(pattern) && isNameByte(pattern[from])
		if !after && (!before || i > 1 && pattern[i-2] == '\\') { // \b and the like are no part of a word
			return true
		}
	}
	return false
}

func isNameByte(b byte) bool {
	return b == '_' || b >= 0x80 || unicode.IsLetter(rune(b)) || unicode.IsDigit(rune(b))
}

// hasSeenWhole reports whether the agent has seen a whole file at least to depth d.
func (t *Task) hasSeenWhole(path string, d task.Depth) bool {
	return slices.ContainsFunc(t.Looks, func(l task.ReadPart) bool {
		file := l.Symbol == "" && l.First == 0
		return file && l.Path == path && t.shows(&l, d)
	})
}

// hasSeenPart reports whether the agent has seen any part of a file at least to depth d.
func (t *Task) hasSeenPart(path string, d task.Depth) bool {
	return slices.ContainsFunc(t.Looks, func(l task.ReadPart) bool { return l.Path == path && t.shows(&l, d) })
}

// HasLookedUp reports whether the file or declaration of a claim was looked up in this task.
func (t *Task) HasLookedUp(c *Claim) bool {
	if !c.Exists() {
		return false
	}
	if c.Symbol == "" {
		return t.hasSeenPart(c.Path, task.Outlined)
	}
	asked := slices.ContainsFunc(t.Looks, func(l task.ReadPart) bool {
		return l.Path == c.Path && l.Symbol == c.Symbol && t.shows(&l, task.Named)
	})
	return asked || t.hasSeenWhole(c.Path, task.Outlined) || t.hasSeenLines(c.Path, task.Read, c.First)
}

// isEvidence reports whether a claim counts as evidence: it exists, it was looked up, and it is tied to a target.
func (t *Task) isEvidence(c *Claim) bool {
	tied := c.Tied || len(t.Targets) == 0 && !t.Intent.Writes()
	irrelevant := slices.ContainsFunc(t.Relevance, func(r Relevance) bool {
		return r.Symbol == c.Path+":"+c.Symbol && r.Tier == TierRejected && !r.Confirmed
	})
	if !tied || !t.HasLookedUp(c) || irrelevant {
		return false
	}
	switch c.Kind {
	case EntryPoints:
		return c.Entry && c.Symbol != ""
	case Symbols:
		return c.Symbol != ""
	case Files:
		return c.Symbol == ""
	}
	return true
}

// missingEvidence returns the evidence that level Full requires and claims lack. have has the number of items of each kind that exist at
// all, because no more can be required.
func (t *Task) missingEvidence(claims []Claim, have Counts) (missing []Missing) {
	var req requirement
	for _, row := range requirements() {
		if row.writes == t.Intent.Writes() && (row.risk == "" || row.risk == t.Risk) {
			req = row.requirement
			break
		}
	}
	for _, k := range []Kind{Symbols, EntryPoints, Files, Patterns} {
		need := min(req.counts.CountOfKind(k), have.CountOfKind(k))
		n := t.countEvidence(claims, k)
		if n < need {
			missing = append(missing, Missing{Kind: k, Have: n, Need: need,
				What: fmt.Sprintf("%d of %d %s that were looked up in this task and that a reference or import ties to a target", n, need, k), Next: nextStep(k)})
		}
	}
	for _, s := range req.slots {
		if t.Frame.Find(s).Source != frame.Fact {
			next := fmt.Sprintf("name a hypothesis \"%s: …\" and verify it", s)
			if t.State == Exploration {
				next = fmt.Sprintf("set_query_frame with a quote of the user for %s, or verify it as a hypothesis (\"%s: …\")", s, s)
			}
			missing = append(missing, Missing{Kind: Slots, Need: 1, What: fmt.Sprintf("%s is not a FACT", s), Next: next})
		}
	}
	for _, tool := range req.tools {
		useful := tool == FindDefinitions && have.Symbols > 0 || tool == FindReferences && have.EntryPoints > 0
		if useful && !slices.ContainsFunc(t.Looks, func(l task.ReadPart) bool { return l.Tool == string(tool) }) {
			missing = append(missing, Missing{Kind: Tools, Need: 1, What: string(tool) + " was not used", Next: "call " + string(tool) + " for what you are going to change"})
		}
	}
	return missing
}

// countEvidence returns how many different claims of a kind count as evidence.
func (t *Task) countEvidence(claims []Claim, k Kind) int {
	keys := map[string]bool{}
	for i := range claims {
		c := &claims[i]
		if c.Kind == k && t.isEvidence(c) {
			keys[c.Path+":"+c.Symbol+":"+c.Text] = true
		}
	}
	return len(keys)
}

func nextStep(k Kind) string {
	switch k {
	case Symbols:
		return "find_definitions of the symbols that the target uses or that use it"
	case EntryPoints:
		return "find_references of the target: who uses it is where its work is entered"
	case Files:
		return "analyze_structure or read the files that the target imports or that import it"
	case Patterns:
		return "read code beside the target that does something alike, and name it as PATH or PATH:NAME"
	}
	return ""
}

// contradictions lists the contradictions between an agent's claims and the index.
func (t *Task) contradictions(claims []Claim) (out []string) {
	seen := map[string]bool{}
	names := map[string]bool{}
	for i := range claims {
		if claims[i].Kind == Symbols {
			names[claims[i].Symbol] = true
		}
	}
	for i := range claims {
		c := &claims[i]
		key := string(c.Kind) + " " + c.Path + ":" + c.Symbol + ":" + c.Text
		switch {
		case c.Several:
			out = append(out, fmt.Sprintf("%s: %q means several declarations; name one as PATH:NAME", c.Kind, c.Name))
		case !c.Exists():
			out = append(out, fmt.Sprintf("%s: there is no %q", c.Kind, c.Name))
		case seen[key]:
			out = append(out, fmt.Sprintf("%s: %q is listed twice", c.Kind, c.Name))
		case !t.HasLookedUp(c):
			out = append(out, fmt.Sprintf("%s: %q was not looked at in this task", c.Kind, c.Name))
		case c.Kind == EntryPoints && !names[c.Symbol] && !slices.ContainsFunc(c.Linked, func(n string) bool { return names[n] }):
			out = append(out, fmt.Sprintf("%s: %q leads to none of the symbols that are listed", c.Kind, c.Name))
		}
		seen[key] = true
	}
	return out
}

// missingFor returns the evidence that is missing before target g may be changed. It requires the same at both levels, and nothing if the
// change is not risky.
func (t *Task) missingFor(p Policy, g *Target) (missing []Missing) {
	if m, ok := t.ambiguousTarget(g); ok {
		return []Missing{m}
	}
	if g.hasNoDependents() || t.isAnalysed(g) {
		return nil
	}
	if g.Dependents > p.MaxDependents {
		return []Missing{{Kind: Dependents, Have: g.Dependents, Need: p.MaxDependents,
			What: fmt.Sprintf("%s%d files depend on %s", leastText(g.More), g.Dependents, g.Name),
			Next: "analyze_impact " + g.givenName() + ", which shows what has to be read, then submit_impact_analysis with a status for each file"}}
	}
	var unread []string
	for i := range g.Callers {
		if !t.ReadCaller(&g.Callers[i]) {
			unread = append(unread, g.Callers[i].Place())
		}
	}
	if len(unread) > 0 {
		n, next := len(g.Callers), readCall(unread)
		if t.Level == Auto {
			next = fmt.Sprintf("analyze_impact %s, which shows these lines; or %s", g.givenName(), next)
		}
		missing = append(missing, Missing{Kind: Callers, Have: n - len(unread), Need: n, Places: unread,
			What: fmt.Sprintf("%d of %d files that use %s were not read", len(unread), n, g.Name), Next: next})
	}
	return missing
}

// readCall returns the one call that shows all places.
func readCall(places []string) string {
	return fmt.Sprintf("get_function_at_line with places %q", strings.Join(places, " "))
}

// givenName returns the name by which a target is asked for again.
func (t *Target) givenName() string {
	if t.Symbol != "" {
		return t.Key()
	}
	return t.Path
}

// ReadCaller reports whether the agent has read the lines on which a file uses a target.
func (t *Task) ReadCaller(c *Caller) bool { return t.hasSeenLines(c.Path, task.Read, c.Lines...) }

// Place returns the lines of a file that have to be read as one place, as in "a.go:3,7"; without lines the file alone.
func (c *Caller) Place() string {
	return placeText(c.Path, c.Lines)
}

// placeText returns lines of a file as one place, as in "a.go:3,7"; without lines the file alone.
func placeText(path string, lines []int) string {
	for i, n := range lines {
		path += fmt.Sprintf("%c%d", ":,"[min(i, 1)], n)
	}
	return path
}

// ambiguousTarget returns the missing evidence for a target whose name refers, or referred when it was given, to several
// declarations. The agent has to read the intended declaration and to name it exactly. It reports false if nothing is missing.
func (t *Task) ambiguousTarget(g *Target) (Missing, bool) {
	places := g.Candidates
	if len(places) == 0 {
		for i := range t.Targets {
			o := &t.Targets[i]
			if slices.ContainsFunc(o.Candidates, func(c Place) bool { return c.Path == g.Path && c.Symbol == g.Symbol }) {
				places = o.Candidates
			}
		}
		i := slices.IndexFunc(places, func(c Place) bool { return c.Path == g.Path && c.Symbol == g.Symbol })
		if i < 0 || t.hasSeenLines(g.Path, task.Read, places[i].Line) {
			return Missing{}, false
		}
		return Missing{Kind: Ambiguity, Need: 1, What: fmt.Sprintf("the name meant %d declarations, and %s was not read", len(places), g.Key()),
			Next: readCall([]string{placeText(g.Path, []int{places[i].Line})}), Places: []string{g.Key()}}, true
	}
	var names, at []string
	for _, c := range places {
		names = append(names, c.Path+":"+c.Symbol)
		at = append(at, placeText(c.Path, []int{c.Line}))
	}
	return Missing{Kind: Ambiguity, Have: len(names), Need: 1, Places: names,
		What: fmt.Sprintf("%q means %d declarations: %s", g.Name, len(names), joinFirst(names, 5)),
		Next: readCall(at[:min(len(at), 5)]) + ", and name the one that is meant as PATH:NAME"}, true
}

// isAnalysed reports whether the agent has answered an impact analysis of the target: a list of the files that its change may break.
func (t *Task) isAnalysed(g *Target) bool {
	return t.Analysis != nil && t.Analysis.Done && slices.Contains(t.Analysis.Targets, g.Key())
}

func (t *Task) isTarget(path string) bool {
	return slices.ContainsFunc(t.Targets, func(g Target) bool { return g.Path == path && len(g.Candidates) == 0 })
}

// joinFirst joins the first few names, at most the given number, and counts the others.
func joinFirst(names []string, most int) string {
	out := ""
	for i, n := range names {
		if i == most {
			return fmt.Sprintf("%s and %d more", out, len(names)-most)
		}
		if i > 0 {
			out += ", "
		}
		out += n
	}
	return out
}

// Leave returns what of a file the task gave leave to write: all of it, or some of its declarations. A target that was only named, and one
// that was refused, is none.
func (t *Task) Leave(file string) (whole bool, symbols []string) {
	whole = slices.Contains(t.Explored, file)
	if t.mayModify(file) {
		c := t.Analysis.caller(file)
		if whole = whole || c == nil || len(c.In) == 0; !whole {
			symbols = slices.Clone(c.In)
		}
	}
	for _, k := range t.Permits {
		if symbol, ok := strings.CutPrefix(k, file+":"); ok {
			whole = whole || symbol == ""
			symbols = append(symbols, symbol)
		}
	}
	return whole, symbols
}

// FilesRead returns the number of files of which the agent has read any text.
func (t *Task) FilesRead() int {
	files := map[string]bool{}
	for _, l := range t.Looks {
		if l.Depth >= task.Read && l.Of == "" {
			files[l.Path] = true
		}
	}
	return len(files)
}

// leastText returns the words before a number that may be higher.
func leastText(more bool) string {
	if more {
		return "at least "
	}
	return ""
}
