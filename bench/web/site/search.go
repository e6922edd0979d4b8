package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// word matches what can be searched for: names with their dots and dashes are looked up by their parts.
var word = regexp.MustCompile(`[\p{L}\p{N}]+`)

// searchIndex returns a script that sets KEN_INDEX to the sections of all pages, each with its page, title and address, and to the words
// with the numbers of the sections that have them: negative where a title has the word, and each less the one before.
func (s *site) searchIndex() []byte {
	sections := [][]string{}
	words := map[string][]int{}
	for _, p := range s.pages {
		for i := range p.sections {
			part := &p.sections[i]
			at := len(sections)
			sections = append(sections, []string{p.title, part.title, p.to + "#" + part.anchor})
			titles := word.FindAllString(strings.ToLower(p.title+" "+part.title), -1)
			for _, w := range word.FindAllString(strings.ToLower(part.title+" "+part.text.String()), -1) {
				n := len(words[w])
				if n > 0 && (words[w][n-1] == at || words[w][n-1] == -at-1) || len(w) > 40 {
					continue
				}
				if slices.Contains(titles, w) {
					words[w] = append(words[w], -at-1)
				} else {
					words[w] = append(words[w], at)
				}
			}
		}
	}
	text, err := json.Marshal(map[string]any{"sections": sections, "words": words})
	if err != nil {
		panic(err) // strings and numbers
	}
	return append([]byte("const KEN_INDEX = "), append(text, ";\n"...)...)
}
