package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// disarmingSettings overrides every setting of a repository that could start a program or reach
// the network in the commands that ken uses; settings given with -c win over every
// file. The comments name the prevented programs:
var disarmingSettings = []string{
	"core.fsmonitor=false",         // a program, started by ls-files, status, diff
	"core.hooksPath=" + os.DevNull, // hooks
	"core.pager=cat",
	"core.editor=false",
	"core.askPass=",
	"core.sshCommand=false",
	"core.gitProxy=",
	"core.alternateRefsCommand=",
	"core.attributesFile=" + os.DevNull, // attributes choose filters and textconv
	"core.untrackedCache=false",         // would hold the results of another run
	"credential.helper=",
	"diff.external=",
	"diff.ignoreSubmodules=all",
	"interactive.diffFilter=",
	"gpg.program=false",
	"log.showSignature=false",
	"protocol.allow=never", // a partial clone fetches missing objects
	"submodule.recurse=false",
	"uploadpack.packObjectsHook=",
	"maintenance.auto=false",
	"gc.auto=0",
	"safe.bareRepository=explicit",
}

// ownEnv lists the environment variables that are set for every run of git, in addition to the user's environment.
var ownEnv = []string{
	"GIT_OPTIONAL_LOCKS=0", // never write .git/index to refresh it
	"GIT_PAGER=cat",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_NO_LAZY_FETCH=1",
	"GIT_ALLOW_PROTOCOL=none",
	"GIT_NO_REPLACE_OBJECTS=1",
	"GIT_ATTR_NOSYSTEM=1",
	"GIT_LITERAL_PATHSPECS=1",
	"GIT_CEILING_DIRECTORIES=",
	"LC_ALL=C",
}

// safeEnvironment returns the user's environment without variables that steer git or name programs. GIT_DIR and GIT_INDEX_FILE are
// set while a hook runs, but a ken that a hook starts must still read its own tree. GIT_CONFIG_GLOBAL and _SYSTEM name the
// user's own settings and stay, as do names and times of committers.
func safeEnvironment() []string {
	env := make([]string, 0, 64)
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case name == "GIT_CONFIG_GLOBAL" || name == "GIT_CONFIG_SYSTEM" || name == "GIT_CONFIG_NOSYSTEM":
		case strings.HasPrefix(name, "GIT_AUTHOR_"), strings.HasPrefix(name, "GIT_COMMITTER_"):
		case strings.HasPrefix(name, "GIT_"), name == "SSH_ASKPASS", name == "PAGER", name == "EDITOR", name == "VISUAL", name == "LC_ALL":
			continue
		}
		env = append(env, kv)
	}
	return append(env, ownEnv...)
}

// Git starts the git program. The zero value finds it in PATH; it is safe for
// concurrent use.
type Git struct {
	Bin string // path of the program; "" looks in PATH
	// Patience is how long a run may show no activity; 0 is a time after which a run hangs.
	Patience time.Duration

	env      []string   // further variables of the environment; see Disarmed, WithIndex and WithObjects
	settings []string   // further settings; see Disarmed
	keep     []*os.File // files that each run keeps open; see Holding
}

// gitProgram returns the path of the git program. It refuses one that a relative entry of PATH leads to (exec.ErrDot), because that
// would let the working directory choose the program.
func (g Git) gitProgram() (string, error) {
	name := g.Bin
	if name == "" {
		name = "git"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%w: %v", ErrNoGit, err)
	}
	return path, nil
}

// Available reports whether there is a git program.
func (g Git) Available() bool {
	_, err := g.gitProgram()
	return err == nil
}

// maxOutput bounds the output of one run; a listing of ten million files is below it.
const maxOutput = 1 << 30

// run starts git on repo and returns its output. Cancelling ctx kills it and all it
// started. The repository and its tree are named explicitly, so that neither
// discovery nor core.worktree nor the environment selects others.
func (g Git) run(ctx context.Context, repo *Repo, dir string, args ...string) ([]byte, error) {
	return g.runWith(ctx, repo, dir, nil, args)
}

// Run runs git at the top of the working tree, with all programs of the configuration disabled, additional settings, and
// the input in, which may be nil. It is for packages below this one, which know the programs that their commands start.
// It fails if git does or prints too much.
func (g Git) Run(ctx context.Context, repo *Repo, settings []string, in []byte, args ...string) ([]byte, error) {
	out := limitedWriter{left: maxOutput}
	var feed func(io.Writer) error
	if in != nil {
		feed = func(w io.Writer) error {
			_, err := w.Write(in)
			return err
		}
	}
	keep := func(r io.Reader) error {
		_, err := io.Copy(&out, r)
		return err
	}
	err := g.startAndWatch(ctx, repo, repo.Root, settings, feed, keep, args)
	if err == nil && out.cut {
		err = fmt.Errorf("git %s: output larger than %d bytes", args[0], maxOutput)
	}
	return out.kept.Bytes(), err
}

// runWith does the same as run, with additional settings for git.
func (g Git) runWith(ctx context.Context, repo *Repo, dir string, settings, args []string) ([]byte, error) {
	out := limitedWriter{left: maxOutput}
	keep := func(r io.Reader) error {
		_, err := io.Copy(&out, r)
		return err
	}
	if err := g.startAndWatch(ctx, repo, dir, settings, nil, keep, args); err != nil {
		return nil, err
	}
	if out.cut {
		return nil, fmt.Errorf("git %s: output larger than %d bytes", args[0], maxOutput)
	}
	return out.kept.Bytes(), nil
}

// runError returns the error of a failed run. It quotes the first line of git's own message; verb is the git command.
func runError(ctx context.Context, verb string, err error, stderr []byte) error {
	if ctx.Err() != nil {
		return fmt.Errorf("git %s: %w", verb, context.Cause(ctx))
	}
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("%w: %v", ErrNoGit, err)
	}
	line, _, _ := bytes.Cut(bytes.TrimSpace(stderr), []byte("\n"))
	for _, s := range []string{"does not exist", "exists on disk, but not in", "ot a valid object name", "nvalid object name", "bad revision", "unknown revision", "bad file", "bad object"} {
		if bytes.Contains(line, []byte(s)) {
			return fmt.Errorf("git %s: %w: %s", verb, ErrNotFound, line)
		}
	}
	return fmt.Errorf("git %s: %w: %s", verb, err, line)
}

// limitedWriter is a writer that keeps the first bytes and drops the rest, so that a
// program with endless output does not fill memory before ctx ends it.
type limitedWriter struct {
	kept bytes.Buffer // no part of the type, because its ReadFrom would read without a limit
	left int
	cut  bool
}

func (l *limitedWriter) Write(p []byte) (int, error) {
	n := len(p)
	if n > l.left {
		p, l.cut = p[:l.left], true
	}
	l.left -= len(p)
	l.kept.Write(p)
	return n, nil
}
