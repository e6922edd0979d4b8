package verify

import (
	"context"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"ken/internal/git"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// schemas are the files that describe a database for an ORM, a library that maps tables to objects. pattern is a path, in which * is any
// text.
var schemas = [...]struct{ orm, pattern string }{
	{"payload", "src/collections/*.ts"}, {"payload", "src/globals/*.ts"}, {"prisma", "prisma/schema.prisma"}, {"prisma", "prisma/schema/*.prisma"},
	{"drizzle", "drizzle/schema.ts"}, {"drizzle", "src/db/schema.ts"}, {"drizzle", "drizzle/*.ts"}, {"supabase", "supabase/migrations/*.sql"},
	{"typeorm", "src/entities/*.ts"}, {"typeorm", "src/migrations/*.ts"},
}

// pushCommands are the commands that bring a schema into its database, and the words in a text that prove that one was run.
var pushCommands = [...]struct{ orm, command, evidence string }{
	{"payload", "npx payload migrate", `(?i)payload\s+migrate|PAYLOAD_MIGRATING`},
	{"prisma", "npx prisma db push", `(?i)prisma\s+(db\s+push|migrate\s+(deploy|dev))`},
	{"drizzle", "npx drizzle-kit push", `(?i)drizzle-kit\s+(push|migrate)`},
	{"supabase", "supabase db push", `(?i)supabase\s+(db\s+push|migration\s+up)`},
	{"typeorm", "npx typeorm migration:run", `(?i)typeorm\s+(migration:run|schema:sync)`},
}

// PushCommand returns the command that brings the schema of an ORM into its database, for an agent to run.
func PushCommand(orm string) string {
	for _, p := range pushCommands {
		if p.orm == orm {
			return p.command
		}
	}
	return ""
}

type driftAnswer struct {
	Drift    bool     `json:"drift_detected"`
	Blocking bool     `json:"blocking"`
	Files    []string `json:"schema_files"`
	ORMs     []string `json:"orms"`
	Unpushed []string `json:"unpushed_orms"`
	Message  string   `json:"message"`
	Skipped  bool     `json:"skipped"`
}

// SchemaORM returns the ORM that uses a file as its schema, or "".
func SchemaORM(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	for _, s := range schemas {
		before, after, any := strings.Cut(s.pattern, "*")
		rest, found := strings.CutPrefix(file, before)
		if file == s.pattern || any && found && strings.HasSuffix(rest, after) {
			return s.orm
		}
	}
	return ""
}

// verifyDrift reports schemas that the plans of a phase changed without bringing them into the database, which summaries and the last
// commits would mention. The build of a program does not find that, because it only reads the text of the schema.
func verifyDrift(ctx context.Context, c *planop.Call, in *verifySchemaDriftInput) (driftAnswer, error) {
	inv, err := c.Inventory()
	if err != nil {
		return driftAnswer{}, err
	}
	a := driftAnswer{Files: []string{}, ORMs: []string{}, Unpushed: []string{}}
	id, ok := phaseid.Parse(in.Phase)
	p, _ := inv.Find(id)
	if !ok || p == nil || p.Dir == "" {
		return driftAnswer{}, &planop.Fault{Reason: "phase_not_found", Message: "Phase directory not found: " + in.Phase, Near: inv.NearPhases(in.Phase)}
	}
	f, err := c.Folder()
	if err != nil {
		return driftAnswer{}, err
	}
	var said strings.Builder
	dir := strings.TrimPrefix(p.Dir, folder.Name+"/")
	for _, plan := range p.Plans {
		content, err := f.ReadRoot(path.Join(dir, plan.File))
		if err != nil {
			return driftAnswer{}, err
		}
		for _, file := range artefact.ParsePlan(content).Files {
			if orm := SchemaORM(file); orm != "" {
				a.Files = append(a.Files, file)
				a.ORMs = append(a.ORMs, orm)
			}
		}
	}
	for _, name := range p.Summaries {
		content, err := f.ReadRoot(path.Join(dir, name))
		if err != nil {
			return driftAnswer{}, err
		}
		said.WriteString(content + "\n")
	}
	subjects, err := lastSubjects(ctx, c)
	if err != nil {
		return driftAnswer{}, err
	}
	said.WriteString(subjects)
	slices.Sort(a.ORMs)
	a.ORMs = slices.Compact(a.ORMs)
	a.setVerdict(said.String(), in.Skip)
	return a, nil
}

func (a *driftAnswer) setVerdict(said string, skip bool) {
	var commands []string
	for _, p := range pushCommands {
		if slices.Contains(a.ORMs, p.orm) && !regexp.MustCompile(p.evidence).MatchString(said) {
			a.Unpushed = append(a.Unpushed, p.orm)
			commands = append(commands, p.command)
		}
	}
	a.Drift = len(a.Unpushed) > 0
	a.Blocking = a.Drift && !skip
	a.Skipped = a.Drift && skip
	if a.Drift {
		a.Message = "Schemas were changed (" + strings.Join(a.Files, ", ") + ") and nothing says that they were pushed; run " + strings.Join(commands, " and ")
	}
}

// lastSubjects returns the first lines of the last commits' messages, each on a line. It returns none without git.
func lastSubjects(ctx context.Context, c *planop.Call) (string, error) {
	const most = "-50"
	project, err := c.Project()
	if err != nil {
		return "", err
	}
	r, err := git.Find(project)
	if errors.Is(err, git.ErrNoRepository) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	out, err := git.Git{}.Run(ctx, r, nil, nil, "log", "--all", most, "--format=%s")
	if err != nil {
		return "", nil // a repository without a commit has no log
	}
	return string(out), nil
}
