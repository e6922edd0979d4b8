// Command clients tests ken in the agents it is made for: it has npm install
// them at pinned versions, starts a scripted model on the loopback interface, and
// runs whole sessions. The requests that arrive at the model and the memory of ken
// are compared with the documented behaviour. Only npm uses the network.
//
//	go run ./bench/clients [-cache FOLDER] [-ken PROGRAM] [-keep FOLDER] [-install] [-record] [-learning] [-merged] [-repos FOLDER,…]
//
// It has to be started in the repository. -install only installs the clients.
//
// -record writes the payloads that the hooks got, with neutral names, into the test data of
// internal/workflow/agent/claude. Without it they are compared with that data.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	if len(os.Args) == 3 && (os.Args[1] == recorder || os.Args[1] == statusRecorder) {
		record(os.Args[2])
		if os.Args[1] == statusRecorder {
			fmt.Println(ownLine)
		}
		return
	}
	user, _ := os.UserCacheDir()
	o := options{}
	flag.StringVar(&o.cache, "cache", filepath.Join(user, "ken-clients"), "folder that npm installs into")
	flag.StringVar(&o.ken, "ken", "", "the program that is proven; without, it is built")
	flag.StringVar(&o.keep, "keep", "", "folder for what client and model said")
	flag.BoolVar(&o.install, "install", false, "install the clients and do no more")
	flag.StringVar(&o.repositories, "repos", "", "folders of real repositories that an agent learns, by commas (default: two modules that ken is built with)")
	flag.BoolVar(&o.learning, "learning", false, "have an agent learn the repositories and do no more")
	flag.BoolVar(&o.merged, "merged", false, "do a guarded task in a real repository, from the question to the merged commit, and no more")
	flag.BoolVar(&o.record, "record", false, "write the test data anew")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, &o); err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

type options struct {
	cache, ken, keep, repositories string
	install, record                bool
	learning, merged               bool // this part and no more
}

func run(ctx context.Context, o *options) error {
	if o.install {
		return install(ctx, o.cache, os.Stderr)
	}
	home, err := os.MkdirTemp("", "ken-clients")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	// Links would make the client name the folder otherwise than this program does.
	if home, err = filepath.EvalSymlinks(home); err != nil {
		return err
	}
	keep := filepath.Join(home, "log")
	if o.keep != "" {
		if keep, err = filepath.Abs(o.keep); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(keep, 0o700); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(keep, "client.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	began := time.Now()
	if err := install(ctx, o.cache, log); err != nil {
		return err
	}
	fmt.Printf("installed in %.1f s\n", time.Since(began).Seconds())
	bin := filepath.Join(home, "bin")
	if err := provide(ctx, o.ken, bin); err != nil {
		return err
	}
	w, err := newWorld(home, bin, o.cache, keep, log)
	if err != nil {
		return err
	}
	if err := w.begin(w.script()); err != nil {
		return err
	}
	defer w.model.stop()
	began = time.Now()
	err = w.parts(ctx, o)
	w.keepRequests(filepath.Join(keep, "requests.jsonl"))
	if err != nil {
		return err
	}
	if !o.learning && !o.merged {
		if err := w.payloads(o.record); err != nil {
			return err
		}
	}
	fmt.Printf("%d sessions with %d requests in %.1f s, %d checks\n", w.sessions, len(w.model.received()), time.Since(began).Seconds(), w.checks)
	if w.faults > 0 {
		return fmt.Errorf("%d of %d checks failed", w.faults, w.checks)
	}
	return nil
}

// parts runs the sessions of all parts, or of the one that was asked for.
func (w *world) parts(ctx context.Context, o *options) error {
	for _, part := range []struct {
		run func() error
		not bool
	}{
		{func() error { return w.prove(ctx) }, o.learning || o.merged},
		{func() error { return w.merging(ctx) }, o.learning},
		{func() error { return w.learning(ctx, o.repositories) }, o.merged},
	} {
		if part.not {
			continue
		}
		if err := part.run(); err != nil {
			return err
		}
	}
	return nil
}

// provide puts ken into a folder for programs.
func provide(ctx context.Context, ken, bin string) error {
	if err := os.MkdirAll(bin, 0o700); err != nil {
		return err
	}
	to := filepath.Join(bin, "ken")
	if ken == "" {
		cmd := exec.CommandContext(ctx, "go", "build", "-o", to, "ken/cmd/ken")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return cmd.Run()
	}
	data, err := os.ReadFile(ken)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o700)
}
