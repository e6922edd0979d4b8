package mcp

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ken/internal/code"
	"ken/internal/operation"
	"ken/internal/token"
)

// fitter makes results whose tokens, counted as they are sent, do not exceed the budget.
type fitter struct {
	budget  int
	common  *commonArgs
	counter *token.Counter
	words   func(string) string // translates what an operation says for the command line
}

// margin is the number of tokens reserved for the fields that the protocol adds to a result: its type and the server's name.
const margin = 40

func (f *fitter) fits(r *mcp.CallToolResult) bool { return f.size(r) <= f.budget-margin }

// size returns the number of tokens of a result as it is sent.
func (f *fitter) size(r *mcp.CallToolResult) int {
	b, err := json.Marshal(r)
	if err != nil {
		return f.budget + 1 // is reported by the library
	}
	return f.counter.Count(b)
}

func textResult(text string, failed bool) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: failed}
}

// failure returns a result that explains why there is no answer.
func (f *fitter) failure(message string) *mcp.CallToolResult {
	return textResult(f.longestFitting(message, func(s string) string { return s }, true), true)
}

// text returns a result of text. Text that does not fit is cut at the end of a line, and a last line explains how to go on.
func (f *fitter) text(text, message string, out *lineCapture, full bool) (r *mcp.CallToolResult, whole bool) {
	if message != "" {
		text = strings.TrimLeft(text+"\n"+message, "\n")
	}
	switch {
	case text == "" && f.common.from > 1:
		text = fmt.Sprintf("the answer has %s; there is nothing from line %d on", operation.Plural(out.number, "line"), f.common.from)
	case text == "" && out.omits:
		text = "nothing but what is omitted"
	case text == "":
		text = "nothing"
	}
	lines := strings.Split(text, "\n")
	near, beyond := f.estimate(lines)
	if r := textResult(text, false); !full && !beyond && f.fits(r) {
		return r, true
	}
	left := func(n int) string {
		more := fmt.Sprintf("%d more lines", len(lines)-n)
		if full {
			more = "more"
		}
		return fmt.Sprintf("… %s: go on with from: %d", more, f.common.from+n)
	}
	made := func(n int) string { return strings.Join(append(lines[:n:n], left(n)), "\n") }
	n := f.largestFitting(near, len(lines)-1, func(n int) int { return f.size(textResult(made(n), false)) })
	if n == 0 { // not even one line fits
		cut := f.longestFitting(lines[0], func(s string) string { return s + "\n" + left(1) }, false)
		return textResult(cut, false), false
	}
	return textResult(made(n), false), false
}

// estimate returns about how many lines fit, by the tokens of each alone. beyond reports that they certainly do not all fit,
// because they have at least twice the allowed tokens.
func (f *fitter) estimate(lines []string) (n int, beyond bool) {
	sum := 0
	for i, line := range lines {
		if sum <= f.budget-margin {
			n = i
		}
		if sum += f.counter.Count([]byte(line)); sum > 2*f.budget {
			return n, true
		}
	}
	return n, false
}

// largestFitting returns the largest n up to last for which size(n) fits. It begins the search at near: each trial counts the tokens
// of the whole result, which takes longer than making most answers.
func (f *fitter) largestFitting(near, last int, size func(n int) int) int {
	free := func(n int) int { return f.budget - margin - size(n) }
	n := min(near, last)
	left := free(n)
	for range 3 { // the remaining budget is filled, or an excess taken back, by lines of mean length
		mean := max(1, (f.budget-margin-left)/max(n, 1))
		next := min(max(n+left/mean, 0), last)
		if left < 0 {
			next = min(next, n-1)
		}
		if next == n || n == 0 && left < 0 {
			break
		}
		n = max(next, 0)
		left = free(n)
	}
	for n > 0 && left < 0 {
		n--
		left = free(n)
	}
	for n < last && free(n+1) >= 0 {
		n++
	}
	return n
}

// longestFitting returns the longest beginning of a text that fits after add has extended it.
func (f *fitter) longestFitting(s string, add func(string) string, failed bool) string {
	s = clipBytes(s, f.budget*bytesPerToken)
	if f.fits(textResult(add(s), failed)) {
		return add(s)
	}
	n := sort.Search(len(s), func(n int) bool { return !f.fits(textResult(add(clipBytes(s, n+1)), failed)) })
	for n > 0 && !f.fits(textResult(add(clipBytes(s, n)), failed)) {
		n--
	}
	return add(clipBytes(s, n))
}

// clipBytes shortens a text to at most most bytes and marks the cut with "…".
func clipBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if most < len("…") {
		return ""
	}
	return strings.ToValidUTF8(s[:code.CutLength(s, most-len("…"))], "") + "…"
}
