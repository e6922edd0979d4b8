package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"ken/internal/delivery/op"
	"ken/internal/delivery/plancode"
	"ken/internal/delivery/planning"
	"ken/internal/git/gittest"
	"ken/internal/operation"
)

// cutNetwork has the kernel end this process, and each that it starts, when it asks for a socket of the
// internet, as for the name of a host, or for any but one between programs of this machine. "ken web" and "ken mcp --http" listen, so they are
// ended when they connect. All scripts run "ken" in this way.
func cutNetwork() {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	equal := func(value uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: yes, Jf: no, K: value}
	}
	result := func(action uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
	}
	const number, firstArgument = 0, 16 // offsets of seccomp_data, whose words have the byte order of these machines
	filter := []unix.SockFilter{
		load(number),
		equal(unix.SYS_SOCKET, 0, 3),
		load(firstArgument),
		equal(unix.AF_UNIX, 1, 0),
		result(unix.SECCOMP_RET_KILL_PROCESS),
		result(unix.SECCOMP_RET_ALLOW),
	}
	if isServer(os.Args[1:]) {
		filter = []unix.SockFilter{
			load(number),
			equal(unix.SYS_CONNECT, 2, 0),
			equal(unix.SYS_SENDTO, 1, 0),
			result(unix.SECCOMP_RET_ALLOW),
			result(unix.SECCOMP_RET_KILL_PROCESS),
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		panic(err)
	}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		panic(errno)
	}
}

func isServer(args []string) bool {
	return slices.Contains(args, "web") || slices.Contains(args, "mcp") && slices.Contains(args, "--http")
}

// cut is a project and its user on a machine without network.
type cut struct {
	t         *testing.T
	dir, home string
	trap      string // address of a server that no command may ask
	alone     bool   // whether ken gets a network of its own, which has no interface
}

// ken runs a command and returns what it printed, and whether it was ended because it wanted to use the network.
func (c *cut) ken(env []string, args ...string) (output string, killed bool) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "ken", args...)
	cmd.Dir = c.dir
	cmd.Env = slices.Concat(os.Environ(), []string{"HOME=" + c.home, "KEN_STATE=" + c.home + "/state"}, env)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		cmd.Env = append(cmd.Env, name+"=http://"+c.trap)
	}
	if c.alone {
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	}
	out, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		status := exit.Sys().(syscall.WaitStatus)
		killed = status.Signaled() && status.Signal() == syscall.SIGSYS
	} else if err != nil {
		c.t.Fatalf("ken %v: %v", args, err)
	}
	return string(out), killed
}

// newCut makes an indexed project with a plan, and a trap that fails the test if anything connects to it.
func newCut(t *testing.T) *cut {
	t.Helper()
	gittest.IsolateSettings(t)
	trap, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	caught := make(chan bool)
	go func() {
		conn, err := trap.Accept()
		if err == nil {
			conn.Close()
		}
		caught <- err == nil
	}()
	t.Cleanup(func() {
		trap.Close()
		if <-caught {
			t.Error("the trap was asked")
		}
	})
	c := &cut{t: t, dir: t.TempDir(), home: t.TempDir(), trap: trap.Addr().String()}
	alone := exec.Command("true")
	alone.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	c.alone = alone.Run() == nil
	gittest.Run(t, c.dir, "init", "-q", "-b", "main")
	for path, text := range map[string]string{
		"go.mod":         "module greet\n\ngo 1.22\n",
		"words/words.go": "// Package words greets.\npackage words\n\n// Hello greets.\nfunc Hello() string { return \"hello\" }\n",
		"main.go":        "package main\n\nimport \"greet/words\"\n\nfunc main() { println(words.Hello()) }\n",
	} {
		gittest.Write(t, c.dir, path, text)
	}
	gittest.SetUser(t, "a")
	gittest.Commit(t, c.dir, "begin")
	for _, args := range [][]string{{"init"}, {"plan", "start", "--milestone", "v1.0", "words: greet in two languages"}, {"plan", "phase", "draft", "1", "--plans", "2"}} {
		if text, killed := c.ken(nil, args...); killed {
			t.Fatalf("ken %v uses the network: %s", args, text)
		}
	}
	return c
}

