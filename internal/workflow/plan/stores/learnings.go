package stores

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/planop"
)

// Learning is a lesson from a project.
type Learning struct {
	ID      string   `json:"id"`
	Project string   `json:"source_project"`
	Date    string   `json:"date"`
	Context string   `json:"context"`
	Text    string   `json:"learning"`
	Tags    []string `json:"tags"`
	Hash    string   `json:"content_hash"`
}

// Learnings are the learnings that a query found, newest first.
type Learnings struct {
	Learnings []Learning `json:"learnings"`
	Count     int        `json:"count"`
	Tag       string     `json:"tag,omitempty"`
	Warnings  []string   `json:"warnings,omitempty"`
}

// CopiedLearnings is the result of copying learnings from LEARNINGS.md into the store.
type CopiedLearnings struct {
	Total   int `json:"total"`
	Created int `json:"created"`
	Skipped int `json:"skipped"`
}

// PrunedLearnings is the result of removing old learnings.
type PrunedLearnings struct {
	Removed int `json:"removed"`
	Kept    int `json:"kept"`
}

// Deleted reports whether a learning was removed.
type Deleted struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
}

// learningsDir is the folder of learnings, from the root of the project. Each learning is a file of its own, so that two people's commits
// do not conflict.
const learningsDir = ".ken/knowledge/learnings"

// maxLearning is the maximal size of a learning's file in bytes.
const maxLearning = 1 << 20

const lasting = "learnings are files of " + learningsDir + ", which ken plan undo does not take back"

type tagInput struct {
	Tag string `flag:"tag" required:"yes" help:"a word of its title"`
}

type olderThanInput struct {
	OlderThan string `flag:"older-than" help:"days: 90d"`
}

type idInput struct {
	ID string `arg:"ID" help:"the id of a learning"`
}

func learningOperations() []*planop.Operation {
	return []*planop.Operation{
		extractOperation(),
		planop.Spec[planop.NoInput, Learnings]{
			Name: "learnings list", Summary: "what was learned, newest first", Anywhere: true,
			Run: func(_ context.Context, c *planop.Call, _ *planop.NoInput) (Learnings, error) {
				return listLearnings(c, "")
			},
		}.Operation(),
		planop.Spec[tagInput, Learnings]{
			Name: "learnings query", Summary: "what was learned about something", Anywhere: true,
			Run: func(_ context.Context, c *planop.Call, in *tagInput) (Learnings, error) {
				if in.Tag == "" {
					return Learnings{}, planop.Usagef("--tag is missing")
				}
				return listLearnings(c, in.Tag)
			},
		}.Operation(),
		planop.Spec[planop.NoInput, CopiedLearnings]{
			Name: "learnings copy", Summary: "keep the sections of LEARNINGS.md, each once", Writes: true, Lasting: lasting,
			Run: copyLearnings,
		}.Operation(),
		planop.Spec[olderThanInput, PrunedLearnings]{
			Name: "learnings prune", Summary: "take out what is older", Writes: true, Lasting: lasting, Anywhere: true,
			Run: pruneLearnings,
		}.Operation(),
		planop.Spec[idInput, Deleted]{
			Name: "learnings delete", Summary: "take one out", Writes: true, Lasting: lasting, Anywhere: true,
			Run: deleteLearning,
		}.Operation(),
	}
}

// openLearnings opens the folder of learnings. Links that lead out of the project are not followed. If there is no folder, it makes one
// with create, and else returns nil.
func openLearnings(c *planop.Call, create bool) (*os.Root, error) {
	project, err := c.Project()
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(project)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if create {
		if err := root.MkdirAll(filepath.FromSlash(learningsDir), 0o755); err != nil {
			return nil, err
		}
	}
	dir, err := root.OpenRoot(filepath.FromSlash(learningsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return dir, err
}

// readLearnings reads all learnings, newest first. For an invalid file it returns a warning instead.
func readLearnings(root *os.Root) (list []Learning, warnings []string, err error) {
	if root == nil {
		return nil, nil, nil
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok {
			continue
		}
		l, err := readLearning(root, e)
		if err != nil || l.ID != id {
			warnings = append(warnings, path.Join(learningsDir, strconv.Quote(e.Name()))+" is not a learning and was skipped")
			continue
		}
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b Learning) int { return strings.Compare(b.Date, a.Date) })
	return list, warnings, nil
}

func readLearning(root *os.Root, e fs.DirEntry) (l Learning, err error) {
	if !e.Type().IsRegular() {
		return l, fs.ErrInvalid
	}
	f, err := root.Open(e.Name())
	if err != nil {
		return l, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxLearning))
	if err != nil {
		return l, err
	}
	if err := json.Unmarshal(b, &l); err != nil {
		return l, err
	}
	l.Tags = append([]string{}, l.Tags...)
	return l, nil
}

func listLearnings(c *planop.Call, tag string) (Learnings, error) {
	root, err := openLearnings(c, false)
	if err != nil {
		return Learnings{}, err
	}
	if root != nil {
		defer root.Close()
	}
	list, warnings, err := readLearnings(root)
	if err != nil {
		return Learnings{}, err
	}
	if tag != "" {
		list = slices.DeleteFunc(list, func(l Learning) bool { return !slices.Contains(l.Tags, strings.ToLower(tag)) })
	}
	return Learnings{append([]Learning{}, list...), len(list), tag, warnings}, nil
}

