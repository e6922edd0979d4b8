package app

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// endpoint answers both protocols with vectors that differ as the words of the texts do.
type endpoint struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string // of the requests, guarded by mu
	keys   map[string]bool
	fail   int // status to give, guarded by mu
}

func newEndpoint(t *testing.T) *endpoint {
	e := &endpoint{keys: map[string]bool{}}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e.mu.Lock()
		defer e.mu.Unlock()
		e.bodies = append(e.bodies, string(body))
		e.keys[r.Header.Get("Authorization")] = true
		if e.fail > 0 {
			http.Error(w, "\x1b[31mno\x1b[0m", e.fail)
			return
		}
		var in struct{ Input []string }
		if err := json.Unmarshal(body, &in); err != nil {
			t.Error(err)
		}
		var plain [][]float32
		var data []map[string]any
		for i, text := range in.Input {
			v := make([]float32, 64)
			for _, word := range strings.Fields(strings.ToLower(text)) {
				n := 0
				for _, c := range word {
					n = n*31 + int(c)
				}
				v[(n%64+64)%64]++
			}
			plain = append(plain, v)
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		json.NewEncoder(w).Encode(map[string]any{"embeddings": plain, "data": data})
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) requests() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.bodies)
}

// TestEmbeddingSecrets plants credentials and makes sure that none is sent, with
// passages or with queries, in either protocol, and that none is kept.
func TestEmbeddingSecrets(t *testing.T) {
	list := plants(300, 1)
	const control = "zebracrossingwithoutcars"
	needles := newNeedles(list, control)
	files := map[string]string{"go/control.go": "package pkg\n\n// " + control + " is no secret.\nfunc Control() {}\n"}
	for _, p := range list {
		files[p.path] = p.text
	}
	for _, api := range []string{"openai", "ollama"} {
		e := newEndpoint(t)
		p, out, errs := program(t, files)
		env := map[string]string{"KEN_EMBEDDING_URL": e.URL, "KEN_EMBEDDING_MODEL": "m", "KEN_EMBEDDING_API": api, "KEN_EMBEDDING_KEY_ENV": "THE_KEY", "THE_KEY": "sesame"}
		p.Getenv = with(p.Getenv, env)
		if code := p.run(t.Context(), "index", "--embed"); code != Found || !strings.Contains(out.String(), "embedded ") {
			t.Fatalf("exit %d: %s", code, errs)
		}
		sent := e.requests()
		for _, plant := range list[:40] {
			if code := p.run(t.Context(), "find", "where is the token = \""+plant.value+"\" used"); code == Failed {
				t.Fatalf("exit %d: %s", code, errs)
			}
		}
		if e.requests() < sent+40 {
			t.Errorf("%s: %d requests for 40 queries", api, e.requests()-sent)
		}
		control := 0
		for _, body := range e.bodies {
			for v := range needles.in([]byte(body)) {
				if v == "zebracrossingwithoutcars" {
					control++
					continue
				}
				at := strings.Index(strings.ToLower(body), strings.ToLower(v))
				t.Errorf("%s: sent %q: …%s…", api, v, body[max(0, at-100):min(len(body), at+100)])
			}
		}
		if control == 0 {
			t.Error("the control was not sent: the test looks at nothing")
		}
		if !e.keys["Bearer sesame"] || len(e.keys) != 1 {
			t.Errorf("keys %v", e.keys)
		}
		for _, name := range []string{"vectors.db", "vectors.db-wal"} {
			data, err := os.ReadFile(filepath.Join(p.Dir, ".ken", name))
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			if found := needles.in(data); len(found) > 0 || strings.Contains(string(data), "sesame") {
				t.Errorf("%s holds %v", name, found)
			}
		}
	}
}

