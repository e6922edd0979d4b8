package token

import (
	"fmt"

	"ken/internal/code"
)

// Tokenizer counts tokens for one family of models. It is not safe for
// concurrent use.
type Tokenizer struct {
	name    string
	counter *Counter
	percent int // of the counter's tokens; 100 is exact
	ofFile  func(code.File) uint32
}

// The names of tokenizers.
const (
	TokenizerCL100K = "cl100k"
	TokenizerO200K  = "o200k"
	// TokenizerClaude is an estimate: the vocabulary of Claude's present models
	// is not published.
	TokenizerClaude = "claude-estimate"
)

// ClaudePercent is the number of tokens that the estimate for Claude counts for a
// hundred tokens of o200k_base. docs/measurements.md has its derivation.
const ClaudePercent = 135

// NewTokenizer returns the tokenizer of a name, or a *code.UsageError if there is none.
func NewTokenizer(name string) (*Tokenizer, error) {
	cl := func(f code.File) uint32 { return f.CL100K }
	o := func(f code.File) uint32 { return f.O200K }
	switch name {
	case TokenizerCL100K:
		return &Tokenizer{name: CL100K.String(), counter: New(CL100K), percent: 100, ofFile: cl}, nil
	case TokenizerO200K:
		return &Tokenizer{name: O200K.String(), counter: New(O200K), percent: 100, ofFile: o}, nil
	case TokenizerClaude:
		return &Tokenizer{name: name, counter: New(O200K), percent: ClaudePercent, ofFile: o}, nil
	}
	return nil, code.Usagef("there is no tokenizer %q", name)
}

// Name returns the name of the tokenizer that answers print: that of the encoding or of the estimate.
func (t *Tokenizer) Name() string {
	if t.percent == 100 {
		return t.name
	}
	return fmt.Sprintf("%s, o200k_base x %d.%02d", t.name, t.percent/100, t.percent%100)
}

// Count returns the number of tokens of a text; an estimate is rounded up.
func (t *Tokenizer) Count(text []byte) int { return t.scale(t.counter.Count(text)) }

// OfFile returns the number of tokens of an indexed file. It reads no file, because the index has the number.
func (t *Tokenizer) OfFile(f code.File) int { return t.scale(int(t.ofFile(f))) }

func (t *Tokenizer) scale(n int) int {
	if t.percent == 100 {
		return n
	}
	return (n*t.percent + 99) / 100
}
