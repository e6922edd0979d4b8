// Command injection measures the filter of passages worded as orders to an agent: how many it finds of those that public sets have, and
// how many of real READMEs and doc comments it takes for one. With -learn it makes the table of words that the filter has.
//
//	go run ./bench/sound/injection -repos FOLDER [-held | -learn FILE] [-seed 28] [-v]
//
// FOLDER has the clones of the sets and of repositories.txt, each as owner+name/repo. Half of the passages of the two named sets is held
// back: it is neither learned nor printed, and counted with -held alone.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"

	"ken/internal/delivery/injection"
)

// drawn is the number of READMEs and doc comments together.
const drawn = 3000

func main() {
	repos := flag.String("repos", "", "folder of clones, each as owner+name/repo")
	held := flag.Bool("held", false, "count the halves that are held back, and the texts that are drawn")
	table := flag.String("learn", "", "learn from the open passages and write the table to this file")
	seed := flag.Uint64("seed", 28, "seed of the texts that are drawn")
	verbose := flag.Bool("v", false, "print what is missed of the open passages, and what is taken for an order")
	flag.Parse()
	run := func() error { return measure(*repos, *seed, *held, *verbose) }
	if *table != "" {
		run = func() error {
			t, err := newTrainer(*repos, *seed)
			if err != nil {
				return err
			}
			return t.run(*table)
		}
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "injection:", err)
		os.Exit(1)
	}
}

// measure counts the open passages, or the held ones, and texts that are no orders. It fails if a bound is missed.
func measure(repos string, seed uint64, held, verbose bool) error {
	found, all := 0, 0
	for _, s := range sets {
		if held && !s.named {
			continue
		}
		list, err := s.passages(repos)
		if err != nil {
			return fmt.Errorf("%s: %w", s.repo, err)
		}
		hits, n := 0, 0
		for _, p := range list {
			if s.named && isHeld(p) != held {
				continue
			}
			n++
			if len(injection.Scan(p)) > 0 {
				hits++
			} else if verbose && !held {
				fmt.Printf("missed: %.300q\n", p)
			}
		}
		fmt.Printf("%s@%.8s: %d of %d\n", s.repo, s.commit, hits, n)
		if s.named {
			found, all = found+hits, all+n
		}
	}
	fmt.Printf("recall in the named sets %.1f %% of %d (bound 85 of the halves held back)\n", 100*float64(found)/float64(max(1, all)), all)
	share := tuningShare
	if held {
		share = drawnShare
	}
	wrong := 0.0
	for _, kind := range []string{"text", "tools", "about"} {
		rnd := rand.New(rand.NewPCG(seed, 1))
		c, err := readShare(repos, kind, share, rnd)
		if err != nil {
			return err
		}
		ratio := countWrong(kind+": READMEs and doc comments", c.draw(drawn, rnd), verbose)
		if kind == "text" {
			wrong = ratio
		}
		countWrong(kind+": other documents, whole", c.documents, false)
		countWrong(kind+": source files, whole", c.sources, false)
	}
	if held && (found*100 < all*85 || wrong > 0.005) {
		return fmt.Errorf("a bound is missed")
	}
	return nil
}

// countWrong prints and returns the share of texts that are taken for an order.
func countWrong(name string, texts []string, verbose bool) float64 {
	wrong, byWords := 0, 0
	for _, text := range texts {
		if hits := injection.Scan(text); len(hits) > 0 {
			wrong++
			if hits[0].Family == injection.Worded {
				byWords++
			}
			if verbose {
				fmt.Printf("wrong: %v %.300q\n", hits, text)
			}
		}
	}
	ratio := float64(wrong) / float64(max(1, len(texts)))
	fmt.Printf("%s: wrong %d of %d, %.2f %%, of which %d by their words alone\n", name, wrong, len(texts), 100*ratio, byWords)
	return ratio
}
