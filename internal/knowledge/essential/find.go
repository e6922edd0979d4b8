package essential

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/source/scan/ignore"
	"ken/internal/engine/view"
)

// Found is the path and kind of a document.
type Found struct {
	Kind Kind
	Path string
}

// The largest numbers of documents of rules and of design.
const (
	maxRules  = 12
	maxDesign = 20
)

// rulesFiles are files with rules for contributors, by their path in small letters, those for agents before those for
// people.
var rulesFiles = []string{
	"claude.md", ".claude/claude.md", "agents.md", "agent.md", "gemini.md", ".cursorrules", ".cursor/rules.md", ".windsurfrules", ".clinerules",
	".github/copilot-instructions.md", "conventions.md", "contributing.md", ".github/contributing.md", "docs/contributing.md", "docs/conventions.md",
	"contributing.rst", "docs/contributing.rst", "hacking.md",
}

// rulesFolders are folders whose files are rules for contributors.
var rulesFolders = []string{".cursor/rules/", ".claude/rules/", ".clinerules/", ".github/instructions/"}

// designNames are the names of documents about the design, without extension.
var designNames = []string{"architecture", "design", "overview", "technical-design", "system-design", "internals"}

// designFolders are folders with documents about the design, each with a rank, the surest first.
var designFolders = []string{
	"docs/architecture/", "docs/design/", "doc/architecture/", "doc/design/", "architecture/", "design/", "docs/internals/",
	".planning/codebase/", ".planning/intel/", "docs/adr/", "docs/adrs/", "docs/decisions/", "docs/architecture/decisions/", "doc/adr/", "adr/", "adrs/", "rfcs/", "docs/rfcs/",
}

// Find returns the documents of a project, rules before design, the surest first, without generated, vendored and ignored
// ones. It fails if the index cannot be read.
func Find(s *view.Snapshot) ([]Found, error) {
	type ranked struct {
		Found
		rank, depth int
	}
	var list []ranked
	add := func(k Kind, p string, rank int) {
		list = append(list, ranked{Found{k, p}, rank, strings.Count(p, "/")})
	}
	var plain []string
	for f, err := range s.Index.Files() {
		if err != nil {
			return nil, err
		}
		const others = code.ClassGenerated | code.ClassVendored | code.ClassFixture
		if f.Class.Has(others) || f.Problem != code.ProblemNone || f.Lines == 0 || strings.HasPrefix(f.Path, ".ken/") {
			continue
		}
		low := strings.ToLower(f.Path)
		if rank := rankRules(low); rank >= 0 {
			add(Rules, f.Path, rank)
		} else if rank := rankDesign(low); rank >= 0 {
			add(Design, f.Path, rank)
		} else if isText(low) && (path.Dir(low) == "docs" || path.Dir(low) == "doc") {
			plain = append(plain, f.Path)
		}
	}
	if !slices.ContainsFunc(list, func(r ranked) bool { return r.Kind == Design }) {
		for _, p := range plain { // without a design document, those at the top have to do
			add(Design, p, len(designFolders)+2)
		}
	}
	slices.SortFunc(list, func(a, b ranked) int {
		kind := strings.Compare(string(b.Kind), string(a.Kind)) // "rules" before "design"
		return cmp.Or(kind, cmp.Compare(a.rank, b.rank), cmp.Compare(a.depth, b.depth), cmp.Compare(a.Path, b.Path))
	})
	var out []Found
	count := map[Kind]int{}
	most := map[Kind]int{Rules: maxRules, Design: maxDesign}
	for _, r := range list {
		if count[r.Kind]++; count[r.Kind] <= most[r.Kind] {
			out = append(out, r.Found)
		}
	}
	return out, nil
}

// isText reports whether a path is that of a text document.
func isText(low string) bool {
	switch path.Ext(low) {
	case ".md", ".markdown", ".mdc", ".rst", ".adoc", ".txt":
		return true
	}
	return false
}

// rankRules returns how likely a file holds rules, -1 if it does not. A file of rules in a folder applies to that folder and
// comes after those of the whole project.
func rankRules(low string) int {
	if i := slices.Index(rulesFiles, low); i >= 0 {
		return i
	}
	for _, dir := range rulesFolders {
		if strings.HasPrefix(low, dir) && isText(low) {
			return len(rulesFiles)
		}
	}
	switch path.Base(low) {
	case "claude.md", "agents.md", "gemini.md":
		return len(rulesFiles) + 1
	}
	return -1
}

func rankDesign(low string) int {
	if !isText(low) {
		return -1
	}
	stem := strings.ReplaceAll(strings.TrimSuffix(path.Base(low), path.Ext(low)), "_", "-")
	dir := path.Dir(low)
	if i := slices.Index(designNames, stem); i >= 0 && (dir == "." || dir == "docs" || dir == "doc") {
		return 0
	}
	for i, d := range designFolders {
		if strings.HasPrefix(low, d) && !strings.Contains(low[len(d):], "entities/") { // pages of files are not design documents
			return i + 1
		}
	}
	return -1
}

// Matcher returns a function that reports whether a document is searched for mentions: it matches an include pattern, or
// there is none, and no exclude pattern. The patterns have the meaning of git's ignore rules. It is nil if there are no
// patterns.
func (s *Search) Matcher() func(path string) bool {
	if len(s.Include)+len(s.Exclude) == 0 {
		return nil
	}
	in, out := parsePatterns(s.Include), parsePatterns(s.Exclude)
	return func(p string) bool { return (len(s.Include) == 0 || matchesPath(in, p)) && !matchesPath(out, p) }
}

// maxPatterns bounds the patterns of each list, because each is matched with every document.
const maxPatterns = 100

func parsePatterns(list []string) *ignore.List {
	l := &ignore.List{}
	for _, p := range list[:min(len(list), maxPatterns)] {
		l.Add(p)
	}
	return l
}

// matchesPath reports whether a list matches a file or a folder above it.
func matchesPath(l *ignore.List, file string) bool {
	for p, dir := file, false; p != "." && p != ""; p, dir = path.Dir(p), true {
		if l.Match(p, len(p)-len(path.Base(p)), dir) == ignore.Ignored {
			return true
		}
	}
	return false
}
