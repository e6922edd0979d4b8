package token_test

import (
	"bytes"
	"os"
	"testing"
	"unicode/utf8"

	"ken/internal/token"
)

// benchText is up to 16 MB of the text files below KEN_CORPUS, or this
// package's own source over and over without it.
func benchText(b *testing.B) []byte {
	b.Helper()
	const size = 16 << 20
	dir := os.Getenv("KEN_CORPUS")
	if dir == "" {
		dir = "."
	}
	var text []byte
	for path := range corpusFiles(b, dir) {
		if len(text) > size {
			break
		}
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		if utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 {
			text = append(text, data...)
		}
	}
	if dir == "." {
		text = bytes.Repeat(text, 1+size/len(text))
	}
	return text[:min(len(text), size)]
}

func BenchmarkCount(b *testing.B) {
	text := benchText(b)
	for _, e := range []token.Encoding{token.CL100K, token.O200K} {
		b.Run(e.String(), func(b *testing.B) {
			c := token.New(e)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				c.Count(text)
			}
		})
	}
	b.Run("both", func(b *testing.B) {
		p := token.NewPair()
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			p.Count(text)
		}
	})
}

// BenchmarkHostile counts texts made to be slow.
func BenchmarkHostile(b *testing.B) {
	for name, text := range hostileTexts(1 << 20) {
		b.Run(name, func(b *testing.B) {
			p := token.NewPair()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				p.Count(text)
			}
		})
	}
}

// BenchmarkNew opens the vocabularies.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		token.NewPair()
	}
}
