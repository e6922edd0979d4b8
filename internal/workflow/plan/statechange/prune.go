package statechange

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/planop"
)

// PrunedEntries are the entries that were moved to STATE-ARCHIVE.md, or would be.
type PrunedEntries struct {
	Pruned     bool            `json:"pruned"`
	Reason     string          `json:"reason,omitempty"`
	Dry        bool            `json:"dry_run,omitempty"`
	Cutoff     *int            `json:"cutoff_phase,omitempty"`
	Keep       *int            `json:"keep_recent,omitempty"`
	Sections   []PrunedSection `json:"sections,omitzero"`
	Total      *int            `json:"total_archived,omitempty"`
	WouldTotal *int            `json:"total_would_archive,omitempty"`
	Archive    *string         `json:"archive_file,omitempty"`
	Note       string          `json:"note,omitempty"`
	DerivedKeys
}

// PrunedSection is the number of entries of a section that were moved, or would be.
type PrunedSection struct {
	Section string `json:"section"`
	Entries *int   `json:"entries_archived,omitempty"`
	Would   *int   `json:"entries_would_archive,omitempty"`
	lines   string
}

const archiveName = "STATE-ARCHIVE.md"

// prunableSections are the sections whose old entries are moved away, and the place of the phase number in an entry.
var prunableSections = [...]struct {
	section  string
	names    []string
	phase    func() *regexp.Regexp
	resolved bool // only entries marked as resolved
	rows     bool // the entries are rows of tables
}{
	{"Decisions", decisionSections[:], lazyRegexp(`(?i)^\[Phase\s+(\d+)`), false, false},
	{"Recently Completed", []string{"Recently Completed"}, lazyRegexp(`(?i)\bPhase\s+(\d+)`), false, false},
	{"Blockers (resolved)", blockerSections[:], lazyRegexp(`(?i)\bPhase\s+(\d+)`), true, false},
	{"Performance Metrics", []string{"Performance Metrics"}, lazyRegexp(`(?i)^(?:Phase\s+)?0*(\d+)\b`), false, true},
}

var resolvedMark = lazyRegexp(`(?i)~~.*~~|\[RESOLVED\]`)

type keepRecentInput struct {
	KeepRecent int `flag:"keep-recent" default:"3" value:"N" help:"of how many phases before the current one everything stays; 3 if not given"`
}

func pruneOperation() *planop.Operation {
	return planop.Spec[keepRecentInput, *PrunedEntries]{
		Name: "state prune", Summary: "move what belongs to phases long over from STATE.md to STATE-ARCHIVE.md", Writes: true,
		Shared: true, Run: runPrune,
		Plain: func(p *PrunedEntries) string {
			return trueOrFalse(p.Pruned || p.WouldTotal != nil && *p.WouldTotal > 0)
		},
	}.Operation()
}

func runPrune(ctx context.Context, c *planop.Call, in *keepRecentInput) (*PrunedEntries, error) {
	if in.KeepRecent < 0 {
		return nil, planop.Usagef("--keep-recent is %d; it must be 0 or more", in.KeepRecent)
	}
	var out *PrunedEntries
	_, err := c.Change(ctx, c.Name, func(read change.Read) (files []change.File, err error) {
		out, files, err = Prune(c, read, in.KeepRecent)
		return files, err
	})
	return out, err
}