// TestEmbeddingOff: no connection is made unless the user's own settings name an
// endpoint, whatever a project says.
func TestEmbeddingOff(t *testing.T) {
	e := newEndpoint(t)
	p, _, errs := program(t, map[string]string{
		".ken/config.yml": "embedding:\n  url: " + e.URL + "\n  model: m\n", "a.go": "package a\n\n// F is a function.\nfunc F() {}\n",
	})
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"index"}, Found}, {[]string{"find", "function"}, Found}, {[]string{"index", "--embed", "--dry-run"}, Found},
		{[]string{"index", "--embed"}, Failed}, {[]string{"brief", "function"}, Found}, {[]string{"index", "--dry-run"}, Failed},
	} {
		errs.Reset()
		if code := p.run(t.Context(), c.args...); code != c.code || !strings.Contains(errs.String(), "embedding is not a setting of projects") && c.args[len(c.args)-1] != "--dry-run" {
			t.Errorf("%v: exit %d: %s", c.args, code, errs)
		}
	}
	if n := e.requests(); n > 0 {
		t.Errorf("%d requests", n)
	}
	// With an endpoint, but without vectors, a search asks nobody either.
	p.Getenv = with(p.Getenv, map[string]string{"KEN_EMBEDDING_URL": e.URL, "KEN_EMBEDDING_MODEL": "m"})
	if code := p.run(t.Context(), "find", "function"); code != Found || e.requests() > 0 {
		t.Errorf("exit %d, %d requests: %s", code, e.requests(), errs)
	}
}

// TestEmbeddingWithoutState: where no vectors can be kept, nothing is sent for them.
func TestEmbeddingWithoutState(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	e := newEndpoint(t)
	p, out, errs := program(t, map[string]string{"a.go": "package a\n\n// F is a function of doors.\nfunc F() {}\n"})
	p.Getenv = with(p.Getenv, map[string]string{"KEN_EMBEDDING_URL": e.URL, "KEN_EMBEDDING_MODEL": "m", "KEN_STATE": "/proc/self/x"})
	if code := p.run(t.Context(), "index", "--embed"); code != Failed || !strings.Contains(errs.String(), "vectors cannot be kept") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code := p.run(t.Context(), "find", "doors"); code != Found || !strings.Contains(out.String(), "a.go") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if n := e.requests(); n > 0 {
		t.Errorf("%d requests", n)
	}
}

// TestEmbeddingFails: an endpoint that fails is a warning of a search, and ends
// "ken index --embed".
func TestEmbeddingFails(t *testing.T) {
	e := newEndpoint(t)
	p, out, errs := program(t, map[string]string{"a.go": "package a\n\n// F is a function of doors.\nfunc F() {}\n"})
	p.Getenv = with(p.Getenv, map[string]string{"KEN_EMBEDDING_URL": e.URL, "KEN_EMBEDDING_MODEL": "m", "KEN_EMBEDDING_API": "ollama", "KEN_EMBEDDING_QUERY_TIMEOUT": "500ms"})
	if code := p.run(t.Context(), "index", "--embed"); code != Found {
		t.Fatalf("exit %d: %s", code, errs)
	}
	e.fail = 401
	out.Reset()
	if code := p.run(t.Context(), "find", "doors", "--json"); code != Found || !strings.Contains(out.String(), `"answered without embeddings: embedding endpoint `) || !strings.Contains(out.String(), `"a.go"`) {
		t.Errorf("exit %d: %s", code, out)
	}
	if s := errs.String(); strings.Count(s, "ken: warning: answered without embeddings") != 1 || !strings.Contains(s, "it says 401 Unauthorized") || strings.Contains(s, "\x1b") {
		t.Errorf("warned %q", s)
	}
	errs.Reset()
	e.Close()
	if code := p.run(t.Context(), "find", "doors"); code != Found || !strings.Contains(errs.String(), "answered without embeddings") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if err := os.WriteFile(filepath.Join(p.Dir, "b.go"), []byte("package a\n\n// G is new.\nfunc G() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code := p.run(t.Context(), "index", "--embed"); code != Failed || !strings.Contains(errs.String(), "embedding endpoint "+strings.TrimPrefix(e.URL, "http://")) {
		t.Errorf("exit %d: %s", code, errs)
	}
}
