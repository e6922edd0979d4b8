package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"ken/internal/delivery/injection"
)

// example is a text as its words and pairs of words, which is an order to an agent or not.
type example struct {
	words, pairs []uint32
	order        bool
}

// chunkWords is the number of words in a part of a text that is no order.
const chunkWords = 120

func newExample(text string, order bool) example {
	e := example{order: order}
	injection.EachWord(injection.Plain(text), func(_ int, word, pair uint32) {
		e.words, e.pairs = append(e.words, word), append(e.pairs, pair)
	})
	return e
}

// chunks divides a text that is no order.
func chunks(text string) (list []example) {
	e := newExample(text[:min(len(text), 64<<10)], false)
	for from := 0; from < len(e.words); from += chunkWords {
		to := min(from+chunkWords, len(e.words))
		list = append(list, example{words: e.words[from:to], pairs: e.pairs[from:to]})
	}
	return list
}

// model has a weight for each hash; a passage is an order if they add up to more than bias. squares are sums of squared gradients
// (AdaGrad), totals sums of the weights after the last epochs.
type model struct{ weights, squares, totals []float64 }

const (
	hashes = 1 << 16
	bias   = 4
	scale  = 16 // of a weight in the table
)

// passage returns the part of a text whose weights add up to most.
func (m *model) passage(e *example) (sum float64, from, to int) {
	s, begin := 0.0, 0
	for i := range e.words {
		if s <= 0 {
			s, begin = 0, i
		}
		if s += m.weights[e.words[i]] + m.weights[e.pairs[i]]; s > sum {
			sum, from, to = s, begin, i+1
		}
	}
	return sum, from, to
}

// learn learns the weights by which the passages that weigh most are told apart: logistic regression over the passage of each text that the
// weights so far choose.
func learn(examples []example, rnd *rand.Rand) *model {
	const epochs, averaged, rate, decay, orders = 24, 8, 0.1, 2e-3, 10
	m := &model{make([]float64, hashes), make([]float64, hashes), make([]float64, hashes)}
	for epoch := range epochs {
		rnd.Shuffle(len(examples), func(i, j int) { examples[i], examples[j] = examples[j], examples[i] })
		for i := range examples {
			e := &examples[i]
			sum, from, to := m.passage(e)
			if e.order && (epoch < 2 || from == to) {
				from, to, sum = 0, len(e.words), 0
				for j := range e.words {
					sum += m.weights[e.words[j]] + m.weights[e.pairs[j]]
				}
			}
			gradient := 1 / (1 + math.Exp(bias-sum))
			if e.order {
				gradient = (gradient - 1) * orders
			}
			if math.Abs(gradient) < 1e-3 {
				continue
			}
			step := func(at uint32) {
				g := gradient + decay*m.weights[at]
				m.squares[at] += g * g
				m.weights[at] -= rate * g / math.Sqrt(m.squares[at]+0.1)
			}
			for j := from; j < to; j++ {
				step(e.words[j])
				step(e.pairs[j])
			}
		}
		if epoch >= epochs-averaged {
			for i, w := range m.weights {
				m.totals[i] += w
			}
		}
	}
	for i := range m.weights {
		m.weights[i] = m.totals[i] / averaged
	}
	return m
}

// table returns the weights as they are embedded.
func (m *model) table() []byte {
	out := make([]byte, hashes)
	for i, w := range m.weights {
		out[i] = byte(int8(math.Round(min(max(w*scale, -127), 127))))
	}
	return out
}

// weigh returns the weight of injection.Weigh, by a table.
func weigh(table []byte, e *example) (best int) {
	sum := 0
	for i := range e.words {
		sum = max(sum, 0) + int(int8(table[e.words[i]])) + int(int8(table[e.pairs[i]]))
		best = max(best, sum)
	}
	return best
}

// trainer learns from the open passages and the repositories that are not drawn from.
type trainer struct {
	orders  [][]string // of each set
	learned []example  // parts of texts of the learned share
	rest    []example  // of the share by which the threshold is chosen
	tuning  []string   // texts drawn from that share
}

func newTrainer(repos string, seed uint64) (*trainer, error) {
	t := &trainer{}
	for _, s := range sets {
		list, err := s.passages(repos)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.repo, err)
		}
		if s.named {
			list = slices.DeleteFunc(list, isHeld)
		}
		t.orders = append(t.orders, list)
	}
	rnd := rand.New(rand.NewPCG(seed, 2))
	for _, kind := range []string{"text", "tools"} {
		for _, share := range []int{learnedShare, tuningShare} {
			c, err := readShare(repos, kind, share, rand.New(rand.NewPCG(seed, uint64(share))))
			if err != nil {
				return nil, err
			}
			for _, text := range slices.Concat(c.readmes, c.comments, c.documents, c.sources) {
				if share == learnedShare {
					t.learned = append(t.learned, chunks(text)...)
				} else {
					t.rest = append(t.rest, chunks(text)...)
				}
			}
			if kind == "text" && share == tuningShare {
				t.tuning = c.draw(drawn, rnd)
			}
		}
	}
	return t, nil
}

// table learns from texts and from the passages that are not left out.
func (t *trainer) table(clean []example, isOut func(set int, passage string) bool) []byte {
	examples := slices.Clone(clean)
	for i, list := range t.orders {
		for _, p := range list {
			if !sets[i].apart && !isOut(i, p) {
				examples = append(examples, newExample(p, true))
			}
		}
	}
	return learn(examples, rand.New(rand.NewPCG(1, 3))).table()
}

// thresholds are printed beside each other.
var thresholds = []int{40, 45, 50, 55, 60, 65, 70, 80, 90, 100}

// run writes the table, and prints what tables that have not seen a text find of it: the texts for tuning, the open half of each named set,
// halved again, and each set that is left out as a whole.
func (t *trainer) run(file string) error {
	none := func(int, string) bool { return false }
	if err := os.WriteFile(file, t.table(slices.Concat(t.learned, t.rest), none), 0o644); err != nil {
		return err
	}
	fmt.Printf("percent found by the rules; by the rules and the table, at %v\n", thresholds)
	count("wrong of texts for tuning", t.tuning, t.table(t.learned, none))
	for i := range sets {
		if sets[i].named {
			for half := range uint32(2) {
				isOut := func(set int, p string) bool { return set == i && hash("half"+p)&1 == half }
				list := slices.DeleteFunc(slices.Clone(t.orders[i]), func(p string) bool { return !isOut(i, p) })
				count("a quarter of "+sets[i].repo, list, t.table(t.learned, isOut))
			}
		}
		count("left out: "+sets[i].repo, t.orders[i], t.table(t.learned, func(set int, _ string) bool { return set == i }))
	}
	return nil
}

// count prints how many texts the rules find, and how many they and a table find.
func count(name string, list []string, table []byte) {
	found, byRules := make([]int, len(thresholds)), 0
	for _, text := range list {
		ruled := isRuled(text)
		if ruled {
			byRules++
		}
		e := newExample(text[:min(len(text), 64<<10)], true)
		weight := weigh(table, &e)
		for i, least := range thresholds {
			if ruled || weight >= least {
				found[i]++
			}
		}
	}
	percent := func(n int) float64 { return 100 * float64(n) / float64(max(1, len(list))) }
	fmt.Printf("%-50.50s %4d: %5.1f;", name, len(list), percent(byRules))
	for _, n := range found {
		fmt.Printf(" %5.1f", percent(n))
	}
	fmt.Println()
}

// isRuled reports whether the rules alone take a text for an order.
func isRuled(text string) bool {
	hits := injection.Scan(text)
	return len(hits) > 0 && hits[0].Family != injection.Worded
}
