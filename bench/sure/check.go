package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// parsers are commands that end with an error if one of the files named behind is no source of their language.
var parsers = map[string][]string{
	"go":         {"gofmt", "-e", "-l"},
	"javascript": {"node", "--check"},
	"python":     {"python3", "-c", "import ast,sys\nfor f in sys.argv[1:]: ast.parse(open(f).read(), f)"},
	"ruby":       {"ruby", "-c"},
	"java":       {"javac", "-proc:none", "-d", "/tmp/sure-classes"},
	"c":          {"gcc", "-fsyntax-only", "-w"},
	"cpp":        {"g++", "-std=c++20", "-fsyntax-only", "-w"},
	"php":        {"php", "-l"},
	"rust":       {"rustc", "--edition=2021", "--crate-type=lib", "--emit=metadata", "-Awarnings", "-o", "/dev/null"},
}

// suffixes are the endings of the files that a parser is given; those that others include are not.
var suffixes = map[string]string{
	"go": ".go", "javascript": ".js .mjs .cjs", "python": ".py .pyi", "ruby": ".rb", "java": ".java", "c": ".c", "cpp": ".cpp", "php": ".php", "rust": "lib.rs",
}

// oneByOne are the parsers that take one file at a time.
var oneByOne = map[string]bool{"javascript": true, "ruby": true, "c": true, "cpp": true, "php": true, "rust": true}

// checkSources writes the cases without a syntax error below a directory and has them parsed.
func checkSources(ctx context.Context, dir string, list []*testCase) error {
	var failed, checked int
	for _, c := range list {
		parser := parsers[c.lang.name]
		if c.loss != nil || parser == nil {
			continue
		}
		if err := dumpCase(dir, c); err != nil {
			return err
		}
		root := filepath.Join(dir, strings.ReplaceAll(c.id(), "/", "."))
		var files []string
		for p := range c.build().files {
			for _, s := range strings.Fields(suffixes[c.lang.name]) {
				if strings.HasSuffix(p, s) {
					files = append(files, p)
				}
			}
		}
		step := len(files)
		if oneByOne[c.lang.name] {
			step = 1
		}
		for i := 0; i < len(files); i += max(step, 1) {
			cmd := exec.CommandContext(ctx, parser[0], append(parser[1:], files[i:i+step]...)...)
			cmd.Dir = root
			text, err := cmd.CombinedOutput()
			if errors.Is(err, exec.ErrNotFound) {
				return fmt.Errorf("%s: %w", c.lang.name, err)
			}
			checked++
			if err != nil {
				failed++
				fmt.Printf("INVALID %s\n%s\n", c.id(), text)
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d sources are not valid", failed, checked)
	}
	fmt.Printf("%d sources are valid\n", checked)
	return nil
}
