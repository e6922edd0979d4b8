package inventory

import (
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/phaseid"
)

// Files are the names of the files in the folder of a phase, sorted by their kinds.
type Files struct {
	Names     []string // all files, by name
	Plans     []Plan
	Summaries []string // the names of their files
	// Orphans are summaries without a plan.
	Orphans []string
}

// Plan is a plan of a phase, and the summary of its results.
type Plan struct {
	ID      string // 01-02, or any other text before -PLAN.md
	File    string // from the folder of the phase
	Summary string // "" if there is none
}

// HasSummary reports whether the plan has a summary, which means that it was carried out.
func (p Plan) HasSummary() bool { return p.Summary != "" }

func readFiles(list lister, dir string, phase phaseid.ID) (Files, error) {
	var f Files
	entries, err := list(dir)
	if err != nil {
		return f, err
	}
	for _, e := range entries {
		switch {
		case !e.Dir:
			f.Names = append(f.Names, e.Name)
		case e.Name == "plans":
			if err := f.readNested(list, path.Join(dir, e.Name)); err != nil {
				return f, err
			}
		}
	}
	for _, name := range f.Names {
		if stem, ok := StemOfKind(name, "PLAN"); ok {
			f.Plans = append(f.Plans, Plan{ID: planID(stem, phase), File: name})
		} else if _, ok := StemOfKind(name, "SUMMARY"); ok {
			f.Summaries = append(f.Summaries, name)
		}
	}
	f.matchSummaries(phase)
	return f, nil
}

// readNested reads the plans whose files are plans/<id>/PLAN.md.
func (f *Files) readNested(list lister, dir string) error {
	entries, err := list(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Dir {
			continue
		}
		inside, err := list(path.Join(dir, e.Name))
		if err != nil {
			return err
		}
		for _, file := range inside {
			name := path.Join("plans", e.Name, file.Name)
			switch {
			case file.Dir:
			case file.Name == "PLAN.md":
				f.Plans = append(f.Plans, Plan{ID: e.Name, File: name})
			case file.Name == "SUMMARY.md":
				f.Summaries = append(f.Summaries, name)
			}
		}
	}
	return nil
}

// DocumentKinds returns the kinds of documents in the folder of a phase.
func DocumentKinds() []string {
	return []string{
		"PLAN", "SUMMARY", "CONTEXT", "DISCUSSION-LOG", "SPEC", "RESEARCH", "DISCOVERY", "UI-SPEC", "AI-SPEC", "PATTERNS", "VALIDATION", "USER-SETUP",
		"VERIFICATION", "HUMAN-UAT", "UAT", "REVIEW-FIX", "REVIEWS", "REVIEW", "SECURITY", "UI-REVIEW", "EVAL-REVIEW", "LEARNINGS",
	}
}

// StemOfKind returns the part of a file name before its kind: "01-02" for 01-02-PLAN.md and the kind PLAN, "" for PLAN.md. It returns false
// if the file is not of the kind.
func StemOfKind(name, kind string) (stem string, ok bool) {
	stem, ok = strings.CutSuffix(name, kind+".md")
	if !ok || stem == "" {
		return "", ok
	}
	return strings.CutSuffix(stem, "-")
}

func planID(stem string, phase phaseid.ID) string {
	if stem == "" {
		return phase.PaddedNumber()
	}
	return stem
}

// Plan returns the plan with an ID, or a plan without file if there is none.
func (f *Files) Plan(id string) Plan {
	for _, p := range f.Plans {
		if p.ID == id {
			return p
		}
	}
	return Plan{}
}

// Has reports whether there is a file of a kind: CONTEXT, RESEARCH, VERIFICATION, UAT, …
func (f *Files) Has(kind string) bool { return f.FirstOfKind(kind) != "" }

// FirstOfKind returns the first file of a kind, or "".
func (f *Files) FirstOfKind(kind string) string {
	for _, name := range f.Names {
		if _, ok := StemOfKind(name, kind); ok {
			return name
		}
	}
	return ""
}

// matchSummaries assigns summaries to plans: to the plan with the same name, else to the plan with the same numbers, such as
// 08-01-SUMMARY.md to 08-01-models-PLAN.md. Each summary belongs to one plan.
func (f *Files) matchSummaries(phase phaseid.ID) {
	free := map[string]string{} // the files of unassigned summaries, by the part of their names before the kind
	var keys []string
	for _, s := range f.Summaries {
		key, ok := StemOfKind(path.Base(s), "SUMMARY")
		if dir, _, nested := strings.Cut(s, "/SUMMARY.md"); ok && nested {
			key = path.Base(dir)
		}
		key = planID(key, phase)
		if free[key] == "" {
			free[key] = s
			keys = append(keys, key)
		}
	}
	for i := range f.Plans {
		p := &f.Plans[i]
		if s := free[p.ID]; s != "" {
			p.Summary = s
			delete(free, p.ID)
		}
	}
	numbers := map[string][]string{}
	for _, key := range keys {
		if n := planNumbers(key); n != "" && free[key] != "" {
			numbers[n] = append(numbers[n], key)
		}
	}
	for i := range f.Plans {
		p := &f.Plans[i]
		n := planNumbers(p.ID)
		if p.Summary != "" || len(numbers[n]) == 0 {
			continue
		}
		p.Summary = free[numbers[n][0]]
		delete(free, numbers[n][0])
		numbers[n] = numbers[n][1:]
	}
	for _, s := range f.Summaries {
		if !slices.ContainsFunc(f.Plans, func(p Plan) bool { return p.Summary == s }) {
			f.Orphans = append(f.Orphans, s)
		}
	}
}

// planNumbers returns the numbers of phase and plan in a plan's name, in a form that is the same for 08-01-models, 08-01 and 8-1.
// It ignores words between them, as in 01-setup-02. It returns "" if the name does not have two numbers.
func planNumbers(stem string) string {
	id, rest, ok := phaseid.ParseFolder(stem)
	if !ok {
		return ""
	}
	parts := strings.Split(rest, "-")
	for _, i := range [...]int{0, len(parts) - 1} {
		if n := parts[i]; n != "" && len(n) < 9 && strings.Trim(n, "0123456789") == "" {
			return id.Key() + "-" + strings.TrimLeft(n, "0")
		}
	}
	return ""
}
