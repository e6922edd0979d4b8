// Package recorded has one payload of each event in the form that Claude Code writes to
// hooks and to a status line, with the project that they are about. "ken doctor" hands
// them to the commands that are installed, because only an event can show what a hook
// answers. Its neighbour workflow/agent/claude reads them.
package recorded

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed *.json
var payloads embed.FS

// StatusLine names the payload of a status line; all others are named as the event.
const StatusLine = "statusline"

// inPayloads is the path of the project in the payloads.
const inPayloads = "/project"

// Payload is the payload of an event in the project at root.
func Payload(name, root string) ([]byte, error) {
	raw, err := payloads.ReadFile(name + ".json")
	if err != nil {
		return nil, fmt.Errorf("there is no payload of %s: %w", name, err)
	}
	quoted, err := json.Marshal(root)
	if err != nil {
		return nil, err
	}
	path := strings.Trim(string(quoted), `"`)
	text := strings.ReplaceAll(string(raw), `"`+inPayloads+`/`, `"`+path+`/`)
	return []byte(strings.ReplaceAll(text, `"`+inPayloads+`"`, `"`+path+`"`)), nil
}

// files are the project that the payloads are about.
const (
	cartFile = `package cart

// Total is what all items of a cart cost together.
func Total(prices []int) (sum int) {
	for _, p := range prices {
		sum += p
	}
	return sum
}
`
	orderFile = `package cart

// Order says what an order costs, with its delivery.
func Order(prices []int) int { return Total(prices) + 5 }
`
)

// MakeProject writes the project into a directory, which it makes.
func MakeProject(root string) error {
	if err := os.MkdirAll(root, 0o700); err != nil {
		return err
	}
	for name, text := range map[string]string{"go.mod": "module cart\n\ngo 1.24\n", "cart.go": cartFile, "order.go": orderFile} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
