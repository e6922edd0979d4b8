package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// question is an entry of questions.txt.
type question struct {
	text     string
	steps    []string // "search TEXT" or "link TEXT"
	answers  []string // "HEADING: TEXT, TEXT…"
	commands []string
}

// readQuestions reads the list. It fails if a line has another form.
func readQuestions(path string) (repository string, list []question, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	_, text, ok := strings.Cut(string(b), "\nrepository ")
	if !ok {
		return "", nil, fmt.Errorf("%s has no repository", path)
	}
	repository, text, _ = strings.Cut(text, "\n")
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "question" {
			list = append(list, question{text: rest})
			continue
		}
		if len(list) == 0 && word != "" {
			return "", nil, fmt.Errorf("%s: %q is before the first question", path, line)
		}
		switch word {
		case "", "truth":
		case "step":
			list[len(list)-1].steps = append(list[len(list)-1].steps, rest)
		case "answer":
			list[len(list)-1].answers = append(list[len(list)-1].answers, rest)
		case "command":
			list[len(list)-1].commands = append(list[len(list)-1].commands, rest)
		default:
			return "", nil, fmt.Errorf("%s: %q", path, line)
		}
	}
	return repository, list, nil
}

// maxSteps is the number of steps from the first page to an answer.
const maxSteps = 3

// askQuestions answers the questions from the first page of a repository, by links and search alone, and with commands.
func (t *table) askQuestions(ctx context.Context, opt *options) error {
	repository, list, err := readQuestions(filepath.Join("bench", "web", "questions.txt"))
	if err != nil {
		return err
	}
	_, commit, _ := strings.Cut(repository, " ")
	head, err := exec.Command("git", "-C", opt.questions, "rev-parse", "HEAD").Output()
	if err != nil || strings.TrimSpace(string(head)) != commit {
		return fmt.Errorf("%s is not %s: %w", opt.questions, repository, err)
	}
	p, b, end, err := enter(ctx, opt.ken, opt.questions)
	if err != nil {
		return err
	}
	defer end()
	if err := b.size(1280, 800, "light"); err != nil {
		return err
	}
	fewer := 0
	for _, q := range list {
		err := q.ask(b, p)
		bound := fmt.Sprintf("right, ≤ %d steps", maxSteps)
		t.add(err == nil && len(q.steps) <= maxSteps, "question: "+q.text, bound, "%d steps, %d commands: %v", len(q.steps), len(q.commands), orPassed(err))
		if len(q.steps) < len(q.commands) {
			fewer++
		}
		if err := q.command(opt.ken, opt.questions); err != nil {
			t.add(false, "question: "+q.text, "the commands answer it", "%v", err)
		}
	}
	t.add(fewer >= 5, "questions with fewer steps than commands", "≥ 5", "%d of %d", fewer, len(list))
	return nil
}

// ask takes the steps from the first page and looks for the answers in what the window shows of the last.
func (q *question) ask(b *browser, p *pages) error {
	if err := b.visit(p, ""); err != nil {
		return err
	}
	for _, s := range q.steps {
		if err := b.step(s); err != nil {
			return err
		}
	}
	for _, a := range q.answers {
		heading, texts, _ := strings.Cut(a, ": ")
		var at string
		script := fmt.Sprintf(`(() => { const texts = %q.split(", ");
			const near = h => h.tagName == "H1" ? document.getElementById("main") : h.closest("section");
			let best = "nowhere";
			for (const h of document.querySelectorAll("#main h1, #main h2, #main h3")) if (h.textContent.trim().startsWith(%q))
				for (const e of near(h).querySelectorAll("li, tr, p, dd, summary, ol.way")) {
					if (e.querySelector("li, tr, p") && e.tagName != "OL" || !texts.every(t => e.textContent.includes(t)) || !e.checkVisibility()) continue;
					const box = e.getBoundingClientRect(), around = (e.closest(".scroll") || document.documentElement).getBoundingClientRect();
					if (box.bottom <= 800 && box.bottom <= around.bottom + 1) return "";
					if (best == "nowhere") best = "at " + Math.round(box.bottom) + " px";
				}
			return best })()`, texts, heading)
		if err := b.eval(script, &at); err != nil {
			return err
		}
		if at != "" {
			return fmt.Errorf("%q is %s", a, at)
		}
	}
	return nil
}

// step searches or follows the first link with a text.
func (b *browser) step(step string) error {
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	kind, text, _ := strings.Cut(step, " ")
	var next chromedp.Action
	switch kind {
	case "search":
		next = chromedp.SendKeys("#q", text+kb.Enter, chromedp.ByQuery)
	case "link":
		found := false
		mark := fmt.Sprintf(`(() => { for (const a of document.querySelectorAll("a"))
			if (a.textContent.trim().startsWith(%q) && a.checkVisibility()) { a.id = "next-step"; return true } return false })()`, text)
		if err := b.eval(mark, &found); err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("there is no link %q", text)
		}
		click := `document.getElementById("next-step").dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}))`
		next = chromedp.Evaluate(click, nil)
	default:
		return fmt.Errorf("%q is no step", step)
	}
	if _, err := chromedp.RunResponse(ctx, next); err != nil {
		return fmt.Errorf("%s: %w", step, err)
	}
	return chromedp.Run(ctx, chromedp.WaitReady("footer", chromedp.ByQuery))
}

// command runs the commands and looks for the texts of the answers in what they print.
func (q *question) command(ken, folder string) error {
	var printed strings.Builder
	for _, c := range q.commands {
		cmd := exec.Command("sh", "-c", strings.Replace(c, "ken", ken, 1))
		cmd.Dir = folder
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
		printed.Write(out)
	}
	for _, a := range q.answers {
		_, texts, _ := strings.Cut(a, ": ")
		for text := range strings.SplitSeq(texts, ", ") {
			if !strings.Contains(printed.String(), text) {
				return fmt.Errorf("%q does not print %q", q.commands, text)
			}
		}
	}
	return nil
}
