package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/delivery/project"
	"ken/internal/operation"
	"ken/internal/token"
)

// call answers one call of a tool.
func (s *Server) call(ctx context.Context, o *offered, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.running, cancel)()
	defer progress(ctx, req)()
	in := o.tool.NewInput()
	c, err := o.decode(req.Params.Arguments, in)
	f := s.fitter(&c)
	defer s.release(f)
	dir := ""
	if err == nil {
		dir, err = s.Scope.Choose(ctx, c.project, values(o.fields(), in))
	}
	if err != nil {
		return f.failure(err.Error()), nil
	}
	a := &asked{server: s, tool: o.tool, in: in, common: &c, dir: dir}
	made, err := a.fitAnswer(ctx, f)
	if outcome := operation.Classify(ctx, err); outcome == operation.Interrupted {
		return nil, context.Cause(ctx)
	}
	return made, nil
}

// asked is one question.
type asked struct {
	server *Server
	tool   *project.Tool
	in     any
	common *common
	dir    string           // that paths start from, and that the project holds
	budget *operation.Field // the operation's own budget, nil if it has none

	project *project.Project
	out     *capture
	files   []string
}

// fitAnswer makes the answer. An operation that fits its own answer into a budget is asked for less
// than there is, because lines cost more as they are sent, and for even less if that was too much.
func (a *asked) fitAnswer(ctx context.Context, f *fitter) (*mcp.CallToolResult, error) {
	a.budget = ownBudget(a.tool)
	for share := ownShare; ; share -= ownStep {
		if a.budget != nil {
			n := f.budget * share / 100
			*a.budget.Pointer(a.in).(**int) = &n
		}
		began := time.Now()
		err := a.run(ctx)
		if operation.Classify(ctx, err) == operation.Interrupted {
			return nil, err
		}
		result, whole := a.result(f, err)
		if !whole && a.budget != nil && share > ownStep && a.common.from == 1 {
			continue
		}
		a.note(err, time.Since(began))
		return result, err
	}
}

// How much of the budget an operation that fits its own answer is asked to keep to, in percent: at
// first, and how much less each time.
const (
	ownShare = 80
	ownStep  = 20
)

// ownBudget is the field of an operation's own budget.
func ownBudget(t *project.Tool) *operation.Field {
	for _, f := range t.Input() {
		if _, ok := f.Pointer(t.NewInput()).(**int); ok && f.Name == "budget" {
			return &f
		}
	}
	return nil
}

// run does the operation and captures its answer.
func (a *asked) run(ctx context.Context) error {
	a.out = newCapture(a.common)
	env := &project.Env{
		Dir: a.dir, Stdin: strings.NewReader(a.common.input), Getenv: a.server.Getenv,
		Open: func(dir string, need operation.Need) (*project.Project, error) {
			p, err := a.server.open(dir, need)
			a.project = p
			return p, err
		},
	}
	return a.tool.Run(ctx, env, a.in, func(answer any) error {
		a.files = operation.TopPaths(answer, maxTop)
		if a.common.structured {
			return operation.WriteJSON(a.out, answer)
		}
		return a.tool.Text(operation.NewText(a.out, false), a.in, answer)
	})
}

// maxTop is how many files of an answer are noted.
const maxTop = 5

// result returns the answer as it is sent; whole reports that nothing was left out for the budget.
func (a *asked) result(f *fitter, err error) (r *mcp.CallToolResult, whole bool) {
	full := errors.Is(err, errFull)
	if full {
		err = nil
	}
	message, failed := a.errorText(err)
	if failed {
		return f.failure(message), true
	}
	message = strings.TrimLeft(message+"\n"+a.staleNote(), "\n")
	text := a.mask(a.out.text())
	if a.common.structured {
		return f.fitJSON(text, message, full)
	}
	return f.text(text, message, a.out, full)
}

// staleNote returns a note if the answer may not be of the tree as it is, else "".
func (a *asked) staleNote() string {
	if a.project == nil {
		return ""
	}
	rev, behind := a.project.Engine.BehindSince()
	if !behind {
		return ""
	}
	return fmt.Sprintf("changed since revision %d: the index cannot be written", rev)
}

// errorText returns the text for the error of an operation, and whether the operation failed. Having found
// nothing is an answer.
func (a *asked) errorText(err error) (message string, failed bool) {
	if err == nil {
		return "", false
	}
	message = err.Error()
	switch operation.Classify(context.Background(), err) {
	case operation.Nothing:
		if a.project != nil && a.project.Engine.Behind() {
			return a.mask("could not tell, because the index is behind the tree and cannot be written: " + message), true
		}
		message += a.elsewhere()
	case operation.Unproven, operation.Alarm:
	default:
		return a.mask(operation.Escape(message) + a.elsewhere()), true
	}
	return a.mask(message), false
}

// mask hides the credentials that the index knows of.
func (a *asked) mask(text string) string {
	if a.project == nil {
		return text
	}
	return a.project.Known().MaskString(text)
}

// note passes the answer on to the log.
func (a *asked) note(err error, took time.Duration) {
	outcome := operation.Classify(context.Background(), err)
	full := errors.Is(err, errFull)
	found := outcome == operation.Found || full
	if a.server.Answered == nil || a.project == nil || !found && outcome != operation.Nothing {
		return
	}
	a.server.Answered(&operation.Answered{
		Operation: a.tool.Command(), Logged: a.tool.Logged, Arguments: a.tool.ArgumentText(a.in), Files: a.files, Found: found, Took: took, Bytes: int64(a.out.kept),
	}, a.project)
}

// progress reports that a call goes on, once a second, if the client asked for it: clients give up
// silent calls. The function it returns ends that; nothing is reported after it.
func progress(ctx context.Context, req *mcp.CallToolRequest) (stop func()) {
	wanted := req.Params.GetProgressToken()
	if wanted == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var owned sync.WaitGroup
	owned.Go(func() {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		for n := 1; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
			p := &mcp.ProgressNotificationParams{ProgressToken: wanted, Progress: float64(n), Message: fmt.Sprintf("%d s", n)}
			if req.Session.NotifyProgress(ctx, p) != nil {
				return
			}
		}
	})
	return func() { cancel(); owned.Wait() }
}

// fitter makes a fitter for one answer; counters are kept, because each takes 2 MB.
func (s *Server) fitter(c *common) *fitter {
	n, _ := s.counters.Get().(*token.Counter)
	if n == nil {
		n = token.New(token.O200K)
	}
	return &fitter{budget: c.budget, common: c, counter: n}
}

func (s *Server) release(f *fitter) { s.counters.Put(f.counter) }

var _ io.Writer = (*capture)(nil)
