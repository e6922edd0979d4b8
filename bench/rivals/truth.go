package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// row is a symbol and what is known about the lines that name it; bench/refs writes it.
type row struct {
	Symbol, Kind, File, By string
	Line                   int
	Uses, Also, Neither    []string
	language               string
}

// readRows reads the symbols of a language.
func readRows(language string) (rows []*row, err error) {
	text, err := os.ReadFile(filepath.Join("bench/rivals/truth", language+".jsonl"))
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		r := &row{language: language}
		if err := json.Unmarshal(lines.Bytes(), r); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, lines.Err()
}

// declared reports whether a place declares the symbol.
func (r *row) declared(place string) bool {
	return place == fmt.Sprintf("%s:%d", r.File, r.Line) || slices.Contains(r.Also, place)
}

// neither reports whether a place is neither a use nor something else.
func (r *row) neither(place string) bool {
	file, line, _ := cutLine(place)
	for _, n := range r.Neither {
		if f, lines, _ := cutLine(n); f == file && slices.Contains(strings.Split(lines, ","), line) {
			return true
		}
	}
	return false
}

func cutLine(place string) (file, line string, ok bool) {
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return place, "", false
	}
	return place[:i], place[i+1:], true
}

// place returns the place of a line of a file, in the form of the truth.
func place(file string, line int) string {
	return filepath.ToSlash(strings.TrimPrefix(file, "./")) + ":" + strconv.Itoa(line)
}
