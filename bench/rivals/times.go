package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"ken/bench/world"
)

// timeIndexes times indexes from nothing and after an edit, in turns. The index of the last turn stays. A program that fails is taken out.
func (b *bench) timeIndexes(ctx context.Context, rivals []*rival) error {
	for range b.runs {
		for _, t := range b.trees {
			var ken float64
			for _, r := range rivals {
				if r.index == nil || r.broken != "" {
					continue
				}
				if err := r.clean(t.dir); err != nil {
					return err
				}
				d, err := timed(func() error { return r.index(ctx, t.dir) })
				if err != nil {
					r.broken = "its index fails here: " + err.Error()
					continue
				}
				if r.name == kenName {
					ken = d.Seconds()
				}
				r.indexTimes, r.indexOver = append(r.indexTimes, d), append(r.indexOver, d.Seconds()/ken)
			}
			if err := b.timeEdits(ctx, rivals, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// editsPerTurn is the number of files that are edited in a turn, each by a line at its end.
const editsPerTurn = 2

func (b *bench) timeEdits(ctx context.Context, rivals []*rival, t tree) error {
	for i := range min(editsPerTurn, len(t.rows)) {
		file := t.rows[i].File
		at := filepath.Join(t.dir, file)
		was, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		if err := os.WriteFile(at, append(was, "\n\n"...), 0o644); err != nil {
			return err
		}
		var ken float64
		for _, r := range rivals {
			if r.edit == nil || r.broken != "" {
				continue
			}
			d, err := timed(func() error { return r.edit(ctx, t.dir, file) })
			if err != nil {
				return fmt.Errorf("%s after an edit of %s: %w", r.name, file, err)
			}
			if r.name == kenName {
				ken = d.Seconds()
			}
			r.editTimes, r.editOver = append(r.editTimes, d), append(r.editOver, d.Seconds()/ken)
		}
		if err := os.WriteFile(at, was, 0o644); err != nil {
			return err
		}
		for _, r := range rivals {
			if r.edit != nil && r.broken == "" && r.definitions != nil {
				if err := r.edit(ctx, t.dir, file); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func timed(run func() error) (time.Duration, error) {
	started := time.Now()
	err := run()
	return time.Since(started), err
}

// listTools counts the tokens of what a server lists, as a client hands it to a model: names, descriptions and schemas.
func (b *bench) listTools(ctx context.Context, r *rival) {
	if r.tools == nil || r.broken != "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, perCommand)
	defer cancel()
	cmd := r.tools(ctx, b.trees[0].dir)
	if errors, err := os.Open(os.DevNull); err == nil {
		cmd.Stderr = errors
	}
	c, err := world.Start(cmd, protocol)
	if err != nil {
		r.note = "its server does not start: " + err.Error()
		return
	}
	defer world.KillTree(cmd.Process, true)
	answer, err := c.Request("tools/list", world.Params{})
	var list struct {
		Tools []struct {
			Name, Description string
			InputSchema       json.RawMessage `json:"inputSchema"`
		}
	}
	if err == nil {
		err = json.Unmarshal(answer, &list)
	}
	if err != nil {
		r.note = "its server lists nothing: " + err.Error()
		return
	}
	text, err := json.Marshal(list.Tools)
	if err == nil {
		r.listed, r.listing = len(list.Tools), b.counter.Count(text)
	}
}
