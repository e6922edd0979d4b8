// Package intel declares the operations over knowledge about the code of a project. With an index of the code they answer from it:
// imports and exports of files, packages in use, relations of files. Without one, and for facts that no index has, they answer from
// files that agents have written: those of .planning/intel and the graph in .planning/graphs. Such files are read as they are, their
// mistakes are reported, and their age is the time written in them. Each answer names its source. Neighbours: package folder reads
// files, package change writes them, delivery/plancode asks the index.
package intel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/planop"
)

const (
	dir      = "intel"
	snapshot = "intel/.last-refresh.json"
	fresh    = 24 * time.Hour
)

// The files whose facts an index knows better.
const (
	fileRoles    = "file-roles.json"
	dependencies = "dependency-graph.json"
)

// fileNames are the files of .planning/intel, in the order of all answers.
var fileNames = [...]string{fileRoles, "api-map.json", dependencies, "arch-decisions.json", "stack.json"}

// file is a file of .planning/intel, or the answer of an index in its place.
type file struct {
	name    string
	index   bool // true for the answer of an index
	there   bool
	problem error // it exists and cannot be read, or is not JSON
	text    string
	updated string
	entries []keyValue
}

// loadFiles reads all files of .planning/intel, in the order of names.
func loadFiles(c *planop.Call) ([]*file, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	var list []*file
	for _, name := range fileNames {
		one := &file{name: name}
		list = append(list, one)
		text, err := f.ReadRoot(dir + "/" + name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		one.there, one.text, one.problem = true, text, err
		if err == nil {
			one.parseText()
		}
	}
	return list, nil
}

func (f *file) parseText() {
	top, err := decodeObject([]byte(f.text))
	if err != nil {
		f.problem = err
		return
	}
	f.entries = top
	for _, p := range top {
		switch p.Key {
		case "_meta":
			var meta struct {
				Updated string `json:"updated_at"`
			}
			if json.Unmarshal(p.Value, &meta) == nil {
				f.updated = meta.Updated
			}
		case "entries":
			if entries, err := decodeObject(p.Value); err == nil {
				f.entries = entries
			}
		}
	}
	f.entries = slices.DeleteFunc(f.entries, func(p keyValue) bool { return p.Key == "_meta" })
}

// age returns the age of a file by the time written in it. It returns false if the file has no valid time.
func (f *file) age(now time.Time) (age time.Duration, ok bool) {
	t, err := time.Parse(time.RFC3339, f.updated)
	return now.Sub(t), err == nil
}

// FoundEntries are the entries of files that contain a word.
type FoundEntries struct {
	Matches []match `json:"matches"`
	Term    string  `json:"term"`
	Total   int     `json:"total"`
	// Problems are the files that could not be read.
	Problems []string `json:"problems,omitempty"`
	Note     string   `json:"note,omitempty"` // the reason why there is no index
}

type match struct {
	Source  string     `json:"source"`
	Entries []keyValue `json:"entries"`
	From    Origin     `json:"answered_from"`
}

func (o *indexAsker) queryFiles(ctx context.Context, c *planop.Call, in *intelQueryInput) (any, error) {
	files, x, err := o.loadAll(ctx, c, in.Source)
	if err != nil {
		return nil, err
	}
	a := FoundEntries{Matches: []match{}, Term: in.Term, Note: x.missingIndexReason()}
	term := strings.ToLower(a.Term)
	for _, f := range files {
		if f.problem != nil {
			a.Problems = append(a.Problems, f.name+": "+f.problem.Error())
			continue
		}
		var found []keyValue
		for _, p := range f.entries {
			if strings.Contains(strings.ToLower(p.Key), term) || contains(p.Value, term) {
				found = append(found, p)
			}
		}
		if len(found) > 0 {
			a.Matches = append(a.Matches, match{f.name, found, f.origin(c.Now())})
			a.Total += len(found)
		}
	}
	return a, nil
}

// contains reports whether a string in a JSON value contains a word in lower case. The keys of objects are not compared.
func contains(value json.RawMessage, term string) bool {
	var v any
	if json.Unmarshal(value, &v) != nil {
		return false
	}
	var in func(any) bool
	in = func(v any) bool {
		switch v := v.(type) {
		case string:
			return strings.Contains(strings.ToLower(v), term)
		case []any:
			return slices.ContainsFunc(v, in)
		case map[string]any:
			for _, w := range v {
				if in(w) {
					return true
				}
			}
		}
		return false
	}
	return in(v)
}

// Status lists the files of .planning/intel, also missing ones, with their ages.
type Status struct {
	Files   orderedObject `json:"files"`
	Overall bool          `json:"overall_stale"`
	// Origin is the source of the answer. If there is an index, it is the index.
	From Origin `json:"answered_from"`
}

type fileStatus struct {
	Exists  bool    `json:"exists"`
	Updated *string `json:"updated_at"`
	Stale   bool    `json:"stale"`
	Source  string  `json:"source"` // index or files
}

func (o *indexAsker) listFiles(ctx context.Context, c *planop.Call, in *sourceInput) (any, error) {
	files, x, err := o.loadAll(ctx, c, in.Source)
	if err != nil {
		return nil, err
	}
	a := Status{From: x.origin(c.Now())}
	for _, f := range files {
		s := fileStatus{Exists: f.there, Stale: true, Source: f.origin(c.Now()).Source}
		if age, ok := f.age(c.Now()); ok {
			ago := ageText(age)
			s.Updated, s.Stale = &ago, age > fresh && !f.index
		}
		a.Overall = a.Overall || s.Stale
		if err := a.Files.add(f.name, s); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// ageText returns an age in words, such as "2 hours ago".
func ageText(age time.Duration) string {
	seconds := int(age.Seconds())
	for _, u := range [...]struct {
		name string
		size int
	}{{"year", 360 * 86400}, {"month", 30 * 86400}, {"day", 86400}, {"hour", 3600}, {"minute", 60}} {
		n := seconds / u.size
		if u.name == "year" && n > 0 {
			n = max(1, seconds/(365*86400))
		}
		switch {
		case n == 1:
			return "1 " + u.name + " ago"
		case n > 1:
			return fmt.Sprintf("%d %ss ago", n, u.name)
		}
	}
	if seconds < 5 {
		return "just now"
	}
	return fmt.Sprintf("%d seconds ago", seconds)
}

// Baseline reports that there is no snapshot to compare with.
type Baseline struct {
	None    bool   `json:"no_baseline"`
	Message string `json:"message,omitempty"`
}

// Diff are the names of files that differ from the last snapshot.
type Diff struct {
	Changed []string `json:"changed"`
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
	// Other are the files that cannot be compared, because the last snapshot has them from another source.
	Other []string `json:"not_comparable,omitempty"`
	From  Origin   `json:"answered_from"`
}

func (o *indexAsker) diffFiles(ctx context.Context, c *planop.Call, in *sourceInput) (any, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	text, err := f.ReadRoot(snapshot)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var last *struct{ Hashes, Sources map[string]string }
	if err != nil || json.Unmarshal([]byte(text), &last) != nil || last == nil {
		return Baseline{None: true}, nil
	}
	files, x, err := o.loadAll(ctx, c, in.Source)
	if err != nil {
		return nil, err
	}
	a := Diff{Changed: []string{}, Added: []string{}, Removed: []string{}, From: x.origin(c.Now())}
	for _, f := range files {
		before, now := last.Hashes[f.name], f.hash()
		switch {
		case f.index != (last.Sources[f.name] == sourceIndex) && before+now != "":
			a.Other = append(a.Other, f.name)
		case now != "" && before == "":
			a.Added = append(a.Added, f.name)
		case now != "" && before != now:
			a.Changed = append(a.Changed, f.name)
		case now == "" && before != "":
			a.Removed = append(a.Removed, f.name)
		}
	}
	return a, nil
}

func (f *file) hash() string {
	if !f.there {
		return ""
	}
	sum := sha256.Sum256([]byte(f.text))
	return hex.EncodeToString(sum[:])
}

// Saved is a snapshot of the files that was written.
type Saved struct {
	Saved     bool   `json:"saved"`
	Timestamp string `json:"timestamp"`
	Files     int    `json:"files"`
	From      Origin `json:"answered_from"`
}

func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func (o *indexAsker) takeSnapshot(ctx context.Context, c *planop.Call, in *sourceInput) (any, error) {
	files, x, err := o.loadAll(ctx, c, in.Source)
	if err != nil {
		return nil, err
	}
	var hashes, sources orderedObject
	for _, f := range files {
		if h := f.hash(); h != "" {
			if err := hashes.add(f.name, h); err != nil {
				return nil, err
			}
			if f.index {
				err = sources.add(f.name, sourceIndex)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	a := Saved{true, formatTime(c.Now()), len(hashes), x.origin(c.Now())}
	text, err := json.MarshalIndent(struct {
		Hashes    orderedObject `json:"hashes"`
		Sources   orderedObject `json:"sources,omitempty"`
		Timestamp string        `json:"timestamp"`
		Version   int           `json:"version"`
	}{hashes, sources, a.Timestamp, 1}, "", "  ")
	if err != nil {
		return nil, err
	}
	_, err = c.ChangeWhole(ctx, "keep how .planning/intel is", func(change.Read) ([]change.File, error) {
		return []change.File{{Name: snapshot, Text: new(string(text))}}, nil
	})
	return a, err
}

// Action is an instruction to an agent for work that ken does not do.
type Action struct {
	Action  string `json:"action"`
	Message string `json:"message"`
	From    Origin `json:"answered_from"`
}

func (o *indexAsker) updateInstruction(ctx context.Context, c *planop.Call, in *sourceInput) (any, error) {
	x, err := o.askIndex(ctx, c, in.Source, Wanted{})
	message := "an agent writes these files: start gsd-intel-updater. ken's own knowledge is in ken find, ken def and ken map"
	if x.hasIndex() {
		message = fileRoles + " and " + dependencies + " are answered from the index, which is current; an agent writes the others: start gsd-intel-updater for them"
	}
	return Action{"spawn_agent", message, x.origin(c.Now())}, err
}

// Validation has the mistakes in all files.
type Validation struct {
	Valid    bool     `json:"valid"`
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings"`
	From     Origin   `json:"answered_from"`
}

func (o *indexAsker) validateFiles(ctx context.Context, c *planop.Call, in *sourceInput) (any, error) {
	files, x, err := o.loadAll(ctx, c, in.Source)
	if err != nil {
		return nil, err
	}
	project, err := c.Project()
	if err != nil {
		return nil, err
	}
	a := Validation{Errors: []string{}, Warnings: []string{}, From: x.origin(c.Now())}
	warn := func(f *file, format string, args ...any) {
		a.Warnings = append(a.Warnings, f.name+": "+fmt.Sprintf(format, args...))
	}
	for _, f := range files {
		switch {
		case f.index:
			continue
		case !f.there:
			a.Errors = append(a.Errors, f.name+": file does not exist")
			continue
		case f.problem != nil:
			a.Errors = append(a.Errors, f.name+": "+f.problem.Error())
			continue
		}
		if age, ok := f.age(c.Now()); !ok {
			warn(f, "missing _meta.updated_at")
		} else if age > fresh {
			warn(f, "_meta.updated_at is %.0f hours old (>24 hr)", math.Round(age.Hours()))
		}
		switch f.name {
		case fileRoles:
			f.checkFiles(project, func(format string, args ...any) { warn(f, format, args...) })
		case dependencies:
			f.checkDependencies(func(format string, args ...any) { warn(f, format, args...) })
		}
	}
	a.Valid = len(a.Errors) == 0
	return a, nil
}

// checkFiles checks the exports of files, and whether the first five files exist.
func (f *file) checkFiles(project string, warn func(string, ...any)) {
	for _, p := range f.entries {
		var entry struct{ Exports []any }
		if json.Unmarshal(p.Value, &entry) != nil {
			continue
		}
		for _, e := range entry.Exports {
			if s, ok := e.(string); ok && strings.Contains(s, " ") {
				warn("%q export %q looks like a description (contains space)", p.Key, s)
			}
		}
	}
	for _, p := range f.entries[:min(5, len(f.entries))] {
		at, err := argument.CheckPath(project, filepath.FromSlash(p.Key))
		if err == nil {
			_, err = os.Stat(at)
		}
		if err != nil {
			warn("entry path %q does not exist on disk", p.Key)
		}
	}
}

func (f *file) checkDependencies(warn func(string, ...any)) {
	for _, p := range f.entries {
		var entry map[string]any
		_ = json.Unmarshal(p.Value, &entry) // a value that is not an object has none of the fields
		var missing []string
		for _, key := range [...]string{"version", "type", "used_by"} {
			if v := entry[key]; v == nil || v == "" || v == false || v == 0.0 {
				missing = append(missing, key)
			}
		}
		if len(missing) > 0 {
			warn("%q missing fields: %s", p.Key, strings.Join(missing, ", "))
		}
	}
}
