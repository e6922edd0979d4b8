package embed

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// protocol is the form of requests and answers of an API.
type protocol struct {
	url   string // of requests
	host  string // of the URL, for messages
	place string // the URL without its query, which may contain a key
	// request returns the body for texts, answer the vectors in the body of the response,
	// one for each of n texts.
	request func(o *Options, texts []string) ([]byte, error)
	answer  func(body []byte, n int) ([][]float32, error)
}

// newProtocol returns the protocol of an endpoint. The URL may be the base of an API or
// that of the operation itself. It fails if the API is unknown, the URL is invalid or has a password, or a key would be sent unencrypted.
func newProtocol(o Options) (protocol, error) {
	var p protocol
	tail := ""
	switch o.API {
	case "openai":
		p, tail = protocol{request: askOpenAI, answer: readOpenAI}, "/embeddings"
	case "ollama":
		p, tail = protocol{request: askOllama, answer: readOllama}, "/api/embed"
	default:
		return p, fmt.Errorf("there is no embedding API %q, only openai and ollama", o.API)
	}
	u, err := url.Parse(o.URL)
	if err != nil {
		u = &url.URL{} // reported below without the text, which may contain a key
	}
	isLocal := u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	isHTTP := u.Scheme == "http" || u.Scheme == "https"
	switch {
	case u.Host == "" || !isHTTP:
		return p, errors.New("the URL of an embedding endpoint begins with https:// or http://")
	case u.User != nil:
		return p, errors.New("the URL of an embedding endpoint holds no user and no password")
	case o.Model == "":
		return p, errors.New("no embedding model is set")
	case o.Key != nil && u.Scheme == "http" && !isLocal:
		return p, errors.New("a key is sent by https:// only, except to this machine")
	}
	u.Path, u.RawPath, u.Fragment = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), tail)+tail, "", ""
	p.url, p.host = u.String(), u.Host
	u.RawQuery = ""
	p.place = u.String()
	return p, nil
}

// The API of OpenAI, which many servers offer: POST /v1/embeddings.
// https://platform.openai.com/docs/api-reference/embeddings

func askOpenAI(o *Options, texts []string) ([]byte, error) {
	return json.Marshal(struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Format     string   `json:"encoding_format"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{o.Model, texts, "float", o.Dimensions})
}

func readOpenAI(body []byte, n int) ([][]float32, error) {
	var a struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("its answer is not what was expected: %w", err)
	}
	if len(a.Data) != n {
		return nil, fmt.Errorf("it gave %d vectors for %d texts", len(a.Data), n)
	}
	out := make([][]float32, n)
	for i, d := range a.Data {
		at := i // some servers leave it out
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= n || out[at] != nil || d.Embedding == nil {
			return nil, fmt.Errorf("it gave no vector for each of %d texts", n)
		}
		out[at] = d.Embedding
	}
	return out, nil
}

// The API of Ollama: POST /api/embed. It cuts texts that are too long for a model.
// https://github.com/ollama/ollama/blob/main/docs/api.md#generate-embeddings

func askOllama(o *Options, texts []string) ([]byte, error) {
	return json.Marshal(struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Truncate   bool     `json:"truncate"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{o.Model, texts, true, o.Dimensions})
}

func readOllama(body []byte, n int) ([][]float32, error) {
	var a struct {
		Embeddings [][]float32 `json:"embeddings"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("its answer is not what was expected: %w", err)
	}
	if len(a.Embeddings) != n {
		return nil, fmt.Errorf("it gave %d vectors for %d texts", len(a.Embeddings), n)
	}
	return a.Embeddings, nil
}
