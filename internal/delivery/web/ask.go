package web

import (
	"context"
	"sync"
)

// asked is a question with the value that its answer is decoded into.
type asked struct {
	question question
	into     any
}

// askAll asks questions side by side.
func (s *Server) askAll(ctx context.Context, list ...asked) []*answer {
	out := make([]*answer, len(list))
	var all sync.WaitGroup
	for i, one := range list {
		all.Go(func() { out[i] = s.ask(ctx, one.question, one.into) })
	}
	all.Wait()
	return out
}
