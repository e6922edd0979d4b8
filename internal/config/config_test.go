package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// load writes the files that are not empty and loads settings over them.
func load(t *testing.T, user, project string, env map[string]string) (Settings, []string, error) {
	t.Helper()
	dir := t.TempDir()
	write := func(path, text string) {
		if text == "" {
			return
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "home", "ken", "config.yml"), user)
	write(filepath.Join(dir, "root", ".ken", "config.yml"), project)
	return Load(filepath.Join(dir, "root"), func(key string) string {
		if key == "XDG_CONFIG_HOME" {
			return filepath.Join(dir, "home")
		}
		return env[key]
	})
}

func TestLoad(t *testing.T) {
	for name, c := range map[string]struct {
		user, project string
		env           map[string]string
		want          Settings
		warnings      int
	}{
		"nothing": {},
		"empty":   {user: "# nothing\n", project: "---\n"},
		"project alone": {
			project: "exclude: [a, /b/]\ninclude: src\nmax_file_size: 1000\n",
			want:    Settings{Exclude: []string{"a", "/b/"}, Include: []string{"src"}, MaxFileSize: 1000},
		},
		"a project turns guards on": {
			user: "read_guard: \"off\"\n", project: "read_guard: on\nworkflow_guard: on\nstop_queries: on\n",
			want: Settings{ReadGuard: "on", WorkflowGuard: "on", StopQueries: "on"},
		},
		"a project turns no guard off": {
			user: "read_guard: on\n", project: "read_guard: off\nworkflow_guard: off\n", env: map[string]string{"KEN_WORKFLOW_GUARD": "on"},
			want: Settings{ReadGuard: "on", WorkflowGuard: "on"}, warnings: 2,
		},
		"a project turns what is kept off": {
			user: "query_log: on\n", project: "query_log: off\ncache: off\n", want: Settings{QueryLog: "off", Cache: "off"},
		},
		"and not on": {
			user: "query_log: off\ncache: off\n", project: "query_log: on\ncache: on\n", want: Settings{QueryLog: "off", Cache: "off"}, warnings: 2,
		},
		"the environment turns it off": {env: map[string]string{"KEN_QUERY_LOG": "off"}, want: Settings{QueryLog: "off"}},
		"what the user has turned off is not answered": {
			user: "stop_queries: off\n", project: "stop_queries: on\n", want: Settings{StopQueries: "off"}, warnings: 1,
		},
		"the environment turns a guard off": {
			user: "read_guard: on\n", env: map[string]string{"KEN_READ_GUARD": "off"}, want: Settings{ReadGuard: "off"},
		},
		"sets of tools": {
			user: "mcp_tools: [core, \"knowledge\"]\n", project: "mcp_tools: full\n", want: Settings{MCPTools: []string{"core", "knowledge"}}, warnings: 1,
		},
		"what stops writes is no setting of projects": {user: "task_guard: deny\n", project: "task_guard: advise\n", want: Settings{TaskGuard: "deny"}, warnings: 1},
		"a project demands an analysis sooner":        {project: "task_dependents: 3\n", want: Settings{TaskDependents: 3}},
		"and not later":                               {project: "task_dependents: 11\n", want: Settings{}, warnings: 1},
		"the user may": {
			user: "task_dependents: 50\n", project: "task_dependents: 30\n", want: Settings{TaskDependents: 30},
		},
		"the environment before the file": {
			user: "task_dependents: 50\n", env: map[string]string{"KEN_TASK_DEPENDENTS": "1_000"}, want: Settings{TaskDependents: 1000},
		},
		"the variable comes first":  {user: "task_guard: deny\n", env: map[string]string{"KEN_TASK_GUARD": "advise"}, want: Settings{TaskGuard: "advise"}},
		"sets of tools as one text": {user: "mcp_tools: core, knowledge\n", want: Settings{MCPTools: []string{"core", "knowledge"}}},
		"the environment chooses the sets of tools": {
			user: "mcp_tools: core\n", env: map[string]string{"KEN_MCP_TOOLS": "full"}, want: Settings{MCPTools: []string{"full"}},
		},
		"user alone": {
			user: "exclude:\n  - \"*.gen.go\"\nmax_file_size: 2MB\ncolor: never\n",
			want: Settings{Exclude: []string{"*.gen.go"}, MaxFileSize: 2_000_000, Color: "never", Own: Own{Exclude: []string{"*.gen.go"}}},
		},
		"environment wins, exclude adds up": {
			user:    "exclude: u\ninclude: ui\nmax_file_size: 5000\ncolor: never\n",
			project: "exclude: p\ninclude: pi\nmax_file_size: 300\n",
			env:     map[string]string{"KEN_EXCLUDE": "e1, e2,", "KEN_INCLUDE": "ei", "KEN_MAX_FILE_SIZE": "4000", "KEN_COLOR": "always"},
			want: Settings{Exclude: []string{"e1", "e2", "u", "p"}, Include: []string{"ei"}, MaxFileSize: 300, Color: "always",
				Own: Own{Exclude: []string{"e1", "e2", "u"}, Include: []string{"ei"}}},
		},
		"a project cannot widen": {
			project:  "max_file_size: 500001\ncolor: always\nrun: x\nexec: {a: b}\n",
			warnings: 4,
		},
		"a project can use what the user allows": {
			user: "max_file_size: 1MB\n", project: "max_file_size: 900_000\n",
			want: Settings{MaxFileSize: 900_000},
		},
		"fewer commits": {
			user: "history_commits: 30_000\n", project: "history_commits: 25000\n",
			want: Settings{HistoryCommits: 25_000},
		},
		"no more commits": {
			project: "history_commits: 20001\n", env: map[string]string{"KEN_HISTORY_COMMITS": "500"},
			want: Settings{HistoryCommits: 500}, warnings: 1,
		},
		"a project switches history off": {project: "history_commits: off\n", want: Settings{HistoryCommits: -1}},
		"nor on":                         {user: "history_commits: \"off\"\n", project: "history_commits: 5\n", want: Settings{HistoryCommits: -1}, warnings: 1},
		"allowed secrets add up": {
			user:    "allow_secrets: [{rule: r, path: a/b, hash: 00112233445566778899aabbccddeeff}]\n",
			project: "allow_secrets:\n  - rule: s\n    path: c\n    hash: 00000000000000000000000000000012\n  - hash: 11111111111111111111111111111e12\n    rule: t\n    path: d\n",
			want: Settings{AllowSecrets: []AllowedSecret{{"r", "a/b", "00112233445566778899aabbccddeeff"},
				{"s", "c", "00000000000000000000000000000012"}, {"t", "d", "11111111111111111111111111111e12"}},
				Own: Own{AllowSecrets: []AllowedSecret{{"r", "a/b", "00112233445566778899aabbccddeeff"}}}},
		},
		"an endpoint": {
			user: "embedding:\n  url: https://example.com/v1\n  model: m\n  key_env: MY_KEY\n  dimensions: 256\n  batch: 8\n  timeout: 30s\n  query_timeout: 500ms\n  other: x\n",
			want: Settings{Embedding: Embedding{URL: "https://example.com/v1", Model: "m", API: "openai", KeyEnv: "MY_KEY", Dimensions: 256, Batch: 8,
				Timeout: 30 * time.Second, QueryTimeout: 500 * time.Millisecond}},
			warnings: 1,
		},
		"the environment's endpoint": {
			user: "embedding: {url: https://example.com/v1, model: m, api: ollama}\n",
			env:  map[string]string{"KEN_EMBEDDING_URL": "http://localhost:1", "KEN_EMBEDDING_MODEL": "n"},
			want: Settings{Embedding: Embedding{URL: "http://localhost:1", Model: "n", API: "ollama", Batch: DefaultBatch}},
		},
		"no endpoint for once": {
			user: "embedding: {url: https://example.com/v1, model: m}\n",
			env:  map[string]string{"KEN_EMBEDDING_URL": "off"},
		},
		"no endpoint": {user: "embedding: {url: off, model: m}\n"},
		"a project sends code nowhere": {
			project:  "embedding: {url: https://evil.example.com/v1, model: m}\n",
			warnings: 1,
		},
		"nor elsewhere": {
			user:    "embedding: {url: https://example.com/v1, model: m}\n",
			project: "embedding: {url: https://evil.example.com/v1, model: n, api: ollama, key_env: HOME}\n",
			want:    Settings{Embedding: Embedding{URL: "https://example.com/v1", Model: "m", API: "openai", Batch: DefaultBatch}}, warnings: 1,
		},
		"anchors are not expanded": {
			project:  "x: &a [b]\nexclude: c\n",
			want:     Settings{Exclude: []string{"c"}},
			warnings: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, warnings, err := load(t, c.user, c.project, c.env)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if len(warnings) != c.warnings {
				t.Errorf("warnings: %q", warnings)
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	for name, c := range map[string]struct {
		project string
		env     map[string]string
		want    string // end of the message
	}{
		"size":         {project: "a: 1\nmax_file_size: big\n", want: "config.yml:2: max_file_size " + sizeReason},
		"negative":     {project: "max_file_size: -1\n", want: sizeReason},
		"overflow":     {project: "max_file_size: 99999999999GB\n", want: sizeReason},
		"patterns":     {project: "exclude:\n  - a\n  - {b: c}\n", want: "config.yml:3: exclude must be a pattern or a list of patterns"},
		"alias":        {project: "x: &a b\nexclude: *a\n", want: "exclude must be a pattern or a list of patterns"},
		"list":         {project: "- a\n", want: "config.yml:1: must be a mapping of settings"},
		"too long":     {project: strings.Repeat("#", maxConfigFile+1), want: "is larger than 16384 bytes"},
		"nesting":      {project: strings.Repeat("[", maxBrackets+1), want: "at most 1000 are read"},
		"environment":  {env: map[string]string{"KEN_MAX_FILE_SIZE": "x"}, want: "KEN_MAX_FILE_SIZE: " + sizeReason},
		"commits":      {project: "history_commits: 0\n", want: "config.yml:1: history_commits " + commitsReason},
		"commits2":     {project: "history_commits: 1000001\n", want: commitsReason},
		"environment3": {env: map[string]string{"KEN_HISTORY_COMMITS": "-1"}, want: "KEN_HISTORY_COMMITS: " + commitsReason},
		"dependents":   {project: "task_dependents: 0\n", want: "config.yml:1: task_dependents " + dependentsReason},
		"dependents2":  {project: "task_dependents: many\n", want: dependentsReason},
		"environment4": {env: map[string]string{"KEN_TASK_DEPENDENTS": "-3"}, want: "KEN_TASK_DEPENDENTS: " + dependentsReason},
		"environment2": {env: map[string]string{"KEN_COLOR": "x"}, want: "KEN_COLOR: " + colorReason},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := load(t, "", c.project, c.env)
			var bad *Error
			if !errors.As(err, &bad) || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("got %v, want …%s", err, c.want)
			}
		})
	}
	t.Run("not YAML", func(t *testing.T) {
		_, _, err := load(t, "", "exclude: [a\nb: c\n", nil)
		if err == nil || !strings.Contains(err.Error(), "is not YAML: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v", err)
		}
	})
}

