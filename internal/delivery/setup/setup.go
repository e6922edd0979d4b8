// Package setup declares the operations that put ken into an agent product and take it out, install and uninstall, and doctor, which
// tries an installation: which commands the settings of the runtime name, what each answers and how long it takes, and whether the
// runtime really calls it. Doctor runs the commands in a project of its own with a state directory of its own, so that nothing of the
// trial enters the user's memory. A repository can bring settings along; therefore doctor runs no program but ken: this one, or one
// that ken install has recorded in the user's state directory. A command that was not tried is reported as unchecked, never as good.
// Its neighbours are workflow/agent/claude, which knows the settings, workflow/install, which writes them, and delivery/op, which
// lists the operations.
package setup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine/source"
	"ken/internal/operation"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/install"
)

type (
	env         = project.Env
	installSpec = operation.Spec[*project.Project, installInput, installAnswer]
)

type installInput struct {
	Runtimes     []string `arg:"[RUNTIME…]" help:"agent products: claude, codex, gemini, opencode, … (docs/runtimes.md); those on this machine are shown and asked for unless given"`
	All          bool     `flag:"all" help:"all that ken knows well enough"`
	Detected     bool     `flag:"detected" help:"all that are on this machine"`
	Local        bool     `flag:"local" help:"for you in this project, in files that git ignores: the default where there are such files"`
	Project      bool     `flag:"project" help:"for everybody in this project, in files to be committed"`
	User         bool     `flag:"user" help:"for you in all projects: the default where there are no files of one user in one project"`
	Plugin       string   `flag:"plugin" value:"DIR" help:"claude alone: as a plugin in a folder, instead of settings"`
	Profile      string   `flag:"profile" value:"NAME" enum:"full,core" help:"core: without skills other than ken-query"`
	Portable     bool     `flag:"portable" help:"for containers and shared homes: settings call ken by its name in PATH, and name no path of this machine"`
	Experimental bool     `flag:"experimental" help:"products of whose settings ken is not sure, too"`
	MCP          bool     `flag:"mcp" help:"claude, local and user: have the program claude add the MCP server, or remove it; else its command is shown"`
	Purge        string   `flag:"purge" value:"WHAT" bare:"most" enum:"most,all" help:"uninstall: remove .ken of this project, too, but for .ken/knowledge; all: that as well"`
	Reapply      bool     `flag:"reapply" help:"install: merge your changes of ken's files that were kept aside; exit status 1 if there are conflicts"`
	DryRun       bool     `flag:"dry-run" help:"show what would be written, as a patch, and write nothing"`
	Yes          bool     `flag:"yes" short:"y" help:"do not ask"`
}

// File is the change of one file.
type File struct {
	Runtime string         `json:"runtime,omitempty" doc:"the agent product, if there are several"`
	Path    operation.Path `json:"path" doc:"file, below the project if it is in it"`
	Action  string         `json:"action" doc:"created, changed, unchanged, removed, restored (it has the bytes of before), kept (somebody has changed it), failed (nothing is written for the product)"`
	What    string         `json:"what" doc:"what of ken is in it"`
	Note    string         `json:"note,omitempty" doc:"what else is to be known"`
	Diff    string         `json:"diff,omitempty" doc:"with --dry-run: the change as a patch, secrets masked"`
	// Conflicts are shown; the file has the text of ken's.
	Conflicts []Conflict `json:"conflicts,omitempty" doc:"with --reapply: where your version and ken's text cannot be merged"`
}

// Conflict is a place of a file of ken's in which a change of the user's could not be merged.
type Conflict struct {
	Yours string `json:"yours" doc:"your lines"`
	Ken   string `json:"ken" doc:"the lines of the file as it is"`
	Base  string `json:"base" doc:"the lines that both have changed"`
}

type installAnswer struct {
	Runtime string   `json:"runtime" doc:"the agent product; of several, all with commas between"`
	Scope   string   `json:"scope" doc:"local, project, user or plugin; of several products, all with commas between"`
	Folder  string   `json:"folder" doc:"the project, the folder of settings or that of the plugin; empty for several folders"`
	DryRun  bool     `json:"dry_run" doc:"nothing was written"`
	Changed bool     `json:"changed" doc:"a file was written or removed, or would be"`
	Files   []File   `json:"files" paths:"yes" doc:"what happens to each file"`
	Notes   []string `json:"notes" doc:"what is to be known or done"`
}

