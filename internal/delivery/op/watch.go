package op

import (
	"context"
	"errors"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/operation"
)

type watchInput struct {
	Debounce int `flag:"debounce" value:"MS" default:"150" help:"milliseconds without changes that end a batch"`
	Poll     int `flag:"poll" value:"MS" default:"2000" help:"milliseconds between looks where the system grants no notifications"`
}

// watchAnswer is an endless list of events, a JSON object on each line.
type watchAnswer struct {
	Events operation.Rows[watchEvent] `json:"events" doc:"one JSON object on each line, as they happen"`
}

// The kinds of events.
const (
	eventStarted    = "watch:started"
	eventUpdated    = "codemap:updated"
	eventCompressed = "codemap:compressed"
	eventStale      = "codemap:stale"
)

// watchEvent is one event. Its format is that of another tool, as with watchStatus.
type watchEvent struct {
	Event          string         `json:"event" doc:"watch:started, codemap:updated (a file), codemap:compressed (outlines changed with the files of the updates before) or codemap:stale (the index is behind)"`
	Timestamp      string         `json:"timestamp" doc:"RFC 3339, UTC"`
	Revision       int64          `json:"revision" doc:"state of the index"`
	Path           operation.Path `json:"path,omitempty" doc:"of updated: the file"`
	ChangeType     string         `json:"changeType,omitempty" doc:"of updated: created, modified or deleted"`
	TokenDelta     *int           `json:"tokenDelta,omitempty" doc:"of updated: o200k_base tokens now minus before"`
	SignatureDelta *int           `json:"signatureDelta,omitempty" doc:"of updated and compressed: symbols now minus before"`
	Files          *int           `json:"files,omitempty" doc:"of started: files watched; of compressed: files whose outlines changed"`
	Directories    *int           `json:"directories,omitempty" doc:"of started: directories watched, 0 while polling"`
	Reason         string         `json:"reason,omitempty" doc:"of stale: branch (HEAD moved), overflow (notifications were lost), polling: … or error: …; of started: why it polls"`
}

// Lines makes the JSON form of the answer one line for each event.
func (a *watchAnswer) Lines() operation.Stream { return a.Events }

func watchTool() *Tool {
	return spec[watchInput, watchAnswer]{
		Name:    "watch",
		Topic:   operation.SetUp,
		Summary: "keep the index up to date while files change, and print what changed",
		Long: "Runs until it is interrupted; one process for each project. Every other command is right without it: it looks by itself.\n" +
			"The output is one JSON object a line, whatever the format asked for. A checkout is one batch. Where the system grants\n" +
			"no notifications (its limit of watches is reached) it polls.",
		Run:  runWatch,
		Text: func(t *operation.Text, _ *watchInput, a *watchAnswer) error { return operation.WriteJSON(t.Raw(), a) },
	}.Tool()
}

// errStopped reports that the reader of the events is gone.
var errStopped = errors.New("stopped")

func runWatch(ctx context.Context, env *Env, in *watchInput, emit func(*watchAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	opt := engine.WatchOptions{Debounce: time.Duration(in.Debounce) * time.Millisecond, Poll: time.Duration(in.Poll) * time.Millisecond}
	return emit(&watchAnswer{Events: func(yield func(watchEvent, error) bool) {
		err := p.Engine.Watch(ctx, opt, func(e engine.WatchEvent) error {
			if !yield(eventRow(p, &e), nil) {
				return errStopped
			}
			return nil
		})
		if !errors.Is(err, errStopped) {
			yield(watchEvent{}, err)
		}
	}})
}

func eventRow(p *project.Project, e *engine.WatchEvent) watchEvent {
	out := watchEvent{Timestamp: e.At.Format("2006-01-02T15:04:05.000Z07:00"), Revision: int64(e.Rev)}
	switch {
	case e.Started != nil:
		out.Event, out.Files, out.Directories, out.Reason = eventStarted, &e.Started.Files, &e.Started.Dirs, e.Started.Polling
	case e.Stale != "":
		out.Event, out.Reason = eventStale, e.Stale
	case e.Change != nil:
		out.Event, out.Path, out.ChangeType = eventUpdated, p.Path(e.Change.Path), changeTypes()[e.Change.Type]
		out.TokenDelta, out.SignatureDelta = &e.Change.TokenDelta, &e.Change.SymbolDelta
	default:
		out.Event, out.Files, out.SignatureDelta = eventCompressed, &e.Compressed, &e.SymbolSum
	}
	return out
}

// changeTypes returns the words that events use for the changes of a file.
func changeTypes() [3]string {
	return [...]string{code.Added: "created", code.Modified: "modified", code.Deleted: "deleted"}
}
