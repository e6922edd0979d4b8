// Command prose looks for wording that the texts for agents share with those of another program: runs of eight words or more that stand
// in both. It prints what it leaves out on our side, and ends with 1 if it finds a run.
//
//	npm pack get-shit-done-cc@1.37.1 && tar xf get-shit-done-cc-1.37.1.tgz
//	go run ./bench/prose -original package
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"ken/internal/workflow/agent/claude"
	"ken/internal/workflow/content"
	"ken/internal/workflow/content/templates"
)

// run is the number of words that two texts do not share by accident.
const run = 8

func main() {
	original := flag.String("original", "", "the folder of the other program's package")
	flag.Parse()
	if *original == "" {
		flag.Usage()
		os.Exit(2)
	}
	theirs, files, err := readOriginal(*original)
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(2)
	}
	ours, err := ownTexts()
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(2)
	}
	shared, words, skipped := 0, 0, map[string]int{}
	for _, name := range slices.Sorted(mapsKeys(ours)) {
		list := proseWords(ours[name], skipped)
		words += len(list)
		for i := 0; i+run <= len(list); i++ {
			if key := strings.Join(list[i:i+run], " "); theirs[key] != "" {
				fmt.Printf("%s shares with %s: %s\n", name, theirs[key], key)
				shared++
				i += run - 1
			}
		}
	}
	fmt.Printf("%d texts of ours with %d words against %d files of the original\n", len(ours), words, files)
	for _, kind := range slices.Sorted(mapsKeys(skipped)) {
		fmt.Printf("left out of ours: %d lines, %s\n", skipped[kind], kind)
	}
	verdict := "kept"
	if shared > 0 {
		verdict = "MISSED"
	}
	fmt.Printf("%-40s %d (0): %s\n", "shared runs of eight words", shared, verdict)
	if shared > 0 {
		os.Exit(1)
	}
}

func mapsKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// ownTexts returns all texts for agents by their names. It fails if a file is malformed.
func ownTexts() (map[string]string, error) {
	texts := map[string]string{}
	for _, k := range []content.Kind{content.GuideKind, content.RoleKind, content.ReferenceKind} {
		for _, name := range content.Names(k) {
			text, err := content.Source(k, name)
			if err != nil {
				return nil, err
			}
			texts[string(k)+"/"+name] = text
		}
	}
	steps, err := content.Stages()
	if err != nil {
		return nil, err
	}
	var stages []string
	for _, s := range steps {
		stages = append(stages, s.Do)
	}
	texts["stages"] = strings.Join(stages, "\n")
	for _, name := range templates.Names() {
		if path.Ext(name) == ".json" {
			continue // data
		}
		texts["templates/"+name], _ = templates.Text(name)
	}
	plan, err := claude.Plan(claude.Options{Scope: claude.Project, Root: "/p", Home: "/h", Ken: "ken"})
	if err != nil {
		return nil, err
	}
	for _, f := range plan.Files {
		texts[filepath.ToSlash(strings.TrimPrefix(f.Path, "/p/"))] = string(f.Data)
	}
	return texts, nil
}

// readOriginal returns all runs of words in the texts below a folder, each with a file that has it. All lines of them count.
func readOriginal(dir string) (runs map[string]string, files int, err error) {
	runs = map[string]string{}
	err = filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains([]string{".md", ".txt", ".toml", ".json"}, filepath.Ext(at)) {
			return err
		}
		data, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		files++
		list := splitWords(string(data))
		for i := 0; i+run <= len(list); i++ {
			runs[strings.Join(list[i:i+run], " ")] = strings.TrimPrefix(at, dir)
		}
		return nil
	})
	if err == nil && files < 50 {
		err = fmt.Errorf("%s has %d texts: it is not the package", dir, files)
	}
	return runs, files, err
}

// proseWords returns the words of the prose of a text, and counts the lines that are none by their kind.
func proseWords(text string, skipped map[string]int) []string {
	var prose []string
	fenced, front := false, false
	for i, line := range strings.Split(text, "\n") {
		trimmed, kind := strings.TrimSpace(line), ""
		switch {
		case strings.HasPrefix(trimmed, "```"):
			fenced, kind = !fenced, "fenced code"
		case fenced:
			kind = "fenced code"
		case trimmed == "---" && (i == 0 || front):
			front, kind = i == 0, "front matter"
		case front:
			kind = "front matter"
		case strings.HasPrefix(trimmed, "#"):
			kind = "headings"
		case strings.HasPrefix(trimmed, "|"):
			kind = "table rows"
		case strings.HasPrefix(trimmed, "<"):
			kind = "tags"
		case strings.HasPrefix(strings.TrimLeft(trimmed, "- "), "@"):
			kind = "names of files to read"
		case strings.HasPrefix(strings.TrimLeft(trimmed, "`- "), "ken "):
			kind = "calls of ken"
		}
		if kind != "" {
			skipped[kind]++
			prose = append(prose, "|") // no run crosses what is left out
			continue
		}
		prose = append(prose, splitWords(line)...)
	}
	return prose
}

// splitWords returns the words of a text in lower case.
func splitWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}
