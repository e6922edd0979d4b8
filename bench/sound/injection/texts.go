package main

import (
	_ "embed"
	"math/rand/v2"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed repositories.txt
var repositoryList string

// repository is one whose texts are no orders to an agent.
type repository struct {
	kind         string // text, tools or about
	name, commit string
}

// The shares of the repositories: half are drawn from, the others learned, but for some by which the threshold is chosen.
const (
	drawnShare = iota
	learnedShare
	tuningShare
)

func (r *repository) share() int {
	switch h := hash(r.name); {
	case h&1 == 0 || r.kind == "about":
		return drawnShare
	case h&2 == 0:
		return tuningShare
	}
	return learnedShare
}

func repositories() (list []repository) {
	for line := range strings.Lines(repositoryList) {
		if kind, rest, ok := strings.Cut(strings.TrimSpace(line), " "); ok && kind != "#" {
			name, commit, _ := strings.Cut(rest, "@")
			list = append(list, repository{kind, name, commit})
		}
	}
	return list
}

var comment = regexp.MustCompile(`(?s)/\*\*.*?\*/|(?m:(?:^[ \t]*//[^\n]*\n)+)|"""[^"]{30,}?"""`)

// corpus are the texts of some repositories.
type corpus struct{ readmes, comments, documents, sources []string }

// sourceFiles is the number of source files of a repository from which comments are taken.
const sourceFiles = 50

// ordersForAgents are names of documents that have orders to an agent of those whose project it is.
var ordersForAgents = regexp.MustCompile(`(?i)agents?\.md|claude|gemini\.md|cursor|copilot|skills?/|prompts?/|commands/|agents/|\.roo|\.clinerules|instructions|changelog`)

// read adds the READMEs of a repository, comments of its source and some of its other documents.
func (c *corpus) read(repos string, r *repository, rnd *rand.Rand) error {
	list, err := git(repos, r.name, "ls-tree", "-r", "--name-only", r.commit)
	if err != nil {
		return err
	}
	files := strings.Split(strings.TrimSpace(list), "\n")
	rnd.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	sources, documents := 0, 0
	for _, f := range files {
		ext := path.Ext(f)
		isReadme := strings.HasPrefix(strings.ToLower(path.Base(f)), "readme")
		isDocument := slices.Contains([]string{".md", ".mdx", ".rst"}, ext) && !ordersForAgents.MatchString(f) && documents < 100
		isSource := slices.Contains([]string{".go", ".java", ".ts", ".js", ".rs", ".kt", ".c", ".h", ".cs", ".php", ".py", ".swift", ".scala"}, ext) && sources < sourceFiles
		if !isReadme && !isDocument && !isSource {
			continue
		}
		text, err := git(repos, r.name, "show", r.commit+":"+f)
		switch {
		case err != nil: // a file that the snapshot lacks
		case isReadme:
			c.readmes = append(c.readmes, text)
		case isDocument:
			documents++
			c.documents = append(c.documents, text)
		default:
			sources++
			c.sources = append(c.sources, text)
			for _, t := range comment.FindAllString(text, 40) {
				if len(t) > 40 {
					c.comments = append(c.comments, t)
				}
			}
		}
	}
	return nil
}

// readShare reads the repositories of a kind and a share.
func readShare(repos, kind string, share int, rnd *rand.Rand) (*corpus, error) {
	c := &corpus{}
	for _, r := range repositories() {
		if r.kind == kind && r.share() == share {
			if err := c.read(repos, &r, rnd); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// draw draws n texts, a third of which are READMEs, if there are as many, and the others comments.
func (c *corpus) draw(n int, rnd *rand.Rand) []string {
	for _, list := range [][]string{c.readmes, c.comments} {
		rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	out := slices.Clone(c.readmes[:min(len(c.readmes), n/3)])
	return append(out, c.comments[:min(len(c.comments), n-len(out))]...)
}

func git(repos, name string, args ...string) (string, error) {
	dir := filepath.Join(repos, strings.ReplaceAll(name, "/", "+"), "repo")
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
	return string(out), err
}
