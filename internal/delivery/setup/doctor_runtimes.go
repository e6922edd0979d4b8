package setup

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ken/internal/operation"
	"ken/internal/statefile"
	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/agent/integration"
	"ken/internal/workflow/agent/runtimes"
	"ken/internal/workflow/install"
)

// runtimeChecks checks the products beside Claude Code for which ken is installed here or for the user: whether their settings are as ken
// wrote them, whether the program is there, and whether a session of it was seen in this project. seen has when the last one of each began.
// No other program is run.
func runtimeChecks(
	ctx context.Context, installer *install.Installer, of claude.Options, getenv func(string) string, seen map[string]time.Time,
) (list []Check) {
	known, err := installer.List()
	if err != nil {
		return []Check{{"settings", problem, err.Error()}}
	}
	for _, r := range runtimes.All() {
		if r.Name == claudeName {
			continue
		}
		for _, scope := range []integration.Scope{integration.Project, integration.User} {
			for _, k := range known {
				if k.Name != integration.Name(r.Name, scope) {
					continue
				}
				var in installInput
				in.setRecordedOptions(k.Options)
				t := target{options: of, scope: string(scope), getenv: getenv}
				if in.Portable {
					t.setPortable()
				}
				o := t.integrationOptions(&in)
				plans, err := integration.Plans(r, o)
				if err != nil || plans[0].Root != k.Root {
					continue // it is of another project
				}
				c := settingsCheck(ctx, installer, &r, scope, plans)
				if old := outdated(k, r.Name, string(scope)); old != "" && c.State != problem {
					list = append(list, Check{c.About, note, old})
				}
				if c.State == good {
					c = approvalCheck(c, &r, o)
				}
				if c.State == good {
					c = sessionCheck(c, &r, inPath(getenv, r.Programs), seen[r.Name])
				}
				list = append(list, c)
			}
		}
	}
	return list
}

// settingsCheck looks at whether the settings of a product are as ken wrote them.
func settingsCheck(
	ctx context.Context, installer *install.Installer, r *runtimes.Runtime, scope integration.Scope, plans []*install.Plan,
) Check {
	about := r.Name + ", " + string(scope)
	for _, p := range plans {
		changes, err := installer.PreviewInstall(ctx, p)
		if err != nil {
			return Check{about, problem, err.Error()}
		}
		for _, c := range changes {
			if c.Action != install.Kept && c.Action != install.Unchanged {
				text := fmt.Sprintf("%s is not as ken wrote it (%s): \"ken install %s --%s\" sets it right", c.Path, c.What, r.Name, scope)
				return Check{about, problem, text}
			}
			if c.Note != "" {
				return Check{about, note, c.Path + ": " + c.Note}
			}
		}
	}
	return Check{about, good, "settings are as ken wrote them"}
}

// maxApprovals is the largest file that is read for approvals.
const maxApprovals = 4 << 20

// approvalCheck adds to good settings whether the user has approved the commands, where the product asks for that.
func approvalCheck(c Check, r *runtimes.Runtime, o integration.Options) Check {
	a, err := integration.ReadApprovals(*r, o, func(path string) ([]byte, error) { return statefile.ReadFollow(path, maxApprovals) })
	switch {
	case err != nil:
		c.State, c.Text = problem, err.Error()
	case len(a.Missing) > 0:
		c.State = problem
		c.Text = fmt.Sprintf("%d of %s of ken are not approved as they are now, so that none of these runs (%s). %s",
			len(a.Missing), operation.Plural(a.Commands, "hook"), strings.Join(a.Missing, ", "), r.Trust)
	case a.Commands > 0:
		c.Text += ", and you have approved its hooks"
	}
	return c
}

// sessionCheck adds to good settings whether they were seen to work.
func sessionCheck(c Check, r *runtimes.Runtime, isThere bool, last time.Time) Check {
	switch {
	case !last.IsZero():
		c.Text += "; the last session of it here began " + last.UTC().Format(time.RFC3339)
	case !isThere:
		c.State, c.Text = note, c.Text+"; its program is not in PATH, and no session of it was seen here"
	case r.Trust != "":
		c.State, c.Text = unchecked, c.Text+", but no session of it was seen here. "+r.Trust
	default:
		c.State, c.Text = unchecked, c.Text+", but no session of it was seen here: start one"
	}
	return c
}
