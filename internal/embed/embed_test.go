package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// vectorOf is a vector that tells texts apart.
func vectorOf(text string) []float32 { return []float32{float32(len(text)), 1, 0.5} }

// serve answers in both protocols and keeps the requests.
func serve(t *testing.T, seen *[]*http.Request, bodies *[]map[string]any) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		*seen, *bodies = append(*seen, r), append(*bodies, body)
		var data []map[string]any
		var plain [][]float32
		for i, x := range body["input"].([]any) {
			v := vectorOf(x.(string))
			plain = append(plain, v)
			data = append([]map[string]any{{"object": "embedding", "index": i, "embedding": v}}, data...) // in another order
		}
		switch r.URL.Path {
		case "/v1/embeddings":
			json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data, "model": body["model"]})
		case "/api/embed":
			json.NewEncoder(w).Encode(map[string]any{"embeddings": plain, "model": body["model"]})
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func must(t *testing.T, o Options) *Client {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	c.sleep = func(context.Context, time.Duration) error { return nil }
	return c
}

func TestProtocols(t *testing.T) {
	var seen []*http.Request
	var bodies []map[string]any
	s := serve(t, &seen, &bodies)
	texts := []string{"a", "bcd", "ef\xff"}
	want := [][]float32{{1, 1, 0.5}, {3, 1, 0.5}, {float32(len("ef\ufffd")), 1, 0.5}}
	for _, o := range []Options{
		{URL: s.URL + "/v1", API: "openai", Model: "m", Key: func() string { return "k1\n" }},
		{URL: s.URL + "/v1/embeddings", API: "openai", Model: "m", Dimensions: 3},
		{URL: s.URL, API: "ollama", Model: "m"},
		{URL: s.URL + "/api/embed/", API: "ollama", Model: "m"},
	} {
		got, err := must(t, o).Embed(t.Context(), texts)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if got := seen[0].Header.Get("Authorization"); got != "Bearer k1" {
		t.Errorf("authorization %q", got)
	}
	if got := seen[1].Header.Get("Authorization"); got != "" {
		t.Errorf("authorization %q", got)
	}
	if bodies[1]["dimensions"] != 3.0 || bodies[0]["dimensions"] != nil || bodies[0]["encoding_format"] != "float" || bodies[2]["truncate"] != true || bodies[0]["model"] != "m" {
		t.Errorf("asked %v", bodies)
	}
	if list, err := must(t, Options{URL: "http://127.0.0.1:1", API: "ollama", Model: "m"}).Embed(t.Context(), nil); list != nil || err != nil {
		t.Errorf("nothing asked: %v, %v", list, err)
	}
}

func TestNew(t *testing.T) {
	key := func() string { return "k" }
	for name, c := range map[string]struct {
		o  Options
		ok bool
	}{
		"plain":            {Options{URL: "http://example.com", API: "ollama", Model: "m"}, true},
		"key by TLS":       {Options{URL: "https://example.com/v1?x=y#z", API: "openai", Model: "m", Key: key}, true},
		"key to here":      {Options{URL: "http://[::1]:8080", API: "openai", Model: "m", Key: key}, true},
		"key in the clear": {Options{URL: "http://example.com", API: "openai", Model: "m", Key: key}, false},
		"no model":         {Options{URL: "http://localhost", API: "openai"}, false},
		"no API":           {Options{URL: "http://localhost", API: "x", Model: "m"}, false},
		"no host":          {Options{URL: "http://", API: "openai", Model: "m"}, false},
		"a file":           {Options{URL: "file:///etc/passwd", API: "openai", Model: "m"}, false},
		"a password":       {Options{URL: "https://u:p@example.com", API: "openai", Model: "m"}, false},
		"no URL":           {Options{URL: "%", API: "openai", Model: "m"}, false},
	} {
		if _, err := New(c.o); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	a, b := must(t, Options{URL: "http://localhost/v1", API: "openai", Model: "m"}), must(t, Options{URL: "http://localhost/v1", API: "openai", Model: "n"})
	if a.Model() == b.Model() || a.Model() != must(t, Options{URL: "http://localhost/v1/", API: "openai", Model: "m"}).Model() {
		t.Error("models are told apart wrongly")
	}
}

// TestRefused checks what becomes of answers that are none.
func TestRefused(t *testing.T) {
	elsewhere := atomic.Int32{}
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	say := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"not JSON":     {say("<html>hello</html>"), "its answer is not what was expected"},
		"empty":        {say(""), "its answer is not what was expected"},
		"null":         {say("null"), "0 vectors for 2 texts"},
		"too few":      {say(`{"data":[{"index":0,"embedding":[1]}]}`), "1 vectors for 2 texts"},
		"twice":        {say(`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`), "no vector for each"},
		"far":          {say(`{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}`), "no vector for each"},
		"none":         {say(`{"data":[{"embedding":[1]},{}]}`), "no vector for each"},
		"unequal":      {say(`{"data":[{"embedding":[1,2]},{"embedding":[1]}]}`), "vectors of 2 and of 1 numbers"},
		"no numbers":   {say(`{"data":[{"embedding":[]},{"embedding":[]}]}`), "a vector of 0 numbers"},
		"texts":        {say(`{"data":[{"embedding":"AAAA"},{"embedding":"AAAA"}]}`), "not what was expected"},
		"out of range": {say(`{"data":[{"embedding":[1e300]},{"embedding":[1]}]}`), "not what was expected"},
		"too long":     {say(`{"data":[{"embedding":[1` + strings.Repeat(",1", MaxDimensions) + `]},{"embedding":[1]}]}`), "a vector of 16385 numbers"},
		"huge":         {func(w http.ResponseWriter, _ *http.Request) { io.CopyN(w, blanks{}, limit(2)+2) }, "larger than"},
		"deep":         {say(strings.Repeat("[", 1<<20)), "not what was expected"},
		"breaks off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "999")
			io.WriteString(w, "{")
		}, "breaks off"},
		"no key": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "bad key  SESAME\nhere", http.StatusUnauthorized)
		}, "it says 401 Unauthorized: bad key … here"},
		"too long a text": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, strings.Repeat("x", 5000), http.StatusBadRequest)
		}, "it says 400 Bad Request: " + strings.Repeat("x", maxSaid)},
		"broken": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oops", http.StatusInternalServerError) }, "it says 500 Internal Server Error: oops"},
		"moved": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}, "it redirects elsewhere"},
		"moved here": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusPermanentRedirect)
		}, "it redirects elsewhere"},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(c.answer)
			defer s.Close()
			list, err := must(t, Options{URL: s.URL, API: "openai", Model: "m", Key: func() string { return "SESAME" }}).Embed(t.Context(), []string{"a", "b"})
			if list != nil || err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "SESAME") {
				t.Errorf("got %v, want …%s", err, c.want)
			}
		})
	}
	if elsewhere.Load() > 0 {
		t.Error("a redirect was followed")
	}
}

