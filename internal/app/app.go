// Package app puts ken together: it finds the project, reads the settings, joins
// store, engine and operations, runs the command line over them and turns
// errors into exit codes. Nothing else knows all parts. Its neighbours are
// delivery/cli, which reads arguments, and cmd/ken, which starts it.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/config"
	"ken/internal/delivery/cli"
	"ken/internal/delivery/memories"
	"ken/internal/delivery/op"
	"ken/internal/delivery/planning"
	kenproject "ken/internal/delivery/project"
	"ken/internal/embed"
	"ken/internal/engine"
	"ken/internal/engine/source"
	"ken/internal/engine/source/known"
	"ken/internal/engine/source/owner"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/knowledge/outcome"
	"ken/internal/knowledge/session"
	"ken/internal/operation"
	"ken/internal/statefile"
	"ken/internal/store/filelock"
	"ken/internal/store/hookstate"
	"ken/internal/store/owned"
	"ken/internal/store/readings"
	"ken/internal/store/sqlite/memory"
	"ken/internal/worktree"
)

// Exit codes.
const (
	Found       = 0   // done, or found
	Nothing     = 1   // done, and nothing was found; of a check: it found a problem
	Failed      = 2   // could not be done
	Interrupted = 130 // stopped by a signal
)

// Run runs the command line and returns the exit code. When ctx ends, it gives
// up its work; committed changes stay.
func (p *Program) Run(ctx context.Context) int {
	o := &opener{getenv: p.Getenv, stderr: p.Stderr}
	defer o.close()
	out := known.NewWriter(p.Stdout, o.knownSecrets) // all answers leave through it
	if len(p.Args) > 0 && (p.Args[0] == "hook" || p.Args[0] == "statusline") {
		return p.hook(ctx, o, out)
	}
	err := p.command(ctx, o, out)
	if failed := out.Flush(); err == nil {
		err = failed
	}
	if ended, ok := errors.AsType[*planning.ExitError](err); ok {
		return ended.Code
	}
	code, message := exitCode(ctx, err, o.knownSecrets())
	if code == Nothing && o.behind() && operation.Classify(ctx, err) == operation.Nothing {
		code, message = Failed, "could not tell, because the index is behind the tree and cannot be written: "+message
	}
	if message != "" {
		// How a plan is begun has a line of its own, so that it can be typed.
		fmt.Fprintln(p.Stderr, "ken: "+strings.Replace(message, "; "+planning.StartHint, "\n"+planning.StartHint, 1))
	}
	return code
}

// command runs the command line. `ken gsd`, which reads its own, is run at once, because the tree of all commands takes longer to make
// than its answer. It fails as the operation does, or if there is none.
func (p *Program) command(ctx context.Context, o *opener, out *known.Writer) error {
	open := func(dir string) (*kenproject.Project, error) { return o.open(dir, operation.Existing) }
	gsd := p.gsd(open, out)
	if len(p.Args) > 0 && p.Args[0] == gsd.Name {
		return gsd.Run(ctx, p.Args[1:])
	}
	c := cli.Command{
		Tools: op.All(), Dir: p.Dir, Stdin: p.Stdin, Stdout: out, Stderr: p.Stderr,
		Getenv: p.Getenv, Open: o.open, Color: o.color, Answered: o.noteAnswer,
		Serve:  func(ctx context.Context, opt *operation.Serving) error { return p.serve(ctx, o, opt) },
		Groups: []cli.Group{p.plan(open)}, Others: []cli.Other{gsd},
	}
	return c.Run(ctx, p.Args)
}

// exitCode turns the outcome of an operation into an exit code and a message
// for standard error, "" for none.
func exitCode(ctx context.Context, err error, k *known.Set) (code int, message string) {
	switch operation.Classify(ctx, err) {
	case operation.Found:
		return Found, ""
	case operation.Interrupted:
		return Interrupted, "interrupted"
	case operation.Unproven:
		return Failed, k.MaskString(source.Redact(err.Error()))
	case operation.Nothing:
		return Nothing, k.MaskString(source.Redact(err.Error()))
	case operation.Alarm:
		return Nothing, err.Error()
	}
	return Failed, explain(err, k)
}

// maxMessage is how much of an error is printed, in bytes, because it may quote a
// long cause.
const maxMessage = 1000

