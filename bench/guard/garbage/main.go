// Command garbage measures how well what was left behind by mistake is
// distinguished from what a change needs: internal/guard/garbage judges 200 real commits
// of twelve repositories, half of them with planted pieces. A piece is what a
// commit of another repository removed because it was debugging, commented out,
// a note of work left, or a file that should not be there; a planted test is one
// that the same repository added for another purpose. The message of the commit
// is the request. A finding that is no planted piece is wrong unless a later
// commit removed the line.
//
//	go run ./bench/guard/garbage -draw CLONES > sample.txt      draws the sample
//	go run ./bench/guard/garbage [-held] [-v] CLONES            measures
//
// CLONES holds owner+name/repo git directories. What was drawn is kept as a list
// of places in testdata/sample.txt, without the text of others; it was drawn
// before the first rule was written. Six of the repositories are for development
// and six are held out: their pieces come from different repositories, too.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	draw := flag.Bool("draw", false, "draw a new sample and print it")
	held := flag.Bool("held", false, "measure the half that is held out, after the other")
	verbose := flag.Bool("v", false, "print what is missed and what is wrong")
	more := flag.Int("more", 0, "judge so many more commits of each repository, without pieces")
	on := flag.String("on", "", "judge commits of these repositories alone (owner/name,…), as many as -more says")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *on, *draw, *held, *more, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "garbage:", err)
		os.Exit(1)
	}
}

func run(clones, on string, draw, held bool, more int, verbose bool) error {
	if draw {
		return drawSample(os.Stdout, clones)
	}
	if on != "" {
		return measureOthers(os.Stdout, clones, strings.Split(on, ","), nil, more, verbose)
	}
	s, err := measure(os.Stdout, clones, development, more, verbose)
	if err != nil {
		return err
	}
	if held {
		o, err := measure(os.Stdout, clones, heldOut, more, verbose)
		if err != nil {
			return err
		}
		s.plus(o)
		s.print(os.Stdout, "both")
	}
	if b := s.below(); len(b) > 0 {
		return fmt.Errorf("recall or precision is below %.1f: %s", bound, strings.Join(b, ", "))
	}
	return nil
}
