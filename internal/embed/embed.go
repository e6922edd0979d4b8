// Package embed requests the embeddings of texts from the one endpoint that the user's
// own settings name. It is the only package of ken that uses the network, and no
// client is made unless such an endpoint is set. It knows two protocols (protocol.go),
// follows no redirect, uses no proxy and keeps no cookies, so that texts and key go to
// that endpoint or nowhere. update/embed, which declares the interface, decides which
// texts are sent, and when.
package embed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Options describe the endpoint of a Client, a server that computes embedding vectors, and the requests to it.
type Options struct {
	URL        string        // of the API: "https://host/v1", "http://localhost:11434"
	API        string        // "openai" or "ollama"
	Model      string        // its name at the endpoint
	Key        func() string // gives the key for each request; nil or "" means no key
	Dimensions int           // of the vectors, requested and checked; 0 leaves it to the model
	Timeout    time.Duration // of one request; 0 means DefaultTimeout
}

// DefaultTimeout is the time limit of one request.
const DefaultTimeout = 60 * time.Second

// MaxDimensions is the maximal length of a vector. An answer with longer vectors is refused.
const MaxDimensions = 16384

// Client requests embedding vectors from one endpoint. It is safe for concurrent use.
type Client struct {
	opt      Options
	protocol protocol
	http     *http.Client
	sleep    func(context.Context, time.Duration) error
}

// New returns a client. It opens no connection. It fails if the options name no valid endpoint.
func New(opt Options) (*Client, error) {
	p, err := newProtocol(opt)
	if err != nil {
		return nil, err
	}
	if opt.Timeout <= 0 {
		opt.Timeout = DefaultTimeout
	}
	return &Client{opt: opt, protocol: p, sleep: sleep, http: &http.Client{
		Transport:     &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second, MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect },
	}}, nil
}

var errRedirect = errors.New("it redirects elsewhere, which is not followed")

// Model returns a name for the origin of the vectors: endpoint, model and length. Only vectors
// with equal names can be compared.
func (c *Client) Model() string {
	return strings.Join([]string{c.opt.API, c.protocol.place, c.opt.Model, strconv.Itoa(c.opt.Dimensions)}, " ")
}

// maxTries is the maximal number of attempts of a request while the endpoint is too busy.
const maxTries = 5

// Embed returns a vector for every text, all of one length. While the endpoint is too
// busy it repeats the request, if ctx leaves the time. It fails if ctx ends, or if the endpoint does not answer in
// time, refuses the request or returns invalid vectors; the error has the endpoint's host.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	body, err := c.protocol.request(&c.opt, texts)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		data, err := c.post(ctx, body, limit(len(texts)))
		var busy *busyError
		if errors.As(err, &busy) && try < maxTries {
			wait := max(busy.after, time.Second<<(try-1))
			if end, ok := ctx.Deadline(); !ok || time.Until(end) > wait {
				if err := c.sleep(ctx, wait); err != nil {
					return nil, err
				}
				continue
			}
		}
		if err != nil {
			return nil, c.explain(ctx, err)
		}
		list, err := c.protocol.answer(data, len(texts))
		if err == nil {
			err = check(list, c.opt.Dimensions)
		}
		if err != nil {
			return nil, c.explain(ctx, err)
		}
		return list, nil
	}
}

// limit returns the maximal number of bytes of a response with n vectors; a number
// takes about 20.
func limit(n int) int64 { return 1<<20 + int64(n)*MaxDimensions*24 }

// busyError is the error of a response that asks the client to try again later.
type busyError struct {
	after time.Duration
	error
}

// maxAfter is the longest wait that an endpoint can ask for.
const maxAfter = time.Minute

// post sends one request and returns the body of the response, which may have limit bytes.
func (c *Client) post(ctx context.Context, body []byte, limit int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.opt.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.protocol.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "ken")
	if key := c.key(); key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	switch {
	case res.StatusCode != http.StatusOK:
		return nil, c.statusError(res, data)
	case err != nil:
		return nil, fmt.Errorf("its answer breaks off: %w", err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("its answer is larger than %d bytes", limit)
	}
	return data, nil
}

func (c *Client) key() string {
	if c.opt.Key == nil {
		return ""
	}
	return strings.TrimSpace(c.opt.Key())
}

// maxSaid is the maximal number of bytes of an endpoint's message that an error quotes.
const maxSaid = 200

// statusError returns the error of a response without vectors: a busyError if the request may be repeated.
func (c *Client) statusError(res *http.Response, body []byte) error {
	said := strings.Join(strings.Fields(strings.ToValidUTF8(string(body[:min(len(body), maxSaid)]), "")), " ")
	if key := c.key(); key != "" {
		said = strings.ReplaceAll(said, key, "…")
	}
	err := fmt.Errorf("it says %d %s: %s", res.StatusCode, http.StatusText(res.StatusCode), said)
	if res.StatusCode != http.StatusTooManyRequests && res.StatusCode < 500 {
		return err
	}
	seconds, _ := strconv.Atoi(res.Header.Get("Retry-After"))
	return &busyError{min(time.Duration(max(seconds, 0))*time.Second, maxAfter), err}
}

// explain adds the endpoint's host to an error. It leaves out the rest of the URL, which may contain a
// key.
func (c *Client) explain(ctx context.Context, err error) error {
	if ctx.Err() == context.Canceled {
		return ctx.Err()
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	var late net.Error
	if errors.As(err, &late) && late.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("it did not answer in time")
	}
	return fmt.Errorf("embedding endpoint %s: %w", c.protocol.host, err)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// check returns an error unless there are want vectors that can be compared: of equal length and with finite numbers.
func check(list [][]float32, want int) error {
	n := len(list[0])
	switch {
	case n == 0 || n > MaxDimensions:
		return fmt.Errorf("it gave a vector of %d numbers", n)
	case want > 0 && n != want:
		return fmt.Errorf("it gave vectors of %d numbers, %d are set", n, want)
	}
	for _, v := range list {
		if len(v) != n {
			return fmt.Errorf("it gave vectors of %d and of %d numbers", n, len(v))
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return errors.New("it gave a vector with numbers that are none")
			}
		}
	}
	return nil
}
