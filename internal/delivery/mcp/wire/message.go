// Package wire reads the parts of a message of the Model Context Protocol that are needed before it is handed to the
// library: its id, method and revision, and whether it is several. Its neighbours are stdio and overhttp, which take
// messages.
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// MaxMessage is the longest message that is read, in bytes.
const MaxMessage = 32 << 20

// Protocol revisions that differ in how requests are handled.
const (
	WithBatches     = "2025-03-26" // the only one
	WithoutSessions = "2026-07-28" // this one and later ones
)

// maxBatch is the largest number of messages in a batch.
const maxBatch = 100

// ID returns the id in an invalid message, so that the client can match the answer.
func ID(line []byte) jsonrpc.ID {
	var m struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(line, &m) != nil {
		return jsonrpc.ID{}
	}
	id, err := jsonrpc.MakeID(m.ID)
	if err != nil {
		return jsonrpc.ID{}
	}
	return id
}

// ErrorLine returns the answer to an invalid message.
func ErrorLine(id jsonrpc.ID, code int, message string) []byte {
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id.Raw(), "error": map[string]any{"code": code, "message": message},
	})
	if err != nil {
		return nil // an id was read from JSON, so that it can be written
	}
	return line
}

// HasRevision reports whether a message states its protocol revision, as messages of revisions without sessions do.
func HasRevision(message []byte) bool {
	const key = "io.modelcontextprotocol/protocolVersion"
	if !bytes.Contains(message, []byte(key)) {
		return false
	}
	var m struct {
		Params struct {
			Meta map[string]any `json:"_meta"`
		} `json:"params"`
	}
	return json.Unmarshal(message, &m) == nil && m.Params.Meta[key] != nil
}

// Method returns the method of a message, "" if it has none.
func Method(message []byte) string {
	var m struct {
		Method string `json:"method"`
	}
	if json.Unmarshal(message, &m) != nil {
		return ""
	}
	return m.Method
}

// IsBatch reports whether a message is a list of several messages.
func IsBatch(message []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(message), []byte("[")) }

// BatchRefusal returns the reason why a batch is refused.
func BatchRefusal() string {
	return "batches are answered in the revision " + WithBatches + " alone: send each message for itself"
}

// SplitBatch returns the messages of a batch; refused is the reason why it cannot be answered, "" if it can.
func SplitBatch(message []byte) (all []json.RawMessage, refused string) {
	if json.Unmarshal(message, &all) != nil || len(all) == 0 || len(all) > maxBatch {
		return nil, fmt.Sprintf("a batch has 1 to %d messages", maxBatch)
	}
	for _, m := range all {
		if Method(m) == "initialize" {
			return nil, "initialize cannot be in a batch"
		}
	}
	return all, ""
}
