package brief

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// maxCommands and maxArgs bound the commands of a brief and their arguments.
const (
	maxCommands = 3
	maxTestArgs = 4
)

// TestCommand is a command line that runs tests.
type TestCommand struct {
	Dir  string // working directory, "" for the root
	Line string
}

// commands finds the commands that run the tests, where the repository's own build files leave no doubt. Ken runs none of them. A path
// with characters that are special to a shell gives no command.
func (b *briefer) commands() error {
	var calls []TestCommand
	args := map[TestCommand][]string{}
	for _, t := range b.out.Tests {
		if !plainPath(t.Path) {
			continue
		}
		c, arg, err := b.command(t.Path)
		if err != nil {
			return err
		}
		if c.Line == "" {
			continue
		}
		if _, ok := args[c]; !ok {
			calls = append(calls, c)
			args[c] = nil
		}
		if arg != "" && !slices.Contains(args[c], arg) && len(args[c]) < maxTestArgs {
			args[c] = append(args[c], arg)
		}
	}
	for _, c := range calls[:min(len(calls), maxCommands)] {
		list := args[c]
		if strings.HasSuffix(c.Line, "=") {
			c.Line += strings.Join(list, ",")
		} else {
			c.Line = strings.Join(append([]string{c.Line}, list...), " ")
		}
		b.out.Commands = append(b.out.Commands, c)
	}
	return nil
}

// command returns the command that runs one test file, and the argument that names the file there.
func (b *briefer) command(p string) (c TestCommand, arg string, err error) {
	switch ext := path.Ext(p); ext {
	case ".go":
		return b.goCommand(p)
	case ".rs":
		return b.rustCommand(p)
	case ".py":
		return b.pythonCommand(p)
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts":
		return b.nodeCommand(p)
	case ".java", ".kt":
		return b.mavenCommand(p)
	}
	return c, "", nil
}

// nearest returns the closest directory above a file that holds a configuration file, with its content.
func (b *briefer) nearest(p, base string) (dir string, content []byte, ok bool, err error) {
	for dir = code.Dir(p); ; dir = code.Dir(dir) {
		content, ok, err = b.s.Index.ConfigContent(path.Join(dir, base))
		if err != nil || ok {
			return dir, content, ok && plainPath(dir), err
		}
		if dir == "" {
			return "", nil, false, nil
		}
	}
}

// has reports whether one of some files is indexed in a directory or above, and where.
func (b *briefer) has(dir string, names ...string) (string, bool, error) {
	for ; ; dir = code.Dir(dir) {
		for _, n := range names {
			if id, err := b.s.Index.FileID(path.Join(dir, n)); err != nil || id != 0 {
				return dir, id != 0 && plainPath(dir), err
			}
		}
		if dir == "" {
			return "", false, nil
		}
	}
}

func (b *briefer) goCommand(p string) (TestCommand, string, error) {
	mod, _, ok, err := b.nearest(p, "go.mod")
	if err != nil || !ok || !strings.HasSuffix(p, "_test.go") {
		return TestCommand{}, "", err
	}
	return TestCommand{mod, "go test"}, "./" + strings.TrimPrefix(strings.TrimPrefix(code.Dir(p), mod), "/"), nil
}

func (b *briefer) rustCommand(p string) (TestCommand, string, error) {
	dir, content, ok, err := b.nearest(p, "Cargo.toml")
	if err != nil || !ok {
		return TestCommand{}, "", err
	}
	name := packageName(string(content))
	if name == "" || !plainPath(name) {
		return TestCommand{}, "", nil
	}
	if base := path.Base(p); path.Base(code.Dir(p)) == "tests" && code.Dir(code.Dir(p)) == dir {
		return TestCommand{Line: "cargo test -p " + name + " --test " + strings.TrimSuffix(base, ".rs")}, "", nil
	}
	return TestCommand{Line: "cargo test -p " + name}, "", nil
}

// packageName returns the name in the [package] section of a Cargo.toml.
func packageName(text string) string {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		if key, val, ok := strings.Cut(line, "="); ok && section == "[package]" && strings.TrimSpace(key) == "name" {
			return strings.Trim(strings.TrimSpace(val), `"'`)
		}
	}
	return ""
}

// pythonCommand requires a sign that pytest is used: its settings, or a conftest.py.
func (b *briefer) pythonCommand(p string) (TestCommand, string, error) {
	dir, content, ok, err := b.nearest(p, "pyproject.toml")
	if err != nil {
		return TestCommand{}, "", err
	}
	if !ok || !strings.Contains(string(content), "[tool.pytest") {
		if dir, ok, err = b.has("", "pytest.ini", "conftest.py"); err != nil {
			return TestCommand{}, "", err
		}
		if !ok {
			if _, ok, err = b.has(code.Dir(p), "conftest.py"); err != nil || !ok {
				return TestCommand{}, "", err
			}
			dir = ""
		}
	}
	return TestCommand{dir, "pytest"}, strings.TrimPrefix(strings.TrimPrefix(p, dir), "/"), nil
}

// nodeCommand runs the test script of the nearest package that has one.
func (b *briefer) nodeCommand(p string) (TestCommand, string, error) {
	dir, script, err := b.testScript(p)
	if err != nil || script == "" {
		return TestCommand{}, "", err
	}
	head := "npm test"
	for _, m := range [...][2]string{{"pnpm-lock.yaml", "pnpm test"}, {"yarn.lock", "yarn test"}, {"bun.lock", "bun run test"}} {
		if _, ok, err := b.has(dir, m[0]); err != nil {
			return TestCommand{}, "", err
		} else if ok {
			head = m[1]
			break
		}
	}
	if strings.ContainsAny(script, "&|;") { // arguments would reach its last command only
		return TestCommand{dir, head}, "", nil
	}
	if head == "npm test" {
		head += " --"
	}
	return TestCommand{dir, head}, strings.TrimPrefix(strings.TrimPrefix(p, dir), "/"), nil
}

// testScript returns the test script of the nearest package.json that has one; the packages of a workspace often leave it to the root.
func (b *briefer) testScript(p string) (dir, script string, err error) {
	for dir = code.Dir(p); ; dir = code.Dir(dir) {
		content, ok, err := b.s.Index.ConfigContent(path.Join(dir, "package.json"))
		if err != nil {
			return "", "", err
		}
		var pkg struct {
			Scripts map[string]string `json:"scripts"`
		}
		if ok && json.Unmarshal(content, &pkg) == nil {
			if s := pkg.Scripts["test"]; s != "" && !strings.Contains(s, "no test specified") && plainPath(dir) {
				return dir, s, nil
			}
		}
		if dir == "" {
			return "", "", nil
		}
	}
}

func (b *briefer) mavenCommand(p string) (TestCommand, string, error) {
	dir, ok, err := b.has(code.Dir(p), "pom.xml")
	if err != nil || !ok {
		return TestCommand{}, "", err
	}
	class := strings.TrimSuffix(path.Base(p), path.Ext(p))
	head := "mvn test -Dtest="
	if dir != "" {
		head = "mvn -pl " + dir + " test -Dtest="
	}
	return TestCommand{Line: head}, class, nil
}

// plainPath reports whether a path has only characters that no shell interprets.
func plainPath(p string) bool {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@"
	return !strings.HasPrefix(p, "-") && !strings.ContainsFunc(p, func(r rune) bool { return !strings.ContainsRune(plain, r) })
}
