package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// maxNoted is how much longer an answer may take when it is noted.
const maxNoted = 1.05

// noted measures what it costs to note an answer: the same questions in turns, with the log and with it turned off.
func noted(ctx context.Context, o *options, t *table) error {
	p, err := newWorld(ctx, o, "noted")
	if err != nil {
		return err
	}
	runs := 150
	if o.short {
		runs = 5
	}
	questions := [][]string{{"def", "Part7"}, {"refs", "Part9"}, {"find", "which part calls part"}}
	var on, off []time.Duration
	ask := func(setting string, question []string) (time.Duration, error) {
		cmd := p.command(ctx, "asked", question...)
		cmd.Env = append(cmd.Env, "KEN_QUERY_LOG="+setting)
		began := time.Now()
		out, err := cmd.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("ken %v: %w: %s", question, err, out)
		}
		return time.Since(began), err
	}
	for i := range runs {
		q := questions[i%len(questions)]
		a, err := ask("on", q)
		if err != nil {
			return err
		}
		b, err := ask("off", q)
		if err != nil {
			return err
		}
		on, off = append(on, a), append(off, b)
	}
	ratio := float64(middle(on)) / float64(middle(off))
	lines, err := os.ReadFile(filepath.Join(p.dir, ".ken", "logs", "queries.jsonl"))
	if err != nil {
		return err
	}
	t.row("noting an answer in .ken/logs/queries.jsonl, the whole process", fmt.Sprintf("≤ %.2f × of the same with query_log: off", maxNoted),
		fmt.Sprintf("%.3f × (p50 %.2f ms and %.2f ms, %d pairs, %d bytes a line)", ratio, ms(middle(on)), ms(middle(off)), runs, len(lines)/runs), o.short || ratio <= maxNoted)
	return nil
}

func middle(list []time.Duration) time.Duration {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[len(list)/2]
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
