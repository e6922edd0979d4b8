package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ken/bench/world"
	"ken/internal/statefile"
)

// plantedFiles are the files of a repository that ken reads and acts on, with an expression for each.
func plantedFiles() []string {
	return []string{
		".git/ken/planning/*.json", ".git/ken/planning/0000000900.open", ".git/ken/executors/01-01.json", ".git/ken/executors/01-01.tree.json",
		".git/ken/executors/02-01.json", ".git/ken/runs/*/000001.json", ".git/worktrees/01-01/gitdir", ".ken/worktrees/01-01/.git", ".git/index.lock",
		".ken/spool", ".ken/spool.taken", ".ken/logs/queries.jsonl", ".ken/salt", ".ken/index.db", ".ken/index.db-wal", ".ken/index.db.watch", ".ken/memory.db",
		".ken/memory.db-wal", ".ken/config.yml", ".kenignore", ".ken/knowledge/decisions.md", ".planning/STATE.md.lock", ".planning/.lock", ".planning/config.json",
	}
}

// mutation is a way of making a file that ken has not made.
type mutation struct {
	name string
	// make puts the file in place. good is the text of ken's own, or of a similar one; victim is a folder outside.
	make func(at string, good []byte, victim string) error
}

func mutations() []mutation {
	put := func(name string, text func(good []byte, victim string) []byte) mutation {
		return mutation{name, func(at string, good []byte, victim string) error { return os.WriteFile(at, text(good, victim), 0o644) }}
	}
	fixed := func(name, text string) mutation {
		return put(name, func([]byte, string) []byte { return []byte(text) })
	}
	link := func(name, to string) mutation {
		return mutation{name, func(at string, _ []byte, victim string) error { return os.Symlink(filepath.Join(victim, to), at) }}
	}
	list := []mutation{
		fixed("empty", ""), fixed("a line feed", "\n"), fixed("null", "null\n"), fixed("a list", "[]\n"), fixed("an object", "{}\n"), fixed("deep", strings.Repeat("[", 100000)),
		fixed("long", strings.Repeat("x", 3<<20)), fixed("a mark of ken's", "ken work tree 01-01\n"), fixed("not text", "\xff\xfe\x00\x01"),
		put("half", func(g []byte, _ string) []byte { return g[:len(g)/2] }),
		put("without the last byte", func(g []byte, _ string) []byte { return g[:max(0, len(g)-1)] }),
		put("twice", func(g []byte, _ string) []byte { return append(bytes.Clone(g), g...) }),
		put("a mark before it", func(g []byte, _ string) []byte { return append([]byte("\ufeff"), g...) }),
		put("line ends of Windows", func(g []byte, _ string) []byte { return bytes.ReplaceAll(g, []byte("\n"), []byte("\r\n")) }),
		put("no seal", func(g []byte, _ string) []byte { return unseal(g) }),
		put("a seal of zeros", func(g []byte, _ string) []byte {
			return append(bytes.TrimSuffix(unseal(g), []byte("}")), (`,"seal":"` + strings.Repeat("0", 32) + "\"}\n")...)
		}),
		put("another's seal", func(g []byte, _ string) []byte { return sealOther(unseal(g)) }),
		link("a link to a file", "file"), link("a link to nothing", "none/new"), link("a link to a new file", "new"), link("a link to a folder", "."),
		{"a hard link", func(at string, _ []byte, victim string) error {
			return errors.Join(os.WriteFile(at+".x", []byte("x"), 0o644), os.Rename(at+".x", at), os.Remove(at), os.Link(filepath.Join(victim, "hard"), at))
		}},
		{"a folder", func(at string, _ []byte, _ string) error { return os.Mkdir(at, 0o755) }},
		{"a pipe", func(at string, _ []byte, _ string) error { return exec.Command("mkfifo", at).Run() }},
		{"for nobody", func(at string, g []byte, _ string) error { return os.WriteFile(at, g, 0) }},
	}
	for _, path := range []string{"%s", "%s/", "../../victim", "../victim/file", ".."} {
		for _, sealed := range []bool{false, true} {
			list = append(list, put(fmt.Sprintf("paths %q, another's seal %v", path, sealed), func(g []byte, victim string) []byte {
				text := swapStrings(unseal(g), strings.ReplaceAll(path, "%s", victim))
				if sealed {
					text = sealOther(text)
				}
				return text
			}))
		}
	}
	for i := range 40 - len(list) {
		list = append(list, put(fmt.Sprintf("byte changed %d", i), func(g []byte, _ string) []byte {
			g, rng := bytes.Clone(g), rand.New(rand.NewPCG(uint64(i), uint64(len(g))))
			for range min(len(g), 1+i%3) {
				g[rng.IntN(len(g))] ^= byte(1 + rng.IntN(255))
			}
			return g
		}))
	}
	return list
}

