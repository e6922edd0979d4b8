package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// half is what a repository is for.
type half string

// The halves.
const (
	development half = "development"
	heldOut     half = "held-out"
)

// The kinds of pieces.
const (
	debugPiece = "debug-print"
	deadPiece  = "commented-out-code"
	todoPiece  = "left-todo"
	filePiece  = "unrelated-file"
	testPiece  = "unrequested-test"
)

// drawn is one commit of the sample.
type drawn struct {
	half         half
	repo, commit string
	plants       []plant
}

// plant is a piece and where it is put.
type plant struct {
	kind         string
	repo, commit string // where the piece is from
	path         string
	from, to     int    // lines of the text before the commit; 0 for a whole file
	at           string // the file that gets it
	line         int    // of the text after the drawn commit: the piece comes behind it; 0 for a whole file
}

// write prints a commit and what is planted: fields are separated by tabs, since
// paths may hold spaces.
func (d *drawn) write(w io.Writer) {
	fmt.Fprintf(w, "%s\t%s@%s\n", d.half, d.repo, d.commit)
	for _, p := range d.plants {
		from, at := p.path, p.at
		if p.line > 0 {
			from, at = fmt.Sprintf("%s:%d-%d", p.path, p.from, p.to), fmt.Sprintf("%s:%d", p.at, p.line)
		}
		fmt.Fprintf(w, "\t%s\t%s@%s\t%s\t%s\n", p.kind, p.repo, p.commit, from, at)
	}
}

// readSample reads what write printed; lines that begin with "#" are comments.
func readSample(r io.Reader) ([]*drawn, error) {
	var all []*drawn
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		line := in.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		switch {
		case fields[0] == "" && len(fields) == 5 && len(all) > 0:
			d := all[len(all)-1]
			p := plant{kind: fields[1]}
			p.repo, p.commit, _ = strings.Cut(fields[2], "@")
			p.path, p.from, p.to = place(p.kind, fields[3])
			p.at, p.line, _ = place(p.kind, fields[4])
			d.plants = append(d.plants, p)
		case len(fields) == 2:
			d := &drawn{half: half(fields[0])}
			d.repo, d.commit, _ = strings.Cut(fields[1], "@")
			all = append(all, d)
		default:
			return nil, fmt.Errorf("line %d of the sample is neither a commit nor a piece", n)
		}
	}
	return all, in.Err()
}

// place reads "PATH:FROM-TO", "PATH:LINE", or of a piece that is a whole file the path alone.
func place(kind, s string) (path string, from, to int) {
	i := strings.LastIndexByte(s, ':')
	if kind == filePiece || kind == testPiece || i < 0 {
		return s, 0, 0
	}
	first, last, ranged := strings.Cut(s[i+1:], "-")
	from, _ = strconv.Atoi(first)
	to = from
	if ranged {
		to, _ = strconv.Atoi(last)
	}
	return s[:i], from, to
}
