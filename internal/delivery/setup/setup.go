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
	"fmt"
	"path/filepath"

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
	Runtime string `arg:"RUNTIME" enum:"claude" help:"the agent product: claude (Claude Code)"`
	Local   bool   `flag:"local" help:"for you in this project, in files that git ignores: the default"`
	Project bool   `flag:"project" help:"for everybody in this project, in files to be committed"`
	User    bool   `flag:"user" help:"for you in all projects"`
	Plugin  string `flag:"plugin" value:"DIR" help:"as a plugin in a folder, instead of settings"`
	MCP     bool   `flag:"mcp" help:"local and user: have the program claude add the MCP server, or remove it; else its command is shown"`
	DryRun  bool   `flag:"dry-run" help:"show what would be written, as a patch, and write nothing"`
	Yes     bool   `flag:"yes" short:"y" help:"do not ask"`
}

// File is the change of one file.
type File struct {
	Path   operation.Path `json:"path" doc:"file, below the project if it is in it"`
	Action string         `json:"action" doc:"created, changed, unchanged, removed, restored (it has the bytes of before), kept (somebody has changed it)"`
	What   string         `json:"what" doc:"what of ken is in it"`
	Note   string         `json:"note,omitempty" doc:"what else is to be known"`
	Diff   string         `json:"diff,omitempty" doc:"with --dry-run: the change as a patch, secrets masked"`
}

type installAnswer struct {
	Runtime string   `json:"runtime" doc:"the agent product"`
	Scope   string   `json:"scope" doc:"local, project, user or plugin"`
	Folder  string   `json:"folder" doc:"the project, the folder of settings or that of the plugin"`
	DryRun  bool     `json:"dry_run" doc:"nothing was written"`
	Changed bool     `json:"changed" doc:"a file was written or removed, or would be"`
	Files   []File   `json:"files" paths:"yes" doc:"what happens to each file"`
	Notes   []string `json:"notes" doc:"what is to be known or done"`
}

const scopes = "What was there stays as it is, comments and order too. Without a scope it is --local:\n" +
	"  --local    .claude/settings.local.json, CLAUDE.local.md, .claude/skills/ken-*, listed in .git/info/exclude\n" +
	"  --project  .claude/settings.json, .mcp.json, CLAUDE.md, .claude/skills/ken-*: to be committed, no status line\n" +
	"  --user     settings.json, CLAUDE.md, skills/ken-* in $CLAUDE_CONFIG_DIR or ~/.claude\n"

// Install is the operation that puts ken into an agent product.
func Install() *project.Tool {
	return installSpec{
		Name:    "install",
		Topic:   operation.SetUp,
		Summary: "put ken into an agent product: hooks, status line, rules, skills, MCP server",
		Long: "Everything is shown before anything is written. " + scopes +
			"With --plugin a folder is made that can be loaded as a plugin; it has neither status line nor rules. Plugin and settings exclude each other.\n" +
			"Safe to repeat: a second run changes nothing. \"ken uninstall\" takes everything out again.",
		Example: []string{"install claude", "install claude --project --dry-run", "install claude --user --yes"},
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
		Summary: "take ken out of an agent product, and leave what was there before",
		Long: "A file that nobody has changed since has the bytes of before; of another only what ken has put in goes.\n" +
			"The index in .ken/ stays.",
		Example: []string{"uninstall claude", "uninstall claude --user --yes"},
		Run: func(ctx context.Context, e *env, in *installInput, emit func(*installAnswer) error) error {
			return runInstall(ctx, e, in, emit, removeDirection())
		},
		Text: writeInstall,
	}.Tool()
}

// direction is install or uninstall, with the functions in which they differ.
type direction struct {
	verb    string
	preview func(*install.Installer, *install.Plan) ([]install.Change, error)
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
		func(*target, *install.Installer) error { return nil }, func(*target) []string { return nil },
		(*claude.Options).RemoveServer}
}

func runInstall(ctx context.Context, e *env, in *installInput, emit func(*installAnswer) error, d direction) error {
	p, err := findTarget(e, in)
	if err != nil {
		return err
	}
	installer := &install.Installer{State: p.state}
	if err := d.check(p, installer); err != nil {
		return err
	}
	changes, err := d.preview(installer, p.plan)
	if err != nil {
		return err
	}
	a := &installAnswer{Runtime: in.Runtime, Scope: p.scope, Folder: p.plan.Root, DryRun: in.DryRun, Changed: !install.NothingToDo(changes)}
	if !in.DryRun {
		if a.Changed && !in.Yes {
			if err := confirmPlan(e, p, d.verb, changes); err != nil {
				return err
			}
		}
		if changes, err = d.do(installer, ctx, p.plan); err != nil {
			return err
		}
		a.Changed = !install.NothingToDo(changes)
	}
	for _, c := range changes {
		f := File{Path: operation.Path(p.shortPath(c.Path)), Action: c.Action, What: c.What, Note: c.Note}
		if in.DryRun {
			f.Diff = source.Redact(install.Diff(c))
		}
		a.Files = append(a.Files, f)
	}
	if a.Changed {
		a.Notes = d.notes(p)
	}
	if err := p.configureServer(ctx, e, in, a, d); err != nil {
		return err
	}
	return emit(a)
}

// confirmPlan shows the plan and asks for confirmation.
func confirmPlan(e *env, p *target, verb string, changes []install.Change) error {
	if e.Confirm == nil {
		return code.Usagef("nobody can be asked here: --yes does it, --dry-run shows what would be done")
	}
	question := ""
	for _, c := range changes {
		if c.Action != install.Unchanged {
			question += fmt.Sprintf("%-9s %s: %s\n", c.Action, operation.Escape(p.shortPath(c.Path)), c.What)
		}
	}
	yes, err := e.Confirm(question + verb + "?")
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
	t.Line("%s, %s, %s%s", t.Bold(a.Runtime), a.Scope, a.Folder, state)
	var rows [][]string
	for _, f := range a.Files {
		what := f.What
		if f.Note != "" {
			what += " (" + f.Note + ")"
		}
		rows = append(rows, []string{f.Action, string(f.Path), what})
	}
	t.Table("  ", 0, rows)
	for _, f := range a.Files {
		if f.Diff != "" {
			t.Line("")
			t.Paragraph("", f.Diff)
		}
	}
	for _, n := range a.Notes {
		t.Line("%s", n)
	}
	return nil
}

// shortPath returns a path relative to the project, or unchanged if it is not in it.
func (p *target) shortPath(path string) string {
	if rel, err := filepath.Rel(p.plan.Root, path); err == nil && filepath.IsLocal(rel) && p.plan.Root != "" {
		return filepath.ToSlash(rel)
	}
	return path
}
