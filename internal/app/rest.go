package app

import (
	"context"
	"maps"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"time"
)

const (
	// restAfter is how long a server waits for another call before it gives memory back.
	restAfter = 5 * time.Second
	// restWorth is how much must have been allocated since the last time, in bytes.
	restWorth = 4 << 20
)

// releaseIdle gives the memory of a server back whenever no call came for a while: caches for the next
// answers, and the unused part of the heap. The first call after that takes a few milliseconds longer.
func (k *kept) releaseIdle(ctx context.Context) {
	t := time.NewTicker(restAfter)
	defer t.Stop()
	asked, allocated := k.asked.Load(), allocations()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if now := k.asked.Load(); now != asked {
			asked = now
			continue
		}
		if allocations()-allocated < restWorth {
			continue
		}
		k.mu.Lock()
		engines := slices.Collect(maps.Values(k.engines))
		k.mu.Unlock()
		for _, e := range engines {
			e.engine.Rest()
		}
		debug.FreeOSMemory() // twice, because the contents of a pool go with the second collection
		debug.FreeOSMemory()
		allocated = allocations()
	}
}

// allocations is how many bytes were allocated since the process began.
func allocations() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}

// maxFollowed is how many projects a server follows at once. Each costs file watches, which the system limits for a user, and the caches
// for the next answers; the others are checked for changes when they are asked about, as a command does.
const maxFollowed = 4

// follow follows a tree, once the follower before it has ended. k.mu is held.
func (k *kept) follow(e *keptEngine) {
	ctx, cancel := context.WithCancel(k.ctx)
	before, ended := e.ended, make(chan struct{})
	e.unfollow, e.ended = cancel, ended
	k.owned.Go(func() {
		defer close(ended)
		if before != nil {
			<-before
		}
		e.engine.Follow(ctx)
	})
}

// limitFollowed stops following the project that was asked about longest ago, if there are more than maxFollowed, and frees
// its caches. A call that still uses it goes on. k.mu is held.
func (k *kept) limitFollowed() {
	var oldest *keptEngine
	followed := 0
	for _, e := range k.engines {
		if e.unfollow == nil {
			continue
		}
		followed++
		if oldest == nil || e.used < oldest.used {
			oldest = e
		}
	}
	if followed > maxFollowed {
		oldest.leave()
		ended, rest := oldest.ended, oldest.engine.Rest
		k.owned.Go(func() {
			<-ended
			rest()
		})
	}
}

// leave ends following the tree, if it is followed.
func (e *keptEngine) leave() {
	if e.unfollow != nil {
		e.unfollow()
		e.unfollow = nil
	}
}
