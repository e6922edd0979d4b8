// Package intel declares the operations over what a planning folder knows of the code: the files of .planning/intel and the graph
// of .planning/graphs, which agents have written. They are read as they are and named with their mistakes. How fresh a file is, is
// what it says itself. Neighbours: package folder reads, package change writes.
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
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/operation"
)

const (
	dir      = "intel"
	snapshot = "intel/.last-refresh.json"
	fresh    = 24 * time.Hour
)

// names are the files, in the order of all answers.
var names = [...]string{"file-roles.json", "api-map.json", "dependency-graph.json", "arch-decisions.json", "stack.json"}

// Disabled is the answer where config.json does not ask for what an operation is about.
type Disabled struct {
	Disabled bool   `json:"disabled"`
	Message  string `json:"message"`
}

// All are the operations.
func All() []*operation.Operation {
	file := []operation.Arg{{Name: "FILE", Help: "from the root of the project"}}
	term := []operation.Arg{{Name: "TERM", Help: "what is looked for; upper and lower case are one"}}
	return []*operation.Operation{
		enabled("intel.enabled", operation.Operation{Name: "intel query", Summary: "what the files of .planning/intel say of a word", Args: term, Run: query}),
		enabled("intel.enabled", operation.Operation{Name: "intel status", Summary: "which files of .planning/intel there are, and how old", Run: status}),
		enabled("intel.enabled", operation.Operation{Name: "intel diff", Summary: "what changed since the last snapshot of .planning/intel", Run: diff}),
		enabled("intel.enabled", operation.Operation{Name: "intel snapshot", Summary: "keep how the files of .planning/intel are now", Writes: true, Run: takeSnapshot}),
		enabled("intel.enabled", operation.Operation{Name: "intel validate", Summary: "mistakes in the files of .planning/intel", Run: validate}),
		enabled("intel.enabled", operation.Operation{Name: "intel update", Summary: "who writes the files of .planning/intel anew", Run: update}),
		{Name: "intel patch-meta", Summary: "mark a file of .planning/intel as written now", Args: file, Writes: true, Run: patchMeta},
		{Name: "intel extract-exports", Summary: "what a file of JavaScript exports", Args: file, Anywhere: true, Run: exports},
		enabled("graphify.enabled", operation.Operation{
			Name: "graphify query", Summary: "the part of the graph around a word", Args: term, Run: graphQuery,
			Flags: []operation.Flag{{Name: "budget", Help: "about so many tokens; less certain edges go first", Kind: operation.Number}},
		}),
		enabled("graphify.enabled", operation.Operation{Name: "graphify status", Summary: "how large and how old the graph is", Run: graphStatus}),
		enabled("graphify.enabled", operation.Operation{Name: "graphify diff", Summary: "what changed in the graph since its last snapshot", Run: graphDiff}),
		{Name: "graphify build snapshot", Summary: "keep how the graph is now", Writes: true, Run: graphSnapshot},
		enabled("graphify.enabled", operation.Operation{Name: "graphify build", Summary: "who builds the graph, and where it has to be put", Run: graphBuild}),
	}
}

// enabled declares an operation that config.json has to ask for.
func enabled(key string, o operation.Operation) *operation.Operation {
	run := o.Run
	o.Run = func(ctx context.Context, c *operation.Call) (any, error) {
		set, err := c.Settings()
		if err != nil {
			return nil, err
		}
		if !set.On(key) {
			return Disabled{true, "not enabled; turn it on with: ken plan config-set " + key + " true"}, nil
		}
		return run(ctx, c)
	}
	return &o
}

// file is a file of .planning/intel.
type file struct {
	name    string
	there   bool
	problem error // it is there and cannot be read, or is no JSON
	text    string
	updated string
	entries []pair
}

