package render

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/ask/summary"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/knowledge/convention"
	"ken/internal/knowledge/essential"
	"ken/internal/operation"
	"ken/internal/statefile"
)

// SummaryFile is the path of the file with the project's summary, relative to the project's root.
const SummaryFile = ".ken/summary.md"

// MaxSummaryFile is the largest file that is written, in bytes.
const MaxSummaryFile = 10 << 10

// summaryFileMark returns the first line of the summary file, which names the state of the index that the file describes.
func summaryFileMark(ctx context.Context, s *view.Snapshot) (string, error) {
	info, err := s.Info(ctx)
	if err != nil {
		return "", err
	}
	commit := info.Commit
	if commit == "" {
		commit = "none"
	}
	return fmt.Sprintf("<!-- Written by ken: revision %d, %s, commit %s -->\n", info.Rev, operation.Plural(info.Files, "file"), commit), nil
}

// SummaryFileText returns the content of the summary file: the text that a session begins with, then the long form. It also stores what
// takes long to count for the start of the next session, which has no time for it. It returns an error if the index cannot be read.
func SummaryFileText(ctx context.Context, p *project.Project, s *view.Snapshot) (string, error) {
	first, err := summaryFileMark(ctx, s)
	if err != nil {
		return "", err
	}
	sum, err := LoadSummary(ctx, p, s)
	if err != nil {
		return "", err
	}
	if p.Counted != nil {
		_ = p.Counted.Put(project.Counted{Patterns: sum.Patterns, Pages: sum.Pages}) // without it the next session begins with those before
	}
	excluded, err := p.Excluded(s)
	if err != nil {
		return "", err
	}
	o := SummaryOptions{Known: p.KnownSecrets(), Excluded: excluded}
	begin, err := SessionStart(sum, nil, o)
	if err != nil {
		return "", err
	}
	fitted, err := fullSummary(sum, nil, o, FullBytes-len(first)-len(begin.Text)-1)
	if err != nil || fitted.Text == "" {
		return "", err
	}
	text := p.KnownSecrets().MaskString(begin.Text + "\n" + fitted.Text)
	if len(first)+len(text) <= MaxSummaryFile {
		text = first + text
	}
	if len(text) > MaxSummaryFile { // a mask can be longer than its secret
		text = strings.ToValidUTF8(text[:MaxSummaryFile-len("…\n")], "") + "…\n"
	}
	return text, nil
}

// LoadSummary returns the summary with written purposes, patterns of the code, rules and the state of the pages. It returns an error if the
// index cannot be read.
func LoadSummary(ctx context.Context, p *project.Project, s *view.Snapshot) (*summary.Summary, error) {
	sum, err := summary.Of(ctx, s, WrittenPages(p, s))
	if err != nil {
		return nil, err
	}
	found, err := convention.Find(ctx, s)
	if err != nil {
		return nil, err
	}
	sum.Patterns = found.Patterns()
	if sum.Pages, err = p.Pages(s).Standing(ctx, s); err != nil {
		return nil, err
	}
	return sum, SetRules(ctx, s, sum, "")
}

// loadedFiles are the files that runtimes of agents load by themselves, in lower case.
var loadedFiles = map[string][]string{
	"claude": {"claude.md", ".claude/claude.md"}, "codex": {"agents.md"}, "opencode": {"agents.md"}, "kilo": {"agents.md"},
	"gemini": {"gemini.md"}, "qwen": {"qwen.md"},
}

// SetRules sets the rules of a summary: those of contribution guides and agents' files that a reviewer demands, without those that runtime
// loads by itself, and without orders about the agent. It fails if the index cannot be read.
func SetRules(ctx context.Context, s *view.Snapshot, sum *summary.Summary, runtime string) error {
	skip := func(file string) bool { return slices.Contains(loadedFiles[runtime], strings.ToLower(file)) }
	list, err := essential.Demands(ctx, s, skip)
	sum.Rules = nil
	for _, r := range list {
		if len(injection.Scan(r.Text)) == 0 && injection.Shown(r.Text) == r.Text {
			sum.Rules = append(sum.Rules, summary.Quote{Text: r.Text, Path: r.Path})
		}
	}
	return err
}

// GeneralSummary returns the text of SessionStart for a planner that did not get it at the start of its session. It fails if the
// index cannot be read.
func GeneralSummary(ctx context.Context, p *project.Project, s *view.Snapshot) (string, error) {
	sum, err := LoadSummary(ctx, p, s)
	if err != nil {
		return "", err
	}
	fitted, err := SessionStart(sum, nil, SummaryOptions{Known: p.KnownSecrets()})
	return fitted.Text, err
}

// RefreshSummaryFile writes the summary file again, if git ignores it and the index has changed since it was written. It reports
// whether the file has changed, and fails if the index cannot be read or the file cannot be written.
func RefreshSummaryFile(ctx context.Context, p *project.Project) (changed bool, err error) {
	if !summaryFileIgnored(p.Root) {
		return false, nil
	}
	text := ""
	err = p.Ask(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		first, err := summaryFileMark(ctx, s)
		if err != nil || startsWithLine(filepath.Join(p.Root, SummaryFile), first) {
			return nil, err
		}
		text, err = SummaryFileText(ctx, p, s)
		return nil, err
	})
	if err != nil || text == "" {
		return false, err
	}
	return WriteSummaryFile(p.Root, text)
}

// startsWithLine reports whether line is the first line of a file.
func startsWithLine(path, line string) bool {
	if !statefile.IsRegular(path) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	first := make([]byte, len(line))
	n, err := f.Read(first)
	return err == nil && string(first[:n]) == line
}

// summaryFileIgnored reports whether the .gitignore next to the summary file makes git ignore it, as the one written by ken does. If a
// user has changed that, an event must not create a file that is committed by surprise.
func summaryFileIgnored(root string) bool {
	raw, err := statefile.Read(filepath.Join(root, filepath.Dir(SummaryFile), ".gitignore"), MaxSummaryFile)
	all := false
	for sc := bufio.NewScanner(bytes.NewReader(raw)); sc.Scan(); {
		line := strings.TrimSpace(sc.Text())
		all = all || line == "*"
		if strings.HasPrefix(line, "!") && strings.Contains(line, "summary") || strings.HasPrefix(line, "!*") || line == "!/*" {
			return false
		}
	}
	return err == nil && all
}

// WriteSummaryFile writes the text to the summary file below root, unless the file holds it already. A link in its place is
// replaced, not followed. It fails if the folder is missing, a folder is in the file's place, or the file cannot be written.
func WriteSummaryFile(root, text string) (changed bool, err error) {
	path := filepath.Join(root, SummaryFile)
	if st, err := os.Lstat(filepath.Dir(path)); err != nil || !st.IsDir() {
		return false, fmt.Errorf("write %s: %s is no folder", SummaryFile, filepath.Dir(SummaryFile))
	}
	old, err := statefile.Read(path, int64(len(text)))
	if err == nil && string(old) == text {
		return false, nil
	}
	err = statefile.Replace(path, []byte(text), statefile.Options{Perm: 0o644})
	if err != nil {
		return false, fmt.Errorf("write %s: %w", SummaryFile, err)
	}
	return true, nil
}
