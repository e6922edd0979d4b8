// Command recording runs ken in a terminal and draws what is on its screen as an SVG, line by line as it came.
//
//	go run ./bench/recording [-o docs/recording.svg]
//
// The commands are those of session, in a git repository of github.com/spf13/cobra as go.mod pins it. A test runs them again and
// compares everything but times with the picture.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"ken/bench/world"
)

// module is the repository in which the commands run.
const module = "github.com/spf13/cobra"

// session are the commands of the recording, as words.
var session = [][]string{
	{"ken", "init", "--private"},
	{"ken", "find", "suggestions", "for", "a", "mistyped", "command", "--limit", "3"},
	{"ken", "refs", "Command.SuggestionsFor"},
	{"ken", "impact", "Command.SuggestionsFor", "--limit", "3"},
}

// The size of the terminal.
const (
	rows    = 60
	columns = 130
)

func main() {
	to := flag.String("o", "docs/recording.svg", "file to write")
	flag.Parse()
	if err := run(context.Background(), *to); err != nil {
		fmt.Fprintln(os.Stderr, "recording:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, to string) error {
	scratch, remove, err := world.Scratch("ken-recording")
	if err != nil {
		return err
	}
	defer remove()
	screen, err := record(ctx, scratch)
	if err != nil {
		return err
	}
	return os.WriteFile(to, draw(screen), 0o644)
}

// record runs the session in a scratch folder and returns the lines of the screen.
func record(ctx context.Context, scratch string) (screen []line, err error) {
	ken, err := world.Build(ctx, scratch)
	if err != nil {
		return nil, err
	}
	found, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return nil, err
	}
	dir, home := filepath.Join(scratch, "cobra"), filepath.Join(scratch, "home")
	if err := os.CopyFS(dir, os.DirFS(strings.TrimSpace(string(found)))); err != nil {
		return nil, err
	}
	if err := world.Commit(ctx, dir, "one"); err != nil {
		return nil, err
	}
	if err := os.Mkdir(home, 0o755); err != nil {
		return nil, err
	}
	for _, words := range session {
		out, err := inTerminal(ctx, dir, home, ken, words[1:])
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, out)
		}
		screen = append(screen, line{{text: "$ ", style: "d"}, {text: strings.Join(words, " "), style: "b"}})
		screen = append(append(screen, read(out)...), line{})
	}
	return screen, nil
}

// inTerminal runs ken in a terminal and returns everything that it printed there.
func inTerminal(ctx context.Context, dir, home, ken string, args []string) ([]byte, error) {
	master, program, err := world.OpenTerminal(rows, columns)
	if err != nil {
		return nil, err
	}
	defer master.Close()
	cmd := exec.CommandContext(ctx, ken, args...)
	cmd.Dir, cmd.Env = dir, world.Environment(home, "TERM=xterm-256color")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	program.Close()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if _, err := io.Copy(&out, master); err != nil && !errors.Is(err, syscall.EIO) { // EIO: the program has ended
		return nil, err
	}
	return out.Bytes(), cmd.Wait()
}
