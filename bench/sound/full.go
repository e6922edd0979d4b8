package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"ken/bench/world"
)

// fullWriters are commands that write. Each begins with the same project, which has a decision, a note, a todo, a change of planning to
// undo, and a file that is not indexed.
var fullWriters = [...][]string{
	{"index"}, {"index", "--full"}, {"remember", "second"}, {"session", "decide", "other"}, {"plan", "phase", "add", "Fourth"},
	{"plan", "phase", "remove", "1", "--force"}, {"plan", "todo", "create", "thing"}, {"plan", "undo"},
	{"task", "start_session", "change Start1 in p1/pod.go", "--intent", "MODIFY"}, {"outcome", "record", "failure", "bad", "--session", "s1"},
	{"agreement", "add", "pod starter", "Start1", "--evidence", "its comment"}, {"commit-knowledge"}, {"install", "claude", "--project", "--yes"},
}

// fullReaders show what the commands of fullWriters write.
var fullReaders = [...][]string{
	{"refs", "Made"}, {"memory", "list", "--limit", "0"}, {"session", "show"}, {"plan", "show"}, {"task", "get_session_status"}, {"outcome", "stats"},
	{"agreement", "list"},
}

// freeBlocks are the blocks of 4 KB that are left to a command, so that it fails at each of its steps. The last are enough for all.
var freeBlocks = [...]int{0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96, 128, 256, 1024}

// fillDisk runs commands that write on a file system that is full, or is soon. One that fails must have written nothing and leave
// neither locks nor temporary files.
func (t *trial) fillDisk(ctx context.Context) error {
	const what = "commands on a full file system"
	if !isInNamespace() {
		switch err := runInNamespace(ctx, os.Args[1:]...); {
		case errors.Is(err, errNoNamespace):
			t.LeaveOut(what, "old or new, never half", err.Error())
			return nil
		case err != nil:
			return err
		}
		return errDone
	}
	disk, kept := filepath.Join(t.dir, "disk"), filepath.Join(t.dir, "kept")
	if err := errors.Join(os.Mkdir(disk, 0o755), mountSmall(disk, 32<<20)); err != nil {
		t.LeaveOut(what, "old or new, never half", err.Error())
		return nil
	}
	t.dir, t.env = disk, world.Environment(filepath.Join(disk, "home"))
	root, err := t.makeFullProject(ctx)
	if err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, "cp", "-a", disk, kept).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	free := freeBlocks[:]
	if t.Short {
		free = []int{0, 2, 8, 1024}
	}
	for _, args := range fullWriters {
		failed, faults, done, before := 0, 0, 0, ""
		for i := -1; i < len(free) && done < 2; i++ {
			if err := restore(ctx, kept, disk); err != nil {
				return err
			}
			if i < 0 {
				before, err = t.readAll(ctx, root)
				if err != nil {
					return err
				}
				continue
			}
			if err := fill(filepath.Join(disk, "filler"), free[i]); err != nil {
				return err
			}
			out, runErr := t.runKen(ctx, root, args...)
			if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
				return err
			}
			fault := ""
			if runErr != nil {
				fault = leftover(disk) // a spool that is being applied is the state after a success
			}
			if runErr != nil && args[0] == "install" { // it goes on where it was, or back
				if _, err := t.runKen(ctx, root, "uninstall", "claude", "--project", "--yes"); err != nil {
					return err
				}
			}
			after, err := t.readAll(ctx, root)
			switch {
			case err != nil:
				fault = err.Error()
			case runErr != nil && after != before:
				fault = "it failed, and has written: " + difference(before, after)
			case fault != "":
				fault = "left behind: " + fault
			case runErr == nil && after == before && args[0] != "index":
				fault = "it reports success, and has not written"
			case runErr != nil && !namesFullDisk.MatchString(runErr.Error()):
				fault = "it does not name the full disk"
			}
			if runErr != nil {
				failed++
			} else {
				done++
			}
			if fault != "" {
				faults++
				fmt.Printf("ken %s, %d KB free: %s\n\t%v %.300s\n", strings.Join(args, " "), 4*free[i], fault, runErr, out)
			}
		}
		t.Row("ken "+strings.Join(args, " "), "a failed one has not written, names the full disk, leaves no lock and no temporary file",
			fmt.Sprintf("failed %d times, %d faults", failed, faults), faults == 0 && done > 0)
	}
	return nil
}

