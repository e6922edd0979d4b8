package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// payloads compares the recorded payloads with the test data, or replaces the test data. One
// payload of each event and kind is kept: its tool, its source, its reason.
func (w *stage) payloads(write bool) error {
	list, err := os.ReadDir(filepath.Join(w.keep, recorder))
	if err != nil {
		return err
	}
	n := newNeutral(w.home)
	now := map[string]any{}
	for _, f := range list {
		raw, err := os.ReadFile(filepath.Join(w.keep, recorder, f.Name()))
		if err != nil {
			return err
		}
		var v map[string]any
		if err := json.Unmarshal(n.names(raw), &v); err != nil {
			return fmt.Errorf("payload %s: %w", f.Name(), err)
		}
		if name := payloadName(v); now[name] == nil {
			now[name] = steady(v)
		}
	}
	if write {
		return rewrite(now)
	}
	was, err := testPayloads()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		w.expect(slices.Equal(shape(was[name]), shape(now[name])), "the payload of %s has the fields of the test data", name)
		if !slices.Equal(shape(was[name]), shape(now[name])) {
			fmt.Printf("         was %v\n         is  %v\n", shape(was[name]), shape(now[name]))
		}
	}
	for name := range was {
		if now[name] == nil {
			w.expect(false, "%s is in the test data and came", name)
		}
	}
	return nil
}
