package update

import (
	"context"
	"sync"

	"ken/internal/engine/graph"
	"ken/internal/engine/lookup"
	"ken/internal/engine/resolve"
	"ken/internal/engine/store"
	"ken/internal/engine/update/relink"
)

// The limits for the packed facts, in bytes, and for the number of files that wait to be linked.
const (
	linkAhead      = 4 << 20
	linkAheadFiles = 1 << 10
)

// linkAll links every file from its stored facts. One goroutine links, this one reads and stores: with the links the
// store writes what it gathered (names, the index of symbols), and that takes as long as all linking. It reads and
// writes in an order that does not depend on time.
func (b *builder) linkAll() error {
	ctx, stop := context.WithCancel(b.ctx)
	l := &bulkLinking{builder: b, in: make(chan linkJob, linkAheadFiles), out: make(chan linkJob, linkAheadFiles)}
	b.world.ReadOutward = l.outwardNames
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	wg.Go(func() { l.linkFiles(ctx) })
	return l.storeLinks()
}

// linkJob is a file to link, and then the result.
type linkJob struct {
	n    graph.Node
	blob []byte
	row  *store.LinkRow
	err  error
}

// bulkLinking is the state of linkAll: the channels between the reading and the linking goroutine.
type bulkLinking struct {
	*builder
	mu      sync.Mutex // guards tx
	in, out chan linkJob
	next    int   // index of the node to read next
	waiting int   // files sent to be linked and not stored yet; neither channel holds more
	ahead   int   // bytes of them
	failed  error // of outward, for the linking goroutine alone
}

// linkFiles links the files of l.in until it is closed or ctx ends.
func (l *bulkLinking) linkFiles(ctx context.Context) {
	linker := graph.NewLinker(l.world, resolve.New(l.world))
	for j := range l.in {
		if j.err = ctx.Err(); j.err == nil {
			j.row, _, _, j.err = relink.LinkFile(linker, j.n, j.blob)
		}
		if j.err == nil {
			j.err = l.failed
		}
		l.out <- j
		if j.err != nil {
			return
		}
	}
}

func (l *bulkLinking) outwardNames(id int64) graph.Outward {
	l.mu.Lock()
	defer l.mu.Unlock()
	o, err := lookup.ReadOutward(l.tx, id)
	if l.failed == nil {
		l.failed = err
	}
	return o
}

// storeLinks sends files to the linking goroutine, always some files ahead, and stores the links that come back.
func (l *bulkLinking) storeLinks() error {
	defer close(l.in)
	for {
		if err := l.sendAhead(); err != nil {
			return err
		}
		if l.waiting == 0 {
			return nil
		}
		j := <-l.out
		l.waiting--
		if j.err != nil {
			return j.err
		}
		l.ahead -= len(j.blob)
		if err := l.putLinks(j); err != nil {
			return err
		}
	}
}

// sendAhead sends files until enough of them wait to be linked.
func (l *bulkLinking) sendAhead() (err error) {
	for ; l.next < len(l.world.Nodes) && l.ahead < linkAhead && l.waiting < linkAheadFiles; l.next++ {
		j := linkJob{n: l.world.Nodes[l.next]}
		if j.n.ID == 0 {
			continue
		}
		l.mu.Lock()
		j.blob, err = l.tx.Facts(j.n.ID)
		l.mu.Unlock()
		if err != nil {
			return err
		}
		l.ahead += len(j.blob)
		l.waiting++
		l.in <- j
	}
	return nil
}

func (l *bulkLinking) putLinks(j linkJob) error {
	if j.row.Packed == nil {
		return nil
	}
	for i := range j.row.Edges {
		j.row.Edges[i].Source = j.n.ID
		if lookup.Depends(j.row.Edges[i]) {
			l.edges = append(l.edges, [2]int32{int32(j.n.ID - 1), int32(j.row.Edges[i].Target - 1)})
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tx.PutLinks(j.n.ID, j.row, nil)
}
