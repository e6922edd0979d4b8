// Command parse runs each grammar over the tests of its language (corpus.txt). Only files count that the language's own parser accepts,
// where there is one. It prints how many of them ken reads wholly, the constructs that it lost, and the declarations that ctags sees
// in an accepted file and ken neither knows nor reports as a name that it could not read: losses in silence.
//
//	go run ./bench/sure/parse -mirror CLONES [-lang go,ruby] [-list]
//
// CLONES has the repositories as OWNER+NAME/repo; those that are missing are left out, and named. Node, java, python3, ruby, php, gcc
// and g++ are used where they are there; ctags has to be.
package main

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"ken/bench/world"
	"ken/internal/code"
	"ken/internal/engine/extract"
	"ken/internal/engine/source/scan"
)

//go:embed oracles
var oracles embed.FS

//go:embed corpus.txt
var corpus string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var r runner
	flag.StringVar(&r.mirror, "mirror", "", "folder of the clones")
	flag.StringVar(&r.only, "lang", "", "languages, by commas (default: all)")
	flag.BoolVar(&r.list, "list", false, "print each file with a loss, and each loss in silence")
	flag.Parse()
	if err := r.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "parse:", err)
		os.Exit(1)
	}
}

type runner struct {
	mirror, only, scratch string
	list                  bool
}

// tally is what was counted in a language.
type tally struct {
	files, accepted, whole int
	constructs             map[string]int // the first line of each loss, its names and literals left out
	silent                 []string       // in files with a loss
	unknown                []string       // in others: what ctags takes for a declaration
}

func (r *runner) run(ctx context.Context) (err error) {
	var remove func()
	if r.scratch, remove, err = world.Scratch("ken-parse"); err != nil {
		return err
	}
	defer remove()
	tools, err := fs.Sub(oracles, "oracles")
	if err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(r.scratch, "oracles"), tools); err != nil {
		return err
	}
	table := world.Table{}
	for _, l := range languages {
		if r.only != "" && !slices.Contains(strings.Split(r.only, ","), l.name) {
			continue
		}
		t, err := r.check(ctx, &l)
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		must := fmt.Sprintf("≥ %.1f %%", l.least)
		if t.files == 0 {
			table.LeaveOut("files read wholly, "+l.name, must, "no clone")
			continue
		}
		share := 100 * float64(t.whole) / float64(max(t.accepted, 1))
		reached := fmt.Sprintf("%.2f %% (%d of %d accepted, %d files)", share, t.whole, t.accepted, t.files)
		table.Row("files read wholly, "+l.name, must, reached, share >= l.least)
		if l.ctags != "" {
			table.Row("declarations lost in silence, "+l.name, "0", fmt.Sprint(len(t.silent)), len(t.silent) == 0)
		}
		keys := slices.SortedFunc(maps.Keys(t.constructs), func(a, b string) int {
			return cmp.Or(t.constructs[b]-t.constructs[a], cmp.Compare(a, b))
		})
		for _, k := range keys[:min(len(keys), 8)] {
			fmt.Printf("\t%d\t%.120s\n", t.constructs[k], k)
		}
		for _, s := range t.silent {
			fmt.Println("\tsilent\t" + s)
		}
		if fmt.Printf("\t%d declarations of ctags are unknown in files that are read wholly\n", len(t.unknown)); r.list {
			fmt.Println("\t\t" + strings.Join(t.unknown, "\n\t\t"))
		}
	}
	return table.Summary()
}

