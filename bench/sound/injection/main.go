// Command injection measures the filter of passages worded as orders to an agent: how many it finds of those that public sets have, and
// how many of real READMEs and doc comments it takes for one.
//
//	go run ./bench/sound/injection -repos FOLDER [-held] [-seed 28] [-v]
//
// FOLDER has clones as owner+name/repo: those of the sets, at any commit that has theirs, and any others, from which READMEs and doc
// comments are drawn. One set was not read while the filter was written; -held counts that set, and without it -v prints what is missed
// of the others.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ken/internal/delivery/injection"
)

// set is a public set of passages, of which only those that order an agent to act count.
type set struct {
	repo, commit string
	path         string
	passage      *regexp.Regexp // its group is a literal
	held         bool           // it was not read
}

// sets are the public sets: proventra's attacks on agents, those of pincer's family injection, and the malicious ones of
// Prompt-Shield's cases of issues, comments and files.
var sets = []set{
	{repo: "proventra+proventra-core", commit: "5f7a2f60880f19bed10f9721e2b109aeff149879", path: "benchmark/data/test_data.py",
		passage: regexp.MustCompile(`(?s)"text": ("""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*")`)},
	{repo: "rustyorb+pincer", commit: "961485b0321259cf65ed3497e9c125cb587679bf", path: "src/lib/attacks/injection.ts",
		passage: regexp.MustCompile("(?s)prompt:\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`|'(?:[^'\\\\]|\\\\.)*')")},
	{repo: "markmishaev76+Prompt-Shield", commit: "41beabf155aeed7d3319698c85eefebc0642509d", path: "src/prompt_shield/evaluation/test_cases.py", held: true,
		passage: regexp.MustCompile(`(?s)content=("""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"),\s*content_type=[\w.]+,\s*trust_level=[\w.]+,\s*is_malicious=True`)},
}

// passages returns the passages of the set. It fails if git does.
func (s *set) passages(repos string) (list []string, err error) {
	text, err := git(repos, s.repo, "show", s.commit+":"+s.path)
	text, _, _ = strings.Cut(text, "LEGITIMATE_REQUESTS") // of proventra, which follow the attacks
	for _, m := range s.passage.FindAllStringSubmatch(text, -1) {
		list = append(list, literal(m[1]))
	}
	return list, err
}

func main() {
	repos := flag.String("repos", "", "folder of clones, each as owner+name/repo")
	held := flag.Bool("held", false, "count the set that was held back")
	seed := flag.Uint64("seed", 28, "seed of the texts that are drawn")
	verbose := flag.Bool("v", false, "print what is missed of the open sets, and what is taken for an order")
	flag.Parse()
	found, all := 0, 0
	for _, s := range sets {
		if s.held != *held {
			continue
		}
		list, err := s.passages(*repos)
		if err != nil {
			fmt.Fprintln(os.Stderr, "injection:", s.repo, err)
			os.Exit(1)
		}
		hits := 0
		for _, p := range list {
			if len(injection.Scan(p)) > 0 {
				hits++
			} else if *verbose {
				fmt.Printf("missed: %.300q\n", p)
			}
		}
		fmt.Printf("%s@%.8s %s: %d of %d\n", s.repo, s.commit, s.path, hits, len(list))
		found, all = found+hits, all+len(list)
	}
	fmt.Printf("recall %.1f %% of %d (bound 85 of the set held back)\n", 100*float64(found)/float64(all), all)
	clean := drawClean(*repos, rand.New(rand.NewPCG(*seed, 1)))
	wrong := 0
	for _, text := range clean {
		if hits := injection.Scan(text); len(hits) > 0 {
			wrong++
			if *verbose {
				fmt.Printf("wrong: %v %.300q\n", hits, text)
			}
		}
	}
	fmt.Printf("wrong %d of %d READMEs and doc comments, %.2f %% (bound 0.5)\n", wrong, len(clean), 100*float64(wrong)/float64(max(1, len(clean))))
	if *held && found*100 < all*85 || wrong*200 > len(clean) {
		os.Exit(1)
	}
}

// literal returns the text of a literal of Python or TypeScript.
func literal(s string) string {
	if strings.HasPrefix(s, `"""`) {
		return strings.Trim(s, `"`)
	}
	body := strings.NewReplacer(`\'`, `'`, "\\`", "`", "\n", `\n`).Replace(s[1 : len(s)-1])
	if s[0] != '"' {
		body = strings.ReplaceAll(body, `"`, `\"`)
	}
	if text, err := strconv.Unquote(`"` + body + `"`); err == nil {
		return text
	}
	return body
}

// drawn is the number of READMEs and doc comments together.
const drawn = 3000

// aboutInjection are words in the names of repositories whose subject such passages are.
var aboutInjection = []string{"inject", "prompt", "agent", "garak", "vigil", "pincer", "proventra", "purple", "bipia", "bridgewarden", "hemlock", "shield", "trusttrace"}

var comment = regexp.MustCompile(`(?s)/\*\*.*?\*/|(?m:(?:^[ \t]*//[^\n]*\n)+)|"""[^"]{30,}?"""`)

// drawClean draws READMEs, up to a third of all texts, and doc comments.
func drawClean(repos string, rnd *rand.Rand) []string {
	var readmes, comments []string
	dirs, _ := filepath.Glob(filepath.Join(repos, "*", "repo"))
	for _, dir := range dirs {
		name := filepath.Base(filepath.Dir(dir))
		if slices.ContainsFunc(aboutInjection, func(w string) bool { return strings.Contains(strings.ToLower(name), w) }) {
			continue
		}
		list, _ := git(repos, name, "ls-tree", "-r", "--name-only", "HEAD")
		files := strings.Fields(list)
		rnd.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
		sources := 0
		for _, f := range files {
			isReadme := strings.HasPrefix(strings.ToLower(path.Base(f)), "readme")
			isSource := slices.Contains([]string{".go", ".java", ".ts", ".js", ".rs", ".kt", ".c", ".h", ".cs", ".php", ".py", ".swift", ".scala"}, path.Ext(f))
			if !isReadme && (!isSource || sources > 25) {
				continue
			}
			text, _ := git(repos, name, "show", "HEAD:"+f)
			if isReadme {
				readmes = append(readmes, text)
				continue
			}
			sources++
			for _, c := range comment.FindAllString(text, 40) {
				if len(c) > 40 {
					comments = append(comments, c)
				}
			}
		}
	}
	for _, list := range [][]string{readmes, comments} {
		rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	out := readmes[:min(len(readmes), drawn/3)]
	return append(out, comments[:min(len(comments), drawn-len(out))]...)
}

func git(repos, name string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", filepath.Join(repos, name, "repo")}, args...)...).Output()
	return string(out), err
}
