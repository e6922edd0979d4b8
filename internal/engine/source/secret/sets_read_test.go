package secret_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// set is what was read of one published set of examples.
type set struct {
	name, source string
	examples     []example
	unread       int // files, values and expressions that the reader could not make sense of
}

// setReaders make examples of the files of a set. paths are what they need of it.
var setReaders = map[string]struct {
	paths []string
	read  func(s *set, files []setFile)
}{
	"gitleaks":         {[]string{"cmd/generate", "config/gitleaks.toml"}, readGoRules},
	"betterleaks":      {[]string{"cmd/generate", "config/betterleaks.toml"}, readGoRules},
	"noseyparker":      {[]string{"crates/noseyparker/data/default/builtin"}, readYAMLRules},
	"trufflehog":       {[]string{"pkg/detectors"}, readPatternTests},
	"kingfisher":       {[]string{"data/rules"}, readYAMLRules},
	"kingfisher-drawn": {[]string{"data/rules"}, readYAMLRules},
	"leaktk":           {nil, readFolders},
	"secretlint":       {[]string{"packages/@secretlint"}, readSnapshots},
	"detect-secrets":   {[]string{"tests/plugins"}, readPythonTests},
	"test_keys":        {[]string{"keys", "new_key"}, readWhole},
}

// setFile is a file of a set.
type setFile struct {
	path string
	text string
}

// readSets reads every set of testdata/sets.txt. A set that is not there is named and left out.
func readSets(t *testing.T, root string) (sets []*set) {
	t.Helper()
	table, err := os.ReadFile("testdata/sets.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		words := strings.Fields(line)
		if len(words) != 3 || words[0] == "#" {
			continue
		}
		reader, ok := setReaders[words[0]]
		if !ok {
			t.Fatalf("sets.txt: no reader of %s", words[0])
		}
		s := &set{name: words[0], source: words[1] + "@" + words[2]}
		files, err := readCommit(filepath.Join(root, strings.Replace(words[1], "/", "+", 1), "repo"), words[2], reader.paths)
		if err != nil {
			t.Logf("%s: not had: %v", s.source, err)
			continue
		}
		reader.read(s, files)
		classify(s.examples)
		sets = append(sets, s)
	}
	return sets
}

// readCommit reads the regular files below some paths at a commit of a repository, in the order of their paths.
func readCommit(repo, commit string, paths []string) ([]setFile, error) {
	tree, err := exec.Command("git", append([]string{"-C", repo, "ls-tree", "-r", "-z", commit, "--"}, paths...)...).Output()
	if err != nil {
		return nil, err
	}
	var files []setFile
	var ask bytes.Buffer
	for entry := range strings.SplitSeq(string(tree), "\x00") {
		head, path, ok := strings.Cut(entry, "\t")
		if f := strings.Fields(head); ok && strings.HasPrefix(f[0], "100") && f[1] == "blob" {
			files = append(files, setFile{path: path})
			fmt.Fprintln(&ask, f[2])
		}
	}
	cmd := exec.Command("git", "-C", repo, "cat-file", "--batch")
	cmd.Stdin = &ask
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(bytes.NewReader(out))
	for i := range files {
		var id, kind string
		var size int
		if _, err := fmt.Fscanf(r, "%s %s %d\n", &id, &kind, &size); err != nil {
			return nil, err
		}
		text := make([]byte, size+1) // and the line end behind it
		if _, err := io.ReadFull(r, text); err != nil {
			return nil, err
		}
		files[i].text = string(text[:size])
	}
	return files, nil
}

// add adds an example; values that are not in the text are left out.
func (s *set) add(x example) {
	if strings.TrimSpace(x.text) == "" {
		return
	}
	x.set = s.name
	var values []string
	for _, v := range x.values {
		if v != "" && strings.Contains(x.text, v) {
			values = append(values, v)
		}
	}
	x.values = values
	s.examples = append(s.examples, x)
}
