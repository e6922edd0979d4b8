package web

import (
	"context"
	"testing"
	"time"
)

// TestEndIdle: a server ends once no client was there for a time, and not while a page is open.
func TestEndIdle(t *testing.T) {
	const idle = 30 * time.Millisecond
	s := &Server{Idle: idle}
	s.used.Store(time.Now().UnixNano())
	s.open.Store(1)
	open, cancel := context.WithTimeout(t.Context(), 10*idle)
	defer cancel()
	s.endIdle(open, func() { t.Error("it ended while a page was open") })
	s.open.Store(0)
	s.used.Store(time.Now().UnixNano())
	began, ended := time.Now(), false
	s.endIdle(t.Context(), func() { ended = true })
	if !ended || time.Since(began) < idle {
		t.Errorf("ended %v after %v, want after %v", ended, time.Since(began), idle)
	}
}
