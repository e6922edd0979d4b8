// Package stores declares the operations on the small stores of a planning folder: todos, notes, seeds, threads, debug sessions, quick
// tasks, spikes, sketches and learnings, and a few small tools for prompts. Each entry is a file or a folder that a person can read and
// edit; existing ones are never overwritten.
package stores

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"ken/internal/workflow/content/templates"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// All returns the operations of this package.
func All() []*planop.Operation {
	return slices.Concat(
		todoOperations(), noteOperations(), quickOperations(), trialOperations(), learningOperations(), toolOperations(), kindOperations(),
	)
}

// Entry is a file or folder of a store.
type Entry struct {
	ID      string `json:"id,omitempty"`
	File    string `json:"file"`
	Title   string `json:"title"`
	Status  string `json:"status,omitempty"`
	Created string `json:"created_at,omitempty"`
	Updated string `json:"updated_at,omitempty"`
	Path    string `json:"path"`
	// Note describes the entry: the trigger of a seed, the question of a spike.
	Note string `json:"note,omitempty"`
}

// Created is a new entry.
type Created struct {
	Created bool `json:"created"`
	Entry
}

// ListedEntries has the entries of a store, under the store's name.
type ListedEntries map[string]any

func newListed(plural string, list []Entry) ListedEntries {
	return ListedEntries{"count": len(list), plural: append([]Entry{}, list...)}
}

// StatusSet is an entry with its new status.
type StatusSet struct {
	Updated  bool   `json:"updated"`
	File     string `json:"file"`
	Path     string `json:"path"`
	Status   string `json:"status"`
	Previous string `json:"previous"`
}

// titleSlug returns a title in the form of a file name. One without ASCII letters or digits becomes "untitled".
func titleSlug(title string) string { return cmp.Or(phaseid.Slug(title, maxSlug), "untitled") }

// fillTemplate returns a template with values in the place of its names. It fails if the title is empty.
func fillTemplate(template, title string, values map[string]string) (string, error) {
	if title == "" {
		return "", planop.Faultf("title_missing", "a title is missing")
	}
	return templates.Fill(template, values)
}

// madeFile is a new file for a store, together with other files that change with it.
type madeFile struct {
	file  string // from the folder of the store
	text  string
	entry Entry
	also  []change.File
}

// createEntry adds an entry to a store. It calls compose, which makes the entry, with the names of the present entries and under the lock
// of the planning folder, because the number of the new entry depends on them.
func createEntry(ctx context.Context, c *planop.Call, dir string, compose func(names []string) (madeFile, error)) (Created, error) {
	f, err := c.Folder()
	if err != nil {
		return Created{}, err
	}
	var entry Entry
	_, err = c.Change(ctx, c.Name, func(read change.Read) ([]change.File, error) {
		names, err := namesIn(f, dir)
		if err != nil {
			return nil, err
		}
		m, err := compose(names)
		if err != nil {
			return nil, err
		}
		below, err := c.PathBelowPlanning(path.Join(dir, m.file))
		if err != nil {
			return nil, err
		}
		entry = m.entry
		entry.Path = f.Path(path.Join(dir, m.file))
		if _, there, err := read(below); there || err != nil {
			if err == nil {
				err = planop.Faultf("already_exists", "%s is there already", entry.Path)
			}
			return nil, err
		}
		return append([]change.File{{Name: below, Text: &m.text}}, m.also...), nil
	})
	return Created{true, entry}, err
}

func namesIn(f *folder.Folder, dir string) ([]string, error) {
	entries, err := f.List(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names, err
}

// readNotes returns the names of the Markdown files of a folder, and the parsed files.
func readNotes(f *folder.Folder, dir string) (files []string, list []*artefact.Note, err error) {
	entries, err := f.List(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if e.Dir || !strings.HasSuffix(e.Name, ".md") || e.Name == "knowledge-base.md" {
			continue
		}
		text, err := f.Read(path.Join(dir, e.Name))
		if err != nil {
			continue // the file is among the problems of the folder, or was removed
		}
		files, list = append(files, e.Name), append(list, artefact.ParseNote(text))
	}
	return files, list, nil
}

// findEntry returns the entry of a folder that a user means by name: its name with or without the ending, or a part of only one name. It
// only compares name with existing names, so that no path leads out of the folder.
func findEntry(c *planop.Call, what, dir, name string) (string, error) {
	f, err := c.Folder()
	if err != nil {
		return "", err
	}
	names, err := namesIn(f, dir)
	if err != nil {
		return "", err
	}
	var parts []string
	for _, n := range names {
		if n == name || strings.TrimSuffix(n, ".md") == name {
			return n, nil
		}
		if name != "" && strings.Contains(strings.ToLower(n), strings.ToLower(name)) {
			parts = append(parts, n)
		}
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	if parts == nil {
		parts = names[:min(len(names), 8)]
	}
	return "", &planop.Fault{Reason: "entry_not_found", Message: fmt.Sprintf("%s not found: %.80q", what, name), Near: parts, Ends: true}
}

// nextNumber returns the number for a new entry: one more than the largest with which names begin after the prefix.
func nextNumber(names []string, prefix string) string {
	last := 0
	for _, n := range names {
		rest, ok := strings.CutPrefix(n, prefix)
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		if v, err := strconv.Atoi(digits); ok && err == nil && v > last {
			last = v
		}
	}
	return fmt.Sprintf("%03d", last+1)
}