const scopes = "What was there stays as it is, comments and order too. Claude Code without a scope:\n" +
	"  --local    .claude/settings.local.json, CLAUDE.local.md, .claude/skills/ken-*, listed in .git/info/exclude\n" +
	"  --project  .claude/settings.json, .mcp.json, CLAUDE.md, .claude/skills/ken-*: to be committed, no status line\n" +
	"  --user     settings.json, CLAUDE.md, skills/ken-* in $CLAUDE_CONFIG_DIR or ~/.claude\n" +
	"Most others have --project and --user alone, and the latter is meant unless given. docs/runtimes.md has the files of each.\n"

// Install is the operation that puts ken into an agent product.
func Install() *project.Tool {
	return installSpec{
		Name:    "install",
		Topic:   operation.SetUp,
		Summary: "put ken into agent products: hooks, status line, rules, skills, MCP server",
		Long: "Everything is shown before anything is written. " + scopes +
			"With --plugin a folder is made that can be loaded as a plugin; it has neither status line nor rules. Plugin and settings exclude each other.\n" +
			"Safe to repeat: a second run changes nothing. \"ken uninstall\" takes everything out again.\n" +
			"A file of ken's that you have changed stays as it is until ken has something new for it: then your version is kept aside, and --reapply merges it.",
		Example: []string{"install", "install claude", "install codex --reapply", "install codex gemini --project --dry-run", "install --detected --user --yes"},
		Run: func(ctx context.Context, e *env, in *installInput, emit func(*installAnswer) error) error {
			return runInstall(ctx, e, in, emit, installDirection())
		},
		Text: writeInstall,
	}.Tool()
}

// Uninstall is the operation that removes ken from an agent product.
func Uninstall() *project.Tool {
	return installSpec{
		Name:    "uninstall",
		Topic:   operation.SetUp,
		Summary: "take ken out of agent products, and leave what was there before",
		Long: "A file that nobody has changed since has the bytes of before; of another only what ken has put in goes.\n" +
			"Without a product it is taken out of all for which it is installed in this project, and of those other than Claude Code for which it is installed\n" +
			"for you: what \"ken install\" puts in without a scope. The folder .ken stays: with --purge it goes, but for .ken/knowledge, which people and\n" +
			"agents wrote (--purge=all takes that too), and with it what ken keeps of the project elsewhere.",
		Example: []string{"uninstall claude", "uninstall claude codex --user --yes", "uninstall --purge"},
		Run: func(ctx context.Context, e *env, in *installInput, emit func(*installAnswer) error) error {
			return runInstall(ctx, e, in, emit, removeDirection())
		},
		Text: writeInstall,
	}.Tool()
}

// direction is install or uninstall, with the functions in which they differ.
type direction struct {
	verb    string
	preview func(*install.Installer, context.Context, *install.Plan) ([]install.Change, error)
	do      func(*install.Installer, context.Context, *install.Plan) ([]install.Change, error)
	check   func(*target, *install.Installer) error
	notes   func(*target) []string
	server  func(*claude.Options) []string // arguments of the program claude
}

func installDirection() direction {
	return direction{"install", (*install.Installer).PreviewInstall, (*install.Installer).Install, (*target).checkConflict, (*target).advice,
		(*claude.Options).AddServer}
}

func removeDirection() direction {
	return direction{"uninstall", (*install.Installer).PreviewUninstall, (*install.Installer).Uninstall,
		func(*target, *install.Installer) error { return nil }, (*target).leftBehind,
		(*claude.Options).RemoveServer}
}