// walkValues are the values of arguments of operations; another has the name of a file.
var walkValues = map[string]string{
	"NAME": "Hello", "QUERY": "greet", "GOAL": "greet", "TEXT": "greet", "OLD": "Hello", "NEW": "Hi", "REGEX": "func", "PHASE": "1", "SYMBOL": "Hello", "FROM": "main.go", "ID": "1",
}

// walk returns a command line for an operation, and one for each action if the first argument has a list of them.
func walk(group, name string, fields []operation.Field) (lines [][]string) {
	line := strings.Fields(group + " " + name)
	for i, f := range fields {
		switch {
		case !f.Positional || !f.Required && len(f.Enum) == 0:
		case len(f.Enum) > 0 && i == 0:
			for _, action := range f.Enum {
				lines = append(lines, append(slices.Clone(line), action))
			}
		case walkValues[f.Name] != "":
			line = append(line, walkValues[f.Name])
		default:
			line = append(line, "words/words.go")
		}
	}
	if lines == nil {
		lines = [][]string{line}
	}
	return lines
}

// TestNoNetwork runs every operation, the hooks, the server for agents, help and completion where the kernel ends a process that asks for a
// socket of the internet, with proxies that are a trap. `ken index --embed`, whose endpoint the user names, is the one that is ended.
func TestNoNetwork(t *testing.T) {
	c := newCut(t)
	lines := [][]string{
		{"version", "--check"}, {"version", "--check", "--json"}, {"help", "--all"}, {"completion", "bash"}, {"gsd", "progress"}, {"statusline"}, {"mcp"},
		{"hook", "claude", "session-start"}, {"hook", "claude", "post-tool-use"}, {"install", "claude", "--project", "--yes"}, {"doctor"}, {"index", "--full"},
		{"secrets", "--history"}, {"index", "--embed"}, {"impact", "--diff"}, {"rename", "Hello", "Hi"}, {"find", "--format", "intel", "greet"},
	}
	for _, o := range op.All() {
		if o.Name != "watch" && o.Name != "web" && o.Name != "mcp" { // they go on
			lines = append(lines, walk(o.Group, o.Name, o.Input())...)
		}
	}
	for _, o := range slices.Concat(planning.All(), plancode.All(nil)) {
		lines = append(lines, walk("plan", o.Name, o.Input())...)
	}
	done := 0
	for _, line := range lines {
		text, killed := c.ken(nil, line...)
		if killed {
			t.Errorf("ken %s uses the network: %s", strings.Join(line, " "), text)
		}
		if !strings.Contains(text, "ken: ") {
			done++
		}
	}
	t.Logf("%d of %d command lines did their work, in a network of their own: %v", done, len(lines), c.alone)
	if done < len(lines)/2 {
		t.Errorf("only %d of %d command lines did their work", done, len(lines))
	}
	if text, killed := c.ken([]string{"KEN_EMBEDDING_URL=http://127.0.0.1:1", "KEN_EMBEDDING_MODEL=m"}, "index", "--embed"); !killed {
		t.Errorf("a request to an endpoint goes through, so that this test proves nothing: %s", text)
	}
}

// TestServersMakeNoRequest: the servers listen, answer and ask nothing.
func TestServersMakeNoRequest(t *testing.T) {
	c := newCut(t)
	for _, args := range [][]string{{"web"}, {"mcp", "--http", "127.0.0.1:0"}} {
		cmd := exec.Command("ken", args...)
		cmd.Dir, cmd.Env = c.dir, append(os.Environ(), "HOME="+c.home, "KEN_STATE="+c.home+"/state")
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		buffer := make([]byte, 1<<10)
		n, _ := stderr.Read(buffer)
		address := regexp.MustCompile(`http://[^\s#]+`).FindString(string(buffer[:n]))
		answer, err := (&http.Client{Timeout: 20 * time.Second}).Get(address)
		if err != nil {
			t.Errorf("ken %v: %v after %q", args, err, buffer[:n])
		} else {
			answer.Body.Close()
		}
		cmd.Process.Signal(os.Interrupt)
		err = cmd.Wait()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.Sys().(syscall.WaitStatus).Signaled() {
			t.Errorf("ken %v was ended: %v", args, err)
		}
	}
}
