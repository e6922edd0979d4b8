// Command gen lays out the tables package token embeds: the two vocabularies
// and the classes of characters. Run it with "go generate" in internal/token.
// It alone imports the vocabularies' source; the binary contains only its output.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	loader "github.com/pkoukk/tiktoken-go-loader"

	"ken/internal/token/vocab"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: gen DIR")
	}
	all, err := tables()
	if err != nil {
		log.Fatal(err)
	}
	for name, data := range all {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), data, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// tables returns the content of every generated file by its name. It fails if a vocabulary cannot be loaded.
func tables() (map[string][]byte, error) {
	all := map[string][]byte{"classes.bin": classes()}
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		tokens, err := load(name)
		if err != nil {
			return nil, err
		}
		if all[name+".bin"], err = vocab.Build(tokens); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return all, nil
}

// load returns the tokens of a vocabulary in rank order. It fails if it is unknown.
func load(name string) ([]string, error) {
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", name, err)
	}
	tokens := make([]string, len(ranks))
	for t, rank := range ranks {
		if t == "" || rank < 0 || rank >= len(tokens) || tokens[rank] != "" {
			return nil, fmt.Errorf("load %s: the ranks are not 0 to %d: %q has %d", name, len(ranks)-1, t, rank)
		}
		tokens[rank] = t
	}
	return tokens, nil
}
