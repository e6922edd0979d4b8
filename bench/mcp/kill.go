package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"ken/bench/world"
	"ken/internal/store/filelock"
)

// killClient is the argument that makes this program a client that is killed: it starts a server and asks without end.
const killClient = "client-that-is-killed"

// idleClient is a variable that makes such a client stop asking after two questions.
const idleClient = "KEN_BENCH_IDLE"

// askUntilKilled starts a server in a directory, prints its process id and asks until it is killed. It returns only if that fails.
func askUntilKilled(ken, dir string) error {
	os.Setenv("KEN_MCP_TOOLS", "core,knowledge")
	b := &bench{ken: ken, dir: dir}
	c, err := b.spawnServer(context.Background())
	if err != nil {
		return err
	}
	idle := os.Getenv(idleClient) != ""
	if !idle {
		fmt.Println(c.Cmd.Process.Pid)
	}
	for n := 0; ; n++ {
		q := [...]string{`{"name":"overview"}`, `{"name":"grep","arguments":{"regex":"e"}}`, `{"name":"remember","arguments":{"text":"noted by a client that is killed"}}`}[n%3]
		if _, err := c.mustCall(q); err != nil {
			return err
		}
		if idle && n == 1 {
			fmt.Println(c.Cmd.Process.Pid)
			time.Sleep(time.Hour) // it is killed before
		}
	}
}

// killBatch is the number of clients at once: each has a server of some 30 MB.
const killBatch = 20

// endsWithin bounds the life of a server after its client was killed.
const endsWithin = 15 * time.Second

// killClients kills clients with signal 9 at any moment of a session, and every fourth time the server, too. Every other client is idle,
// and this program holds the input of its server open, so that only the death of the parent ends it.
func (b *bench) killClients(ctx context.Context) error {
	home, remove, err := world.Scratch("ken-bench-killed-")
	if err != nil {
		return err
	}
	defer remove()
	made := *b
	if made.dir, err = b.makeProject(ctx, home); err != nil { // the given one is not written to
		return err
	}
	n, left := b.runCount(200), 0
	var slowest time.Duration
	for done := 0; done < n; done += killBatch {
		took, alive, err := made.killSome(ctx, min(killBatch, n-done))
		if err != nil {
			return err
		}
		left += alive
		slowest = max(slowest, took)
	}
	locks, err := made.locksLeft(ctx)
	if err != nil {
		return err
	}
	b.Row(fmt.Sprintf("%d clients killed by signal 9 in the middle of calls", n), "0 processes, 0 locks left",
		fmt.Sprintf("%d, %d; the last server ended after %s", left, locks, world.Millis(slowest)), left+locks == 0)
	return nil
}

// killSome kills n clients at once. It returns how long the last server lived on, and how many lived too long.
func (b *bench) killSome(ctx context.Context, n int) (took time.Duration, alive int, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, 0, err
	}
	var servers []int
	var clients []*exec.Cmd
	defer func() {
		for _, c := range clients {
			c.Process.Kill()
			c.Wait()
		}
	}()
	for i := range n {
		cmd := exec.CommandContext(ctx, self, killClient, b.ken, b.dir)
		cmd.Env = os.Environ()
		if i%2 == 0 {
			cmd.Env = append(cmd.Env, idleClient+"=1")
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return 0, 0, err
		}
		if err := cmd.Start(); err != nil {
			return 0, 0, err
		}
		clients = append(clients, cmd)
		line, err := bufio.NewReader(out).ReadString('\n')
		pid, perr := strconv.Atoi(strings.TrimSpace(line))
		if err != nil || perr != nil {
			return 0, 0, fmt.Errorf("a client did not start: %q, %v", line, err)
		}
		servers = append(servers, pid)
		if i%2 == 0 { // the other end of the server's input, which this program now has too
			if f, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/0", pid), os.O_WRONLY, 0); err == nil {
				defer f.Close()
			}
		}
	}
	time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
	for i, c := range clients {
		if i%4 == 3 {
			syscall.Kill(servers[i], syscall.SIGKILL)
		}
		c.Process.Kill()
	}
	began := time.Now()
	for i := range servers {
		for isServer(servers[i]) {
			if time.Since(began) > endsWithin {
				alive++
				syscall.Kill(servers[i], syscall.SIGKILL)
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	return time.Since(began), alive, nil
}

// isServer reports whether a process is still a server of ken. One that ended and is not waited for is none.
func isServer(pid int) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && strings.HasSuffix(string(line), "\x00mcp\x00")
}

// locksLeft counts the locks of the project that are held, and those commands that cannot take them.
func (b *bench) locksLeft(ctx context.Context) (int, error) {
	locks, err := filepath.Glob(filepath.Join(b.dir, ".ken", "*.lock"))
	if err != nil {
		return 0, err
	}
	held := 0
	for _, path := range locks {
		if filelock.Held(path) {
			held++
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for _, args := range [][]string{{"index"}, {"session", "note", "after the kills"}, {"overview"}} {
		if _, err := b.runKen(ctx, b.dir, args...); err != nil {
			fmt.Fprintln(os.Stderr, err)
			held++
		}
	}
	return held, nil
}
