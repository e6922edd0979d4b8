// Command sound attacks ken as others would, and checks that it does what docs/security.md promises.
//
//	go run ./bench/sound [-short] http|planted|kills|full
//
// http has bad connections beside one good client, planted puts files that others have made in the place of ken's, kills ends commands
// at random moments and looks at what the next one reads, full has them write where nothing more can be written.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"ken/bench/world"
)

// trial is a run of one part.
type trial struct {
	*world.Table
	ken, dir string   // the program, and a folder for its projects
	env      []string // of a user who has nothing but ken
}

func main() {
	t := trial{Table: &world.Table{}}
	flag.BoolVar(&t.Short, "short", false, "little of everything, and no time counts")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := t.run(ctx, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "sound:", err)
		os.Exit(1)
	}
}

func (t *trial) run(ctx context.Context, part string) error {
	run, ok := map[string]func(context.Context) error{"http": t.attackServer, "planted": t.plantFiles, "kills": t.killWriters, "full": t.fillDisk}[part]
	if !ok {
		return errors.New("name a part: http, planted, kills or full")
	}
	dir, remove, err := world.Scratch("ken-sound-")
	if err != nil {
		return err
	}
	defer remove()
	t.dir, t.env = dir, world.Environment(filepath.Join(dir, "home"))
	if t.ken, err = world.Build(ctx, dir); err != nil {
		return err
	}
	switch err := run(ctx); {
	case errors.Is(err, errDone):
		return nil
	case err != nil:
		return err
	}
	return t.Summary()
}

// runKen runs a command of ken in a folder and returns all that it prints, which is in the error if it fails.
func (t *trial) runKen(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, t.ken, append([]string{"-C", dir}, args...)...)
	cmd.Env = t.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("ken %s: %w: %.500s", strings.Join(args, " "), err, out)
	}
	return string(out), err
}

// makeProject makes a repository of a few files that ken knows.
func (t *trial) makeProject(ctx context.Context, name string) (string, error) {
	root := filepath.Join(t.dir, name)
	files := map[string]string{"go.mod": "module made\n\ngo 1.26\n", "README.md": "# made\n\nIt starts pods.\n"}
	for i := range 20 {
		files[fmt.Sprintf("p%d/pod.go", i)] = fmt.Sprintf("package p%d\n\n// Start%d starts a pod.\nfunc Start%d() error { return nil }\n", i, i, i)
	}
	if err := errors.Join(world.WriteFiles(root, files), world.Commit(ctx, root, "made")); err != nil {
		return "", err
	}
	_, err := t.runKen(ctx, root, "init")
	return root, err
}