// unseal returns a record without its seal.
func unseal(line []byte) []byte {
	if i := bytes.LastIndex(line, []byte(`,"seal":"`)); i >= 0 {
		return append(bytes.Clone(line[:i]), '}')
	}
	return bytes.TrimSpace(line)
}

func sealOther(record []byte) []byte {
	if len(record) < 3 {
		return record
	}
	return statefile.LineSeal("another's key").Make(record)
}

// swapStrings puts a text in the place of each string of a JSON object that looks like a path, a branch or a name; other texts become it.
func swapStrings(text []byte, to string) []byte {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return []byte(to + "\n")
	}
	var swap func(any) any
	swap = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for k := range v {
				if !slices.Contains([]string{"time", "Began", "began", "before", "after", "State", "mode", "what"}, k) {
					v[k] = swap(v[k])
				}
			}
			return v
		case []any:
			for i := range v {
				v[i] = swap(v[i])
			}
			return v
		case string:
			return to
		}
		return v
	}
	b, _ := json.Marshal(swap(v))
	return b
}

// plantFiles puts each mutation in the place of each file, has commands read it, and looks at what is outside of the tree, and at what
// protects.
func (t *trial) plantFiles(ctx context.Context) error {
	list, files := mutations(), plantedFiles()
	if t.Short {
		list = []mutation{list[14], list[16], list[17], list[25]}
	}
	var mu sync.Mutex // guards what follows
	outside, lost, hung, cases := 0, 0, 0, 0
	var work sync.WaitGroup
	errs := make([]error, plantedProjects)
	tryAll := func(n int) error {
		p, err := t.newPlanted(ctx, n)
		if err != nil {
			return err
		}
		for i := n; i < len(files)*len(list); i += plantedProjects {
			file, m := files[i/len(list)], list[i%len(list)]
			r, err := p.tryOne(ctx, file, m)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", file, m.name, err)
			}
			mu.Lock()
			cases++
			outside, lost, hung = outside+len(r.outside), lost+len(r.lost), hung+len(r.hung)
			for _, f := range slices.Concat(r.outside, r.lost, r.hung) {
				fmt.Printf("%s, %s: %s\n", file, m.name, f)
			}
			mu.Unlock()
		}
		return nil
	}
	for n := range plantedProjects {
		work.Go(func() { errs[n] = tryAll(n) })
	}
	work.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	t.Row(fmt.Sprintf("planted files: %d files, %d mutations of each, %d cases", len(files), len(list), cases), "no write outside of the tree", fmt.Sprintf("%d writes", outside), outside == 0)
	t.Row("what protects in these cases: a credential masked, what is wrong with a record told", "no silent loss", fmt.Sprintf("%d losses", lost), lost == 0)
	t.Row("commands in these cases", "all end", fmt.Sprintf("%d do not", hung), hung == 0)
	return nil
}

// planted is a project with everything that ken keeps in one, and a folder beside it that nothing may write.
type planted struct {
	*trial
	root, victim string
	before       map[string]string
	first        map[string]string // of the project
}

const secretValue = "ghp_Zx81mQpL0aR7tVb3KcY9wDsE2fHjN4uG6iTo"

// plantedProjects is the number of projects that are tried at once, because commands wait for locks that are planted.
const plantedProjects = 8

func (t *trial) newPlanted(ctx context.Context, n int) (*planted, error) {
	root, err := t.makeProject(ctx, filepath.Join(fmt.Sprint("planted", n), "project"))
	if err != nil {
		return nil, err
	}
	p := &planted{trial: t, root: root, victim: filepath.Join(filepath.Dir(root), "victim")}
	files := planFiles()
	files["deploy.sh"] = "GITHUB_TOKEN=" + secretValue + "\n"
	files[".kenignore"] = "generated/\n"
	files[".ken/config.yml"] = "exclude: [generated]\n"
	files[".planning/config.json"] = "{\"mode\": \"yolo\"}\n"
	err = errors.Join(world.WriteFiles(root, files), world.Commit(ctx, root, "plans"),
		world.WriteFiles(p.victim, map[string]string{"file": "theirs\n", "hard": "theirs\n", ".planning/ROADMAP.md": "theirs\n", ".planning/STATE.md": "# theirs\n"}))
	for _, args := range [][]string{
		{"index"}, {"plan", "executor", "create", "1"}, {"plan", "run", "start", "1"}, {"plan", "todo", "create", "thing"}, {"session", "decide", "to keep it"},
		{"remember", "a thing"}, {"find", "pod"},
	} {
		if err == nil {
			_, err = t.runKen(ctx, root, args...)
		}
	}
	p.before, p.first = readTree(p.victim), readTree(root)
	return p, err
}