var (
	errDone        = errors.New("done elsewhere")
	errNoNamespace = errors.New("no file system can be mounted here")
	namesFullDisk  = regexp.MustCompile("(?i)no space left|disk is full|disk full|full disk")
)

func (t *trial) makeFullProject(ctx context.Context) (string, error) {
	root, err := t.makeProject(ctx, "p")
	if err == nil {
		err = world.WriteFiles(root, planFiles())
	}
	for _, args := range [][]string{{"index"}, {"remember", "first"}, {"session", "decide", "kept"}, {"plan", "todo", "create", "early"}, {"plan", "phase", "add", "Third"}} {
		if err == nil {
			_, err = t.runKen(ctx, root, args...)
		}
	}
	if err == nil {
		_, err = world.Git(ctx, root, "config", "user.name", "a")
	}
	if err == nil {
		_, err = world.Git(ctx, root, "config", "user.email", "a@example.com")
	}
	if err == nil {
		err = world.WriteFiles(root, map[string]string{"p0/made.go": "package p0\n\nfunc Made() {}\n\nfunc also() { Made() }\n"})
	}
	return root, err
}

// restore gives a folder the content of another. Folders that both have stay, because ken knows its own by more than their names.
func restore(ctx context.Context, from, to string) error {
	err := filepath.WalkDir(to, func(at string, d fs.DirEntry, err error) error {
		if err != nil || at == to {
			return err
		}
		rel, _ := filepath.Rel(to, at)
		if _, gone := os.Lstat(filepath.Join(from, rel)); d.IsDir() && gone == nil {
			return nil
		}
		if err = os.RemoveAll(at); err == nil && d.IsDir() {
			return filepath.SkipDir
		}
		return err
	})
	if err != nil {
		return err
	}
	return exec.CommandContext(ctx, "cp", "-a", from+"/.", to).Run()
}

// fill fills a file system but for some blocks.
func fill(name string, free int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	block := make([]byte, 4096)
	size := int64(0)
	for err == nil {
		var n int
		n, err = f.Write(block)
		size += int64(n)
	}
	return f.Truncate(max(0, size-int64(free*len(block))))
}

// readAll returns what the readers print and the texts of what the writers write, without numbers, which can be times.
func (t *trial) readAll(ctx context.Context, root string) (string, error) {
	var b strings.Builder
	for _, args := range fullReaders {
		out, err := t.runKen(ctx, root, args...)
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() < 0 {
			return "", err
		}
		fmt.Fprintf(&b, "%s: %s%v\n", strings.Join(args, " "), out, err) // most fail as long as there is nothing
	}
	for _, args := range [][]string{{"log", "--format=%s"}, {"status", "--porcelain"}} {
		out, err := world.Git(ctx, root, args...)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "git %s: %s\n", args[0], out)
	}
	plans, err := planState(root)
	for _, name := range [...]string{".ken/knowledge/decisions.md", ".mcp.json", ".claude/settings.json"} {
		text, _ := os.ReadFile(filepath.Join(root, name))
		fmt.Fprintf(&b, "%s: %q\n", name, text)
	}
	return digits.ReplaceAllString(b.String(), "N") + plans, err
}

// difference returns the first line that is another.
func difference(before, after string) string {
	a := strings.Split(before, "\n")
	for i, line := range strings.Split(after, "\n") {
		if i >= len(a) || a[i] != line {
			return fmt.Sprintf("%.300q was %.300q", line, a[min(i, len(a)-1)])
		}
	}
	return "lines are missing"
}

// leftovers are names of temporary files, and of locks that are held by being there.
var leftovers = regexp.MustCompile(`\.tmp$|/\.ken-new|\.new(\.\d+)?$|/\.planning/.*lock$|/\.git/(.*/)?(index|HEAD|config|refs/.*)\.lock$|-journal$|\.taken$`)

// leftover returns the path of a file below a folder that a command has left.
func leftover(dir string) (found string) {
	filepath.WalkDir(dir, func(at string, _ fs.DirEntry, err error) error {
		if err == nil && leftovers.MatchString(filepath.ToSlash(at)) {
			found = strings.TrimPrefix(at, dir)
		}
		return nil
	})
	return found
}
