// Command complaints measures which prompts of people to agents are taken for complaints about the work before.
//
//	go run ./bench/firstwords/complaints -mirror CLONES [-list FILE] [-v]
//
// CLONES holds owner+name/repo git directories. The list names prompts in the clones and what readers marked them as: held.txt, on which
// nothing is tuned, is the default; development.txt is read while the rules are made. The texts stay in the clones.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"ken/bench/world"
	"ken/internal/knowledge/outcome"
)

func main() {
	mirror := flag.String("mirror", "", "folder of clones")
	list := flag.String("list", "bench/firstwords/complaints/held.txt", "file of marked prompts")
	verbose := flag.Bool("v", false, "print the prompts that are judged wrongly")
	flag.Parse()
	if err := run(context.Background(), *mirror, *list, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "complaints:", err)
		os.Exit(1)
	}
}

// The marks of prompts.
const (
	complains = '+'
	pastes    = 'e' // errors alone
	foreign   = 'o' // complains in a language without wordings
	content   = '-'
)

// share counts the prompts of one mark, and those of them that are taken for complaints.
type share struct{ all, taken int }

func (s share) percent() float64 { return 100 * float64(s.taken) / float64(max(1, s.all)) }

func (s share) String() string { return fmt.Sprintf("%.1f %% of %d", s.percent(), s.all) }

func run(ctx context.Context, mirror, list string, verbose bool) error {
	text, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	byMark := map[byte]*share{}
	for line := range strings.Lines(string(text)) {
		part := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(part) != 3 || strings.HasPrefix(line, "#") {
			continue
		}
		prompts, err := readPrompts(ctx, mirror, part[0], part[1])
		if err != nil {
			return err
		}
		for at := range strings.FieldsSeq(part[2]) {
			mark := at[len(at)-1]
			n, err := strconv.Atoi(at[:len(at)-1])
			if err != nil {
				return fmt.Errorf("%s: %w", part[1], err)
			}
			prompt, ok := prompts[n]
			if !ok {
				return fmt.Errorf("%s:%s:%d begins no prompt", part[0], part[1], n)
			}
			if byMark[mark] == nil {
				byMark[mark] = &share{}
			}
			byMark[mark].all++
			c, taken := outcome.FindComplaint(prompt)
			if taken {
				byMark[mark].taken++
			}
			if verbose && taken != (mark != content) {
				fmt.Printf("%c %s:%d %q %.300q\n", mark, part[1], n, c.Phrase, prompt)
			}
		}
	}
	return report(byMark)
}

func report(byMark map[byte]*share) error {
	of := func(marks string) (s share) {
		for _, m := range []byte(marks) {
			if b := byMark[m]; b != nil {
				s.all, s.taken = s.all+b.all, s.taken+b.taken
			}
		}
		return s
	}
	none, all := of(string(content)), of(string([]byte{complains, pastes}))
	t := world.Table{}
	t.Row(fmt.Sprintf("prompts that complain of nothing, taken for complaints, of %d", none.all), "≤ 1 %",
		fmt.Sprintf("%.1f %%", none.percent()), none.percent() <= 1)
	t.Row(fmt.Sprintf("complaints found, of %d (in words: %s; by pasted errors alone: %s)", all.all, of(string(complains)), of(string(pastes))),
		"≥ 90 %", fmt.Sprintf("%.1f %%", all.percent()), all.percent() >= 90)
	if other := of(string(foreign)); other.all > 0 {
		t.LeaveOut("complaints in languages without wordings", "no bound", other.String())
	}
	return t.Summary()
}

// readPrompts returns the prompts of a conversation that is a file of a clone, by the number of the line at which they begin. The file is
// a history of aider, whose prompts begin with "####", or of SpecStory, whose prompts follow a line "_**User**_".
func readPrompts(ctx context.Context, mirror, pin, file string) (map[int]string, error) {
	repository, commit, _ := strings.Cut(pin, "@")
	clone, err := world.Clone(mirror, repository)
	if err != nil {
		return nil, err
	}
	// world.Git trims blank lines at the beginning, which count.
	text, err := exec.CommandContext(ctx, "git", "-c", "safe.directory=*", "-C", clone, "show", commit+":"+file).Output()
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", file, clone, err)
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")
	if strings.HasSuffix(file, ".aider.chat.history.md") {
		return aiderPrompts(lines), nil
	}
	return storyPrompts(lines), nil
}

// aiderPrompts returns the prompts of a history of aider: adjacent lines that begin with "####".
func aiderPrompts(lines []string) map[int]string {
	prompts := map[int]string{}
	for i := 0; i < len(lines); i++ {
		begin, text := i, ""
		for ; i < len(lines) && strings.HasPrefix(lines[i], "####"); i++ {
			text += strings.TrimSpace(strings.TrimPrefix(lines[i], "####")) + "\n"
		}
		if i > begin {
			prompts[begin+1] = strings.TrimSpace(text)
		}
	}
	return prompts
}

// storyPrompts returns the prompts of a history of SpecStory: the lines between "_**User" and a rule or the next speaker.
func storyPrompts(lines []string) map[int]string {
	prompts := map[int]string{}
	for i, line := range lines {
		if !strings.HasPrefix(line, "_**User") {
			continue
		}
		end := i + 1
		for end < len(lines) && strings.TrimSpace(lines[end]) != "---" && !strings.HasPrefix(lines[end], "_**") {
			end++
		}
		prompts[i+1] = strings.TrimSpace(strings.Join(lines[i+1:end], "\n"))
	}
	return prompts
}
