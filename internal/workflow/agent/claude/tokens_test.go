package claude

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTokensUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "transcript.jsonl")
	message := func(id, usage string) string {
		return `{"type":"assistant","message":{"id":"` + id + `","role":"assistant","content":[],"usage":{` + usage + `}}}` + "\n"
	}
	text := `{"type":"user","message":{"role":"user","content":"say \"usage\""}}` + "\n" +
		message("m1", `"input_tokens":10,"cache_creation_input_tokens":100,"cache_read_input_tokens":9000,"output_tokens":1`) +
		message("m1", `"input_tokens":10,"cache_creation_input_tokens":100,"cache_read_input_tokens":9000,"output_tokens":30`) +
		"no JSON with \"usage\"\n" +
		`{"usage":"` + strings.Repeat("x", maxLine) + `"}` + "\n" +
		message("m2", `"input_tokens":5,"output_tokens":"many"`) +
		message("m3", `"input_tokens":-5,"output_tokens":9223372036854775807`) +
		strings.TrimSuffix(message("m4", `"input_tokens":1,"output_tokens":2`), "\n")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := TokensUsed(path, 32<<20); got != 143 || err != nil {
		t.Errorf("%d tokens, want 143; %v", got, err)
	}
	agents := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents")
	if err := os.MkdirAll(agents, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"agent-1.jsonl": message("m1", `"input_tokens":1000`), "agent-1.meta.json": message("m1", `"input_tokens":7`)} {
		if err := os.WriteFile(filepath.Join(agents, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := TokensUsed(path, 32<<20); got != 1143 || err != nil {
		t.Errorf("with a sub-agent %d tokens, want 1143; %v", got, err)
	}
	for _, c := range []struct {
		path  string
		most  int64
		fails bool
	}{{path, 100, false}, {path + ".none", 1 << 20, false}, {filepath.Dir(path), 1 << 20, true}} {
		if got, err := TokensUsed(c.path, c.most); got != 0 || (err != nil) != c.fails {
			t.Errorf("%+v: %d, %v", c, got, err)
		}
	}
}
