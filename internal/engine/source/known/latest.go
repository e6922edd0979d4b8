package known

import "sync"

// Latest holds the set of secrets that masks the output: that of the latest snapshot, or one that is read if there was
// none. It is safe for concurrent use, because the logs of other goroutines are masked too.
type Latest struct {
	mu   sync.Mutex
	set  *Set
	have bool
}

// Get returns the set of secrets. If none was put, it calls read, without holding the lock, because reading the index may print a
// message.
func (l *Latest) Get(read func() *Set) *Set {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.have {
		l.mu.Unlock()
		set := read()
		l.mu.Lock()
		if !l.have {
			l.set, l.have = set, true
		}
	}
	return l.set
}

// Put makes s the set of secrets that Get returns.
func (l *Latest) Put(s *Set) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.set, l.have = s, true
}
