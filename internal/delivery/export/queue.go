package export

import (
	"ken/internal/knowledge/entity"
	"ken/internal/operation"
)

// Queue lists the pages about files that should be written, in the form of queue.json of older tools.
type Queue struct {
	Pending    []operation.Path `json:"pending" doc:"files that deserve a page and have no true one, first what deserves it most"`
	InProgress []operation.Path `json:"inProgress" doc:"files whose page somebody writes, by path"`
	Failed     []operation.Path `json:"failed" doc:"files whose page was refused, by path"`
	Updated    int64            `json:"updated" doc:"when somebody took or finished a page last, in milliseconds since 1970; 0 if nobody did"`
	Stats      queueStats       `json:"stats" doc:"what was done"`
}

type queueStats struct {
	Processed int   `json:"totalProcessed" doc:"pages written, ever"`
	BatchSize int   `json:"lastBatchSize" doc:"files of the last batch"`
	BatchTime int64 `json:"lastBatchDuration" doc:"milliseconds from the beginning of the last batch to its last page"`
}

// NewQueue returns the queue for the files that deserve a page, and the work on them.
func NewQueue(wanted []entity.Wanted, w *entity.Work) *Queue {
	q := &Queue{Pending: []operation.Path{}, InProgress: []operation.Path{}, Failed: []operation.Path{}}
	busy := map[string]bool{}
	for _, t := range w.InProgress {
		q.InProgress, busy[t.Path] = append(q.InProgress, operation.Path(t.Path)), true
	}
	for _, f := range w.Failed {
		q.Failed, busy[f.Path] = append(q.Failed, operation.Path(f.Path)), true
	}
	for i := range wanted {
		if p := wanted[i].Path; !busy[p] {
			q.Pending = append(q.Pending, operation.Path(p))
		}
	}
	if !w.Updated.IsZero() {
		q.Updated = w.Updated.UnixMilli()
	}
	q.Stats = queueStats{w.Processed, w.BatchSize, w.BatchTime.Milliseconds()}
	return q
}
