// Package summary describes a project before work in it begins: where the code is
// and which purpose directories have (layers.go, purpose.go), the files most others
// depend on, counts of files by type (tally.go), and files whose facts are
// incomplete (quarantine.go). Its neighbour is delivery/render, which renders
// summaries as text.
package summary

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/ask/commands"
	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/knowledge/convention"
	"ken/internal/knowledge/entity"
	"ken/internal/lang"
)

// Summary describes a project before work in it begins. All of it comes from the index and from documents of the repository; unknown
// parts are empty.
type Summary struct {
	Name      string // base name of the root directory
	Rev       code.Rev
	About     Quote // first sentence of the introducing document in the root
	Files     int
	Languages []view.Count // programming languages by files; all others if there is none
	Commands  []commands.Command
	Public    []Quote  // what other projects use of it, with the manifest that names it
	Packages  []string // packages that its manifest declares, those that most files import first
	Layers    []Layer  // those with most code first
	Tests     Place
	Entries   Entries
	Hotspots  []view.HotFile
	// Patterns are the conventions of the project's code. The caller fills them in, because counting them reads every declaration and
	// the beginning of a session does not wait for that.
	Patterns []convention.Pattern
	// Rules are what contributors must do, and Pages the state of the written pages. The caller fills them in, too.
	Rules []Quote
	Pages entity.Standing

	// Left empty by Start:
	Types    []TypeCount
	Commits  []view.PastCommit // the last that changed files, newest first
	Doubtful []Quarantined
}

// Quote is a sentence of the repository and the file it is from.
type Quote struct{ Text, Path string }

// Place is the number of some files, such as tests, and the directory that holds most of them.
type Place struct {
	Files int
	Dir   string // deepest directory that holds two thirds of them, "" is the root
}

// Entries are the files in which programs start.
type Entries struct {
	Place
	Paths []string // the shallowest first, at most six
}

// Limits of a summary's lists.
const (
	maxLanguages = 4
	maxPackages  = 6
	fewImporters = 25 // a package that less than 1/25 of the files import is left out
	maxHotspots  = 10
	coolShare    = 20 // a file with less than 1/20 of the dependents of the first is no hotspot
	maxEntries   = 6
	maxCommits   = 5
	rareLanguage = 20 // one with 1/20 of the files of the first is left out
	commitsRead  = 50 // merges and bulk commits among them are passed over
)

// Written holds what the written pages of a project state about a file, "" where they state nothing.
type Written struct {
	Type    func(path string) string
	Purpose func(ctx context.Context, path string) (string, error)
}

// NoPages is Written for a project without pages.
func NoPages() Written {
	return Written{Type: func(string) string { return "" }, Purpose: func(context.Context, string) (string, error) { return "", nil }}
}

// Of returns the summary of a project. It returns an error if the index or the history cannot be read, or if ctx ends.
func Of(ctx context.Context, s *view.Snapshot, written Written) (*Summary, error) {
	out, t, err := start(ctx, s, &written)
	if err != nil {
		return nil, err
	}
	out.Types = t.typeCounts(written.Type)
	if out.Doubtful, err = Quarantine(ctx, s); err != nil {
		return nil, err
	}
	out.Commits, err = lastCommits(s)
	return out, err
}

// Start returns the part of a summary that is shown at the beginning of a session. It reads a few numbers of each file, and neither
// the history nor the graph, because an agent waits for it. It fails as Of does.
func Start(ctx context.Context, s *view.Snapshot, written Written) (*Summary, error) {
	out, _, err := start(ctx, s, &written)
	return out, err
}