// maxDeciding bounds the file of a decision that is being written, in bytes.
const maxDeciding = 4 << 20

// maxPatterns bounds the file of what was counted of a project, in bytes.
const maxPatterns = 32 << 10

// explain returns an error's message, made safe to show: it may quote a line
// of a settings file or git's message about a remote.
func explain(err error, k *known.Set) string {
	s := k.MaskString(source.Redact(err.Error()))
	if len(s) > maxMessage {
		s = strings.ToValidUTF8(s[:maxMessage], "") + " …"
	}
	return operation.Escape(s)
}

// temporaryIndex is what the user of a temporary index is to know.
const temporaryIndex = `this repository has no index: one is made for this answer alone; "ken init" makes one that stays`

// opener opens projects and remembers them, to close them at the end.
type opener struct {
	getenv   func(string) string
	stderr   io.Writer
	projects []*kenproject.Project
	kept     *kept // of a server, nil on the command line
	// session is the session under which a server logs questions where its host names none, "" on the command line.
	session string
	// hook is set if a hook runs, which has no time to build an index.
	hook bool
}

// knownSecrets are the secrets that the index asked last knows of; nil if none was asked or it knows of none.
func (o *opener) knownSecrets() *known.Set {
	if len(o.projects) == 0 {
		return nil
	}
	return o.projects[len(o.projects)-1].KnownSecrets()
}

// behind reports whether an answer came from an outdated index, so that it
// may lack the requested thing.
func (o *opener) behind() bool {
	return slices.ContainsFunc(o.projects, func(p *kenproject.Project) bool { return p.Engine.Behind() })
}

// color is the user's colour setting; a project cannot change it.
func (o *opener) color() (string, error) {
	s, _, err := config.Load("", o.getenv)
	return s.Color, err
}

func (o *opener) open(dir string, need operation.Need) (*kenproject.Project, error) {
	root, err := findRoot(dir, o.getenv("HOME"), need == operation.Anywhere)
	temporary := need == operation.Unprepared && o.kept == nil && errors.Is(err, store.ErrNoIndex)
	if temporary {
		root, err = workTree(dir, o.getenv("HOME"))
	}
	if err != nil {
		return nil, err
	}
	settings, notes, err := config.Load(root, o.getenv)
	if err != nil {
		return nil, err
	}
	state, err := config.StateDir(o.getenv)
	if err != nil {
		return nil, err
	}
	fresh := func() (*owner.Folder, *engine.Engine, error) {
		for _, w := range notes {
			o.warn(w)
		}
		return o.engine(root, state, &settings, temporary)
	}
	open := fresh
	if o.kept != nil {
		open = func() (*owner.Folder, *engine.Engine, error) { return o.kept.get(root, &settings, fresh) }
	}
	folder, e, err := open()
	if err != nil {
		return nil, err
	}
	project := &kenproject.Project{Root: root, Dir: dir, State: state, Engine: e, Session: o.getenv("CLAUDE_CODE_SESSION_ID"), Temporary: temporary}
	if temporary {
		if _, err := folder.UseTemporary(temporaryIndex); err != nil {
			return nil, err
		}
	}
	project.Built = func() bool { return filelock.Held(folder.Place().Index + ".lock") }
	project.Missing = func() bool {
		_, err := os.Lstat(folder.Place().Index)
		return errors.Is(err, os.ErrNotExist)
	}
	project.Foreign = func() bool { return folder.Place().Print == "" && !project.Missing() }
	project.Lock = func(ctx context.Context) (func(), error) {
		if err := owner.WriteIgnore(filepath.Join(root, ".ken")); err != nil {
			return nil, err
		}
		index := folder.Place().Index // of another owner, whose lock could not be opened, it has another name
		return filelock.Take(ctx, filepath.Join(filepath.Dir(index), strings.Replace(filepath.Base(index), "index", "knowledge", 1)+".lock"))
	}
	project.Gauge = gaugeIn(state)
	project.Guards = kenproject.Guards{
		Read: settings.ReadGuard == "on", Workflow: settings.WorkflowGuard == "on", StopQueries: settings.StopQueries == "on",
		Advise: settings.TaskGuard == "advise", Dependents: settings.TaskDependents,
	}
	project.PlanHooks = func() kenproject.PlanHooks { return planHooks(root) }
	// The memory of a task's work tree belongs to the tree that it was made from, because the work tree goes.
	remembered, of := folder, root
	if main, _, ok := worktree.MainRoot(root); ok {
		remembered, of = owner.New(main, owner.NewState(state), o.warn), main
	}
	if state != "" {
		project.Counted = &statefile.JSON[kenproject.Counted]{Path: filepath.Join(state, "patterns", statefile.Name(of)+".json"), Max: maxPatterns}
		project.Deciding = &statefile.JSON[session.Note]{Path: filepath.Join(state, "deciding", statefile.Name(root)+".json"), Max: maxDeciding}
		project.Bound = hookstate.NewBindings(state, of)
		project.Events = hookstate.NewEventTimes(filepath.Join(state, "events"), of)
	}
	project.Logs = func() *outcome.Logs { return openLogs(remembered, e) }
	project.Record = folder.RecordPath
	project.NoQueryLog = settings.QueryLog == "off"
	project.OtherMemory = memory.OtherUserItems
	project.Memory = func(create bool) (*kenproject.Memory, error) {
		m, err := openMemory(remembered, e, create)
		if m != nil && !create { // one who writes has the lock, or takes it
			memories.FinishDecision(context.Background(), project, m)
		}
		return m, err
	}
	if o.kept == nil {
		o.projects = append(o.projects, project)
	}
	return project, nil
}

