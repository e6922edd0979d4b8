package config

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// Embedding describes the endpoint for embeddings and the requests to it. Only the
// user can set it. The key itself is in no file: KeyEnv names the variable of the
// environment that has it.
type Embedding struct {
	URL          string        // of the API; "" means no endpoint
	Model        string        // its name at the endpoint
	API          string        // openai (the default) or ollama
	KeyEnv       string        // "" if there is no key
	Dimensions   int           // of the vectors; 0 leaves it to the model
	Batch        int           // texts a request; 0 means DefaultBatch
	Timeout      time.Duration // of a request of "ken index --embed"; 0 means the client's default
	QueryTimeout time.Duration // of the request a search makes; 0 means the engine's default
}

// DefaultBatch is the number of texts that are sent with one request.
const DefaultBatch = 32

// Limits of the numbers that can be set.
const (
	maxBatch      = 2048
	maxDimensions = 16384
	maxTimeout    = time.Hour
)

// embeddingKeys returns the keys below "embedding" with their parsers. The
// variable of a key is KEN_EMBEDDING_ with it in upper case.
func embeddingKeys() []embeddingKey {
	return []embeddingKey{
		{"url", "must be a URL that begins with https:// or http://, or off", func(e *Embedding, s string) bool {
			e.URL = s
			return s == "off" || strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
		}},
		{"model", "must be the name of a model", func(e *Embedding, s string) bool { e.Model = s; return s != "" && len(s) <= 200 }},
		{"api", "must be openai or ollama", func(e *Embedding, s string) bool { e.API = s; return s == "openai" || s == "ollama" }},
		{"key_env", "must be the name of the environment variable that holds the key, not the key", func(e *Embedding, s string) bool { e.KeyEnv = s; return isVariable(s) }},
		{"dimensions", "must be a number from 1 to 16384", func(e *Embedding, s string) (ok bool) { e.Dimensions, ok = count(s, maxDimensions); return ok }},
		{"batch", "must be a number of texts from 1 to 2048", func(e *Embedding, s string) (ok bool) { e.Batch, ok = count(s, maxBatch); return ok }},
		{"timeout", timeoutReason, func(e *Embedding, s string) (ok bool) { e.Timeout, ok = duration(s); return ok }},
		{"query_timeout", timeoutReason, func(e *Embedding, s string) (ok bool) { e.QueryTimeout, ok = duration(s); return ok }},
	}
}

const timeoutReason = `must be a time such as "500ms" or "2s", an hour at most`

type embeddingKey struct {
	name, reason string
	set          func(e *Embedding, value string) bool
}

// count parses a number from 1 to most.
func count(s string, most int) (int, bool) {
	n, err := strconv.Atoi(strings.ReplaceAll(s, "_", ""))
	return n, err == nil && n > 0 && n <= most
}

func duration(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	return d, err == nil && d > 0 && d <= maxTimeout
}

// isVariable reports whether s can be the name of a variable. A key given by mistake
// is refused, since keys have a hyphen or are longer than names.
func isVariable(s string) bool {
	for i, c := range []byte(s) {
		switch {
		case c == '_', c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z':
		case c >= '0' && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// over joins the settings of two sources: those of o apply where e has none.
func (e Embedding) over(o Embedding) Embedding {
	return Embedding{
		URL: cmp.Or(e.URL, o.URL), Model: cmp.Or(e.Model, o.Model), API: cmp.Or(e.API, o.API), KeyEnv: cmp.Or(e.KeyEnv, o.KeyEnv),
		Dimensions: cmp.Or(e.Dimensions, o.Dimensions), Batch: cmp.Or(e.Batch, o.Batch),
		Timeout: cmp.Or(e.Timeout, o.Timeout), QueryTimeout: cmp.Or(e.QueryTimeout, o.QueryTimeout),
	}
}

// complete fills in defaults. It returns an Error if a URL or a model is missing.
func (e Embedding) complete() (Embedding, error) {
	switch {
	case e.URL == "off" || e == (Embedding{}):
		return Embedding{}, nil
	case e.URL == "" || e.Model == "":
		return e, &Error{Where: "embedding", Reason: "needs both a url and a model"}
	}
	e.API, e.Batch = cmp.Or(e.API, "openai"), cmp.Or(e.Batch, DefaultBatch)
	return e, nil
}

func embeddingFromEnv(getenv func(string) string) (e Embedding, err error) {
	for _, k := range embeddingKeys() {
		name := "KEN_EMBEDDING_" + strings.ToUpper(k.name)
		if v := getenv(name); v != "" && !k.set(&e, v) {
			return e, &Error{Where: name, Reason: k.reason}
		}
	}
	return e, nil
}

// embedding reads the section "embedding" of a settings file.
func (l *layer) embedding(n ast.Node) error {
	list := pairs(n)
	if list == nil {
		return l.bad("embedding", n, "must be a mapping with url, model and others")
	}
	keys := embeddingKeys()
	for _, p := range list {
		name, _ := text(p.Key)
		i := slices.IndexFunc(keys, func(k embeddingKey) bool { return k.name == name })
		if i < 0 {
			l.warn(p, "there is no setting "+strconv.Quote("embedding."+name[:min(len(name), 60)]))
			continue
		}
		value, ok := text(p.Value)
		if !ok && name == "url" { // YAML may read off as a truth value
			value, ok = "off", p.Value.String() == "off" || p.Value.String() == "false"
		}
		if !ok || !keys[i].set(&l.Embedding, value) {
			return l.bad("embedding."+name, p.Value, keys[i].reason)
		}
	}
	return nil
}
