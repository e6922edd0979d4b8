// Package fleet declares the operation over several repositories: who uses a symbol or package of another one, and what a change reaches
// there. folder.go reads the repositories of a folder, which are strangers' data; ask/fleet joins what was read, and delivery/op lists
// the operation.
package fleet

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/ask/diff"
	"ken/internal/ask/fleet"
	"ken/internal/ask/surface"
	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type input struct {
	Name    string `arg:"[NAME]" help:"symbol of a package whose users are asked for; Type.member for a member (default: with --package, who needs it; else what the repositories are)"`
	Dir     string `flag:"dir" value:"FOLDER" help:"folder of checkouts, of files that ken surface has written (*.jsonl), or of both; it is only read"`
	Package string `flag:"package" value:"PACKAGE" help:"only this package: its name in its registry, or manager:name"`
	Below   string `flag:"below" value:"VERSION" help:"with --package: only dependencies that are, or may be, below this version"`
	Diff    string `flag:"diff" value:"REV" help:"which repositories a change of this project reaches: the working tree against REV, or A..B"`
	Limit   *int   `flag:"limit" value:"N" help:"rows listed; 0: all (default 100 in text, all in JSON)"`
}

type answer struct {
	Users        []userRow       `json:"users" doc:"of a symbol, by package, symbol and repository"`
	Needs        []needRow       `json:"dependencies" doc:"on a package, by package, repository and manifest"`
	Reached      []reachedRow    `json:"reached" doc:"by a change, by hop and repository"`
	Changed      []string        `json:"changed_symbols" doc:"with --diff: exported symbols of packages of this project that the change alters, as package symbol"`
	Total        int             `json:"total" doc:"number of rows, also those --limit left out"`
	Repositories []repositoryRow `json:"repositories" doc:"the coverage: what the answer looked at, and what it did not, by name"`
	External     int             `json:"external" doc:"uses of other packages in all that was read"`
	Attributed   int             `json:"attributed" doc:"those of them whose package is known; the others cannot be found by this question"`
	Members      int             `json:"undecided_members" doc:"uses of members of values whose type a file does not show, which cannot be found either"`
}

type userRow struct {
	Repository string   `json:"repository" doc:"that uses it"`
	Manager    string   `json:"manager" doc:"as in ken surface"`
	Package    string   `json:"package" doc:"that has the symbol"`
	Module     string   `json:"module,omitempty" doc:"what is imported"`
	Symbol     string   `json:"symbol,omitempty" doc:"as the package names it"`
	Versions   []string `json:"versions,omitempty" doc:"of the package in that repository: locked ones, else as declared"`
	Tier       string   `json:"tier,omitempty" doc:"import-resolved or unique-name"`
	Through    string   `json:"through,omitempty" doc:"the repository and package that passes the symbol on under this name"`
	Uses       int      `json:"uses" doc:"places that use it"`
	Files      int      `json:"files,omitempty" doc:"files that do"`
	Places     []string `json:"places,omitempty" doc:"the first places, path:line"`
}

type needRow struct {
	Repository string   `json:"repository" doc:"that needs it"`
	Manager    string   `json:"manager" doc:"as in ken surface"`
	Package    string   `json:"package" doc:"that is needed"`
	Declared   string   `json:"declared,omitempty" doc:"version as the manifest has it"`
	Locked     []string `json:"locked_versions,omitempty" doc:"versions in the lock files"`
	Below      string   `json:"below,omitempty" doc:"with --below: yes, or unknown where no version is locked and a range is declared"`
	Indirect   bool     `json:"indirect" doc:"only other packages need it"`
	Dev        bool     `json:"dev" doc:"for development and tests alone"`
	Manifest   string   `json:"manifest" doc:"file that declares or locks it"`
}

type reachedRow struct {
	Hop int `json:"hop" doc:"1: it uses a changed symbol; 2 and 3: it uses a package of a repository of the hop before"`
	userRow
	Via string `json:"via,omitempty" doc:"from the second hop on: that repository"`
}

