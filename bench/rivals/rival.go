package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ken/bench/commits"
	"ken/bench/world"
)

const (
	kenName  = "ken"
	budget   = 2000         // tokens of an answer about a commit
	protocol = "2025-06-18" // the version of the Model Context Protocol that all servers here speak
)

// rival is a program that is measured, ken among them. What it does not offer is nil.
type rival struct {
	name, version string
	broken        string // why it could not be had or did not run
	note          string
	languages     []string // in which it is asked about symbols; nil for all

	reads bool // the tree when it is asked, so that it needs no index before

	index func(ctx context.Context, dir string) error       // a whole index from nothing
	edit  func(ctx context.Context, dir, file string) error // after an edit of one file
	clean func(dir string) error                            // takes its index away
	// definitions returns the places where a name is declared, as "file:line".
	definitions func(ctx context.Context, dir string, r *row) ([]string, error)
	references  []referenceWay
	goals       []goalWay
	tools       func(ctx context.Context, dir string) *exec.Cmd // its server
	closeAll    func()

	indexTimes, editTimes, askTimes []time.Duration
	indexOver, editOver             []float64 // the same as multiples of ken's in the same turn
	listing, listed                 int       // tokens and tools of its listing
	defined                         tally
	used                            map[string]map[string]*tally // by way and language
	score                           map[string]*commits.Score
}

// referenceWay is a way of asking for the uses of a symbol, as "file:line".
type referenceWay struct {
	name string
	ask  func(ctx context.Context, dir string, r *row) ([]string, error)
}

// goalWay is a way of asking for what belongs to a goal.
type goalWay struct {
	name string
	ask  func(ctx context.Context, dir, goal string) (string, error)
}

// countOfWords is the yardstick of programs that take a goal.
const countOfWords = "count of words"

func (r *rival) scoreFor(way string) *commits.Score {
	if r.score == nil {
		r.score = map[string]*commits.Score{}
	}
	if r.score[way] == nil {
		r.score[way] = &commits.Score{}
	}
	return r.score[way]
}

func (r *rival) usedBy(way, language string) *tally {
	if r.used == nil {
		r.used = map[string]map[string]*tally{}
	}
	if r.used[way] == nil {
		r.used[way] = map[string]*tally{}
	}
	if r.used[way][language] == nil {
		r.used[way][language] = &tally{}
	}
	return r.used[way][language]
}

// tally counts places: those of the truth, of them the found ones, and those of the answers that are right or wrong.
type tally struct{ symbols, failed, truth, found, right, wrong int }

func (t *tally) add(o *tally) {
	t.symbols, t.failed, t.truth = t.symbols+o.symbols, t.failed+o.failed, t.truth+o.truth
	t.found, t.right, t.wrong = t.found+o.found, t.right+o.right, t.wrong+o.wrong
}

func (t *tally) precision() float64 { return commits.Percent(t.right, t.right+t.wrong) }

func (t *tally) recall() float64 { return commits.Percent(t.found, t.truth) }

// perCommand bounds one command of a program.
const perCommand = 5 * time.Minute

// programs runs commands in a home of their own.
type programs struct {
	home string
	path []string // folders before those of PATH
}

func (p *programs) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	path := strings.Join(append(p.path, os.Getenv("PATH")), string(filepath.ListSeparator))
	cmd.Env = world.Environment(p.home, "PATH="+path, "DO_NOT_TRACK=1", "CODEGRAPH_TELEMETRY=0", "SEMGREP_SEND_METRICS=off")
	return cmd
}

// output runs a command and returns what it wrote to its standard output. The error has its messages.
func (p *programs) output(ctx context.Context, dir, input string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, perCommand)
	defer cancel()
	cmd := p.command(ctx, dir, args...)
	var out, messages bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &messages
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s: %w: %s", filepath.Base(args[0]), err, lastLine(messages.String()))
	}
	return out.String(), nil
}

// nothingFound takes the error away with which a program ends that found nothing.
func nothingFound(out string, err error, code int) (string, error) {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == code {
		return out, nil
	}
	return out, err
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// removing returns a clean function for folders and files of a tree.
func removing(names ...string) func(dir string) error {
	return func(dir string) (err error) {
		for _, n := range names {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, n)))
		}
		return err
	}
}
