package roadmap

import (
	"slices"
	"strings"

	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/phaseid"
)

// Scope tells how reliably the phases of the current milestone were found.
type Scope string

// The scopes. With Truncated or Unreadable nothing may be removed or archived, because phases may be unknown.
const (
	Complete   Scope = "complete"   // the section of the milestone was found and contains all phases
	Truncated  Scope = "truncated"  // some phases are outside of the milestone's section
	Unscoped   Scope = "unscoped"   // the version is unknown or in no heading, so everything outside <details> counts
	Unreadable Scope = "unreadable" // the text has a conflict or is empty, or is no roadmap
)

// MilestoneLines is the part of a roadmap that is about the current milestone.
type MilestoneLines struct {
	Version, Name string
	Scope         Scope
	Why           string // why the scope is not complete
	Lines         []document.Range
	Phases        []Phase
}

// Has reports whether a line is part of the milestone.
func (v *MilestoneLines) Has(line int) bool { return isInRanges(v.Lines, line) }

// milestoneHeading is a heading with a version or a milestone mark.
type milestoneHeading struct {
	document.Heading
	version string
	state   State
}

// isOtherMilestone reports whether the heading is about another milestone than the one asked for. The title of the roadmap names the
// project, too.
func (h *milestoneHeading) isOtherMilestone(asked string) bool {
	return h.version != "" && h.Level > 1 && !strings.EqualFold(h.version, asked)
}

var marks = [...]struct {
	mark  string
	state State
}{{"✅", Shipped}, {"🚧", Active}, {"📋", Planned}}

func milestoneState(text string) State {
	for _, m := range marks {
		if strings.Contains(text, m.mark) {
			return m.state
		}
	}
	return NoMark
}

func (r *Roadmap) readMilestones(body document.Range) {
	for _, h := range r.Doc.Headings() {
		title := h.Text.Text(r.Doc.Text())
		if _, _, phase := phaseTitle(title); phase || h.Level > 4 {
			continue
		}
		version, after := findVersion(title)
		state := milestoneState(title)
		if version == "" && state == NoMark {
			continue
		}
		r.headings = append(r.headings, milestoneHeading{h, version, state})
		if version != "" && h.Level > 1 {
			name, _, _ := strings.Cut(strings.TrimLeft(after, ":—–- "), "(")
			r.Milestones = append(r.Milestones, Milestone{version, strings.TrimSpace(name), state, h.Line})
		}
	}
	for _, it := range r.Doc.Items(body) {
		text := it.Text.Text(r.Doc.Text())
		mark, rest, bold := strings.Cut(text, "**")
		if _, digit := findVersion(rest); it.HasBox() || !bold || digit == rest || !isOnlySymbol(mark) {
			continue
		}
		label, _, _ := strings.Cut(rest, "**")
		version, name := findVersion(label)
		if version == "" || !strings.HasPrefix(strings.TrimPrefix(label, "Milestone "), version) {
			continue
		}
		r.Milestones = append(r.Milestones, Milestone{version, strings.Trim(name, ":—–- "), milestoneState(mark), it.Line})
	}
}

// isOnlySymbol reports whether s, the text before the bold part of a line, is only a symbol such as ✅.
func isOnlySymbol(s string) bool {
	for _, m := range marks {
		s = strings.ReplaceAll(s, m.mark, "")
	}
	return strings.TrimSpace(s) == ""
}

// findVersion returns the first version in a text, such as v1 or v1.2.3, and the text after it. If there is none, it returns "" and the
// whole text. A version must be a whole word: v1.1 is not in v1.10.
func findVersion(text string) (version, after string) {
	for i := 0; i < len(text); i++ {
		if text[i]|0x20 != 'v' || i > 0 && isWord(text[i-1]) {
			continue
		}
		number := text[i+1:]
		number = number[:len(number)-len(strings.TrimLeft(number, "0123456789."))]
		number = strings.TrimRight(number, ".")
		end := i + 1 + len(number)
		if number == "" || number[0] == '.' || end < len(text) && isWord(text[end]) {
			continue
		}
		return "v" + number, text[end:]
	}
	return "", text
}

func isWord(c byte) bool {
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '_':
		return true
	}
	return false
}

// CurrentMilestone returns the version and name that the roadmap marks as current: those of a list line with 🚧, else of the first heading
// with a version outside <details>.
func (r *Roadmap) CurrentMilestone() (version, name string) {
	var heading *Milestone
	for i := range r.Milestones {
		m := &r.Milestones[i]
		if r.InShipped(m.Line) {
			continue
		}
		if _, item := r.Doc.ItemAt(m.Line); item && m.State == Active {
			return m.Version, m.Name
		} else if !item && heading == nil {
			heading = m
		}
	}
	if heading != nil {
		return heading.Version, heading.Name
	}
	return "", ""
}

// activeVersion returns a version, or that of the first milestone with the mark 🚧 if the one with the version has the mark ✅ and is over.
func (r *Roadmap) activeVersion(version string) string {
	over, active := false, ""
	for i := range r.Milestones {
		m := &r.Milestones[i]
		over = over || m.Version == version && m.State == Shipped
		if active == "" && m.State == Active && !r.InShipped(m.Line) {
			active = m.Version
		}
	}
	if over && active != "" {
		return active
	}
	return version
}

