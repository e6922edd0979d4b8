package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// comparePayloads compares the payloads that the hooks got with the test data, or replaces
// the test data by them. It keeps one payload for each event and kind, that is tool, source
// or reason.
func (w *stage) comparePayloads(write bool) error {
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
		if err := json.Unmarshal(n.replaceNames(raw), &v); err != nil {
			return fmt.Errorf("payload %s: %w", f.Name(), err)
		}
		if name := payloadName(v); now[name] == nil {
			now[name] = withoutVarying(v)
		}
	}
	if write {
		return rewriteTestPayloads(now)
	}
	was, err := testPayloads()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		w.checkThat(slices.Equal(fieldPaths(was[name]), fieldPaths(now[name])), "the payload of %s has the fields of the test data", name)
		if !slices.Equal(fieldPaths(was[name]), fieldPaths(now[name])) {
			fmt.Printf("         was %v\n         is  %v\n", fieldPaths(was[name]), fieldPaths(now[name]))
		}
	}
	for name := range was {
		if now[name] == nil {
			w.checkThat(false, "%s is in the test data and came", name)
		}
	}
	return nil
}