func runInstall(ctx context.Context, e *env, in *installInput, emit func(*installAnswer) error, d direction) error {
	list, err := chosenTargets(e, in, d)
	if err != nil {
		return err
	}
	w := &work{targets: list, direction: d, installer: &install.Installer{State: list[0].state, Reapply: in.Reapply}}
	if in.Reapply && d.verb != "install" {
		return code.Usagef("--reapply is of install")
	}
	for _, t := range list {
		if err := d.check(t, w.installer); err != nil {
			return err
		}
	}
	if in.Purge != "" {
		if d.verb == "install" {
			return code.Usagef("--purge is of uninstall")
		}
		if w.purge, err = newPurge(e, in, list, w.installer); err != nil {
			return err
		}
	}
	if err := w.preview(ctx); err != nil {
		return err
	}
	a := w.answer(in)
	if !in.DryRun {
		if a.Changed && !in.Yes {
			if err := w.confirm(e); err != nil {
				return err
			}
		}
		if w.purge != nil {
			// Masking asks the project for secrets that it knows: afterwards that would make its folder anew.
			p, err := project.Open(e, operation.Anywhere)
			if err != nil {
				return err
			}
			p.KnownSecrets()
		}
		if err := w.do(ctx); err != nil {
			return err
		}
		a = w.answer(in)
	}
	for _, t := range list {
		if t.failed != nil {
			continue
		}
		if a.Changed {
			t.indexed = t.indexed && in.Purge == "" // a purge leaves no folder to be noted
			a.Notes = append(a.Notes, d.notes(t)...)
		}
		if err := t.configureServer(ctx, e, in, a, d); err != nil {
			return err
		}
	}
	a.Notes = eachOnce(a.Notes)
	if err := w.failure(); err != nil {
		return errors.Join(emit(a), err)
	}
	return operation.Finish(a, conflictError(a), emit)
}

// conflictError returns an error if a file has conflicts with a version of the user's.
func conflictError(a *installAnswer) error {
	n := 0
	for _, f := range a.Files {
		n += len(f.Conflicts)
	}
	if n == 0 {
		return nil
	}
	return &operation.AlarmError{Message: operation.Plural(n, "conflict")}
}

