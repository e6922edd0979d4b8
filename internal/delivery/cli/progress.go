package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// quiet is the time that an update may take before its progress is
// shown, and redraw the time between two updates of the display.
const (
	quiet  = time.Second
	redraw = 100 * time.Millisecond
)

// progressBar shows the progress of an update, on a terminal only. It is safe
// for concurrent use. (A progress bar module was tried; it links an HTTP
// server, 2 MB of it.)
type progressBar struct {
	w    io.Writer // nil: not a terminal
	now  func() time.Time
	next time.Time // guarded by mu: when to draw

	mu    sync.Mutex
	drawn bool // guarded by mu
	over  bool // guarded by mu
}

func newProgress(stderr io.Writer) *progressBar {
	p := &progressBar{now: time.Now, next: time.Now().Add(quiet)}
	if IsTerminal(stderr) {
		p.w = stderr
	}
	return p
}

// update returns the function to call as files are read; nil if standard error is no terminal.
func (p *progressBar) update() func(done, total int) {
	if p.w == nil {
		return nil
	}
	return p.show
}

// barWidth is the length of the bar in characters.
const barWidth = 30

func (p *progressBar) show(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.over || now.Before(p.next) {
		return
	}
	p.next = now.Add(redraw)
	p.drawn = true
	full := 0
	if total > 0 {
		full = min(barWidth, barWidth*done/total)
	}
	if total == 0 { // the total is not known
		fmt.Fprintf(p.w, "\r\x1b[K%d read", done)
		return
	}
	fmt.Fprintf(p.w, "\r\x1b[Kindexing [%s%s] %d of %d", strings.Repeat("=", full), strings.Repeat(" ", barWidth-full), done, total)
}

// finish removes the bar from the terminal.
func (p *progressBar) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	if p.drawn {
		p.drawn = false
		io.WriteString(p.w, "\r\x1b[K")
	}
}