// check counts what is lost in the files of a language.
func (r *runner) check(ctx context.Context, l *language) (*tally, error) {
	files, err := r.files(ctx, l)
	if err != nil {
		return nil, err
	}
	accepted, err := r.accepted(ctx, l, files)
	if err != nil {
		return nil, err
	}
	t := &tally{files: len(files), accepted: len(accepted), constructs: map[string]int{}}
	known, lossy := map[place]bool{}, map[string]bool{}
	e := extract.New()
	defer e.Close()
	for _, f := range accepted {
		src, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		src = scan.Text(src)
		facts := e.Extract(f+l.suffix, code.Lang(l.name), src)
		note(known, f, src, facts)
		if facts.ErrorBytes == 0 && facts.Problem == code.ProblemNone {
			t.whole++
			continue
		}
		lossy[f] = true
		shape := string(facts.Problem)
		for _, ref := range facts.Refs {
			if ref.Kind == code.RefUnparsed {
				shape = constructAround(src, int(ref.Start))
				break
			}
		}
		t.constructs[shape]++
		if r.list {
			fmt.Printf("\tloss\t%s\t%s\n", f, shape)
		}
	}
	tags, err := r.unknown(ctx, l, accepted, known)
	for _, tag := range tags {
		list := &t.unknown
		if lossy[tag.Path] {
			list = &t.silent
		}
		*list = append(*list, fmt.Sprintf("%s:%d %s %s", tag.Path, tag.Line, tag.Kind, tag.Name))
	}
	return t, err
}

// place is a name in a line.
type place struct {
	file, name string
	line       uint32
}

// note adds the names that ken knows in a file, or reports as not read.
func note(known map[place]bool, f string, src []byte, facts *code.Facts) {
	for _, s := range facts.Symbols {
		line := s.Span.Line + uint32(bytes.Count(src[s.Span.Start:max(s.NameStart, s.Span.Start)], []byte("\n")))
		known[place{f, s.Name, line}] = true
	}
	for _, ref := range facts.Refs {
		known[place{f, ref.Name, ref.Line}] = true
	}
	for _, m := range facts.Imports {
		known[place{f, m.Alias, m.Line}] = true
	}
}

