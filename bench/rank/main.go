// Command rank fits the weights of a column of rank.Table, and prints the rows
// whose weights change.
//
//	go run ./bench/rank -column find -first 5,10 SAMPLES
//	go run ./bench/rank -column impact SAMPLES
//
// SAMPLES is a file of bench/find -trace or bench/impact -trace. The figures of
// "left out" are of samples whose repository the weights have not seen; those of
// "now" are of the weights in the table.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"ken/bench/rank/train"
	"ken/internal/ask/rank"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "rank:", err)
		os.Exit(1)
	}
}

func run() error {
	name := flag.String("column", "find", "find or impact")
	list := flag.String("first", "", "fit, too, that all that is right is among this many first, separated by commas")
	flag.Parse()
	questions := map[string]rank.Question{"find": rank.Find, "impact": rank.Impact}
	q, ok := questions[*name]
	if flag.NArg() != 1 || !ok {
		return errors.New("usage: rank -column find|impact [-first N,N] SAMPLES")
	}
	var first []int
	for _, s := range strings.FieldsFunc(*list, func(r rune) bool { return r == ',' }) {
		n, err := strconv.Atoi(s)
		if err != nil {
			return err
		}
		first = append(first, n)
	}
	f, err := os.Open(flag.Arg(0))
	if err != nil {
		return err
	}
	defer f.Close()
	column := rank.Column(q)
	samples, err := train.ReadSamples(f, column)
	if err != nil {
		return err
	}
	o := train.DefaultOptions(q, column, first)
	fmt.Println("now:     ", train.Measure(samples, o.Start))
	fmt.Println("left out:", train.MeasureLeftOut(samples, o))
	w := train.Fit(samples, o)
	fmt.Println("fitted:  ", train.Measure(samples, w))
	for k, f := range column {
		fmt.Printf("%-24s %6.2f  now %6.2f\n", rank.Table[f].Name, w[k], o.Start[k])
	}
	return nil
}