func TestEmbeddingErrors(t *testing.T) {
	for name, c := range map[string]struct {
		user string
		env  map[string]string
		want string // end of the message
	}{
		"no model":    {user: "embedding: {url: http://localhost}\n", want: "embedding: needs both a url and a model"},
		"no url":      {env: map[string]string{"KEN_EMBEDDING_MODEL": "m"}, want: "embedding: needs both a url and a model"},
		"a key":       {user: "embedding:\n  url: https://x/v1\n  model: m\n  key_env: sk-abc\n", want: "config.yml:4: embedding.key_env must be the name of the environment variable that holds the key, not the key"},
		"no text":     {user: "embedding: on\n", want: "config.yml:1: embedding must be a mapping with url, model and others"},
		"file":        {user: "embedding: {url: file:///x, model: m}\n", want: "embedding.url must be a URL that begins with https:// or http://, or off"},
		"api":         {user: "embedding: {api: grpc}\n", want: "embedding.api must be openai or ollama"},
		"dimensions":  {user: "embedding: {dimensions: 99999}\n", want: "from 1 to 16384"},
		"batch":       {user: "embedding: {batch: 0}\n", want: "from 1 to 2048"},
		"list":        {user: "embedding: {model: [m]}\n", want: "must be the name of a model"},
		"timeout":     {user: "embedding: {timeout: 3}\n", want: timeoutReason},
		"environment": {env: map[string]string{"KEN_EMBEDDING_QUERY_TIMEOUT": "-2s"}, want: "KEN_EMBEDDING_QUERY_TIMEOUT: " + timeoutReason},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := load(t, c.user, "", c.env)
			var bad *Error
			if !errors.As(err, &bad) || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("got %v, want …%s", err, c.want)
			}
		})
	}
}

