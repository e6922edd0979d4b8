// Command clients tests ken in the agents it is made for: it has npm install
// them at pinned versions, starts a scripted model on the loopback interface, and
// runs whole sessions. The requests that arrive at the model and the memory of ken
// are compared with the documented behaviour. Only npm uses the network.
//
//	go run ./bench/clients [-keep FOLDER] [-install] [-record] [-learning] [-merged] [-changes FOLDER] [-repos FOLDER,…]
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
	"os/signal"
	"path/filepath"
	"time"

	"ken/bench/loopback"
	"ken/bench/world"
)

func main() {
	if len(os.Args) == 3 && (os.Args[1] == recorder || os.Args[1] == statusRecorder) {
		recordPayload(os.Args[2])
		if os.Args[1] == statusRecorder {
			fmt.Println(ownLine)
		}
		return
	}
	var o options
	flag.StringVar(&o.keep, "keep", "", "folder for what client and model said")
	flag.BoolVar(&o.install, "install", false, "install the clients and do no more")
	flag.StringVar(&o.repositories, "repos", "", "folders of real repositories that an agent learns, by commas (default: two modules that ken is built with)")
	flag.BoolVar(&o.learning, "learning", false, "have an agent learn the repositories and do no more")
	flag.BoolVar(&o.merged, "merged", false, "do a guarded task in a real repository, from the question to the merged commit, and no more")
	flag.StringVar(&o.changes, "changes", "", "do the tasks of bench/guard/tasks, and no more: folder with a clone of each repository, by the name of its task")
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
	keep, repositories string
	changes            string
	install, record    bool
	learning, merged   bool // this part and no more
}

func run(ctx context.Context, o *options) error {
	program, err := loopback.Install(ctx)
	if err != nil || o.install {
		return err
	}
	home, remove, err := world.Scratch("ken-clients")
	if err != nil {
		return err
	}
	defer remove()
	keep := filepath.Join(home, "log")
	if o.keep != "" {
		if keep, err = filepath.Abs(o.keep); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(keep, 0o700); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(keep, "client.Log"))
	if err != nil {
		return err
	}
	defer log.Close()
	bin := filepath.Join(home, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		return err
	}
	if _, err := world.Build(ctx, bin); err != nil {
		return err
	}
	w, err := newStage(home, bin, program, keep, log)
	if err != nil {
		return err
	}
	if err := w.startModel(ctx); err != nil {
		return err
	}
	defer w.model.Close()
	began := time.Now()
	err = w.runParts(ctx, o)
	w.keepRequests(filepath.Join(keep, "requests.jsonl"))
	if err != nil {
		return err
	}
	if part := o.learning || o.merged || o.changes != ""; !part {
		if err := w.comparePayloads(o.record); err != nil {
			return err
		}
	}
	fmt.Printf("%d sessions with %d requests in %.1f s, %d checks\n", w.sessions, len(w.model.requestsSoFar()), time.Since(began).Seconds(), w.checks)
	if w.faults > 0 {
		return fmt.Errorf("%d of %d checks failed", w.faults, w.checks)
	}
	return nil
}

// runParts runs the sessions of all parts, or of the one that was asked for.
func (w *stage) runParts(ctx context.Context, o *options) error {
	switch {
	case o.learning:
		return w.runLearning(ctx, o.repositories)
	case o.merged:
		return w.runMerging(ctx)
	case o.changes != "":
		return w.runChanges(ctx, o.changes)
	}
	if err := w.runMainSessions(ctx); err != nil {
		return err
	}
	if err := w.runMerging(ctx); err != nil {
		return err
	}
	return w.runLearning(ctx, o.repositories)
}
