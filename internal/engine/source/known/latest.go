package known

import "sync"

// Latest is the set that what is printed is masked with: that of the snapshot asked last, or one read for want of it. It is safe
// for concurrent use, because what other goroutines log is masked too.
type Latest struct {
	mu   sync.Mutex
	set  *Set
	have bool
}

// Get is the set; read gives one if none was put. Nothing is locked meanwhile, because reading the index may have to say something.
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

// Put makes s the set.
func (l *Latest) Put(s *Set) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.set, l.have = s, true
}
