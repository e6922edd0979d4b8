package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// symbol is a declaration as ken knows it.
type symbol struct {
	Path      string `json:"path"`
	Name      string `json:"name"`
	Qualified string `json:"qualified"`
	Signature string `json:"signature"`
	Kind      string `json:"kind"`
	Line      int    `json:"line"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
}

// reference is one that ken lists.
type reference struct {
	Path       string `json:"path"`
	Line       int    `json:"line"`
	Start      int    `json:"start"`
	Kind       string `json:"kind"`
	Confidence string `json:"confidence"`
	By         string `json:"by"`
	Through    string `json:"through"`
	Reason     string `json:"reason"`
	Target     string `json:"target"`
	TargetPath string `json:"target_path"`
	TargetLine int    `json:"target_line"`
	dropped    bool   // the target is the other meaning
}

// tierWord returns ken's confidence in a reference, in one word.
func (r *reference) tierWord() string {
	switch {
	case r.dropped:
		return "dropped: " + cmp.Or(r.Reason, "no reason")
	case r.Through != "" || r.By == "interface":
		return "through"
	case r.Kind == "import" || r.Kind == "export" || r.Kind == "definition":
		return r.Kind
	}
	return r.Confidence
}

// answer is that of `ken refs --json`.
type answer struct {
	References    []reference `json:"references"`
	ResolvedShare float64     `json:"resolved_share"`
	Settled       *bool       `json:"settled"` // nil in versions without it
	Symbols       []symbol    `json:"symbols"`
	Absence       *struct {
		Verdict string `json:"verdict"`
	} `json:"absence"`
}

// isDecided reports whether the answer claims that every use of the name is decided.
func (a *answer) isDecided() bool {
	if a.Settled != nil {
		return *a.Settled
	}
	return a.ResolvedShare >= 1
}

// kenProgram asks the program about one tree.
type kenProgram struct {
	program, dir string
	dropped      *bool // whether it lists dropped uses
}

// runKen returns the output of the program. The exit codes for "nothing found"
// and "nothing proven" are no errors, because an answer comes with them.
func (k *kenProgram) runKen(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, k.program, args...)
	cmd.Dir = k.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 2 && json.Valid(out)) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ken %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out, nil
}

// declaredSymbols returns the declarations in the given files.
func (k *kenProgram) declaredSymbols(ctx context.Context, files []string) ([]symbol, error) {
	if _, err := k.runKen(ctx, "init"); err != nil {
		return nil, err
	}
	var all []symbol
	for batch := range slices.Chunk(files, 500) {
		out, err := k.runKen(ctx, append([]string{"outline", "--json", "--"}, batch...)...)
		if err != nil {
			return nil, err
		}
		var a struct {
			Files []struct {
				Path    string
				Symbols []symbol
			}
		}
		if err := json.Unmarshal(out, &a); err != nil {
			return nil, err
		}
		for _, f := range a.Files {
			for _, s := range f.Symbols {
				s.Path = f.Path
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// references asks for all references of a symbol, and for those dropped if this
// version of the program lists them.
func (k *kenProgram) references(ctx context.Context, s *symbol) (answer, error) {
	name := s.Path + ":" + s.Qualified
	a, err := k.askRefs(ctx, name)
	if err != nil {
		return a, err
	}
	if k.dropped == nil {
		help, err := k.runKen(ctx, "refs", "--help")
		if err != nil {
			return a, err
		}
		k.dropped = new(bool)
		*k.dropped = strings.Contains(string(help), "dropped)") || strings.Contains(string(help), "dropped,")
	}
	if *k.dropped {
		d, err := k.askRefs(ctx, name, "--tier", "dropped")
		if err != nil {
			return a, err
		}
		for _, r := range d.References {
			r.dropped = true
			a.References = append(a.References, r)
		}
	}
	return a, nil
}

func (k *kenProgram) askRefs(ctx context.Context, name string, flags ...string) (answer, error) {
	var a answer
	out, err := k.runKen(ctx, append([]string{"refs", "--json", "--limit", "0", name}, flags...)...)
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(out, &a)
}

// drawDeclarations returns n declarations, equally many of each kind. A hash
// orders the symbols of a kind, so that the sample changes little when the
// program learns to find more declarations.
func drawDeclarations(declared []symbol, seed uint64, n int) []symbol {
	type drawn struct {
		symbol
		order uint64
	}
	kinds := map[string][]drawn{}
	for _, s := range declared {
		if !isAskable(&s) {
			continue
		}
		h := sha256.Sum256(fmt.Append(nil, seed, "\x00", s.Path, "\x00", s.Qualified, "\x00", s.Kind, "\x00", s.Line))
		kinds[s.Kind] = append(kinds[s.Kind], drawn{s, binary.BigEndian.Uint64(h[:])})
	}
	names := slices.Sorted(maps.Keys(kinds))
	for _, k := range names {
		slices.SortFunc(kinds[k], func(a, b drawn) int { return cmp.Compare(a.order, b.order) })
	}
	var list []symbol
	for round := 0; len(list) < n; round++ {
		before := len(list)
		for _, k := range names {
			if round < len(kinds[k]) && len(list) < n {
				list = append(list, kinds[k][round].symbol)
			}
		}
		if len(list) == before {
			break
		}
	}
	return list
}

// isAskable reports whether a declaration has a name that a command can take.
func isAskable(s *symbol) bool {
	switch s.Kind {
	case "module", "package", "namespace", "file":
		return false
	}
	quoted, _ := strconv.Unquote(`"` + s.Name + `"`)
	return s.Name != "" && s.Name != "_" && quoted == s.Name && strings.IndexFunc(s.Name, func(r rune) bool { return !isWordRune(r) }) < 0
}
