package process

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMain is also the program that the tests run.
func TestMain(m *testing.M) {
	switch os.Getenv("PROCESS_TEST") {
	case "":
		os.Exit(m.Run())
	case "echo":
		in := make([]byte, 100)
		n, _ := os.Stdin.Read(in)
		fmt.Printf("%s", in[:n])
		fmt.Fprint(os.Stderr, "warning")
		os.Exit(3)
	case "endless":
		for {
			fmt.Println("line")
		}
	case "asleep":
		time.Sleep(time.Minute)
	}
}

func command(what string) Command {
	return Command{Path: os.Args[0], Env: append(os.Environ(), "PROCESS_TEST="+what), Stdin: []byte("hello"), Time: 20 * time.Second, Most: 1000}
}

func TestRun(t *testing.T) {
	c := command("echo")
	r, err := c.Run(t.Context())
	if err != nil || string(r.Stdout) != "hello" || string(r.Stderr) != "warning" || r.Code != 3 || r.Late || r.Cut {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestLimits: a program that writes too much or takes too long is killed, and what it wrote
// until then is kept.
func TestLimits(t *testing.T) {
	c := command("endless")
	r, err := c.Run(t.Context())
	if err != nil || !r.Cut || r.Late || len(r.Stdout) != 1000 || !strings.HasPrefix(string(r.Stdout), "line\n") || r.Code != -1 {
		t.Errorf("%d bytes, %+v, %v", len(r.Stdout), r.Code, err)
	}
	c = command("asleep")
	c.Time = 50 * time.Millisecond
	if r, err := c.Run(t.Context()); err != nil || !r.Late || r.Took > 5*time.Second {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestMissing(t *testing.T) {
	c := command("echo")
	c.Path = "/no/such/program"
	if _, err := c.Run(t.Context()); err == nil {
		t.Error("a program that is not there was run")
	}
}
