package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"ken/bench/world"
)

// textWriter is a command that stores a text, and the command that lists it again.
type textWriter struct {
	name  string
	write func(text string) []string
	list  []string
}

func textWriters() []textWriter {
	return []textWriter{
		{"ken remember", func(text string) []string { return []string{"remember", text} }, []string{"memory", "list", "--limit", "0", "--json"}},
		{"ken session decide", func(text string) []string { return []string{"session", "decide", text} }, []string{"session", "show", "--json"}},
		{"ken outcome record", func(text string) []string { return []string{"outcome", "record", "success", text, "--session", "many"} },
			[]string{"outcome", "insights", "--session", "many", "--json"}},
		{"ken agreement add", func(text string) []string { return []string{"agreement", "add", text, "Part1", "--evidence", "a test"} }, []string{"agreement", "list", "--json"}},
	}
}

// killWriters starts 50 writing processes at once, kills some, and compares the texts that were reported stored with those
// listed afterwards.
func killWriters(ctx context.Context, o *options, t *world.Table) error {
	many, rounds := 50, 3
	if o.short {
		many, rounds = 12, 1
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for _, w := range textWriters() {
		p, err := newProject(ctx, o, strings.ReplaceAll(w.name, " ", "-"))
		if err != nil {
			return err
		}
		var stored []string
		kills := 0
		for round := range rounds {
			some, n := p.runAtOnce(ctx, &w, rng, round, many)
			stored, kills = append(stored, some...), kills+n
		}
		out, err := p.kenCommand(ctx, "", w.list...).CombinedOutput()
		lost := 0
		for _, text := range stored {
			if !strings.Contains(string(out), text) {
				lost++
			}
		}
		reached := fmt.Sprintf("%d processes, %d killed, %d reported stored, %d lost", many*rounds, kills, len(stored), lost)
		if err != nil {
			reached = fmt.Sprintf("%s: %v: %.200s", strings.Join(w.list, " "), err, out)
		}
		tried := len(stored) > 0 && (kills > 0 || o.short)
		t.Row(w.name+" by "+fmt.Sprint(many)+" processes at once, some killed", "nothing that was reported stored is lost", reached,
			err == nil && lost == 0 && tried)
	}
	return nil
}

// runAtOnce starts processes, each with a text of its own, and kills every third of them at a random moment. It returns the
// texts that were reported stored.
func (p *project) runAtOnce(ctx context.Context, by *textWriter, rng *rand.Rand, round, many int) (stored []string, kills int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range many {
		text := fmt.Sprintf("fact%dof%dround", i, round)
		cmd := p.kenCommand(ctx, "", by.write(text)...)
		after := time.Duration(rng.IntN(20*many)) * time.Millisecond
		if cmd.Start() != nil {
			continue
		}
		if i%3 == 0 {
			defer time.AfterFunc(after, func() { cmd.Process.Kill() }).Stop()
		}
		all.Go(func() {
			err := cmd.Wait()
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				stored = append(stored, text)
			} else if i%3 == 0 {
				kills++
			}
		})
	}
	all.Wait()
	return stored, kills
}
