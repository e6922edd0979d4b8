package hook

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"ken/internal/delivery/project"
	"ken/internal/store/hookstate"
)

// statusOf returns the output of the status line with a command of the user's.
func statusOf(t *testing.T, own string, vars map[string]string) (string, []error) {
	t.Helper()
	var out bytes.Buffer
	var logged []error
	l := StatusLine{
		Stdin: strings.NewReader(`{"session_id":"s","model":{"display_name":"Opus"},"workspace":{"current_dir":"/work/shop","project_dir":"/work/shop"}}`), Stdout: &out,
		Dir: t.TempDir(), Now: time.Now, Gauge: hookstate.Gauge{}, Debug: func(err error) { logged = append(logged, err) },
		Open:   func(string) (*project.Project, error) { return nil, nil },
		Getenv: func(name string) string { return vars[name] },
		Shown:  func(s string) string { return s },
		Own: func(dirs []string) string {
			if dirs[1] != "/work/shop" {
				t.Error(dirs)
			}
			return own
		},
	}
	if err := l.Run(t.Context()); err != nil {
		t.Error(err)
	}
	return out.String(), logged
}

// TestRecordedStatus reads recorded input of Claude Code's status line.
func TestRecordedStatus(t *testing.T) {
	for name, want := range map[string]string{
		"StatusLine":      "Opus 5.5 │ greet\n",
		"StatusLine-used": "Opus 5.5 │ greet █████████░ 86%\n",
	} {
		raw, err := os.ReadFile("../../workflow/agent/claude/testdata/payloads/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		l := StatusLine{
			Stdin: bytes.NewReader(raw), Stdout: &out, Dir: t.TempDir(), Now: time.Now, Gauge: hookstate.Gauge{}, Debug: func(error) {},
			Open:   func(string) (*project.Project, error) { return nil, nil },
			Getenv: func(string) string { return "" },
			Shown:  func(s string) string { return s },
		}
		if err := l.Run(t.Context()); err != nil || out.String() != want {
			t.Errorf("%s: %q, want %q (%v)", name, out.String(), want, err)
		}
	}
}

func TestOwnLine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs /bin/sh")
	}
	const kens = "Opus │ shop\n"
	wide := map[string]string{"COLUMNS": "80"}
	for _, c := range []struct {
		own  string
		vars map[string]string
		want string
	}{
		{"", wide, kens},
		{"echo mine", wide, "mine │ " + kens},
		{"echo mine", nil, "mine\n" + kens},
		{"echo mine", map[string]string{"COLUMNS": "12"}, "mine\n" + kens},
		{`printf '\033[31mmine'`, wide, "\x1b[31mmine\x1b[0m │ " + kens},
		{"echo a; echo b", wide, "a\nb\n" + kens},
		{"seq 1 20", wide, "1\n2\n3\n4\n5\n6\n7\n8\n" + kens},
		{"true", wide, kens},
		{"cat | grep -o Opus", wide, "Opus │ " + kens}, // it gets the payload
		{"echo $KEN_STATUSLINE_ALONE", wide, "1 │ " + kens},
		{"echo mine", map[string]string{"COLUMNS": "80", Alone: "1"}, kens},
	} {
		if got, logged := statusOf(t, c.own, c.vars); got != c.want || len(logged) > 0 {
			t.Errorf("%q: %q, want %q; %v", c.own, got, c.want, logged)
		}
	}
}

// TestOwnLineFails: a failure of the user's command is logged, and ken's line is printed all the same and soon.
func TestOwnLineFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs /bin/sh")
	}
	start := time.Now()
	for own, want := range map[string]string{
		"echo broken; exit 3":            "status 3",
		"yes":                            "more than 16 kB",
		"sleep 60 & echo late; sleep 60": "within 2s",
	} {
		got, logged := statusOf(t, own, nil)
		if got != "Opus │ shop\n" || len(logged) != 1 || !strings.Contains(errors.Join(logged...).Error(), want) {
			t.Errorf("%q: %q, %v", own, got, logged)
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestShownWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "ab": 2, "äö│": 3, "\x1b[1;31mab\x1b[0m": 2, "\x1b]8;;http://x\x07link\x1b]8;;\x1b\\": 4, "a\x1b": 1, "a\x1b[12": 1, "\x1b7a": 1, "\xff": 1,
	} {
		if got := shownWidth(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}