func start(ctx context.Context, s *view.Snapshot, written *Written) (*Summary, *tally, error) {
	out := &Summary{Name: filepath.Base(s.Tree.Root()), Rev: s.Rev()}
	var err error
	if out.Files, out.Languages, err = languages(s); err != nil {
		return nil, nil, err
	}
	t, err := newTally(s)
	if err != nil {
		return nil, nil, err
	}
	if out.About, err = readme(ctx, s, ""); err != nil {
		return nil, nil, err
	}
	if out.Commands, err = commands.Find(ctx, s); err != nil {
		return nil, nil, err
	}
	m, err := readManifests(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	if out.Packages, err = packages(s, out.Languages, m); err != nil {
		return nil, nil, err
	}
	if out.Public, err = m.public(t); err != nil {
		return nil, nil, err
	}
	if out.Layers, err = layers(ctx, s, t); err != nil {
		return nil, nil, err
	}
	out.Tests, out.Entries = t.tests.place(), t.entries()
	out.Hotspots, err = hotspots(ctx, s, t, written, out.About.Text)
	return out, t, err
}

// languages returns the number of all files, and the number of files in each of the most frequent languages.
func languages(s *view.Snapshot) (files int, out []view.Count, err error) {
	rows, err := s.Index.ByLanguage()
	if err != nil {
		return 0, nil, err
	}
	count := map[code.Lang]int{}
	for _, r := range rows {
		files += r.Files
		count[r.Lang] += r.Files
	}
	delete(count, "")
	programs := func(l code.Lang) bool { return lang.Of(l).Sort == lang.Programming && !lang.Of(l).Builds }
	for l, n := range count {
		if programs(l) {
			out = append(out, view.Count{Name: string(l), Files: n})
		}
	}
	for l, n := range count {
		if len(out) == 0 || !programs(code.Lang(out[0].Name)) {
			out = append(out, view.Count{Name: string(l), Files: n})
		}
	}
	slices.SortFunc(out, func(a, b view.Count) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), strings.Compare(a.Name, b.Name))
	})
	shown := 0
	for shown < min(len(out), maxLanguages) && out[shown].Files*rareLanguage >= out[0].Files {
		shown++
	}
	return files, out[:shown], nil
}

// packages returns the external packages that most files import of those that a manifest of the root declares: fixtures import names that
// are no packages, and tests their tools. languages are those of the project.
func packages(s *view.Snapshot, languages []view.Count, m *manifests) (out []string, err error) {
	files := 0
	for _, l := range languages {
		files += l.Files
	}
	rows, err := s.Index.Externals(8 * maxPackages)
	for _, r := range rows {
		if !r.Std && r.Files*fewImporters >= files && len(out) < maxPackages && m.declares(r.Name) {
			out = append(out, r.Name)
		}
	}
	return out, err
}

// hotspots returns the source files on which most other files depend, and of several of one name only one: SqlMapper.cs and not
// SqlMapper.Async.cs. A purpose is only derived for files without a written one, and is left out if it ends with about, which is shown
// above.
func hotspots(ctx context.Context, s *view.Snapshot, t *tally, written *Written, about string) (out []view.HotFile, err error) {
	stems := map[string]bool{}
	for _, hot := range t.hottest() {
		stem, _, _ := strings.Cut(path.Base(hot.path), ".")
		stem = path.Join(path.Dir(hot.path), stem) + path.Ext(hot.path)
		if stems[stem] || len(out) == maxHotspots {
			continue
		}
		stems[stem] = true
		f, err := s.FileByID(hot.id)
		if err != nil {
			return nil, err
		}
		h := view.HotFile{Path: f.Path, Dependents: int(f.Dependents), Rank: f.Rank, Type: cmp.Or(written.Type(f.Path), lang.NodeType(f))}
		if h.Purpose, err = written.Purpose(ctx, f.Path); err != nil {
			return nil, err
		}
		if h.Purpose == "" {
			if h.Purpose, err = statedPurpose(ctx, s, &f); err != nil {
				return nil, err
			}
			if about != "" && strings.HasSuffix(h.Purpose, about) {
				h.Purpose = ""
			}
		}
		out = append(out, h)
	}
	return out, nil
}

// lastCommits returns the newest commits that changed files. It leaves out bulk commits, whose files the history does not store.
func lastCommits(s *view.Snapshot) (out []view.PastCommit, err error) {
	info, err := s.HistoryInfo()
	if err != nil {
		return nil, err
	}
	for n := info.Commits - 1; n >= max(0, info.Commits-commitsRead) && len(out) < maxCommits; n-- {
		c, err := s.PastCommit(n)
		if err != nil {
			return nil, err
		}
		if len(c.Files) > 0 {
			out = append(out, c)
		}
	}
	return out, nil
}
