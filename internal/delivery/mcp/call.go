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
func (s *Server) call(ctx context.Context, o *offeredTool, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.running, cancel)()
	defer reportProgress(ctx, req)()
	o, in, c, err := o.decodeCall(req.Params.Arguments)
	f := s.fitter(&c, o)
	defer s.release(f)
	dir := ""
	if err == nil {
		dir, err = s.Scope.ChooseDirectory(ctx, c.project, stringValues(o.fields(), in))
	}
	if err != nil {
		return f.failure(err.Error()), nil
	}
	a := &toolCall{server: s, tool: o.tool, in: in, common: &c, dir: dir}
	made, err := a.fitAnswer(ctx, f)
	if outcome := operation.Classify(ctx, err); outcome == operation.Interrupted {
		return nil, context.Cause(ctx)
	}
	return made, nil
}

// toolCall is one call of a tool that is being answered.
type toolCall struct {
	server *Server
	tool   *project.Tool
	in     any
	common *commonArgs
	dir    string           // that paths start from, and that the project holds
	budget *operation.Field // the operation's own budget, nil if it has none

	project *project.Project
	out     *lineCapture
	files   []string
	later   []func(*operation.Sent) error
}

// fitAnswer makes the answer. An operation that fits its own answer into a budget gets a smaller
// one than the caller's, because lines cost more as they are sent, and an even smaller one if the
// answer is still too large.
func (a *toolCall) fitAnswer(ctx context.Context, f *fitter) (*mcp.CallToolResult, error) {
	a.budget = ownBudget(a.tool)
	for share := ownShare; ; share -= ownStep {
		if a.budget != nil {
			n := f.budget * share / 100
			*a.budget.Pointer(a.in).(**int) = &n
		}
		began := time.Now()
		err := a.runOperation(ctx, f.words)
		if operation.Classify(ctx, err) == operation.Interrupted {
			return nil, err
		}
		result, whole := a.result(f, err)
		if !whole && a.budget != nil && share > ownStep && a.common.from == 1 {
			continue
		}
		a.logAnswer(err, time.Since(began))
		if failed := a.noteSent(result, whole); failed != nil {
			result, err = f.failure(a.maskCredentials(operation.Escape(failed.Error()))), failed
		}
		return result, err
	}
}

// noteSent has the operation do what it left for when the answer was sent.
func (a *toolCall) noteSent(r *mcp.CallToolResult, whole bool) (err error) {
	sent := &operation.Sent{Whole: whole && a.common.from == 1 && len(a.common.omit) == 0, JSON: a.common.structured}
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			sent.Text += t.Text
		}
	}
	for _, f := range a.later {
		err = errors.Join(err, f(sent))
	}
	return err
}

// The budget given to an operation that fits its own answer, in percent of the caller's: at first,
// and how much less each time.
const (
	ownShare = 80
	ownStep  = 20
)

// ownBudget returns the argument of an operation for a budget of its own, nil if it has none.
func ownBudget(t *project.Tool) *operation.Field {
	for _, f := range t.Input() {
		if _, ok := f.Pointer(t.NewInput()).(**int); ok && f.Name == "budget" {
			return &f
		}
	}
	return nil
}

// runOperation does the operation and captures its answer.
func (a *toolCall) runOperation(ctx context.Context, words func(string) string) error {
	a.out, a.later = newCapture(a.common), nil
	env := &project.Env{
		AfterSending: func(f func(*operation.Sent) error) { a.later = append(a.later, f) },
		Dir:          a.dir, Stdin: strings.NewReader(a.common.input), Getenv: a.server.Getenv,
		Open: func(dir string, need operation.Need) (*project.Project, error) {
			p, err := a.server.open(dir, need)
			a.project = p
			return p, err
		},
	}
	return a.tool.Run(ctx, env, a.in, func(answer any) error {
		a.files = operation.TopPaths(answer, maxTop)
		if s, ok := answer.(operation.Speaker); ok {
			answer = s.Speak(func(text string) string { return a.server.words.translate(text, nil) }, a.common.structured)
		}
		if a.common.structured {
			return operation.WriteJSON(a.out, answer)
		}
		return a.tool.Text(operation.NewText(a.out, false).Speak(words), a.in, answer)
	})
}