// Prune moves the entries of old phases from STATE.md to STATE-ARCHIVE.md. keep is the number of last phases whose entries stay. The
// caller holds the lock. It returns an error if a file cannot be read or STATE.md must not be written.
func Prune(c *planop.Call, read change.Read, keep int) (*PrunedEntries, []change.File, error) {
	j, file, err := openState(c, read)
	if err != nil {
		return nil, nil, err
	}
	at, _ := strconv.Atoi(j.sheet.State.Position().Phase.Base().Digits)
	cutoff := at - keep
	if cutoff <= 0 {
		return &PrunedEntries{Reason: fmt.Sprintf("Only %d phases — nothing to prune when the last %d are kept", at, keep)}, nil, nil
	}
	out, total := &PrunedEntries{Cutoff: &cutoff, Keep: &keep, Sections: []PrunedSection{}}, 0
	for i := range prunableSections {
		if s, n := j.pruneSection(i, cutoff); n > 0 {
			total += n
			if c.DryRun {
				s.Would = &n
			} else {
				s.Entries = &n
			}
			out.Sections = append(out.Sections, s)
		}
	}
	if out.Dry = c.DryRun; out.Dry {
		out.WouldTotal, out.Note = &total, "Nothing to prune"
		if total > 0 {
			out.Note = "Run without --dry-run to actually prune"
		}
	} else {
		out.Total, out.Pruned = &total, total > 0
	}
	if total == 0 {
		return out, nil, nil
	}
	if name := archiveName; !out.Dry {
		out.Archive = &name
	}
	archive, err := j.archiveEntries(read, out, cutoff, keep)
	if err != nil {
		return nil, nil, err
	}
	if derived := j.sheet.Refresh(j.inv, c.Now()); !c.Original {
		out.setRefreshed(derived)
	}
	text, err := j.sheet.Text()
	file.Text = &text
	return out, []change.File{file, archive}, err
}

// archiveEntries returns STATE-ARCHIVE.md with the removed entries at its end.
func (j *stateJob) archiveEntries(read change.Read, out *PrunedEntries, cutoff, keep int) (change.File, error) {
	name, err := j.PathBelowPlanning(archiveName)
	if err != nil {
		return change.File{}, err
	}
	text, ok, err := read(name)
	if err != nil {
		return change.File{}, err
	}
	if !ok {
		text = "# State archive\n\nEntries that were taken out of STATE.md, because their phases are long over.\n"
	}
	var b strings.Builder
	b.WriteString(strings.TrimRight(text, "\n") + "\n\n")
	fmt.Fprintf(&b, "## Pruned %s (phases 1-%d, kept recent %d)\n", j.today(), cutoff, keep)
	for _, s := range out.Sections {
		fmt.Fprintf(&b, "\n### %s\n\n%s", s.Section, strings.ReplaceAll(s.lines, "\r\n", "\n"))
	}
	all := b.String()
	return change.File{Name: name, Text: &all}, nil
}

// pruneSection removes the old entries of a section. which is its index in prunable, and cutoff the last phase whose entries are old.
func (j *stateJob) pruneSection(which, cutoff int) (out PrunedSection, n int) {
	b, rule := j.sheet, &prunableSections[which]
	out.Section = rule.section
	h, ok := b.State.Heading(rule.names...)
	if !ok {
		return out, 0
	}
	d := b.State.Doc
	old := func(text string) bool {
		m := rule.phase().FindStringSubmatch(text)
		if m == nil || rule.resolved && !resolvedMark().MatchString(text) {
			return false
		}
		phase, err := strconv.Atoi(m[1])
		return err == nil && phase <= cutoff
	}
	var edits []edit.Edit
	var lines strings.Builder
	take := func(r document.Range) {
		edits = append(edits, edit.Edit{Span: d.BytesOf(r)})
		lines.WriteString(strings.TrimRight(d.BytesOf(r).Text(d.Text()), "\r\n") + "\n")
	}
	if !rule.rows {
		for _, it := range d.Items(d.OwnLines(h)) {
			if it.Indent == 0 && old(it.Text.Text(d.Text())) {
				take(entryLines(d, it, d.OwnLines(h)))
			}
		}
	} else {
		for _, t := range d.Tables(h.Section()) {
			byPhase := d.Column(t, "Phase", "Plan") == 0
			for _, row := range t.Rows {
				first := d.Cell(row, 0)
				// In a table about other things "3 retries" is not about phase 3. A number alone is a phase, as in other programs.
				if (byPhase || strings.Trim(first, "0123456789") == "") && old(first) {
					take(document.Range{From: row.Line, To: row.Line + 1})
				}
			}
		}
	}
	out.lines = lines.String()
	b.Edit(edits, nil)
	return out, len(edits)
}

// lazyRegexp returns a function that compiles a regular expression at its first call, because otherwise every start of the program would
// take longer.
func lazyRegexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