// eachOnce returns the texts of a list, each once.
func eachOnce(list []string) (out []string) {
	for _, text := range list {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// work is an installation, or the opposite, in one or several products.
type work struct {
	direction
	targets   []*target
	installer *install.Installer
	changes   []targetChange
	purge     *purge // nil without
}

// targetChange is a change of a file for one product.
type targetChange struct {
	install.Change
	target  *target
	project bool // of the project itself, and of no product
}

// failed is the action on a file because of which nothing is written for a product.
const failed = "failed"

// each calls a function for each plan that is to be carried out, and keeps the changes that it returns. A product of which a file cannot
// be written is left out, and the others go on. It fails if that is so for all.
func (w *work) each(f func(*install.Plan) ([]install.Change, error)) error {
	w.changes = nil
	for _, t := range w.targets {
		if t.failed != nil {
			continue
		}
		var list []install.Change
		if list, t.failed = w.eachOf(t, f); t.failed != nil {
			continue
		}
		for _, c := range list {
			w.changes = append(w.changes, targetChange{c, t, false})
		}
	}
	if !slices.ContainsFunc(w.targets, func(t *target) bool { return t.failed == nil }) {
		return w.failure()
	}
	return nil
}

// eachOf does the same for one product.
func (w *work) eachOf(t *target, f func(*install.Plan) ([]install.Change, error)) (all []install.Change, err error) {
	for i, p := range t.plans {
		if kept := w.keeper(t, i); kept != "" {
			all = append(all, sharedChanges(p, kept)...)
			continue
		}
		list, err := f(p)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// failure returns the errors of products that were left out.
func (w *work) failure() error {
	var list []error
	for _, t := range w.targets {
		switch {
		case t.failed == nil:
		case len(w.targets) == 1:
			list = append(list, t.failed)
		default:
			list = append(list, fmt.Errorf("%s: %w", t.runtime.Name, t.failed))
		}
	}
	return errors.Join(list...)
}

func (w *work) preview(ctx context.Context) error {
	err := w.each(func(p *install.Plan) ([]install.Change, error) { return w.direction.preview(w.installer, ctx, p) })
	return errors.Join(err, w.addPurge())
}

func (w *work) do(ctx context.Context) error {
	err := w.each(func(p *install.Plan) ([]install.Change, error) { return w.direction.do(w.installer, ctx, p) })
	if err != nil || w.purge == nil {
		return err
	}
	return errors.Join(w.addPurge(), w.purge.do())
}

// addPurge adds what a purge removes to the changes.
func (w *work) addPurge() error {
	if w.purge == nil {
		return nil
	}
	list, err := w.purge.changes()
	for _, c := range list {
		w.changes = append(w.changes, targetChange{c, w.targets[0], true})
	}
	return err
}

// answer describes the changes.
func (w *work) answer(in *installInput) *installAnswer {
	var names, scopes []string
	for _, t := range w.targets {
		names, scopes = append(names, t.runtime.Name), append(scopes, t.scope)
	}
	a := &installAnswer{
		Runtime: strings.Join(names, ", "), Scope: strings.Join(eachOnce(scopes), ", "), Folder: w.targets[0].folder(), DryRun: in.DryRun,
		Notes: []string{},
	}
	for _, t := range w.targets {
		if t.folder() != a.Folder {
			a.Folder = "" // paths are whole
		}
	}
	for _, t := range w.targets {
		if t.failed != nil {
			a.Files = append(a.Files, File{Runtime: t.runtime.Name, Path: operation.Path(t.folder()), Action: failed, Note: t.failed.Error()})
		}
	}
	for _, c := range w.changes {
		a.Changed = a.Changed || c.Action != install.Unchanged && c.Action != install.Kept
		f := File{Path: operation.Path(c.Path), Action: c.Action, What: c.What, Note: c.Note}
		if a.Folder != "" {
			f.Path = operation.Path(c.target.shortPath(c.Path))
		}
		if len(w.targets) > 1 && !c.project {
			f.Runtime = c.target.runtime.Name
		}
		for _, x := range c.Conflicts {
			f.Conflicts = append(f.Conflicts, Conflict{Yours: source.Redact(x.Theirs), Ken: source.Redact(x.Ours), Base: source.Redact(x.Base)})
		}
		if in.DryRun {
			f.Diff = source.Redact(install.Diff(c.Change))
		}
		a.Files = append(a.Files, f)
	}
	return a
}

// confirm shows the plan and asks for confirmation.
func (w *work) confirm(e *env) error {
	if e.Confirm == nil {
		return code.Usagef("nobody can be asked here: --yes does it, --dry-run shows what would be done")
	}
	question := ""
	for _, t := range w.targets {
		if t.failed != nil {
			question += fmt.Sprintf("%-9s %s: %s\n", failed, t.runtime.Name, operation.Escape(t.failed.Error()))
		}
	}
	for _, c := range w.changes {
		if c.Action != install.Unchanged {
			question += fmt.Sprintf("%-9s %s: %s\n", c.Action, operation.Escape(c.target.shortPath(c.Path)), c.What)
		}
	}
	yes, err := e.Confirm(question + w.verb + "?")
	if err == nil && !yes {
		err = operation.Nothingf("nothing was written")
	}
	return err
}

func writeInstall(t *operation.Text, _ *installInput, a *installAnswer) error {
	state := ""
	switch {
	case a.DryRun:
		state = ": nothing is written"
	case !a.Changed:
		state = ": nothing to do"
	}
	where := a.Folder
	if where != "" {
		where = ", " + where
	}
	t.Line("%s, %s%s%s", t.Bold(a.Runtime), a.Scope, where, state)
	var rows [][]string
	for _, f := range a.Files {
		what := f.What
		if f.Note != "" {
			what += " (" + f.Note + ")"
		}
		row := []string{f.Action, string(f.Path), what}
		if f.Runtime != "" {
			row = append([]string{f.Runtime}, row...)
		}
		rows = append(rows, row)
	}
	t.Table("  ", 0, rows)
	for _, f := range a.Files {
		if f.Diff != "" {
			t.Line("")
			t.Paragraph("", f.Diff)
		}
		for _, x := range f.Conflicts {
			t.Line("")
			t.Line("%s, a conflict:", string(f.Path))
			t.Paragraph("", patchLines("  before ", x.Base)+patchLines("  ken    ", x.Ken)+patchLines("  yours  ", x.Yours))
		}
	}
	for _, n := range a.Notes {
		t.Line("%s", n)
	}
	return nil
}

// patchLines returns the lines of a text, each with a word in front of it.
func patchLines(word, text string) (out string) {
	for line := range strings.Lines(text) {
		out += word + strings.TrimRight(line, "\r\n") + "\n"
	}
	return out
}

// shortPath returns a path relative to the project, or unchanged if it is not in it.
func (p *target) shortPath(path string) string {
	root := p.folder()
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) && root != "" {
		return filepath.ToSlash(rel)
	}
	return path
}
