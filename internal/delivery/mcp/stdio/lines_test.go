package stdio

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"ken/internal/delivery/mcp/scope"
	"ken/internal/delivery/mcp/wire"
)

// FuzzLines has a connection read anything: all that it answers is JSON, and it goes on to the end.
func FuzzLines(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	f.Add(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"},3]` + "\n[]\n[[]]\nnull\n\n{")
	f.Add(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`)
	f.Add(`{"jsonrpc":"2.0","id":"x","method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":[]}}}`)
	f.Fuzz(func(t *testing.T, in string) {
		var out bytes.Buffer
		l := New(&out, &scope.Scope{})
		l.revision = wire.WithBatches
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for {
				select {
				case <-l.Session.in:
				case <-l.Single.in:
				case <-l.Ended:
					return
				}
			}
		}()
		l.Read(strings.NewReader(in))
		<-ended
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%q", line)
			}
		}
	})
}