// blanks is white space without end, which JSON may begin with.
type blanks struct{}

func (blanks) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

func TestDimensions(t *testing.T) {
	var seen []*http.Request
	var bodies []map[string]any
	s := serve(t, &seen, &bodies)
	_, err := must(t, Options{URL: s.URL, API: "ollama", Model: "m", Dimensions: 4}).Embed(t.Context(), []string{"a"})
	if err == nil || !strings.Contains(err.Error(), "vectors of 3 numbers, 4 are set") {
		t.Errorf("got %v", err)
	}
}

func TestBusy(t *testing.T) {
	calls := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls < 3 {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(429)
			return
		}
		fmt.Fprint(w, `{"embeddings":[[1,2]]}`)
	}))
	defer s.Close()
	c := must(t, Options{URL: s.URL, API: "ollama", Model: "m"})
	var waits []time.Duration
	c.sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	if _, err := c.Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]time.Duration{7 * time.Second, 7 * time.Second}, waits); diff != "" {
		t.Error(diff)
	}
	// There is no time to come again.
	calls = 0
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if _, err := c.Embed(ctx, []string{"a"}); err == nil || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestLate(t *testing.T) {
	done := make(chan bool)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // then the end of the connection is seen
		select {
		case <-done:
		case <-r.Context().Done():
		}
	}))
	defer s.Close()
	defer close(done)
	c := must(t, Options{URL: s.URL, API: "openai", Model: "m", Timeout: 50 * time.Millisecond})
	start := time.Now()
	if _, err := c.Embed(t.Context(), []string{"a"}); err == nil || !strings.HasSuffix(err.Error(), "it did not answer in time") || time.Since(start) > 20*time.Second {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Embed(ctx, []string{"a"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	s2 := httptest.NewServer(http.NotFoundHandler())
	s2.Close()
	if _, err := must(t, Options{URL: s2.URL + "/?secret=x", API: "openai", Model: "m"}).Embed(t.Context(), []string{"a"}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}

// FuzzAnswer feeds both readers with answers of any form.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{"", "null", `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[0.5e-3]}]}`, `{"embeddings":[[1],[2,3]]}`, `{"data":[{"index":-1}]}`, "[[[["} {
		f.Add([]byte(s), 2)
	}
	f.Fuzz(func(t *testing.T, body []byte, n int) {
		if n < 1 || n > 100 {
			return
		}
		for _, read := range []func([]byte, int) ([][]float32, error){readOpenAI, readOllama} {
			list, err := read(body, n)
			if err == nil && len(list) != n {
				t.Errorf("%d vectors for %d texts", len(list), n)
			}
			if err == nil && check(list, 0) == nil {
				for _, v := range list {
					if len(v) != len(list[0]) || len(v) == 0 {
						t.Errorf("unequal vectors")
					}
				}
			}
		}
	})
}