type repositoryRow struct {
	Name     string   `json:"name" doc:"name of the checkout or file"`
	State    string   `json:"state" doc:"read, or the reason why it was not"`
	Commit   string   `json:"commit,omitempty" doc:"at which it was indexed"`
	Stale    string   `json:"stale,omitempty" doc:"how the checkout differs from its index; left out if it does not, and for a file"`
	Packages []string `json:"packages,omitempty" doc:"that it provides"`
}

// Tool is the operation.
func Tool() *project.Tool {
	return operation.Spec[*project.Project, input, answer]{
		Name:  "fleet",
		Topic: operation.Ask, Rare: true, Logged: true,
		MCP: operation.Offer{Variant: operation.Variant{
			Tool: "refs", Key: "fleet", About: "folder of checkouts: uses there", Names: map[string]string{"fleet": "dir"},
		}},
		Summary: "who uses a symbol or package in the repositories of a folder, and what a change reaches there",
		Long: "The folder has checkouts with an index (ken init in each), files that ken surface has written, or both; at most 50 are read, and nothing\n" +
			"is written there. Every answer ends with what it did not look at: repositories without an index, files that cannot be read, checkouts\n" +
			"that have changed since, and the share of uses whose package is not known.",
		Example: []string{"fleet Client.Do --dir ..", "fleet --dir .. --package npm:lodash --below 4.17.21", "fleet --dir .. --diff main"},
		Run:     run,
		Text:    text,
	}.Tool()
}

func run(ctx context.Context, env *project.Env, in *input, emit func(*answer) error) error {
	switch {
	case in.Dir == "":
		return code.Usagef("--dir names the folder of the repositories")
	case in.Below != "" && in.Package == "":
		return code.Usagef("--below needs --package")
	case in.Diff != "" && (in.Name != "" || in.Package != ""):
		return code.Usagef("--diff takes neither a name nor a package")
	}
	dir := in.Dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(env.Dir, dir)
	}
	found, err := readFolder(ctx, env, dir)
	if err != nil {
		return err
	}
	a := answer{Repositories: found.rows}
	a.count(found.members)
	f := fleet.New(found.members)
	var nothing error
	switch {
	case in.Diff != "":
		nothing, err = reach(ctx, env, f, in, &a)
	case in.Name != "":
		nothing = askSymbol(f, in, &a)
	case in.Package != "":
		nothing, err = askPackage(f, in, &a)
	}
	if err != nil {
		return err
	}
	if nothing != nil {
		if doubt := found.doubt(&a, in.Name == "" && in.Diff == ""); doubt != "" {
			nothing = &operation.UnprovenError{Message: "could not tell: " + nothing.Error() + ", but " + doubt}
		}
	}
	a.cut(in.Limit)
	return operation.Finish(&a, nothing, emit)
}

// count sums the coverage of the repositories that were read.
func (a *answer) count(members []fleet.Member) {
	for _, m := range members {
		for i := range m.Records {
			if r := &m.Records[i]; r.Type == surface.TypeCoverage && r.Language == "" {
				a.External, a.Attributed, a.Members = a.External+r.External, a.Attributed+r.Known, a.Members+r.Members
			}
		}
	}
}

// doubt returns what an answer without rows did not look at, "" if there is no such thing. With manifests, the question is about
// dependencies alone, not about uses in code.
func (f *folder) doubt(a *answer, manifests bool) string {
	left, stale, unread := 0, 0, 0
	for i := range f.rows {
		switch r := &f.rows[i]; {
		case r.State == stateTwice:
		case r.State != stateRead:
			left++
		case r.Stale != "":
			stale++
		}
	}
	for _, m := range f.members {
		for i := range m.Records {
			unread += len(m.Records[i].Unread)
		}
	}
	var list []string
	for _, d := range []struct {
		n    int
		what string
	}{
		{left, "not read"}, {stale, "changed since they were indexed"}, {unread, "files not read whole"},
		{a.External - a.Attributed, "uses without a known package"}, {a.Members, "uses of members undecided"},
	}[:map[bool]int{true: 3, false: 5}[manifests]] {
		if d.n > 0 {
			list = append(list, operation.Group(d.n)+" "+d.what)
		}
	}
	return strings.Join(list, ", ")
}

