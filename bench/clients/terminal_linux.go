package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"ken/bench/world"
)

// terminal is a program in a terminal: its screen can be read, and keys typed.
type terminal struct {
	cmd    *exec.Cmd
	master *os.File
	rows   uint16
	ended  chan struct{} // closed when the program has ended

	mu    sync.Mutex
	shown bytes.Buffer // since the window changed its size
}

// startInTerminal starts a program in a terminal of its own.
func startInTerminal(cmd *exec.Cmd) (*terminal, error) {
	master, slave, err := world.OpenTerminal(50, columns)
	if err != nil {
		return nil, err
	}
	t := &terminal{cmd: cmd, master: master, rows: 50, ended: make(chan struct{})}
	if err := t.start(slave); err != nil {
		master.Close()
		return nil, err
	}
	return t, nil
}

// columns is the width of the window.
const columns = 160

func (t *terminal) start(slave *os.File) error {
	defer slave.Close()
	if err := t.resize(); err != nil {
		return err
	}
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = slave, slave, slave
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := t.cmd.Start(); err != nil {
		return err
	}
	go func() { // ends when stop closes the master
		io.Copy(t, t.master)
	}()
	go func() {
		t.cmd.Wait()
		close(t.ended)
	}()
	return nil
}

// Write takes the output of the program. It never fails.
func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shown.Write(p)
}

// resize changes the size of the window, so that the program draws everything anew and not
// only the changes.
func (t *terminal) resize() error {
	t.mu.Lock()
	t.shown.Reset()
	t.mu.Unlock()
	t.rows = 91 - t.rows
	return unix.IoctlSetWinsize(int(t.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: t.rows, Col: columns})
}

// escapes matches the control sequences by which a program moves the cursor, sets colours and titles.
var escapes = regexp.MustCompile(`\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[0-9=>]`)

// screen returns the text on the screen without blanks, because programs often move the cursor instead of printing blanks.
func (t *terminal) screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(strings.Fields(escapes.ReplaceAllString(t.shown.String(), "")), "")
}

// waitForTexts waits until all given texts are on the screen at once; it reports false after a time.
func (t *terminal) waitForTexts(texts ...string) bool {
	for range 40 {
		if t.resize() != nil {
			return false
		}
		for range 5 {
			time.Sleep(100 * time.Millisecond)
			screen, all := t.screen(), true
			for _, text := range texts {
				all = all && strings.Contains(screen, strings.Join(strings.Fields(text), ""))
			}
			if all {
				return true
			}
		}
	}
	return false
}

// typeLine types a line. A line that arrives together with its end would count as pasted
// text.
func (t *terminal) typeLine(line string) error {
	if _, err := t.master.WriteString(line); err != nil {
		return err
	}
	time.Sleep(300 * time.Millisecond)
	_, err := t.master.WriteString("\r")
	return err
}

var errRunsOn = errors.New("the client did not end")

// stop waits for the end of the program, and ends it if it takes too long.
func (t *terminal) stop() error {
	defer t.master.Close()
	select {
	case <-t.ended:
		return nil
	case <-time.After(10 * time.Second):
		t.cmd.Process.Kill()
		<-t.ended
		return errRunsOn
	}
}
