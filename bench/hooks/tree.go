package main

import (
	"cmp"
	"context"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ken/bench/world"
)

// Source of trees: files of the standard library that are neither tiny nor huge.
const minSource, maxSource = 400, 40 << 10

// module is the import path of the made packages.
const module = "example.org/made"

// makeTree makes a git working tree of n Go files in dir. The files are those of the standard library, in
// another order for each seed. Once they are used up they come again under another folder with other names: the words
// in identifiers are exchanged by a table for each round, so that a name means one thing in a round, uses lead to their
// declarations, and no file is a copy of another.
func makeTree(ctx context.Context, dir string, n int, seed uint64) error {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("find the standard library: %w", err)
	}
	std := filepath.Join(strings.TrimSpace(string(root)), "src")
	files, err := sourceFiles(std)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	packages := shufflePackages(rng, files)
	made := 0
	for round := 0; made < n; round++ {
		v := newWordExchange(rng, round, packages)
		for _, f := range files[:min(len(files), n-made)] {
			src, err := os.ReadFile(filepath.Join(std, f))
			if err != nil {
				return err
			}
			if err := world.WriteFiles(dir, map[string]string{v.folder + "/" + filepath.ToSlash(f): v.rewriteSource(src)}); err != nil {
				return err
			}
			made++
		}
	}
	if err := world.WriteFiles(dir, map[string]string{"go.mod": "module " + module + "\n\ngo 1.24\n"}); err != nil {
		return err
	}
	return world.Commit(ctx, dir, "all")
}

// shufflePackages puts packages in another order, each with its files together because they use each other, and returns them.
func shufflePackages(rng *rand.Rand, files []string) map[string]bool {
	packages, rank := map[string]bool{}, map[string]uint64{}
	for _, f := range files {
		dir := filepath.Dir(f)
		if _, ok := rank[dir]; !ok {
			rank[dir] = rng.Uint64()
		}
		packages[filepath.ToSlash(dir)] = true
	}
	slices.SortFunc(files, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank[filepath.Dir(a)], rank[filepath.Dir(b)]), strings.Compare(a, b))
	})
	return packages
}

// sourceFiles are the files of the standard library to make trees of, in order.
func sourceFiles(std string) (out []string, err error) {
	err = filepath.WalkDir(std, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "vendor" || d.Name() == "_asm") {
			return filepath.SkipDir
		}
		st, err := d.Info()
		if err != nil || !st.Mode().IsRegular() || filepath.Ext(p) != ".go" {
			return err
		}
		if st.Size() < minSource || st.Size() > maxSource {
			return nil
		}
		rel, err := filepath.Rel(std, p)
		out = append(out, rel)
		return err
	})
	return out, err
}

// wordExchange is the exchange of words with which one round of files is written.
type wordExchange struct {
	folder   string
	packages map[string]bool
	words    map[string]string
	rng      *rand.Rand
	first    bool
}

// vocabulary are the words that are exchanged with each other.
var vocabulary = strings.Fields(`Read Write File Name Type Value Error Index Node Buffer Reader Writer Header Field Func Call Block Table Entry Key Map List
Set Get Add Remove Parse Format Print Scan Token Line Column Pos Offset Size Length Count Start End Next Prev First Last Copy Move Open Close Flush Reset Init
Make New Build Load Store Find Search Match Replace Split Join Trim Encode Decode Marshal Unmarshal Hash Sum Sign Verify Conn Dial Listen Serve Request Response
Client Server Handler Context Cancel Timeout Wait Lock Unlock Signal Queue Stack Heap Tree Graph Edge Path Dir Root Base Ext Mode Perm Stat Info Config Option
Flag Arg Env User Group Host Port Addr Byte Rune String Number Int Float Bool Slice Array Chan Struct Interface Method Package Import Module Version Source Target`)

func newWordExchange(rng *rand.Rand, round int, packages map[string]bool) *wordExchange {
	v := &wordExchange{folder: fmt.Sprintf("part%02d", round), packages: packages, words: map[string]string{}, rng: rng, first: round == 0}
	to := slices.Clone(vocabulary)
	rng.Shuffle(len(to), func(i, k int) { to[i], to[k] = to[k], to[i] })
	for i, w := range vocabulary {
		v.words[w] = to[i]
		v.words[strings.ToLower(w)] = strings.ToLower(to[i])
	}
	return v
}

// identifierWord matches the words that an identifier is made of.
var identifierWord = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+|[0-9_]+|.`)

// rewriteSource returns a file with the exchanged words of its round in identifiers, and with imports of made packages.
func (v *wordExchange) rewriteSource(src []byte) string {
	var out strings.Builder
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	last := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		i := file.Offset(pos)
		var now string
		switch {
		case tok == token.IDENT && !v.first && len(lit) > 3 && !predeclaredNames[lit]:
			now = identifierWord.ReplaceAllStringFunc(lit, func(w string) string { return cmp.Or(v.words[w], w) })
		case tok == token.STRING && v.packages[strings.Trim(lit, `"`)]:
			now = `"` + module + "/" + v.folder + "/" + strings.Trim(lit, `"`) + `"`
		default:
			continue
		}
		out.Write(src[last:i])
		out.WriteString(now)
		last = i + len(lit)
	}
	out.Write(src[last:])
	return out.String()
}

// predeclaredNames are the longer predeclared names of Go.
var predeclaredNames = map[string]bool{
	"append": true, "close": true, "copy": true, "error": true, "false": true, "true": true, "float32": true, "float64": true, "int16": true, "int32": true, "int64": true,
	"int8": true, "make": true, "panic": true, "print": true, "println": true, "recover": true, "rune": true, "byte": true, "bool": true, "string": true, "uint16": true,
	"uint32": true, "uint64": true, "uint8": true, "uintptr": true, "delete": true, "complex128": true, "init": true, "main": true, "clear": true,
}