var (
	names    = regexp.MustCompile(`[A-Za-z_$][A-Za-z_$0-9]*`)
	literals = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`|[0-9][0-9a-fA-Fx._]*")
)

// constructAround returns the line around a place, without what tells one use of a construct from another: long names and literals.
func constructAround(src []byte, at int) string {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	line, _, _ := bytes.Cut(src[start:], []byte("\n"))
	s := literals.ReplaceAllString(strings.TrimSpace(string(line)), "0")
	words := map[string]bool{}
	for w := range strings.FieldsSeq(keywords) {
		words[w] = true
	}
	return names.ReplaceAllStringFunc(s, func(w string) string {
		if words[w] {
			return w
		}
		return "a"
	})
}

// keywords stay in the shape of a line.
const keywords = `abstract accessor as async await case catch class const constexpr context declare def default defer delete do else enum
	export extends extension extern final fn for from func fun function get if impl implements import in inline interface is let macro
	match module namespace new of operator out override package partial private protected public record ref requires return satisfies sealed set static struct super switch
	template this throw trait try type typeof union unsafe using val var virtual void when where while with yield`

// tag is a declaration of ctags.
type tag struct {
	Name, Path, Kind, ScopeKind string
	Line                        uint32
}

// operator begins the name of an operator of C++.
const operator = "operator"

// madeUp are names for what has none.
var madeUp = regexp.MustCompile(`^(_|__anon.*|Anonymous.*)$`)

// unknown lists the declarations that ctags finds in files and that are not known, without what is local to a function.
func (r *runner) unknown(ctx context.Context, l *language, files []string, known map[place]bool) (list []tag, err error) {
	if l.ctags == "" || len(files) == 0 {
		return nil, nil
	}
	cmd := exec.CommandContext(ctx, "ctags", "-f", "-", "--output-format=json", "--fields=+nKZ", "--sort=no", "-L", "-",
		"--language-force="+l.ctags)
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n") + "\n")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ctags: %w", err)
	}
	kinds := strings.Fields(l.kinds)
	for line := range bytes.Lines(out) {
		var t tag
		if json.Unmarshal(line, &t) != nil || madeUp.MatchString(t.Name) || !slices.Contains(kinds, t.Kind) {
			continue
		}
		if isLocal := t.ScopeKind == "function" || t.ScopeKind == "method"; isLocal {
			continue
		}
		name := t.Name[strings.LastIndexAny(t.Name, ".:~ ")+1:]
		spellings := []string{name, t.Name, strings.TrimSuffix(name, "=")}
		if strings.HasPrefix(t.Name, operator) { // ctags writes "operator () "; of one that was not read this word alone is a name
			spellings = append(spellings, strings.ReplaceAll(strings.TrimSpace(t.Name), operator+" ", operator), operator)
		}
		if !slices.ContainsFunc(spellings, func(s string) bool { return known[place{t.Path, s, t.Line}] }) {
			list = append(list, t)
		}
	}
	return list, nil
}

// files lists the files of the corpora of a language.
func (r *runner) files(ctx context.Context, l *language) (list []string, err error) {
	for line := range strings.Lines(corpus) {
		words := strings.Fields(line)
		if len(words) != 3 || words[0] != l.name {
			continue
		}
		pattern, err := regexp.Compile("^(?:" + words[2] + ")")
		if err != nil {
			return nil, err
		}
		if words[1] == "!" {
			list = slices.DeleteFunc(list, func(f string) bool {
				in, _ := filepath.Rel(r.scratch, f)
				return pattern.MatchString(filepath.ToSlash(in))
			})
			continue
		}
		root, err := r.tree(ctx, l, words[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, "parse:", err)
			continue
		}
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			if in, _ := filepath.Rel(root, path); pattern.MatchString(filepath.ToSlash(in)) {
				list = append(list, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// tree returns the folder of a corpus: a star for that of the language's tools, or a repository at a commit, which is checked out.
func (r *runner) tree(ctx context.Context, l *language, name string) (string, error) {
	if name == "*" {
		out, err := exec.CommandContext(ctx, l.home[0], l.home[1:]...).Output()
		if err != nil {
			return "", fmt.Errorf("%s: %w", l.home[0], err)
		}
		return filepath.EvalSymlinks(strings.TrimSpace(string(out)))
	}
	repository, commit, _ := strings.Cut(name, "@")
	tree, err := world.ShareClone(ctx, r.mirror, repository, r.scratch)
	if err != nil {
		return "", err
	}
	return tree, world.Checkout(ctx, tree, commit)
}

// include returns the folder of the headers of the repository that f belongs to.
func (r *runner) include(f string) string {
	in, _ := filepath.Rel(r.scratch, f)
	repository, _, _ := strings.Cut(filepath.ToSlash(in), "/")
	return filepath.Join(r.scratch, repository, "include")
}

// accepted returns the files that the language's parser accepts, or all if there is no parser.
func (r *runner) accepted(ctx context.Context, l *language, files []string) (list []string, err error) {
	tool := slices.Concat(l.accept, l.each, []string{""})[0]
	switch _, err := exec.LookPath(cmp.Or(l.needs, tool)); {
	case l.name == "go":
		return slices.DeleteFunc(slices.Clone(files), func(f string) bool {
			_, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution)
			return err != nil
		}), nil
	case tool == "" || err != nil:
		return files, nil
	case l.each != nil:
		var wait sync.WaitGroup
		free, valid := make(chan bool, runtime.NumCPU()), make([]bool, len(files))
		for i, f := range files {
			free <- true
			wait.Go(func() {
				valid[i] = exec.CommandContext(ctx, tool, append(slices.Clone(l.each[1:]), "-I", filepath.Dir(f), "-I", r.include(f), f)...).Run() == nil
				<-free
			})
		}
		wait.Wait()
		for i, f := range files {
			if valid[i] {
				list = append(list, f)
			}
		}
		return list, ctx.Err()
	}
	dir := filepath.Join(r.scratch, "oracles")
	if tool == "node" {
		if err := world.InstallPackages(ctx, dir, []byte(`{"private": true, "dependencies": {"typescript": "5.9.3"}}`)); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, tool, filepath.Join(dir, l.accept[1]))
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n") + "\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %.1000s", tool, err, stderr.Bytes())
	}
	for path := range strings.Lines(string(out)) {
		list = append(list, strings.TrimSpace(path))
	}
	if len(list) == 0 && len(files) > 0 {
		return nil, errors.New("its parser accepts no file")
	}
	return list, nil
}
