// Command injection measures the filter of passages worded as orders to an agent: how many it finds of those that two public sets have, and
// how many of real READMEs and doc comments it takes for one.
//
//	go run ./bench/sound/injection -repos FOLDER [-held] [-seed 28] [-v]
//
// FOLDER has clones as owner+name/repo: those of the sets, at any commit that has theirs, and any others, from which READMEs and doc
// comments are drawn. Half of each set, by the first bit of the SHA-256 of a passage, was not read while the filter was written; -held
// counts that half, and without it -v prints what is missed of the other.
package main

import (
	"crypto/sha256"
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

// sets are the public sets, of which only passages that order an agent to act count: proventra's attacks on agents, and of pincer those of
// its family injection.
var sets = []struct {
	repo, commit, file string
	passage            *regexp.Regexp // its last group is a literal
}{
	{"proventra+proventra-core", "5f7a2f60880f19bed10f9721e2b109aeff149879", "benchmark/data/test_data.py",
		regexp.MustCompile(`(?s)"text": ("""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*")`)},
	{"rustyorb+pincer", "961485b0321259cf65ed3497e9c125cb587679bf", "src/lib/attacks/injection.ts",
		regexp.MustCompile("(?s)prompt:\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`|'(?:[^'\\\\]|\\\\.)*')")},
}

func main() {
	repos := flag.String("repos", "", "folder of clones, each as owner+name/repo")
	held := flag.Bool("held", false, "count the halves that were held back")
	seed := flag.Uint64("seed", 28, "seed of the texts that are drawn")
	verbose := flag.Bool("v", false, "print what is missed of the open halves, and what is taken for an order")
	flag.Parse()
	found, all := 0, 0
	for _, s := range sets {
		text, err := git(*repos, s.repo, "show", s.commit+":"+s.file)
		if err != nil {
			fmt.Fprintln(os.Stderr, "injection:", s.repo, err)
			os.Exit(1)
		}
		text, _, _ = strings.Cut(text, "LEGITIMATE_REQUESTS") // of proventra, which follow the attacks
		n, hits := 0, 0
		for _, m := range s.passage.FindAllStringSubmatch(text, -1) {
			p := literal(m[1])
			if isHeld := sha256.Sum256([]byte(p))[0]&1 == 1; isHeld != *held {
				continue
			}
			n++
			if len(injection.Scan(p)) > 0 {
				hits++
			} else if *verbose && !*held {
				fmt.Printf("missed: %.300q\n", p)
			}
		}
		fmt.Printf("%s@%.8s %s: %d of %d\n", s.repo, s.commit, s.file, hits, n)
		found, all = found+hits, all+n
	}
	fmt.Printf("recall %.1f %% of %d (bound 85 of those held back)\n", 100*float64(found)/float64(all), all)
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
var aboutInjection = []string{"inject", "prompt", "agent", "garak", "vigil", "pincer", "proventra", "purple", "bipia"}

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
