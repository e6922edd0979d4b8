package install

import (
	"encoding/json"
	"fmt"
	"slices"

	"ken/internal/workflow/install/jsonedit"
	"ken/internal/workflow/install/yamledit"
)

// Member is a member of a map in a YAML file, which runs a program. It is recognised by its command line alone, so that a user can change
// the rest of it.
type Member struct {
	Path  string
	What  string
	Key   string // of the map in the outer map
	Name  string
	Argv  []string        // "cmd" and "args" of the value
	Value json.RawMessage // an object
}

func (m *Member) newRecord() record {
	entry := Entry{Keys: []string{m.Key}, Name: m.Name, Argv: m.Argv, Value: m.Value}
	return record{Path: m.Path, Kind: kindMember, What: m.What, Entries: []Entry{entry}, MadeMap: true}
}

// addTo adds the member, unless there is one of that name that the user has changed. It fails if the file is not YAML.
func (m *Member) addTo(cur fileContent, old *record) (addResult, error) {
	rec := m.newRecord()
	there, err := yamledit.Member(cur.data, m.Key, m.Name)
	if err != nil {
		return addResult{}, err
	}
	rec.MadeMap = !yamledit.Has(cur.data, m.Key)
	if old != nil && there != nil {
		rec.MadeMap = old.MadeMap
	}
	data := cur.data
	switch {
	case there == nil:
	case jsonedit.Equal(there, m.Value):
		return addResult{fileContent: cur, record: rec}, nil
	case old != nil && len(old.Entries) == 1 && jsonedit.Equal(there, old.Entries[0].Value): // of an earlier version of the plan
		if data, err = yamledit.Remove(data, m.Key, m.Name, rec.MadeMap); err != nil {
			return addResult{}, err
		}
	default:
		if !slices.Equal(memberArgv(there), m.Argv) { // of another program: not ken's to remove
			rec.Entries = nil
		}
		note := fmt.Sprintf("the entry of %s was changed since and stays as it is", m.Key)
		return addResult{fileContent: cur, record: rec, note: note}, nil
	}
	if data, err = yamledit.Add(data, m.Key, m.Name, m.Value); err != nil {
		return addResult{}, err
	}
	return addResult{fileContent: fileContent{data, true}, record: rec}, nil
}

// memberArgv returns the command line of a member.
func memberArgv(value json.RawMessage) []string {
	var v struct {
		Cmd  string   `json:"cmd"`
		Args []string `json:"args"`
	}
	if json.Unmarshal(value, &v) != nil {
		return nil
	}
	return append([]string{v.Cmd}, v.Args...)
}

// removeMember removes the recorded member, if it still runs ken.
func removeMember(data []byte, r *record) ([]byte, error) {
	for _, e := range r.Entries {
		there, err := yamledit.Member(data, e.Keys[0], e.Name)
		if err != nil {
			return nil, err
		}
		if there == nil || !slices.Equal(memberArgv(there), e.Argv) {
			continue
		}
		if data, err = yamledit.Remove(data, e.Keys[0], e.Name, r.MadeMap); err != nil {
			return nil, err
		}
	}
	return data, nil
}
