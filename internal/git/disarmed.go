package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// maxDrivers is the maximal number of programs that a configuration may name, because each of them becomes part of the environment of a
// run.
const maxDrivers = 500

// WithoutPrograms returns a copy of g for commands that write a work tree, an index or a merge. Such commands start programs that a
// configuration names freely: filters, merge drivers, and hooks that newer versions of git read from there. All are
// overridden so that the command fails if one would be needed, instead of going on without it: a filter is required and
// missing, and a merge driver leaves a conflict. Line ends are converted as for the user, whose own attributes are read
// again. The names of the programs are those that git itself finds, with every condition of an include, so Disarmed has to
// be called for each repository. It fails if git does, or with ErrUnsupported if the configuration names too many programs.
func (g Git) WithoutPrograms(ctx context.Context, r *Repo) (Git, error) {
	out, err := g.run(ctx, r, r.Root, "config", "--list", "--name-only", "-z")
	if err != nil {
		return g, err
	}
	settings := map[string]string{}
	for key := range strings.SplitSeq(string(out), "\x00") {
		section, rest, _ := strings.Cut(key, ".")
		dot := strings.LastIndexByte(rest, '.')
		if dot < 0 {
			continue
		}
		name := section + "." + rest[:dot]
		switch section {
		case "filter":
			settings[name+".clean"], settings[name+".smudge"], settings[name+".process"], settings[name+".required"] = "", "", "", "true"
		case "merge":
			if strings.HasSuffix(key, ".driver") {
				settings[key] = "false"
			}
		case "hook":
			settings[name+".enabled"] = "false"
		}
	}
	if len(settings) > 4*maxDrivers {
		return g, fmt.Errorf("git config: %w: it names more than %d programs", ErrUnsupported, maxDrivers)
	}
	g = g.withEnv(settingsEnv(settings)...)
	g.settings = []string{
		"core.safecrlf=false", "core.splitIndex=false", "advice.addEmbeddedRepo=false", "core.attributesFile=" + ReadConfig(r).AttributesFile(),
		"core.filesRefLockTimeout=3000", "core.packedRefsTimeout=5000", // milliseconds for which another git may hold them
	}
	return g, nil
}

// settingsEnv returns environment variables that pass settings to git. Unlike the option -c, they allow names that contain "=".
func settingsEnv(settings map[string]string) []string {
	env := []string{fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(settings))}
	i := 0
	for key, value := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, value))
		i++
	}
	return env
}

// withEnv returns g with further variables of the environment.
func (g Git) withEnv(env ...string) Git {
	g.env = append(g.env[:len(g.env):len(g.env)], env...)
	return g
}

// WithIndex returns g with another file as the index.
func (g Git) WithIndex(path string) Git { return g.withEnv("GIT_INDEX_FILE=" + path) }

// WithPatterns returns a copy of g for commands that take no paths as patterns and fail where patterns are switched off.
func (g Git) WithPatterns() Git { return g.withEnv("GIT_LITERAL_PATHSPECS=0") }

// WithObjects returns a copy of g that writes new objects into the folder dir, so that reading a work tree leaves
// nothing in the repository.
func (g Git) WithObjects(r *Repo, dir string) Git {
	return g.withEnv("GIT_OBJECT_DIRECTORY="+dir, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+quoteList(filepath.Join(r.CommonDir, "objects")))
}

// quoteList quotes a path for a list of paths, in which a colon separates the paths.
func quoteList(path string) string {
	if !strings.ContainsAny(path, "\":\n\\") {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}

// KeepingOpen returns a copy of g whose git processes keep files open. If ken is killed, a lock on such a file lasts until git
// has ended, too. On systems where a program cannot be given open files, the lock ends with ken.
func (g Git) KeepingOpen(files ...*os.File) Git {
	if runtime.GOOS == "windows" {
		return g
	}
	g.keep = append(g.keep[:len(g.keep):len(g.keep)], files...)
	return g
}

// HasExitStatus reports whether err means that git ended with a certain exit status. Some commands of git answer a question by their exit
// status.
func HasExitStatus(err error, status int) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == status
}

// HeldFiles returns the files that git processes of g keep open; see Holding.
func (g Git) HeldFiles() []*os.File { return g.keep }