// MilestoneView returns the part of the roadmap about a milestone. version is the one in STATE.md, which may be stale. If it is "", the
// roadmap itself decides.
func (r *Roadmap) MilestoneView(version string) MilestoneLines {
	v := MilestoneLines{Version: version}
	if version != "" {
		v.Version = r.activeVersion(version)
	}
	current, name := r.CurrentMilestone()
	if v.Version == "" {
		v.Version = current
	}
	if v.Version == current {
		v.Name = name
	}
	for _, m := range r.Milestones {
		if v.Name == "" && m.Version == v.Version {
			v.Name = m.Name
		}
	}
	if line := r.Doc.ConflictLine(); line > 0 {
		v.Scope, v.Why = Unreadable, "a merge conflict is not resolved"
		return v
	}
	if strings.TrimSpace(r.Doc.Text()) == "" {
		v.Scope, v.Why = Unreadable, "the roadmap is empty"
		return v
	}
	r.findScope(&v)
	for _, p := range r.Phases {
		if isInRanges(v.Lines, p.Line) {
			v.Phases = append(v.Phases, p)
		}
	}
	r.markTruncated(&v)
	return v
}

// findScope finds the lines of the milestone: the lines before its section that are about no other milestone, and its section up to the
// next milestone. If no heading names the milestone, it finds all lines that are not about shipped ones.
func (r *Roadmap) findScope(v *MilestoneLines) {
	body := r.Doc.Body()
	sections := r.milestoneSections(v.Version)
	if len(sections) == 0 {
		v.Scope, v.Lines = Unscoped, r.outsideShipped(body)
		v.Why = "no heading names " + v.Version
		if v.Version == "" {
			v.Why = "neither STATE.md nor the roadmap names a milestone"
		}
		return
	}
	v.Scope = Complete
	section := sections[0]
	before := document.Range{From: body.From, To: section.From}
	for _, h := range r.headings {
		// Sections of other milestones before the section are not part of it.
		if h.End <= section.From && h.isOtherMilestone(v.Version) {
			v.Lines = append(v.Lines, r.outsideShipped(document.Range{From: before.From, To: max(before.From, h.Line)})...)
			before.From = max(before.From, h.End)
		}
	}
	v.Lines = append(v.Lines, r.outsideShipped(before)...)
	v.Lines = append(v.Lines, sections...)
}

// milestoneSections returns the lines of a milestone, which may be in several places: from a heading with its version up to the next
// heading of the same or a higher level that names another milestone.
func (r *Roadmap) milestoneSections(version string) (list []document.Range) {
	if version == "" {
		return nil
	}
	end := 0
	for i, h := range r.headings {
		if h.Level > 3 || h.Line < end || !strings.EqualFold(h.version, version) {
			continue
		}
		end = r.Doc.LineCount()
		for _, next := range r.headings[i+1:] {
			if next.Level <= h.Level && !strings.EqualFold(next.version, version) {
				end = next.Line
				break
			}
		}
		list = append(list, document.Range{From: h.Line, To: end})
	}
	return list
}

// VersionAt returns the version of the milestone that the work is on. It is the one of STATE.md, unless all phases of that are ticked and
// the phase at which STATE.md stands is in the section of another milestone: then STATE.md names the milestone before.
func (r *Roadmap) VersionAt(version string, at phaseid.ID) string {
	if version == "" || at.IsNone() {
		return version
	}
	old := r.MilestoneView(version)
	listed := 0
	for _, c := range r.Checklist {
		if !old.Has(c.Item.Line) || c.ID.IsBacklog() {
			continue
		}
		if listed++; !c.Done || phaseid.Same(c.ID, at) {
			return version
		}
	}
	if listed == 0 || old.Scope == Unscoped {
		return version
	}
	for _, line := range r.phaseLines(at) {
		for _, h := range slices.Backward(r.headings) {
			if !old.Has(line) && h.Line < line && line < h.End && h.isOtherMilestone(version) {
				return h.version
			}
		}
	}
	return version
}

// phaseLines returns the lines that name a phase: that of its section and those of checklists.
func (r *Roadmap) phaseLines(id phaseid.ID) (lines []int) {
	if p, ok := r.Find(id); ok {
		lines = append(lines, p.Line)
	}
	for _, c := range r.Checklist {
		if phaseid.Same(c.ID, id) {
			lines = append(lines, c.Item.Line)
		}
	}
	return lines
}

// outsideShipped returns the parts of a range that are outside <details>, which contains shipped milestones.
func (r *Roadmap) outsideShipped(lines document.Range) []document.Range {
	var list []document.Range
	for _, s := range r.shipped {
		if s.To <= lines.From || s.From >= lines.To {
			continue
		}
		if s.From > lines.From {
			list = append(list, document.Range{From: lines.From, To: s.From})
		}
		lines.From = s.To
	}
	if lines.From < lines.To {
		list = append(list, lines)
	}
	return list
}

// markTruncated marks the view as truncated if there are phases outside of the section that was found: they would not be counted, and
// closing the milestone would lose them.
func (r *Roadmap) markTruncated(v *MilestoneLines) {
	if v.Scope != Complete {
		return
	}
	inside := map[string]bool{}
	for _, p := range v.Phases {
		inside[p.ID.Key()] = true
	}
	for _, p := range r.Phases {
		other := slices.ContainsFunc(r.headings, func(h milestoneHeading) bool {
			return h.Line < p.Line && p.Line < h.End && h.isOtherMilestone(v.Version)
		})
		if p.Shipped || p.Backlog || inside[p.ID.Key()] || other {
			continue
		}
		v.Scope = Truncated
		v.Why = "phase " + p.ID.String() + " is outside the section of " + v.Version
		return
	}
}
