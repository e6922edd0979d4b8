package token_test

import (
	"bytes"
	"io/fs"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

// corpusFiles yields the regular files below dir, without .git, in order.
func corpusFiles(tb testing.TB, dir string) iter.Seq[string] {
	tb.Helper()
	return func(yield func(string) bool) {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			if d.Type().IsRegular() && !yield(path) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
}

// hostileTexts are texts of n bytes made to be slow: long pieces, pieces that
// merge late, white space that has to be looked at again, no UTF-8.
func hostileTexts(n int) map[string][]byte {
	repeat := func(s string) []byte { return bytes.Repeat([]byte(s), n/len(s)+1)[:n] }
	r := rand.New(rand.NewPCG(1, 2))
	mixed := func(alphabet string) []byte {
		runes := []rune(alphabet)
		var b []byte
		for len(b) < n {
			b = append(b, string(runes[r.IntN(len(runes))])...)
		}
		return b
	}
	return map[string][]byte{
		"a":          repeat("a"),
		"spaces":     repeat(" "),
		"newlines":   repeat("\n"),
		"tabs":       repeat("\t"),
		"0x80":       repeat("\x80"),
		"0xff":       repeat("\xff"),
		"cut":        repeat("\xf0\x9f\x98"),
		"emoji":      mixed("😀👩‍💻🏳️‍🌈👍🏽❤️🇩🇪⚡🧑"),
		"marks":      repeat("\u0301"),
		"symbols":    mixed("!@#$%^&*()-=+[]{};:,.<>?/|~`"),
		"slashes":    repeat("/\n"),
		"quotes":     repeat("'"),
		"letters":    mixed("abcdefghijklmnopqrstuvwxyz"),
		"capitals":   mixed("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
		"camel":      repeat("aB"),
		"greek":      mixed("αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔ"),
		"han":        mixed("的一是不了人我在有他这为之大来以个中上们"),
		"unassigned": mixed("\U000e0080\U000e0fff\u0378\u0379"),
		"digits":     repeat("1234567890"),
		"nul":        repeat("\x00"),
		"space line": repeat(" \n"),
		"mixed case": repeat("あAAAAAAAA"),
		"wide space": repeat("\u3000\u2003 "),
		"random":     randomBytes(r, n),
	}
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}