// load reads all files, in their order.
func load(c *operation.Call) ([]*file, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	var list []*file
	for _, name := range names {
		one := &file{name: name}
		list = append(list, one)
		text, err := f.ReadRoot(dir + "/" + name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		one.there, one.text, one.problem = true, text, err
		if err == nil {
			one.parse()
		}
	}
	return list, nil
}

func (f *file) parse() {
	top, err := object([]byte(f.text))
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
			if entries, err := object(p.Value); err == nil {
				f.entries = entries
			}
		}
	}
	f.entries = slices.DeleteFunc(f.entries, func(p pair) bool { return p.Key == "_meta" })
}

// age is how old a file says that it is; ok is false if it does not say, or says no time.
func (f *file) age(now time.Time) (age time.Duration, ok bool) {
	t, err := time.Parse(time.RFC3339, f.updated)
	return now.Sub(t), err == nil
}

// Found is what a word is found in.
type Found struct {
	Matches []match `json:"matches"`
	Term    string  `json:"term"`
	Total   int     `json:"total"`
	// Problems are files that could not be read.
	Problems []string `json:"problems,omitempty"`
}

type match struct {
	Source  string `json:"source"`
	Entries []pair `json:"entries"`
}

func query(_ context.Context, c *operation.Call) (any, error) {
	files, err := load(c)
	if err != nil {
		return nil, err
	}
	a := Found{Matches: []match{}, Term: c.Arg("TERM")}
	term := strings.ToLower(a.Term)
	for _, f := range files {
		if f.problem != nil {
			a.Problems = append(a.Problems, f.name+": "+f.problem.Error())
			continue
		}
		var found []pair
		for _, p := range f.entries {
			if strings.Contains(strings.ToLower(p.Key), term) || says(p.Value, term) {
				found = append(found, p)
			}
		}
		if len(found) > 0 {
			a.Matches = append(a.Matches, match{f.name, found})
			a.Total += len(found)
		}
	}
	return a, nil
}