// copyLearnings stores the sections of LEARNINGS.md as learnings. It names each file after its text, so that a learning is not
// stored twice, even if another process stores it at the same time.
func copyLearnings(_ context.Context, c *planop.Call, _ *planop.NoInput) (CopiedLearnings, error) {
	f, err := c.Folder()
	if err != nil {
		return CopiedLearnings{}, err
	}
	text, err := f.ReadRoot("LEARNINGS.md")
	if errors.Is(err, fs.ErrNotExist) {
		return CopiedLearnings{}, nil
	}
	if err != nil {
		return CopiedLearnings{}, err
	}
	var out CopiedLearnings
	root, err := openLearnings(c, !c.DryRun)
	if err != nil {
		return CopiedLearnings{}, err
	}
	if root != nil {
		defer root.Close()
	}
	for _, l := range sectionLearnings(text, filepath.Base(f.Project), c.Now().UTC().Format(timeForm)) {
		out.Total++
		there := false
		if root != nil {
			_, err := root.Lstat(l.ID + ".json")
			there = err == nil
		}
		if !there && !c.DryRun {
			if there, err = writeLearning(root, l); err != nil {
				return CopiedLearnings{}, err
			}
		}
		if there {
			out.Skipped++
		} else {
			out.Created++
		}
	}
	return out, nil
}

// sectionLearnings returns a learning for each heading of the second level that has text below it.
func sectionLearnings(text, project, now string) (list []Learning) {
	doc := document.Parse(text)
	for _, h := range doc.Headings() {
		body := strings.TrimSpace(doc.BytesOf(h.Section()).Text(text))
		if h.Level != 2 || body == "" {
			continue
		}
		title := h.Text.Text(text)
		sum := sha256.Sum256([]byte(body + "\n" + project))
		hash := hex.EncodeToString(sum[:])
		l := Learning{
			ID: "learning-" + hash[:16], Project: project, Date: now, Context: argument.SingleLine(title), Text: argument.NeutralText(body), Tags: []string{}, Hash: hash,
		}
		for _, w := range strings.Fields(strings.ToLower(title)) {
			if len(w) > 2 && !slices.Contains(l.Tags, w) {
				l.Tags = append(l.Tags, w)
			}
		}
		list = append(list, l)
	}
	return list
}

// writeLearning writes the file of a learning as a whole, or not at all. It reports true if the file exists already.
func writeLearning(root *os.Root, l Learning) (there bool, err error) {
	b, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return false, err
	}
	temp := l.ID + ".new." + strconv.Itoa(os.Getpid())
	if err := root.WriteFile(temp, append(b, '\n'), 0o644); err != nil {
		return false, errors.Join(err, root.Remove(temp))
	}
	if err := root.Rename(temp, l.ID+".json"); err != nil {
		return false, errors.Join(err, root.Remove(temp))
	}
	return false, nil
}

func pruneLearnings(_ context.Context, c *planop.Call, in *olderThanInput) (PrunedLearnings, error) {
	days, err := strconv.Atoi(strings.TrimSuffix(in.OlderThan, "d"))
	if err != nil || days < 0 || days > 36500 || !strings.HasSuffix(in.OlderThan, "d") {
		return PrunedLearnings{}, planop.Usagef("--older-than is %.20q; it must be a number of days, 90d", in.OlderThan)
	}
	root, err := openLearnings(c, false)
	if err != nil || root == nil {
		return PrunedLearnings{}, err
	}
	defer root.Close()
	list, _, err := readLearnings(root)
	if err != nil {
		return PrunedLearnings{}, err
	}
	limit := c.Now().AddDate(0, 0, -days)
	var out PrunedLearnings
	for _, l := range list {
		at, err := time.Parse(time.RFC3339, l.Date)
		if err != nil || !at.Before(limit) { // without a date its age is unknown
			out.Kept++
			continue
		}
		if !c.DryRun {
			if err := root.Remove(l.ID + ".json"); err != nil {
				return out, err
			}
		}
		out.Removed++
	}
	return out, nil
}

func deleteLearning(_ context.Context, c *planop.Call, in *idInput) (Deleted, error) {
	id := in.ID
	prefix, hash, ok := strings.Cut(id, "-")
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	if !ok || prefix == "" || hash == "" || strings.Trim(prefix+hash, letters) != "" {
		return Deleted{}, planop.Usagef("%.60q is not the id of a learning", id)
	}
	root, err := openLearnings(c, false)
	if err != nil || root == nil {
		return Deleted{ID: id}, err
	}
	defer root.Close()
	if c.DryRun {
		_, err = root.Lstat(id + ".json")
	} else {
		err = root.Remove(id + ".json")
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Deleted{ID: id}, nil
	}
	return Deleted{id, err == nil}, err
}

// RelevantLearnings returns at most n learnings whose title has a word of a text, those with most such words first, then the newest. It
// fails if the folder of learnings cannot be read.
func RelevantLearnings(c *planop.Call, text string, n int) ([]Learning, error) {
	all, err := listLearnings(c, "")
	if err != nil {
		return nil, err
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	matches := func(l Learning) (count int) {
		for _, tag := range l.Tags {
			if len(tag) > 3 && slices.Contains(words, strings.Trim(tag, ".,:;()`\"'")) {
				count++
			}
		}
		return count
	}
	list := slices.DeleteFunc(all.Learnings, func(l Learning) bool { return matches(l) == 0 })
	slices.SortStableFunc(list, func(a, b Learning) int { return matches(b) - matches(a) })
	return list[:min(n, len(list))], nil
}