// readTree returns the texts of files, the targets of links and the names of folders.
func readTree(dir string) map[string]string {
	out := map[string]string{}
	filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || at == dir {
			return nil
		}
		switch {
		case d.IsDir():
			out[at] = "/"
		case d.Type()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(at)
			out[at] = "->" + to
		case d.Type().IsRegular():
			text, _ := os.ReadFile(at)
			out[at] = "=" + string(text)
		default:
			out[at] = "?"
		}
		return nil
	})
	return out
}

// restore brings the project back to its first state. Folders keep their inodes, by which ken knows them.
func (p *planted) restore() error {
	var errs []error
	now := readTree(p.root)
	for at, text := range now {
		if first, ok := p.first[at]; !ok || first != text && (text[0] != '=' || first[0] != '=') {
			errs = append(errs, os.RemoveAll(at))
			delete(now, at)
		}
	}
	for _, at := range slices.Sorted(func(yield func(string) bool) {
		for at := range p.first {
			if !yield(at) {
				return
			}
		}
	}) {
		first := p.first[at]
		if _, err := os.Lstat(at); err == nil && now[at] == first && first == "/" {
			continue
		}
		switch first[0] {
		case '/':
			errs = append(errs, os.MkdirAll(at, 0o755))
		case '=':
			if st, err := os.Lstat(at); err == nil && now[at] == first && st.Mode().Perm()&0o600 == 0o600 {
				continue
			}
			os.Remove(at)
			errs = append(errs, os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(first[1:]), 0o600))
		}
	}
	return errors.Join(errs...)
}

type plantedResult struct{ outside, lost, hung []string }

// askedOfPlanted are commands that read and act on what is planted. Each that matters for a file reports it, or answers as without.
func askedOfPlanted() [][]string {
	return [][]string{
		{"plan", "show"}, {"plan", "changes"}, {"plan", "executor", "status"}, {"plan", "executor", "merge"}, {"plan", "executor", "cleanup"}, {"plan", "run", "next", "1"},
		{"plan", "todo", "create", "other"}, {"plan", "undo"}, {"session", "show"}, {"remember", "another thing"}, {"find", "pod"}, {"grep", "GITHUB_TOKEN"},
	}
}

func (p *planted) tryOne(ctx context.Context, file string, m mutation) (r plantedResult, err error) {
	if err := p.restore(); err != nil {
		return r, err
	}
	at, good := p.findPlace(file)
	if err := errors.Join(os.RemoveAll(at), os.MkdirAll(filepath.Dir(at), 0o755)); err != nil {
		return r, err
	}
	if err := m.make(at, good, p.victim); err != nil {
		return r, err
	}
	all := ""
	for _, args := range askedOfPlanted() {
		limited, cancel := context.WithTimeout(ctx, 60*time.Second)
		out, err := p.runKen(limited, p.root, args...)
		if limited.Err() != nil && ctx.Err() == nil {
			r.hung = append(r.hung, strings.Join(args, " ")+" does not end")
		}
		cancel()
		if strings.Contains(out, secretValue) {
			r.lost = append(r.lost, strings.Join(args, " ")+" prints a credential")
		}
		if all += out; err != nil {
			all += err.Error()
		}
	}
	now := readTree(p.victim)
	for at, text := range now {
		if p.before[at] != text {
			r.outside = append(r.outside, at+" was written")
		}
	}
	for at := range p.before {
		if _, ok := now[at]; !ok {
			r.outside = append(r.outside, at+" is gone")
		}
	}
	if len(r.outside) > 0 {
		err = errors.Join(os.RemoveAll(p.victim), writeTree(p.before))
	}
	sealed := strings.HasPrefix(file, ".git/ken/") && strings.HasSuffix(at, "n")

	if sealed && m.name != "for nobody" && !strings.Contains(all, filepath.Base(at)) && !strings.Contains(all, "regular") {
		r.lost = append(r.lost, "nothing tells of it")
	}
	return r, err
}

// findPlace returns the path of a planted file and the text of ken's own there or, if it has none, of a similar one.
func (p *planted) findPlace(file string) (at string, good []byte) {
	at = filepath.Join(p.root, filepath.FromSlash(file))
	if list, _ := filepath.Glob(at); len(list) > 0 {
		at = list[len(list)-1]
	}
	if text, ok := p.first[at]; ok {
		return at, []byte(text[1:])
	}
	similar := strings.NewReplacer("0000000900.open", "*.json", "02-01", "01-01").Replace(file)
	list, _ := filepath.Glob(filepath.Join(p.root, filepath.FromSlash(similar)))
	if len(list) > 0 {
		if text := p.first[list[0]]; text != "" {
			return at, []byte(text[1:])
		}
	}
	return at, []byte(`{"path":"` + p.root + `"}`)
}

func writeTree(files map[string]string) error {
	var errs []error
	for at, text := range files {
		if text[0] == '=' {
			errs = append(errs, os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text[1:]), 0o644))
		}
	}
	return errors.Join(errs...)
}