func TestLoadLink(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".ken"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(root, ".ken", "config.yml")); err != nil {
		t.Skip(err)
	}
	if _, _, err := Load(root, func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got %v", err)
	}
}

// TestDocumented keeps docs/settings.md complete.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	for i := range reflect.TypeFor[Settings]().NumField() {
		name := reflect.TypeFor[Settings]().Field(i).Name
		if name == "Own" {
			continue // no setting: which of the others are the user's
		}
		key := map[string]string{"Exclude": "exclude", "Include": "include", "MaxFileSize": "max_file_size", "Color": "color", "AllowSecrets": "allow_secrets", "HistoryCommits": "history_commits", "Cache": "cache", "QueryLog": "query_log", "Embedding": "embedding", "MCPTools": "mcp_tools",
			"ReadGuard": "read_guard", "WorkflowGuard": "workflow_guard", "StopQueries": "stop_queries", "TaskGuard": "task_guard", "TaskDependents": "task_dependents"}[name]
		if key == "" {
			t.Fatalf("say here which key sets %s", name)
		}
		wants := []string{"`" + key + "`", "`KEN_" + strings.ToUpper(key) + "`"}
		if key == "allow_secrets" { // a list of mappings fits no variable
			wants = wants[:1]
		}
		if key == "embedding" {
			wants = wants[:1]
			for _, k := range embeddingKeys() {
				wants = append(wants, "`"+k.name+"`", "`KEN_EMBEDDING_"+strings.ToUpper(k.name)+"`")
			}
		}
		for _, want := range wants {
			if !strings.Contains(string(page), want) {
				t.Errorf("docs/settings.md does not mention %s", want)
			}
		}
	}
}

