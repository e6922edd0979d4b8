package cli

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// quiet is how long an update may take before a progress bar is shown.
const quiet = time.Second

// progress shows how far an update is, on a terminal only. Safe for concurrent use.
type progress struct {
	w     io.Writer // nil: not a terminal
	start time.Time

	mu   sync.Mutex // guards bar and over
	bar  *progressbar.ProgressBar
	over bool
}

func newProgress(stderr io.Writer) *progress {
	p := &progress{start: time.Now()}
	if isTerminal(stderr) {
		p.w = stderr
	}
	return p
}

// update is what to call as files are read; nil if nobody would see it.
func (p *progress) update() func(done, total int) {
	if p.w == nil {
		return nil
	}
	return p.show
}

func (p *progress) show(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over || p.bar == nil && time.Since(p.start) < quiet {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(p.w), progressbar.OptionSetDescription("indexing"),
			progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30))
	}
	p.bar.ChangeMax(total)
	p.bar.Set(done)
}

// done takes the bar away.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	if p.bar != nil {
		p.bar.Clear()
		p.bar = nil
	}
}
