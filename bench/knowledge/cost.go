package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"ken/bench/world"
)

// maxLogged bounds the time of an answer that is logged, over the same without the log.
const maxLogged = 1.05

// measureLog asks the same questions in turns, with the log of questions and without it.
func measureLog(ctx context.Context, o *options, t *world.Table) error {
	p, err := newProject(ctx, o, "logged")
	if err != nil {
		return err
	}
	runs := 150
	if o.short {
		runs = 5
	}
	questions := [][]string{{"def", "Part7"}, {"refs", "Part9"}, {"find", "which part calls part"}}
	times := map[string][]time.Duration{}
	for i := range runs {
		q := questions[i%len(questions)]
		for _, setting := range []string{"on", "off"} {
			cmd := p.kenCommand(ctx, "asked", q...)
			cmd.Env = append(cmd.Env, "KEN_QUERY_LOG="+setting)
			began := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("ken %v: %w: %s", q, err, out)
			}
			times[setting] = append(times[setting], time.Since(began))
		}
	}
	lines, err := os.ReadFile(filepath.Join(p.dir, ".ken", "logs", "queries.jsonl"))
	if err != nil {
		return err
	}
	on, off := times["on"], times["off"]
	ratio := world.Ratio(on, off, 50)
	t.RowOfTime("an answer with its line in .ken/logs/queries.jsonl, the whole process", fmt.Sprintf("≤ %.2f × of the same with query_log: off", maxLogged),
		fmt.Sprintf("%.3f × (p50 %s and %s, %d pairs, %d bytes a line)",
			ratio, world.Millis(world.Percentile(on, 50)), world.Millis(world.Percentile(off, 50)), runs, len(lines)/runs),
		ratio <= maxLogged)
	return nil
}
