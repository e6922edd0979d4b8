package main

import (
	"cmp"
	"context"
	"hash/fnv"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ken/bench/commits"
	"ken/bench/world"
)

// Limits of a task.
const (
	recent     = 5000 // newest commits of a repository that are looked at
	maxGold    = 6    // source files that were there before and change
	maxChanged = 30   // files of all sorts
	leastWords = 4    // of a title
	moreWords  = 8    // of the rest of a message, so that it counts
	maxQuery   = 6000 // bytes
)

var (
	word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]+`)
	// duty matches the titles of commits without a purpose of their own.
	duty = regexp.MustCompile(`(?i)^(\[[^\]]*\] *)?(chore\((deps|release)|build\(deps|bump|release|prepare|merge|revert|typo|fix(ed)? typo|format|reformat|lint|gofmt|` +
		`run (prettier|black|rustfmt)|cs fix|update (changelog|version|deps|dependenc|copyright|year|translations)|upgrade|v?[0-9]+\.[0-9]+)`)
)

// commit is a commit as `git log --raw` prints it.
type commit struct {
	hash, parent string
	title, rest  string   // of its message
	modified     []string // source files, no tests, that were there before
	place        int      // in the history, from the newest
	whole        bool     // the query is the whole message
}

// hasMore reports whether a message goes on behind its title.
func (c *commit) hasMore() bool { return len(word.FindAllString(c.rest, -1)) >= moreWords }

// draw returns at most n tasks of a repository, older ones first: half of them with whole messages, if there are so many, the others with
// titles alone. Which commits it takes depends on their hashes. It fails if git does.
func draw(ctx context.Context, mirror string, p world.Pin, n int) ([]task, error) {
	clone, err := world.Clone(mirror, p.Repository)
	if err != nil {
		return nil, err
	}
	list, err := fitting(ctx, clone, p.Commit)
	if err != nil {
		return nil, err
	}
	var long, short []commit
	for _, i := range lots(list) {
		if list[i].place = i; list[i].hasMore() && len(long) < n/2 {
			list[i].whole = true
			long = append(long, list[i])
		} else {
			short = append(short, list[i])
		}
	}
	drawn := append(long, short[:min(n-len(long), len(short))]...)
	slices.SortFunc(drawn, func(a, b commit) int { return b.place - a.place })
	var out []task
	for i := range drawn {
		t := drawn[i].task(p.Repository)
		if t.Lines, err = changedLines(ctx, clone, &drawn[i]); err != nil {
			return nil, err
		}
		if len(word.FindAllString(t.Query, -1)) >= leastWords {
			out = append(out, t)
		}
	}
	return out, nil
}

// lots returns the places of commits in an order that depends on their hashes.
func lots(list []commit) []int {
	number := make([]uint64, len(list))
	order := make([]int, len(list))
	for i := range list {
		h := fnv.New64a()
		h.Write([]byte(list[i].hash))
		number[i], order[i] = h.Sum64(), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(number[a], number[b]), a-b) })
	return order
}

// fitting returns the commits that can be tasks, newest first.
func fitting(ctx context.Context, clone, from string) ([]commit, error) {
	log, err := world.Git(ctx, clone, "log", "--no-merges", "--no-renames", "--name-status", "-n", strconv.Itoa(recent),
		"--format=%x00%H%x01%P%x01%B%x01", from)
	if err != nil {
		return nil, err
	}
	var out []commit
	for entry := range strings.SplitSeq(log, "\x00") {
		part := strings.Split(entry, "\x01")
		if len(part) != 4 || part[1] == "" || duty.MatchString(part[2]) {
			continue
		}
		c := commit{hash: part[0], parent: part[1]}
		c.title, c.rest, _ = strings.Cut(commits.PlainMessage(part[2]), "\n")
		if c.setFiles(part[3]) && len(word.FindAllString(c.title, -1)) >= leastWords {
			out = append(out, c)
		}
	}
	return out, nil
}

// setFiles sets the modified files from a list of git, and reports whether they are as few as a task has.
func (c *commit) setFiles(changes string) bool {
	changed, added := 0, 0
	for line := range strings.Lines(changes) {
		status, p, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		if !ok {
			continue
		}
		changed++
		switch {
		case !commits.IsGold(p) || strings.HasPrefix(p, `"`):
		case status == "M":
			c.modified = append(c.modified, p)
		default:
			added++
		}
	}
	return len(c.modified) > 0 && len(c.modified)+added <= maxGold && changed <= maxChanged
}

// task returns the task of a commit. A title alone loses the names of the changed files.
func (c *commit) task(repository string) task {
	t := task{ID: strings.ReplaceAll(repository, "/", "__") + "@" + c.hash[:10], Repo: repository, Lang: language(c.modified), Base: c.parent,
		Query: withoutFiles(c.title, c.modified), Gold: c.modified, Source: "title"}
	if c.whole {
		t.Query, t.Source = strings.TrimSpace(c.title+"\n"+c.rest), "message"
	}
	t.Query = strings.ToValidUTF8(t.Query[:min(len(t.Query), maxQuery)], "")
	return t
}

// withoutFiles takes the paths and names of files out of a text, whatever their case.
func withoutFiles(text string, files []string) string {
	for _, f := range files {
		for _, name := range []string{f, path.Base(f)} {
			text = regexp.MustCompile(`(?i)`+regexp.QuoteMeta(name)).ReplaceAllString(text, "")
		}
	}
	return strings.TrimSpace(text)
}

// languages are the names that dev.jsonl has, by extension; others are the extension itself.
var languages = map[string]string{
	"py": "python", "pyx": "python", "pyi": "python", "mts": "ts", "cts": "ts", "tsx": "ts", "jsx": "js", "mjs": "js", "cjs": "js", "rs": "rust",
	"kt": "kotlin", "kts": "kotlin", "h": "c", "cc": "cpp", "cxx": "cpp", "hpp": "cpp", "hh": "cpp", "hxx": "cpp", "ipp": "cpp", "inc": "cpp",
	"cs": "csharp", "rb": "ruby", "ex": "elixir", "exs": "elixir",
}

// language returns the language that most of the files have.
func language(files []string) string {
	count, best := map[string]int{}, ""
	for _, f := range files {
		l := strings.TrimPrefix(strings.ToLower(path.Ext(f)), ".")
		l = cmp.Or(languages[l], l)
		if count[l]++; count[l] > count[best] {
			best = l
		}
	}
	return best
}

var hunk = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+`)

// changedLines returns the lines of each file that a commit removes or inserts behind, by their numbers before it.
func changedLines(ctx context.Context, clone string, c *commit) (map[string][][2]int, error) {
	args := append([]string{"diff", "--no-renames", "--no-ext-diff", "--no-color", "-U0", c.parent, c.hash, "--"}, c.modified...)
	diff, err := world.Git(ctx, clone, args...)
	if err != nil {
		return nil, err
	}
	out := map[string][][2]int{}
	file := ""
	for line := range strings.Lines(diff) {
		if name, ok := strings.CutPrefix(line, "--- a/"); ok {
			file = strings.TrimRight(name, "\t\n")
			continue
		}
		m := hunk.FindStringSubmatch(line)
		if m == nil || file == "" {
			continue
		}
		from, _ := strconv.Atoi(m[1])
		n := 1
		if m[2] != "" {
			n, _ = strconv.Atoi(m[2])
		}
		out[file] = append(out[file], [2]int{max(1, from), max(1, from+max(1, n)-1)})
	}
	return out, nil
}
