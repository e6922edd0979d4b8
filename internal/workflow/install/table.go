package install

import (
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Table is a table of a TOML file, which ken adds behind all others, between two lines of comment.
type Table struct {
	Path string
	What string
	Keys []string // of the table, from the outermost
	// Array reports whether the table is one of several of that name.
	Array bool
	Text  string // of the table with its header, without a line end at its end
}

// The lines around a table of ken's.
const (
	tableBegin = "# ken:begin"
	tableEnd   = "# ken:end"
)

func (t *Table) block() *Block {
	return &Block{Path: t.Path, What: t.What, Begin: tableBegin, End: tableEnd, Text: t.Text}
}

func (t *Table) newRecord() record { return t.block().newRecord() }

// addTo adds the table, unless the file has one of that name. It fails if the file is not TOML, before or afterwards: a table cannot be
// added to one that is written in a single line.
func (t *Table) addTo(cur fileContent, old *record) (addResult, error) {
	others := cur.data
	start, end, err := findBlock(cur.data, tableBegin, tableEnd)
	if err != nil {
		return addResult{}, err
	}
	if start >= 0 {
		others = replaceRange(cur.data, start, end, "")
	}
	var tree map[string]any
	if err := toml.Unmarshal(others, &tree); err != nil {
		return addResult{}, fmt.Errorf("it is not TOML: %w", err)
	}
	if !t.Array && hasKeys(tree, t.Keys) {
		note := strings.Join(t.Keys, ".") + " is there already and stays as it is"
		return addResult{fileContent: fileContent{others, cur.exists}, record: t.newRecord(), note: note}, nil
	}
	added, err := t.block().addTo(cur, old)
	if err != nil {
		return added, err
	}
	if err := toml.Unmarshal(added.data, &map[string]any{}); err != nil {
		return addResult{}, fmt.Errorf("%s cannot be added: %w", strings.Join(t.Keys, "."), err)
	}
	return added, nil
}

func hasKeys(tree map[string]any, keys []string) bool {
	for i, key := range keys {
		value, ok := tree[key]
		if !ok {
			return false
		}
		if i == len(keys)-1 {
			return true
		}
		if tree, ok = value.(map[string]any); !ok {
			return true // it is something else, in which no table can be
		}
	}
	return false
}