func (a *answer) cut(limit *int) {
	a.Total = len(a.Users) + len(a.Needs) + len(a.Reached)
	if limit != nil && *limit > 0 {
		a.Users = a.Users[:min(len(a.Users), *limit)]
		a.Needs = a.Needs[:min(len(a.Needs), *limit)]
		a.Reached = a.Reached[:min(len(a.Reached), *limit)]
	}
}

func askSymbol(f *fleet.Fleet, in *input, a *answer) error {
	for _, u := range f.SymbolUsers(in.Name, in.Package) {
		a.Users = append(a.Users, row(&u))
	}
	if len(a.Users) == 0 {
		return operation.Nothingf("no repository that was read is known to use %s", operation.Quote(in.Name))
	}
	return nil
}

func row(u *fleet.User) userRow {
	return userRow{
		Repository: u.Repository, Manager: u.Manager(), Package: u.PackageName(), Module: u.Module, Symbol: u.Symbol, Versions: u.Versions, Tier: u.Tier,
		Through: u.Through, Uses: u.Uses, Files: u.Files, Places: u.Places,
	}
}

func askPackage(f *fleet.Fleet, in *input, a *answer) (nothing, err error) {
	list, ok := f.PackageUsers(in.Package, in.Below)
	if !ok {
		return nil, code.Usagef("%s is no version of that package's registry", operation.Quote(in.Below))
	}
	for _, n := range list {
		r := &n.Record
		a.Needs = append(a.Needs, needRow{
			Repository: n.Repository, Manager: r.Manager, Package: r.Package, Declared: r.Declared, Locked: r.Locked, Below: string(n.Below),
			Indirect: r.Indirect, Dev: r.Dev, Manifest: r.Manifest,
		})
	}
	if len(list) == 0 {
		return operation.Nothingf("no manifest that was read needs %s%s", operation.Quote(in.Package), map[bool]string{true: " below that version"}[in.Below != ""]), nil
	}
	return nil, nil
}

// reach answers what a change of this project reaches.
func reach(ctx context.Context, env *project.Env, f *fleet.Fleet, in *input, a *answer) (nothing, err error) {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return nil, err
	}
	var changed []fleet.Changed
	err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
		changed, err = changedSymbols(ctx, s, in.Diff)
		return err
	})
	if err != nil {
		return nil, err
	}
	a.Changed = nil
	for _, c := range changed {
		a.Changed = append(a.Changed, c.Package+" "+c.Symbol)
	}
	for _, r := range f.Impact(changed, filepath.Base(p.Root)) {
		a.Reached = append(a.Reached, reachedRow{r.Hop, row(&r.User), r.Via})
	}
	if len(a.Reached) == 0 {
		return operation.Nothingf("no repository that was read is known to use what the change alters"), nil
	}
	return nil, nil
}

// changedSymbols returns the exported declarations of packages of a project that differ from a revision.
func changedSymbols(ctx context.Context, s *view.Snapshot, rev string) ([]fleet.Changed, error) {
	files, err := diff.ChangedFiles(ctx, s, rev)
	if err != nil {
		return nil, err
	}
	own, err := surface.Packages(ctx, s)
	if err != nil {
		return nil, err
	}
	var out []fleet.Changed
	for i := range files {
		file := &files[i]
		c, ok := own.At(file.Path)
		if !ok {
			continue
		}
		add := func(name string) {
			c := fleet.Changed{Manager: c.Manager, Package: c.Package, Module: c.Module, Symbol: name}
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
		for j := range file.Symbols {
			if y := &file.Symbols[j]; y.Exported || strings.Contains(y.Qualified, ".") {
				add(y.Qualified)
			}
		}
		for j := range file.Removed {
			add(file.Removed[j].Qualified)
		}
	}
	return out, nil
}