// FuzzParse checks that no file makes the reader fail otherwise than with an
// error that says where, and that a project's file never widens anything.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "exclude: [a]", "exclude:\n- a\n- b", "max_file_size: 10kB\n", "a: &x [*x]", "? a\n: b", "exclude: |\n  a\n  b", strings.Repeat("[", 3000), strings.Repeat("a: {", 500), "\xff\x00", "---\n...\n---\na: b", "<<: *a", "!!binary x", "exclude: !t a", "embedding: {url: http://x, model: m}", "embedding:\n  timeout: 2s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > maxConfigFile {
			return
		}
		start := time.Now()
		l, err := parse("f", []byte(s), false)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("took %v", d)
		}
		var bad *Error
		if err != nil && !errors.As(err, &bad) {
			t.Errorf("error without a place: %v", err)
		}
		if got := (Settings{}).narrow(l, new([]string)); got.MaxFileSize > DefaultMaxFileSize || got.HistoryCommits > DefaultHistoryCommits || got.Color != "" || got.Embedding != (Embedding{}) {
			t.Errorf("widened: %+v", got)
		}
	})
}

func TestCache(t *testing.T) {
	for name, c := range map[string]struct {
		user, project string
		env           map[string]string
		want          string
		warnings      int
	}{
		"on":                           {env: map[string]string{"HOME": "/h"}, want: "/h/.cache/ken"},
		"its own variable":             {env: map[string]string{"HOME": "/h", "XDG_CACHE_HOME": "/c"}, want: "/c/ken"},
		"a relative one":               {env: map[string]string{"HOME": "/h", "XDG_CACHE_HOME": "c"}, want: "/h/.cache/ken"},
		"no home":                      {},
		"environment":                  {env: map[string]string{"HOME": "/h", "KEN_CACHE": "off"}},
		"environment over the user":    {user: "cache: off\n", env: map[string]string{"HOME": "/h", "KEN_CACHE": "on"}, want: "/h/.cache/ken"},
		"user":                         {user: "cache: off\n", env: map[string]string{"HOME": "/h"}},
		"a project turns it off":       {project: "cache: off\n", env: map[string]string{"HOME": "/h", "KEN_CACHE": "on"}},
		"a project cannot turn it on":  {user: "cache: off\n", project: "cache: on\n", env: map[string]string{"HOME": "/h"}, warnings: 1},
		"a project that says it is on": {project: "cache: on\n", env: map[string]string{"HOME": "/h"}, want: "/h/.cache/ken"},
	} {
		t.Run(name, func(t *testing.T) {
			s, warnings, err := load(t, c.user, c.project, c.env)
			if err != nil || len(warnings) != c.warnings {
				t.Fatalf("%v, warnings %q", err, warnings)
			}
			if got := s.CacheDir(func(k string) string { return c.env[k] }); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	for _, bad := range []string{"cache: maybe\n", "cache: [on]\n"} {
		if _, _, err := load(t, bad, "", nil); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if _, _, err := load(t, "", "", map[string]string{"KEN_CACHE": "1"}); err == nil {
		t.Error("KEN_CACHE=1 is taken")
	}
}

func TestStateDir(t *testing.T) {
	for name, c := range map[string]struct {
		env  map[string]string
		want string
		bad  bool
	}{
		"the platform's":  {env: map[string]string{"HOME": "/h"}, want: "/h/.local/state/ken"},
		"its variable":    {env: map[string]string{"HOME": "/h", "XDG_STATE_HOME": "/s"}, want: "/s/ken"},
		"a relative one":  {env: map[string]string{"HOME": "/h", "XDG_STATE_HOME": "s"}, want: "/h/.local/state/ken"},
		"ken's own":       {env: map[string]string{"HOME": "/h", "XDG_STATE_HOME": "/s", "KEN_STATE": "/k/"}, want: "/k"},
		"nowhere":         {},
		"ken's, relative": {env: map[string]string{"HOME": "/h", "KEN_STATE": "k"}, bad: true},
	} {
		got, err := StateDir(func(k string) string { return c.env[k] })
		if got != c.want || (err != nil) != c.bad {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
