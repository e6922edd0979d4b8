package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/bench/world"
)

// checkInstall installs ken into settings of many shapes in every scope, twice, and takes it out again; then once more, killed in
// between.
func checkInstall(ctx context.Context, o options, t *table) error {
	rng := rand.New(rand.NewPCG(1, 6))
	for _, scope := range []string{"local", "project", "user"} {
		var wrong []string
		kills, halfway := 0, 0
		for i := range o.settings {
			in := installation{project: o.project("install"), scope: scope}
			if err := in.makeInstallation(ctx, rng, i); err != nil {
				return err
			}
			problem, err := in.installTwice(ctx)
			if err == nil && problem == "" {
				var between bool
				problem, between, err = in.checkKilled(ctx, rng)
				kills++
				if between {
					halfway++
				}
			}
			if err != nil {
				return err
			}
			if problem != "" {
				wrong = append(wrong, fmt.Sprintf("settings %d: %s", i, problem))
			}
			if err := os.RemoveAll(filepath.Join(o.work, "install")); err != nil {
				return err
			}
		}
		found := fmt.Sprintf("%d wrong; of %d kills %d before the end", len(wrong), kills, halfway)
		if len(wrong) > 0 {
			found += "; " + wrong[0]
		}
		t.addCheck("install --"+scope+" twice, uninstall; killed in between", fmt.Sprintf("%d settings files", o.settings), found,
			"no second change; byte for byte; old or new, never half", len(wrong) == 0)
	}
	return nil
}

// installation is ken in one scope.
type installation struct {
	*project
	scope string
}

// settingsPath returns the path of the settings of a scope.
func (in *installation) settingsPath() string {
	switch in.scope {
	case "local":
		return filepath.Join(in.dir, ".claude", "settings.local.json")
	case "project":
		return filepath.Join(in.dir, ".claude", "settings.json")
	}
	return filepath.Join(in.home, ".claude", "settings.json")
}

// makeInstallation makes a project and settings of some shape; every tenth has none.
func (in *installation) makeInstallation(ctx context.Context, rng *rand.Rand, i int) error {
	if err := errors.Join(os.MkdirAll(in.dir, 0o755), os.MkdirAll(in.home, 0o755), world.Commit(ctx, in.dir, "all")); err != nil || i%10 == 9 {
		return err
	}
	text := randomSettings(rng)
	mode := []fs.FileMode{0o600, 0o644}[rng.IntN(2)]
	err := errors.Join(os.MkdirAll(filepath.Dir(in.settingsPath()), 0o755), os.WriteFile(in.settingsPath(), []byte(text), mode))
	if err == nil && rng.IntN(2) == 0 { // rules of another program
		rules := map[string]string{"local": "CLAUDE.local.md", "project": "CLAUDE.md"}[in.scope]
		if rules != "" {
			err = os.WriteFile(filepath.Join(in.dir, rules), []byte("# Mine\r\n\r\nno final newline"[:9+rng.IntN(16)]), 0o644)
		}
	}
	return err
}

