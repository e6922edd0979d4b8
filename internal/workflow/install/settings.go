package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"ken/internal/workflow/install/jsonedit"
)

// Settings are entries of a JSON file.
type Settings struct {
	Path    string
	What    string
	Entries []Entry
	Values  []Value
}

// Entry is an element of a list in a JSON file that runs a command, or with a name a member of an object. It is recognised by its command
// alone, so that a user can change the rest of it.
type Entry struct {
	Keys  []string        `json:"keys"` // from the outermost object to the list or object
	Name  string          `json:"name,omitempty"`
	Argv  []string        `json:"argv"` // "command" and "args", a command that is a list, or one that is a line as its only element
	Value json.RawMessage `json:"value"`
}

// Value is a member to set in the outermost object of a JSON file.
type Value struct {
	Key   string
	Value json.RawMessage
	// Yield leaves an existing value.
	Yield bool
}

func (v Value) setting() jsonedit.Setting { return jsonedit.Setting{Key: v.Key, Value: v.Value} }

func (s *Settings) newRecord() record {
	r := record{Path: s.Path, Kind: kindSettings, What: s.What, Entries: s.Entries}
	for _, v := range s.Values {
		r.Settings = append(r.Settings, v.setting())
	}
	return r
}

func (s *Settings) addTo(cur fileContent, old *record) (addResult, error) {
	rec := s.newRecord()
	if old == nil {
		old = &record{}
	}
	data, err := s.withoutStale(cur.data, old)
	if err != nil {
		return addResult{}, err
	}
	var notes []string
	var missing []jsonedit.Addition
	for _, e := range s.Entries {
		found, err := e.findValues(data)
		if err != nil {
			return addResult{}, err
		}
		switch {
		case len(found) == 0:
			missing = append(missing, jsonedit.Addition{Keys: e.Keys, Name: e.Name, Value: e.Value})
		case !slices.ContainsFunc(found, func(f jsonedit.FoundEntry) bool { return jsonedit.Equal(f.Raw, e.Value) }):
			notes = append(notes, fmt.Sprintf("the entry of %s was changed since and stays as it is", strings.Join(e.Keys, ".")))
			if e.Name != "" && !slices.Equal(found[0].Argv, e.Argv) { // of another program: not ken's to remove
				rec.Entries = slices.DeleteFunc(slices.Clone(rec.Entries), func(o Entry) bool { return o.Name == e.Name })
			}
		}
	}
	set, yielded, err := s.settingsToSet(data, old)
	if err != nil {
		return addResult{}, err
	}
	for _, key := range yielded {
		notes = append(notes, fmt.Sprintf("%q has a value already and stays as it is", key))
		rec.Settings = slices.DeleteFunc(rec.Settings, func(v jsonedit.Setting) bool { return v.Key == key })
	}
	rec.JSON = old.JSON
	if len(missing)+len(set) > 0 {
		var made jsonedit.Record
		if data, made, err = jsonedit.Add(data, missing, set); err != nil {
			return addResult{}, err
		}
		rec.JSON.Join(made)
	}
	return addResult{fileContent: fileContent{data, cur.exists || len(data) > 0}, record: rec, note: strings.Join(notes, "; ")}, nil
}

// withoutStale removes entries of an earlier installation that the plan does not have, or has in another form.
func (s *Settings) withoutStale(data []byte, old *record) ([]byte, error) {
	var stale [][]string
	for _, e := range old.Entries {
		same := slices.ContainsFunc(s.Entries, func(n Entry) bool {
			return slices.Equal(n.Argv, e.Argv) && slices.Equal(n.Keys, e.Keys) && jsonedit.Equal(n.Value, e.Value)
		})
		if same {
			continue
		}
		found, err := e.findValues(data)
		if err != nil {
			return nil, err
		}
		wanted := slices.ContainsFunc(s.Entries, func(n Entry) bool { return slices.Equal(n.Argv, e.Argv) })
		changed := slices.ContainsFunc(found, func(f jsonedit.FoundEntry) bool { return !jsonedit.Equal(f.Raw, e.Value) })
		if !wanted || !changed {
			stale = append(stale, e.Argv)
		}
	}
	if len(stale) == 0 {
		return data, nil
	}
	removal := jsonedit.Removal{Keys: outermostKeys(old.Entries), Names: entryNames(old.Entries), Argvs: stale, Record: old.JSON}
	return jsonedit.Remove(data, removal)
}

// findValues returns the file's values in the place of an entry: the array elements that run its command, or the object member of its
// name, whatever that runs.
func (e *Entry) findValues(data []byte) ([]jsonedit.FoundEntry, error) {
	if e.Name == "" {
		return jsonedit.Entries(data, e.Keys, [][]string{e.Argv})
	}
	raw, err := jsonedit.Member(data, e.Keys, e.Name)
	if err != nil || raw == nil {
		return nil, err
	}
	found := jsonedit.FoundEntry{Raw: raw}
	if argv, ok := jsonedit.Command(raw); ok {
		found.Argv = argv
	}
	return []jsonedit.FoundEntry{found}, nil
}

// outermostKeys returns the outermost keys of entries, each once.
func outermostKeys(list []Entry) (out []string) {
	for _, e := range list {
		if !slices.Contains(out, e.Keys[0]) {
			out = append(out, e.Keys[0])
		}
	}
	return out
}

func entryNames(list []Entry) (out []string) {
	for _, e := range list {
		if e.Name != "" {
			out = append(out, e.Name)
		}
	}
	return out
}

// settingsToSet returns the settings to set, and the keys that are left alone because the user's values have priority.
func (s *Settings) settingsToSet(data []byte, old *record) (set []jsonedit.Setting, yielded []string, err error) {
	for _, v := range s.Values {
		now, err := jsonedit.Value(data, v.Key)
		if err != nil {
			return nil, nil, err
		}
		var before *jsonedit.Setting
		if i := slices.IndexFunc(old.Settings, func(o jsonedit.Setting) bool { return o.Key == v.Key }); i >= 0 {
			before = &old.Settings[i]
		}
		switch {
		case now == nil, before != nil && jsonedit.Equal(now, before.Value) && !jsonedit.Equal(now, v.Value):
			set = append(set, v.setting())
		case jsonedit.Equal(now, v.Value):
		case v.Yield, before != nil: // the user wants another value than ken's
			yielded = append(yielded, v.Key)
		default:
			set = append(set, v.setting())
		}
	}
	return set, yielded, nil
}

// removeSettings removes the recorded entries. unrecorded means that the earlier content is unknown.
func removeSettings(data []byte, r *record, unrecorded bool) ([]byte, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return data, nil
	}
	removal := jsonedit.Removal{Settings: r.Settings, Record: r.JSON, Unrecorded: unrecorded}
	removal.Names = entryNames(r.Entries)
	removal.Keys = outermostKeys(r.Entries)
	for _, e := range r.Entries {
		removal.Argvs = append(removal.Argvs, e.Argv)
	}
	return jsonedit.Remove(data, removal)
}