// maxTop is the number of files of an answer that are logged.
const maxTop = 20

// result returns the answer as it is sent; whole reports whether nothing was left out because of the budget.
func (a *toolCall) result(f *fitter, err error) (r *mcp.CallToolResult, whole bool) {
	full := errors.Is(err, errFull)
	if full {
		err = nil
	}
	message, failed := a.errorText(err, f.words)
	if failed {
		return f.failure(message), true
	}
	defer func() { r.IsError = isRefused(err) }()
	message = strings.TrimLeft(message+"\n"+a.staleNote(), "\n")
	text := a.maskCredentials(a.out.text())
	if a.common.structured {
		return f.fitJSON(text, message, full)
	}
	return f.text(text, message, a.out, full)
}

// staleNote returns a note if the index may be older than the working tree, else "".
func (a *toolCall) staleNote() string {
	if a.project == nil {
		return ""
	}
	rev, behind := a.project.Engine.BehindSince()
	if !behind {
		return ""
	}
	return fmt.Sprintf("changed since revision %d: the index cannot be written", rev)
}

// errorText returns the text for the error of an operation, and whether the operation failed. The error
// that nothing was found is no failure.
func (a *toolCall) errorText(err error, words func(string) string) (message string, failed bool) {
	if err == nil {
		return "", false
	}
	message = words(err.Error())
	switch operation.Classify(context.Background(), err) {
	case operation.Nothing:
		if a.project != nil && a.project.Engine.Behind() {
			return a.maskCredentials("could not tell, because the index is behind the tree and cannot be written: " + message), true
		}
		message += a.otherProjectNote()
	case operation.Unproven, operation.Alarm:
	default:
		return a.maskCredentials(operation.Escape(message) + a.otherProjectNote()), true
	}
	return a.maskCredentials(message), false
}

// isRefused reports whether an error means that what was asked for was not done, though the answer shows why: a refusal, and a name that
// does not exist where something was to be done with it. A question to which the answer is "there is none" was answered.
func isRefused(err error) bool {
	alarm, isAlarm := errors.AsType[*operation.AlarmError](err)
	nothing, isNothing := errors.AsType[*operation.NothingError](err)
	return isAlarm && alarm.Refused || isNothing && nothing.Refused
}

// maskCredentials hides the credentials that the index knows of.
func (a *toolCall) maskCredentials(text string) string {
	if a.project == nil {
		return text
	}
	return a.project.KnownSecrets().MaskString(text)
}

// logAnswer passes facts about the answer on to the log.
func (a *toolCall) logAnswer(err error, took time.Duration) {
	outcome := operation.Classify(context.Background(), err)
	full := errors.Is(err, errFull)
	found := outcome == operation.Found || full
	if a.server.Answered == nil || a.project == nil || !found && outcome != operation.Nothing {
		return
	}
	a.server.Answered(&operation.Answered{
		Operation: a.tool.Command(), Logged: a.tool.Logged, Task: a.tool.TaskArgument(a.in), Arguments: a.tool.ArgumentText(a.in), Files: a.files, Found: found, Took: took, Bytes: int64(a.out.kept),
	}, a.project)
}

// reportProgress reports once a second that a call is still running, if the client asked for it:
// clients give up silent calls. stop ends the reports.
func reportProgress(ctx context.Context, req *mcp.CallToolRequest) (stop func()) {
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

// fitter returns a fitter for one answer of a tool. Token counters are reused, because each takes 2 MB.
func (s *Server) fitter(c *commonArgs, o *offeredTool) *fitter {
	n, _ := s.counters.Get().(*token.Counter)
	if n == nil {
		n = token.New(token.O200K)
	}
	words := func(text string) string { return s.words.translate(text, o) }
	return &fitter{budget: c.budget, common: c, counter: n, words: words}
}

func (s *Server) release(f *fitter) { s.counters.Put(f.counter) }

var _ io.Writer = (*lineCapture)(nil)
