package cli

import (
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var b strings.Builder
	now := time.Unix(0, 0)
	p := &progressBar{w: &b, now: func() time.Time { return now }, next: now.Add(quiet)}
	p.show(1, 10)
	if b.Len() > 0 {
		t.Errorf("shown at once: %q", b.String())
	}
	now = now.Add(2 * time.Second)
	p.show(5, 10)
	p.show(6, 10) // too soon after the last
	want := "\r\x1b[Kindexing [===============               ] 5 of 10"
	if b.String() != want {
		t.Errorf("got %q", b.String())
	}
	p.finish()
	now = now.Add(2 * time.Second)
	p.show(7, 0)
	p.finish()
	if got := b.String(); got != want+"\r\x1b[K" {
		t.Errorf("after the end: %q", got)
	}
	if newProgress(&b).update() != nil {
		t.Error("progress is shown where there is no terminal")
	}
}
