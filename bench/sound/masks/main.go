// Command masks makes credentials of every rule, from its least length to 64 KB, in every alphabet and way of writing, and counts the
// characters of them that are left readable.
//
//	go run ./bench/sound/masks [-n 200000] [-seed 1] [-run REGEXP] [-v]
//
// A value of up to shortValue characters can look like no credential by chance, as one that counts or spells a word; then it is drawn
// again, and such draws are counted. No longer one is.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"

	"ken/internal/engine/source/secret"
	"ken/internal/engine/source/secret/look"
)

const samples = "internal/engine/source/secret/testdata/samples.txt"

func main() {
	n := flag.Int("n", 200_000, "values to make")
	seed := flag.Uint64("seed", 1, "seed of the values")
	only := flag.String("run", "", "only ways of writing whose names match")
	verbose := flag.Bool("v", false, "print each kind of value of which characters are left, with the first text of each")
	flag.Parse()
	r, err := run(samples, *only, *n, *seed)
	if err != nil {
		fmt.Fprintln(os.Stderr, "masks:", err)
		os.Exit(1)
	}
	fmt.Printf("%d values, %.1f GB of text, of %d rules and %d ways of writing: %d characters of %d values left (must be 0); %d draws looked like no credential\n",
		r.values, float64(r.bytes)/1e9, len(r.rules), r.ways, r.left, r.leaks, r.again)
	if *verbose {
		kinds := slices.SortedFunc(maps.Keys(r.kinds), func(a, b string) int { return cmp.Or(r.kinds[b]-r.kinds[a], cmp.Compare(a, b)) })
		for _, k := range kinds {
			fmt.Printf("%6d  %s: %q\n", r.kinds[k], k, shorten(r.samples[k]))
		}
	}
	if r.left > 0 {
		os.Exit(1)
	}
}

// result is the result of a run.
type result struct {
	values, bytes, left, leaks, again, ways int
	rules                                   map[string]bool
	kinds                                   map[string]int    // values of which characters are left, by rule, way and size
	samples                                 map[string][]byte // the first text of each kind
}

// shortValue is the length up to which a value may look like no credential.
const shortValue = 64

// maxDraws is the maximal number of draws of a short value.
const maxDraws = 40

// run makes n values and masks the text around each of those whose way of writing matches only.
func run(samples, only string, n int, seed uint64) (result, error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return result{}, err
	}
	ways, err := allWays(samples)
	if err != nil {
		return result{}, err
	}
	r := result{rules: map[string]bool{}, kinds: map[string]int{}, samples: map[string][]byte{}, ways: len(ways)}
	e := secret.New()
	for i := range n {
		w := &ways[i%len(ways)]
		if !pattern.MatchString(w.rule + ", " + w.name) {
			continue
		}
		rnd := rand.New(rand.NewPCG(seed, uint64(i)))
		for draw := 1; ; draw++ {
			d := w.draw(rnd)
			left, found := readable(e, &d)
			if !found && d.size <= shortValue && draw < maxDraws {
				r.again++
				continue
			}
			r.values++
			r.bytes += len(d.text)
			r.rules[w.rule] = true
			if left > 0 {
				r.left += left
				r.leaks++
				kind := fmt.Sprintf("%s, %s, %s", w.rule, w.name, sizeName(d.size))
				if r.kinds[kind]++; r.kinds[kind] == 1 {
					r.samples[kind] = d.text
				}
			}
			break
		}
	}
	return r, nil
}

// shorten returns the beginning and the end of a long text.
func shorten(text []byte) []byte {
	const most = 300
	if len(text) <= 2*most {
		return text
	}
	return slices.Concat(text[:most], []byte(" … "), text[len(text)-most:])
}

func sizeName(n int) string {
	for _, limit := range [...]int{64, 256, 1024, 4096, 16384} {
		if n <= limit {
			return fmt.Sprintf("≤ %d characters", limit)
		}
	}
	return "more characters"
}

// readable masks a text and returns how many characters of its value are left, and whether something of each part of it was found.
func readable(e *secret.Engine, d *drawn) (left int, found bool) {
	text := slices.Clone(d.text)
	e.MaskAll(nil, text, nil)
	found = true
	for _, s := range d.spans {
		any := false
		for i := s[0]; i < s[1]; i++ {
			switch {
			case text[i] != d.text[i]:
				any = true
			case text[i] != 'x' && isValue(text[i]):
				left++
			}
		}
		found = found && any
	}
	return left, found
}

// isValue reports whether c is a character of a value, and none of the code in which it is written over lines or literals.
func isValue(c byte) bool {
	return look.Is(c, look.Alnum)
}
