package main

import (
	"bytes"
	"cmp"
	"context"
	"debug/elf"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// printSizes prints what C code and embedded tables take in the program of a target with programs in ELF: a row for each package with
// 100 kB or more. C is counted in the objects that are linked, tables by their files.
func (r *release) printSizes(ctx context.Context, t *target) error {
	if t.OS != "linux" {
		return fmt.Errorf("sizes are those of a target with Linux, not %s", t.Name)
	}
	args := []string{"list", "-p", "1", "-trimpath", "-deps", "-export", "-json=ImportPath,Export,CgoFiles,EmbedFiles,Dir", "./cmd/ken"}
	out, err := output(ctx, r.source, t.environment(r.zig, ""), "go", args...)
	if err != nil {
		return err
	}
	type part struct {
		name   string
		size   int
		tables bool
	}
	var parts []part
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var p struct {
			ImportPath, Export, Dir string
			CgoFiles, EmbedFiles    []string
		}
		if err := d.Decode(&p); err != nil {
			return err
		}
		if len(p.CgoFiles) > 0 && p.Export != "" {
			text, err := os.ReadFile(p.Export)
			if err != nil {
				return err
			}
			parts = append(parts, part{p.ImportPath + ", C", linkedSize(text), false})
		}
		for _, f := range p.EmbedFiles {
			if stat, err := os.Stat(filepath.Join(p.Dir, f)); err == nil {
				parts = append(parts, part{p.ImportPath + ", " + f, int(stat.Size()), true})
			}
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Or(b.size-a.size, cmp.Compare(a.name, b.name)) })
	fmt.Println("| part of the program | MB |\n|---|---|")
	c, tables := 0, 0
	for _, p := range parts {
		if p.tables {
			tables += p.size
		} else {
			c += p.size
		}
		if p.size >= 1e5 {
			fmt.Printf("| %s | %.2f |\n", strings.TrimPrefix(p.name, "github.com/"), float64(p.size)/1e6)
		}
	}
	fmt.Printf("| all C | %.2f |\n| all embedded files | %.2f |\n", float64(c)/1e6, float64(tables)/1e6)
	return nil
}

// linkedSize returns the bytes that the objects of an archive of the go command add to a program.
func linkedSize(text []byte) (n int) {
	text, ok := bytes.CutPrefix(text, []byte("!<arch>\n"))
	for ok && len(text) >= 60 {
		size, err := strconv.Atoi(strings.TrimSpace(string(text[48:58])))
		if err != nil || size < 0 || 60+size > len(text) {
			return n
		}
		if f, err := elf.NewFile(bytes.NewReader(text[60 : 60+size])); err == nil {
			for _, s := range f.Sections {
				if s.Flags&elf.SHF_ALLOC != 0 && s.Type != elf.SHT_NOBITS {
					n += int(s.Size)
				}
			}
		}
		text = text[min(len(text), 60+size+size%2):]
	}
	return n
}