// snapshot returns every file with its content and mode, except git's objects, ken's index and its state.
func (in *installation) snapshot() (map[string]string, error) {
	out := map[string]string{}
	for _, root := range []string{in.dir, in.home} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if path == in.stateDir() || path == filepath.Join(in.dir, ".git", "objects") {
				return filepath.SkipDir
			}
			st, err := d.Info()
			if err != nil {
				return err
			}
			text := ""
			if st.Mode().IsRegular() {
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				text = fmt.Sprintf("%x", sha256.Sum256(data))
			}
			out[path] = st.Mode().String() + " " + text
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (in *installation) install(ctx context.Context) error {
	return in.runUnmeasured(ctx, "install", "claude", "--"+in.scope, "--yes")
}

func (in *installation) uninstall(ctx context.Context) error {
	return in.runUnmeasured(ctx, "uninstall", "claude", "--"+in.scope, "--yes")
}

// differingFile names a file that differs between two snapshots, "" if there is none.
func differingFile(a, b map[string]string) string {
	for path, was := range a {
		if b[path] != was {
			return filepath.Base(path)
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			return filepath.Base(path)
		}
	}
	return ""
}

// installTwice installs twice and uninstalls, and returns a description of the fault, or "".
func (in *installation) installTwice(ctx context.Context) (problem string, err error) {
	before, err := in.snapshot()
	if err == nil {
		err = in.install(ctx)
	}
	if err != nil {
		return "", err
	}
	once, err := in.snapshot()
	if err == nil {
		err = in.install(ctx)
	}
	if err != nil {
		return "", err
	}
	again, err := in.snapshot()
	if err == nil {
		err = in.uninstall(ctx)
	}
	if err != nil {
		return "", err
	}
	out, err := in.snapshot()
	switch {
	case differingFile(before, once) == "":
		problem = "installing changed nothing"
	case differingFile(once, again) != "":
		problem = "a second installation changed " + differingFile(once, again)
	case differingFile(before, out) != "":
		problem = "taken out, another is " + differingFile(before, out)
	}
	return problem, err
}

// checkKilled kills an installation and a removal at some moment. Every file is then the old or the new one, and the next command
// finishes.
func (in *installation) checkKilled(ctx context.Context, rng *rand.Rand) (problem string, between bool, err error) {
	before, err := in.snapshot()
	start := time.Now()
	if err == nil {
		err = in.install(ctx)
	}
	if err != nil {
		return "", false, err
	}
	takes := time.Since(start)
	after, err := in.snapshot()
	if err == nil {
		err = in.uninstall(ctx)
	}
	if err != nil {
		return "", false, err
	}
	for _, verb := range []string{"install", "uninstall"} {
		if verb == "uninstall" {
			if err := in.install(ctx); err != nil {
				return "", between, err
			}
		}
		killed, cancel := context.WithTimeout(ctx, time.Duration(rng.Int64N(int64(takes*5/4))))
		err := in.runUnmeasured(killed, verb, "claude", "--"+in.scope, "--yes")
		cancel()
		between = between || err != nil
		now, err := in.snapshot()
		if err != nil {
			return "", between, err
		}
		for path, is := range now {
			// No program reads the files that ken writes beside another before they take its place.
			ignored := strings.HasPrefix(filepath.Base(path), ".ken-") || strings.HasPrefix(is, "d")
			if is != before[path] && is != after[path] && !ignored {
				return fmt.Sprintf("after a killed %s, half is %s", verb, filepath.Base(path)), between, nil
			}
		}
		if err := errors.Join(in.install(ctx), in.uninstall(ctx)); err != nil {
			return "", between, err
		}
		if now, err = in.snapshot(); err != nil {
			return "", between, err
		}
		if d := differingFile(before, now); d != "" {
			return fmt.Sprintf("taken out after a killed %s, another is %s", verb, d), between, nil
		}
	}
	return "", between, nil
}

// randomSettings is a settings file as people and programs write them: comments, commas at ends, tabs, line ends of two
// kinds, a mark at the beginning, hooks of others, a status line.
func randomSettings(rng *rand.Rand) string {
	one := func(list ...string) string { return list[rng.IntN(len(list))] }
	nl, indent := one("\n", "\r\n", "\n", " "), one("  ", "\t", "    ", "")
	comment := func() string {
		if nl == " " {
			return one("", "", "/* mine */")
		}
		return one("", "", "", " // mine", " /* mine */")
	}
	var keys []string
	for _, k := range rng.Perm(6)[:rng.IntN(7)] {
		keys = append(keys, []string{
			`"model": "opus"`, `"env": {"A": "ü 日本", "B": "\u00e9\\"}`, `"permissions": {"allow": ["Bash(go test:*)"], "deny": []}`,
			`"statusLine": {"type": "command", "command": "date"}`, `"hooks": ` + randomHooks(rng, nl, indent), `"numbers": [1, 2.50, -0, 1e9]`,
		}[k])
	}
	var b strings.Builder
	b.WriteString(one("", "", "\xEF\xBB\xBF") + "{" + comment())
	for i, k := range keys {
		b.WriteString(nl + indent + k)
		if i < len(keys)-1 {
			b.WriteString(",")
		} else {
			b.WriteString(one("", "", ","))
		}
		b.WriteString(comment())
	}
	b.WriteString(nl + "}" + one("", nl, nl+nl))
	return b.String()
}

// randomHooks are hooks of others, in some of the events that ken is called at.
func randomHooks(rng *rand.Rand, nl, indent string) string {
	beep := `{"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "beep --loud", "timeout": 5}]}`
	var events []string
	for _, name := range []string{"Stop", "PreToolUse", "SessionStart", "Notification"} {
		switch rng.IntN(4) {
		case 0:
			events = append(events, fmt.Sprintf("%q: []", name))
		case 1:
			events = append(events, fmt.Sprintf("%q: [%s]", name, beep))
		case 2:
			events = append(events, fmt.Sprintf("%q: [%s%s,%s%s%s]", name, nl+indent+indent, beep, nl+indent+indent, strings.Replace(beep, "loud", "low", 1), nl+indent))
		}
	}
	return "{" + nl + indent + indent + strings.Join(events, ","+nl+indent+indent) + nl + indent + "}"
}