// says reports whether a text in a value has a word, which is in lower case. Keys inside of it are not looked at.
func says(value json.RawMessage, term string) bool {
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

// Status is which files there are.
type Status struct {
	Files   pairs `json:"files"`
	Overall bool  `json:"overall_stale"`
}

type fileStatus struct {
	Exists  bool    `json:"exists"`
	Updated *string `json:"updated_at"`
	Stale   bool    `json:"stale"`
}

func status(_ context.Context, c *operation.Call) (any, error) {
	files, err := load(c)
	if err != nil {
		return nil, err
	}
	var a Status
	for _, f := range files {
		s := fileStatus{Exists: f.there, Stale: true}
		if age, ok := f.age(c.Now()); ok {
			ago := since(age)
			s.Updated, s.Stale = &ago, age > fresh
		}
		a.Overall = a.Overall || s.Stale
		if err := a.Files.add(f.name, s); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// since is an age in words.
func since(age time.Duration) string {
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

// Baseline says that there is nothing to compare with.
type Baseline struct {
	None    bool   `json:"no_baseline"`
	Message string `json:"message,omitempty"`
}

// Diff are the names of files that are not as in the last snapshot.
type Diff struct {
	Changed []string `json:"changed"`
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
}

func diff(_ context.Context, c *operation.Call) (any, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	text, err := f.ReadRoot(snapshot)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var last *struct{ Hashes map[string]string }
	if err != nil || json.Unmarshal([]byte(text), &last) != nil || last == nil {
		return Baseline{None: true}, nil
	}
	files, err := load(c)
	if err != nil {
		return nil, err
	}
	a := Diff{[]string{}, []string{}, []string{}}
	for _, f := range files {
		before, now := last.Hashes[f.name], f.hash()
		switch {
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

// Saved is what was kept.
type Saved struct {
	Saved     bool   `json:"saved"`
	Timestamp string `json:"timestamp"`
	Files     int    `json:"files"`
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func takeSnapshot(ctx context.Context, c *operation.Call) (any, error) {
	files, err := load(c)
	if err != nil {
		return nil, err
	}
	var hashes pairs
	for _, f := range files {
		if h := f.hash(); h != "" {
			if err := hashes.add(f.name, h); err != nil {
				return nil, err
			}
		}
	}
	a := Saved{true, stamp(c.Now()), len(hashes)}
	text, err := json.MarshalIndent(struct {
		Hashes    pairs  `json:"hashes"`
		Timestamp string `json:"timestamp"`
		Version   int    `json:"version"`
	}{hashes, a.Timestamp, 1}, "", "  ")
	if err != nil {
		return nil, err
	}
	_, err = c.ChangeWhole(ctx, "keep how .planning/intel is", func(change.Read) ([]change.File, error) {
		return []change.File{{Name: snapshot, Text: new(string(text))}}, nil
	})
	return a, err
}

// Action is what an agent has to do, because ken does not.
type Action struct {
	Action  string `json:"action"`
	Message string `json:"message"`
}

func update(context.Context, *operation.Call) (any, error) {
	return Action{"spawn_agent", "an agent writes these files: start gsd-intel-updater. What ken knows itself is in ken find, ken def and ken map"}, nil
}

// Validation are the mistakes of all files.
type Validation struct {
	Valid    bool     `json:"valid"`
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings"`
}

func validate(_ context.Context, c *operation.Call) (any, error) {
	files, err := load(c)
	if err != nil {
		return nil, err
	}
	project, err := c.Project()
	if err != nil {
		return nil, err
	}
	a := Validation{Errors: []string{}, Warnings: []string{}}
	warn := func(f *file, format string, args ...any) {
		a.Warnings = append(a.Warnings, f.name+": "+fmt.Sprintf(format, args...))
	}
	for _, f := range files {
		switch {
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
		case "file-roles.json":
			f.checkFiles(project, func(format string, args ...any) { warn(f, format, args...) })
		case "dependency-graph.json":
			f.checkDependencies(func(format string, args ...any) { warn(f, format, args...) })
		}
	}
	a.Valid = len(a.Errors) == 0
	return a, nil
}

// checkFiles looks at what files export, and whether the first five are there.
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
		at, err := argument.Path(project, filepath.FromSlash(p.Key))
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
		_ = json.Unmarshal(p.Value, &entry) // what is no object has none of the fields
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

// Patched is what became of marking a file.
type Patched struct {
	Patched   bool   `json:"patched"`
	File      string `json:"file,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	Error     string `json:"error,omitempty"`
}

func patchMeta(ctx context.Context, c *operation.Call) (any, error) {
	project, err := c.Project()
	if err != nil {
		return nil, err
	}
	at, err := argument.Path(filepath.Join(project, folder.Name), inProject(project, c.Arg("FILE")))
	if err != nil {
		return Patched{Error: "only files below " + folder.Name + " are written: " + err.Error()}, nil
	}
	real, err := filepath.EvalSymlinks(filepath.Join(project, folder.Name))
	if err != nil {
		return nil, err
	}
	name, err := filepath.Rel(real, at)
	if err != nil {
		return nil, err
	}
	a := Patched{Patched: true, File: at, Timestamp: stamp(c.Now())}
	_, err = c.ChangeWhole(ctx, "mark "+filepath.ToSlash(name), func(read change.Read) ([]change.File, error) {
		text, ok, err := read(filepath.ToSlash(name))
		if err != nil {
			return nil, err
		}
		if !ok {
			a = Patched{Error: "file not found: " + c.Arg("FILE")}
			return nil, nil
		}
		if text, err = marked(text, a.Timestamp); err != nil {
			a = Patched{Error: "invalid JSON: " + err.Error()}
			return nil, nil
		}
		return []change.File{{Name: filepath.ToSlash(name), Text: &text}}, nil
	})
	return a, err
}

// inProject is a path of the project as an absolute one.
func inProject(project, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(project, filepath.FromSlash(name))
}
