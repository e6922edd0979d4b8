package hook

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"ken/internal/delivery/project"
)

// TestBrokenOff: a runtime ends the hooks that it does not wait for when it ends itself, which
// is no fault. One that it waits for was too slow then, which is one.
func TestBrokenOff(t *testing.T) {
	fault := errors.New("broken off")
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		event string
		ctx   context.Context
		noted bool
	}{{"stop-async", ended, false}, {"stop-async", t.Context(), true}, {"stop", ended, true}} {
		noted := false
		h := Command{
			Args: []string{"claude", c.event}, Stdin: strings.NewReader(`{"hook_event_name":"Stop","cwd":"/p"}`), Stdout: io.Discard, Now: time.Now,
			Getenv: func(string) string { return "" }, Open: func(string) (*project.Project, error) { return nil, fault },
			Debug: func(err error) { noted = noted || errors.Is(err, fault) },
		}
		if err := h.Run(c.ctx); err != nil || noted != c.noted {
			t.Errorf("%s: %v, noted %v", c.event, err, noted)
		}
	}
}

// TestVoid: a prompt without a text is not handled, one with a text is.
func TestVoid(t *testing.T) {
	for prompt, want := range map[string]bool{"": false, "go on": true} {
		opened := false
		h := Command{
			Args: []string{"qwen", "user-prompt-submit"}, Stdin: strings.NewReader(`{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"/p","prompt":"` + prompt + `"}`),
			Stdout: io.Discard, Now: time.Now, Getenv: func(string) string { return "" }, Debug: func(error) {},
			Open: func(string) (*project.Project, error) { opened = true; return nil, nil },
		}
		if err := h.Run(t.Context()); err != nil || opened != want || h.Void == want {
			t.Errorf("prompt %q: %v, handled %v, void %v", prompt, err, opened, h.Void)
		}
	}
}
