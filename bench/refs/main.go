// Command refs measures how true the answers of `ken refs` are: which uses that
// a compiler or language server knows are listed, dropped or in no tier, and
// which of the listed are uses of something else.
//
//	go run ./bench/refs -lang go -repos NAME=DIR,… [-seed 1] [-n 300] [-list CLASS] [-judged FILE]
//	go run ./bench/refs -lang go -trees FOLDER -truth bench/sure/truth [-seed 1] [-n 40]
//	go run ./bench/refs -lang go -repos NAME=DIR -rename COMMAND [-seed 1] [-n 50] [-list OUTCOME]
//
// DIR is a git working tree; ken writes .ken/ into it. Of each, n declarations
// that ken knows are drawn by the seed, as many of each kind as there are. An
// oracle says where each is used, and `ken refs PATH:Qualified --json` is
// compared with it place by place. Oracles, by -lang:
//
//	go          go/types, by x/tools' go/packages; needs the module cache of DIR
//	typescript  the language service of TypeScript
//	javascript  the same, with allowJs and checkJs
//	python      pyright, over the language server protocol
//	java        the attributed trees of javac
//	rust        rust-analyzer, which -server names if it is not in PATH
//	c           clangd, for C and C++, with the compile_commands.json of DIR or of -build/NAME, which cmake
//	            writes with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
//
// What is not in the toolchain is installed by npm or pip, at the versions
// pinned in oracle/, into the user's cache folder.
//
// Declarations and import lines count for nothing on either side. Uses without
// the name (operators, constructors, conversions) and those of a member that
// the symbol overrides are counted apart. A place that the oracle cannot
// resolve is neither right nor wrong, and is counted apart, too.
//
// -list prints the disagreements of a class, one a line. A file of -judged has
// lines "class TAB place TAB verdict", where the verdict "ken" says that the
// oracle is wrong: that share of the judged places of a class is taken from its count.
//
// With -truth nothing is asked of ken: symbols that Universal Ctags finds are drawn, and what the oracle knows about every line that
// has their name is written for bench/sure/refs.
//
// With -rename the drawn symbols are renamed one by one in a copy of DIR: the sure patch
// of `ken rename` is applied, and the messages of a command of the shell, a compiler or
// type checker, are compared with those before. Symbols with unsure places are counted
// only.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"ken/bench/world"
)

func main() {
	var o options
	flag.StringVar(&o.lang, "lang", "", "language: go, typescript, javascript, python, java, rust or c")
	flag.StringVar(&o.repos, "repos", "", "working trees, by commas, each as DIR or NAME=DIR")
	flag.Uint64Var(&o.seed, "seed", 1, "what the symbols are drawn by")
	flag.IntVar(&o.n, "n", 300, "symbols of each repository")
	flag.StringVar(&o.server, "server", "", "language server to use instead of the installed one")
	flag.StringVar(&o.build, "build", "", "folder that holds NAME/compile_commands.json (default: DIR/compile_commands.json)")
	flag.StringVar(&o.list, "list", "", "print the disagreements whose class begins so (all: every class)")
	flag.StringVar(&o.judged, "judged", "", "file of judged disagreements")
	flag.StringVar(&o.truth, "truth", "", "folder with repositories.txt, into which LANG.jsonl is written")
	flag.StringVar(&o.trees, "trees", "", "with -truth: folder of working trees, each named OWNER+NAME")
	flag.StringVar(&o.rename, "rename", "", "command that checks a copy of DIR after a rename")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "refs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	o.cache = filepath.Join(cache, "ken-refs")
	for _, file := range []*string{&o.build, &o.server} {
		if *file == "" {
			continue
		}
		if *file, err = filepath.Abs(*file); err != nil {
			return err
		}
	}
	if o.truth != "" {
		return writeTruth(ctx, o)
	}
	verdicts, err := readJudged(o.judged)
	if err != nil {
		return err
	}
	results, err := measureAll(ctx, o)
	if err != nil || o.rename != "" {
		return err
	}
	verdicts.correctResults(results)
	if o.list != "" {
		return printDisagreements(os.Stdout, results, o.list)
	}
	return writeTable(os.Stdout, results)
}

// measureAll compares ken with the oracle in every repository.
func measureAll(ctx context.Context, o options) ([]repoResult, error) {
	l, err := fileLanguage(o.lang)
	if err != nil {
		return nil, err
	}
	if o.repos == "" {
		return nil, errors.New("-repos is missing")
	}
	work, remove, err := world.Scratch("ken-refs")
	if err != nil {
		return nil, err
	}
	defer remove()
	if o.ken, err = world.Build(ctx, work); err != nil {
		return nil, err
	}
	var results []repoResult
	repos := repositories(o.repos)
	if o.rename != "" {
		return nil, measureRenames(ctx, o, repos)
	}
	for _, repo := range repos {
		r, err := measureRepo(ctx, o, l, repo.name, repo.dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", repo.name, err)
		}
		results = append(results, r)
	}
	return results, nil
}

func measureRepo(ctx context.Context, o options, l measuredLanguage, name, dir string) (repoResult, error) {
	t, err := openTree(ctx, dir, l)
	if err != nil {
		return repoResult{}, err
	}
	k := &kenProgram{program: o.ken, dir: t.dir}
	declared, err := k.declaredSymbols(ctx, t.sources)
	if err != nil {
		return repoResult{}, err
	}
	o.name = name
	or, err := l.open(ctx, o, t)
	if err != nil {
		return repoResult{}, fmt.Errorf("oracle: %w", err)
	}
	defer or.close()
	c := &comparison{tree: t, ken: k, oracle: or, overloads: l.overloads, conditional: l.conditional}
	if l.conditional {
		c.named = map[string][]symbol{}
		for _, s := range declared {
			c.named[s.Name] = append(c.named[s.Name], s)
		}
	}
	c.result = repoResult{Lang: o.lang, Repo: name}
	for _, s := range drawDeclarations(declared, o.seed, o.n) {
		if err := c.compareSymbol(ctx, s); err != nil {
			return repoResult{}, fmt.Errorf("%s:%s: %w", s.Path, s.Qualified, err)
		}
	}
	return c.result, nil
}
