package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"time"

	"ken/bench/world"
	"ken/internal/app"
)

// question is a kind of question that is measured: a tool, its argument, and the
// time to aim at.
type question struct {
	tool, key string
	aim       time.Duration
}

var questions = []question{
	{"show", "target", 15 * time.Millisecond}, {"refs", "name", 15 * time.Millisecond}, {"grep", "regex", 15 * time.Millisecond},
	{"impact", "target", 40 * time.Millisecond}, {"find", "query", 60 * time.Millisecond},
}

const (
	maxNames = 60 // names that are asked about
	// rounds in which all names are asked about: the median of a name counts. In one
	// round the three slowest calls of sixty decide, and on busy cores these waited.
	rounds = 5
)

// names returns the symbols that most files use.
func (b *bench) names(ctx context.Context) ([]string, error) {
	out, err := exec.CommandContext(ctx, b.ken, "-C", b.dir, "hotspots", "--json", "--limit", fmt.Sprint(b.runCount(maxNames))).Output()
	if e := (*exec.ExitError)(nil); errors.As(err, &e) && e.ExitCode() == app.Nothing {
		return []string{symbol}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("hotspots: %w", err)
	}
	var found struct{ Symbols []struct{ Name string } }
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, err
	}
	var list []string
	for _, s := range found.Symbols {
		list = append(list, s.Name)
	}
	if len(list) == 0 {
		list = []string{symbol} // only files have dependents
	}
	return list, nil
}

// askTimed asks one question and returns how long the answer took.
func (c *client) askTimed(q question, about string) (time.Duration, error) {
	began := time.Now()
	_, err := c.mustCall(fmt.Sprintf(`{"name":%q,"arguments":{%q:%q}}`, q.tool, q.key, about))
	return time.Since(began), err
}

// waitUntilSettled waits until a server that has answered has updated its index to the tree.
func (b *bench) waitUntilSettled(servers int) {
	if b.Short {
		time.Sleep(500 * time.Millisecond)
		return
	}
	time.Sleep(time.Duration(2+servers) * time.Second)
}

// measureCalls measures each kind of question on one server, about many names and
// about the most used one, and then the server's memory.
func (b *bench) measureCalls(ctx context.Context) error {
	names, err := b.names(ctx)
	if err != nil {
		return err
	}
	c, err := b.spawnServer(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	first, err := c.askTimed(questions[0], symbol)
	if err != nil {
		return err
	}
	b.LeaveOut("the first answer of a server", "–", world.Millis(first))
	b.waitUntilSettled(1)
	for _, q := range questions {
		if err := b.measureKind(q, names, c); err != nil {
			return err
		}
	}
	b.measureMemory(c)
	return nil
}

func (b *bench) measureKind(q question, names []string, c *client) error {
	most := symbol
	if q.tool == "grep" || q.tool == "find" {
		most = word
	}
	repeat := func(about string, n int) (list []time.Duration, err error) {
		for range n {
			took, err := c.askTimed(q, about)
			if err != nil {
				return nil, err
			}
			list = append(list, took)
		}
		return list, nil
	}
	if _, err := repeat(most, 2); err != nil { // the first call reads data that later ones reuse
		return err
	}
	byName := make([][]time.Duration, len(names))
	for range b.runCount(rounds) {
		for i, name := range names {
			took, err := repeat(name, 1)
			if err != nil {
				return err
			}
			byName[i] = append(byName[i], took...)
		}
	}
	var medians []time.Duration
	for _, list := range byName {
		medians = append(medians, world.Percentile(list, 50))
	}
	row := func(about string, list []time.Duration) {
		p95 := world.Percentile(list, 95)
		reached := fmt.Sprintf("%s (%s)", world.Millis(p95), world.Millis(world.Percentile(list, 50)))
		b.RowOfTime(q.tool+" "+about+", p95 (p50)", "aim "+world.Millis(q.aim), reached, p95 <= q.aim)
	}
	row(fmt.Sprintf("of %d names", len(names)), medians)
	again, err := repeat(most, b.runCount(maxNames))
	row(most+" again and again", again)
	return err
}

// The memory that a server may have when it has not been asked for a while.
const (
	maxIdle  = 60 << 20 // bytes
	idleSoon = 15 * time.Second
)

func (b *bench) measureMemory(c *client) {
	busy := world.ResidentMemory(c.Cmd.Process.Pid)
	kb := busy
	for end := time.Now().Add(idleSoon); kb > maxIdle>>10 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		kb = world.ResidentMemory(c.Cmd.Process.Pid)
	}
	b.RowOfTime("memory when idle (when busy)", "≤ 60 MB", fmt.Sprintf("%d MB (%d MB)", kb>>10, busy>>10), kb <= maxIdle>>10)
}

// clientsAtOnce ask at once in measureClients.
const clientsAtOnce = 8

// measureClients compares clients that ask at once with one.
func (b *bench) measureClients(ctx context.Context) error {
	alone, err := b.askAtOnce(ctx, 1)
	if err != nil {
		return err
	}
	all, err := b.askAtOnce(ctx, clientsAtOnce)
	if err != nil {
		return err
	}
	limit, ratio := 1.5*clientsAtOnce/float64(runtime.NumCPU()), world.Ratio(all, alone, 95)
	b.RowOfTime("8 clients at once, p95 of show", fmt.Sprintf("≤ %.1f × one, no errors", limit),
		fmt.Sprintf("%.1f × %s, 0 errors", ratio, world.Millis(world.Percentile(alone, 95))), ratio <= limit)
	return nil
}

// askAtOnce has n clients, each with a server of its own, ask the same at once.
func (b *bench) askAtOnce(ctx context.Context, n int) (all []time.Duration, err error) {
	servers := make([]*client, n)
	for i := range servers {
		if servers[i], err = b.spawnServer(ctx); err != nil {
			return nil, err
		}
		defer servers[i].Close()
		if _, err := servers[i].askTimed(questions[0], symbol); err != nil {
			return nil, err
		}
	}
	b.waitUntilSettled(n)
	type result struct {
		times []time.Duration
		err   error
	}
	results := make(chan result, n)
	for _, c := range servers {
		go func() {
			var r result
			for range b.runCount(100) {
				took, err := c.askTimed(questions[0], symbol)
				r.times, r.err = append(r.times, took), errors.Join(r.err, err)
			}
			results <- r
		}()
	}
	for range servers {
		r := <-results
		all, err = append(all, r.times...), errors.Join(err, r.err)
	}
	return all, err
}
