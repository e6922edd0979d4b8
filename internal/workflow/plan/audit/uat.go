package audit

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/roadmap"
)

// Tests are the acceptance tests that a person still has to make, by file.
type Tests struct {
	Results []Result `json:"results"`
	Summary Summary  `json:"summary"`
	// Scope and ScopeWhy are only set if not all phases of the milestone are known, so that all folders were searched.
	Scope    string   `json:"scope,omitempty"`
	ScopeWhy string   `json:"scope_reason,omitempty"`
	Problems []string `json:"problems,omitempty"` // unreadable files
}

// Result is a file with open tests.
type Result struct {
	Phase  string `json:"phase"`
	Dir    string `json:"phase_dir"`
	File   string `json:"file"`
	Path   string `json:"file_path"`
	Type   string `json:"type"` // uat or verification
	Status string `json:"status"`
	Items  []Item `json:"items"`
}

// Item is an open test, with the reason why it cannot be finished yet.
type Item struct {
	Test      int    `json:"test,omitempty"`
	Name      string `json:"name"`
	Expected  string `json:"expected,omitempty"`
	Result    string `json:"result"`
	Category  string `json:"category"`
	Reason    string `json:"reason,omitempty"`
	BlockedBy string `json:"blocked_by,omitempty"`
}

// Summary has the numbers of open tests.
type Summary struct {
	Files    int            `json:"total_files"`
	Items    int            `json:"total_items"`
	Category map[string]int `json:"by_category"`
	Phase    map[string]int `json:"by_phase"`
}

func auditUAT(_ context.Context, c *planop.Call, _ *planop.NoInput) (Tests, error) {
	inv, err := c.Inventory()
	if err != nil {
		return Tests{}, err
	}
	r, err := newReader(c)
	if err != nil {
		return Tests{}, err
	}
	if !r.Exists("phases") {
		return Tests{}, &planop.Fault{Reason: "phases_not_found", Message: "there is no folder " + r.Path("phases"), Ends: true}
	}
	var ours []string // folders of the current milestone's phases, with duplicates
	for _, p := range inv.Phases {
		for _, dir := range append([]string{p.Dir}, p.Also...) {
			ours = append(ours, path.Base(dir))
		}
	}
	out := Tests{Results: []Result{}, Summary: Summary{Category: map[string]int{}, Phase: map[string]int{}}}
	known := inv.Roadmap == nil || inv.View.Scope != roadmap.Truncated && inv.View.Scope != roadmap.Unreadable
	if !known {
		out.Scope, out.ScopeWhy = string(inv.View.Scope), inv.View.Why
	}
	for _, dir := range r.folderNames("phases") {
		if !known || slices.Contains(ours, dir) {
			out.Results = append(out.Results, r.openTests(dir)...)
		}
	}
	for _, result := range out.Results {
		out.Summary.Files++
		for _, it := range result.Items {
			out.Summary.Items++
			out.Summary.Phase[result.Phase]++
			out.Summary.Category[it.Category]++
		}
	}
	out.Problems = r.unreadableFiles()
	return out, nil
}

// openTests returns the files of a phase with open tests.
func (r *reader) openTests(dir string) (list []Result) {
	at := path.Join("phases", dir)
	add := func(f file, kind, status string, items []Item) {
		if len(items) > 0 {
			list = append(list, Result{phaseNumber(dir), dir, f.name, r.Path(path.Join(at, f.name)), kind, cmp.Or(status, "unknown"), items})
		}
	}
	for _, f := range r.readFiles(at, kindFilter("UAT")) {
		u := artefact.ParseUAT(f.text)
		add(f, "uat", u.Status, uatItems(u))
	}
	for _, f := range r.readFiles(at, kindFilter("VERIFICATION")) {
		v := artefact.ParseVerification(f.text)
		if strings.EqualFold(v.Status, "human_needed") { // the gaps of another verification are planned and verified again
			add(f, "verification", v.Status, humanCheckItems(v))
		}
	}
	return list
}

// uatItems returns the tests that have neither passed nor found an issue. An issue is left out because it becomes a plan.
func uatItems(u *artefact.UAT) (list []Item) {
	for i := range u.Tests {
		t := &u.Tests[i]
		if t.Expected == "" && t.Result == "" {
			continue // a numbered heading that is not a test
		}
		result, remark := t.Outcome()
		if result == "pass" || result == "issue" {
			continue
		}
		it := Item{Test: t.Number, Name: t.Name, Expected: t.Expected, Result: result, Reason: cmp.Or(t.Reason, remark), BlockedBy: t.BlockedBy}
		it.Category = hindranceCategory(&it)
		list = append(list, it)
	}
	return list
}

// humanCheckItems returns the checks that a verification leaves to a person, at least one.
func humanCheckItems(v *artefact.Verification) (list []Item) {
	for _, h := range v.Human {
		it := Item{Test: h.Number, Name: cmp.Or(h.Name, h.Test), Expected: h.Expected, Result: "human_needed", Category: "human_uat", Reason: h.WhyHuman}
		list = append(list, it)
	}
	if len(list) == 0 {
		list = []Item{{Name: "the verification needs a person and names no single check", Result: "human_needed", Category: "human_uat"}}
	}
	return list
}

// hindrances maps words to the category of the reason why a test cannot be finished. The words are searched in the test's field for
// that reason, then in its result.
var hindrances = [...]struct {
	category     string
	words, later []string
}{
	{"server_blocked", []string{"server"}, []string{"not running", "not available"}},
	{"device_needed", []string{"device", "physical"}, []string{"simulator"}},
	{"build_needed", []string{"build", "release", "preview"}, nil},
	{"third_party", []string{"third-party", "third party", "third_party", "twilio", "stripe"}, nil},
}

func hindranceCategory(it *Item) string {
	has := func(text string, words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(text), w) })
	}
	switch {
	case it.BlockedBy != "":
		for _, h := range hindrances {
			if has(it.BlockedBy, h.words) {
				return h.category
			}
		}
		return "blocked"
	case it.Result == "blocked", it.Result == "pending":
		return it.Result
	case it.Result != "skipped":
		return "unknown"
	}
	for _, h := range hindrances[:3] {
		if has(it.Reason, slices.Concat(h.words, h.later)) {
			return h.category
		}
	}
	return "skipped_unresolved"
}

// page returns the text for people.
func (t Tests) page() string {
	var b strings.Builder
	for _, r := range t.Results {
		fmt.Fprintf(&b, "%s (%s): %d to test\n", r.Path, r.Status, len(r.Items))
		for _, it := range r.Items {
			line := displayLine(it.Name, 100) + ": " + it.Result
			if it.Test > 0 {
				line = fmt.Sprintf("%d. %s", it.Test, line)
			}
			if why := cmp.Or(it.BlockedBy, it.Reason); why != "" {
				line += " (" + displayLine(why, 100) + ")"
			}
			b.WriteString("  " + line + "\n")
		}
	}
	if t.Scope != "" {
		b.WriteString("all folders of phases were looked at, because the phases of the milestone are not all known: " + t.ScopeWhy + "\n")
	}
	fmt.Fprintf(&b, "%d tests in %d files wait for a person\n", t.Summary.Items, t.Summary.Files)
	writeUnread(&b, t.Problems)
	return b.String()
}

func writeUnread(b *strings.Builder, problems []string) {
	for _, p := range problems {
		b.WriteString("could not be read: " + p + "\n")
	}
}