// engine makes the engine of a project, whose index is temporary or in .ken.
func (o *opener) engine(root, state string, settings *config.Settings, temporary bool) (*owner.Folder, *engine.Engine, error) {
	var cache engine.Cache
	if dir := settings.CacheDir(o.getenv); dir != "" {
		cache = readings.New(dir, 0)
	}
	folder := owner.New(root, owner.NewState(state), o.warn)
	embedding, err := o.embedding(folder, &settings.Embedding)
	if err != nil {
		return nil, nil, err
	}
	secrets := o.knownSecrets
	log := warnings{o.stderr, func() *known.Set { return secrets() }}
	var e *engine.Engine
	e = engine.New(engine.Options{
		Root: root, Store: owned.New(folder), Salts: folder,
		Include: settings.Include, Exclude: settings.Exclude, MaxFileSize: settings.MaxFileSize, HistoryCommits: settings.HistoryCommits,
		AllowSecrets: allowedSecrets(settings.AllowSecrets), Own: own(&settings.Own), Cache: cache, Log: slog.New(log), Getenv: o.getenv,
		Embedding: embedding, Pages: func(kept string) (string, string) { return kenproject.KeepPageWords(root, kept, e.Hide) }, Adopts: !o.hook, Elsewhere: temporary,
	})
	if o.kept != nil { // there is no project asked last
		secrets = e.KnownSecrets
	}
	return folder, e, nil
}

// warn shows a line on standard error.
func (o *opener) warn(line string) {
	fmt.Fprintln(o.stderr, "ken: warning: "+explain(errors.New(line), o.knownSecrets()))
}

var _ engine.Embedder = (*embed.Client)(nil)

// embedding is none unless the user's settings name an endpoint.
func (o *opener) embedding(folder *owner.Folder, s *config.Embedding) (engine.Embedding, error) {
	if s.URL == "" {
		return engine.Embedding{}, nil
	}
	opt := embed.Options{URL: s.URL, API: s.API, Model: s.Model, Dimensions: s.Dimensions, Timeout: s.Timeout}
	if s.KeyEnv != "" {
		opt.Key = func() string { return o.getenv(s.KeyEnv) }
	}
	c, err := embed.New(opt)
	if err != nil {
		return engine.Embedding{}, fmt.Errorf("settings of embedding: %w", err)
	}
	return engine.Embedding{Embedder: c, Vectors: owned.NewVectors(folder), Batch: s.Batch, QueryTimeout: s.QueryTimeout}, nil
}

func own(s *config.Own) view.UserSettings {
	return view.UserSettings{Exclude: s.Exclude, Include: s.Include, AllowSecrets: allowedSecrets(s.AllowSecrets)}
}

func allowedSecrets(list []config.AllowedSecret) []source.Allow {
	out := make([]source.Allow, len(list))
	for i, a := range list {
		out[i] = source.Allow(a)
	}
	return out
}

func (o *opener) close() {
	for _, p := range o.projects {
		p.Engine.Close() // a reader's connection: nothing is lost with it
	}
}
