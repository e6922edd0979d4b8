package owner

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/git"
)

// maxNamed is the maximal number of files that a message names; it only counts the others.
const maxNamed = 5

// mayCommit reports whether a file of the folder .ken, by its path in it, may be committed to git.
func mayCommit(name string) bool {
	return name == ".gitignore" || name == "config.yml" || strings.HasPrefix(name, "knowledge/")
}

// refuseTracked prints the files in the folder that git tracks although they must not be
// committed, and stops using them: another commit can replace them at any time, even
// by files with the fingerprint of a published index. The caller holds f.mu.
func (f *Folder) refuseTracked() {
	tracked := trackedFiles(f.root)
	if len(tracked) == 0 {
		return
	}
	f.addLine(nameFiles(tracked) + ": tracked by git, so ken does not use it; take it out of git")
	plain, own := fileFilter(""), fileFilter(f.id.fileID())
	if slices.ContainsFunc(tracked, plain) {
		f.beside = true
	}
	f.unusable = f.beside && slices.ContainsFunc(tracked, own)
	f.noMemory = slices.ContainsFunc(tracked, func(name string) bool {
		return strings.HasPrefix(name, "memory") || strings.HasPrefix(name, "spool")
	})
	f.noLogs = slices.ContainsFunc(tracked, func(name string) bool { return strings.HasPrefix(name, "logs") })
}

// fileFilter returns a function that reports whether a file in the folder .ken belongs to an id, whose
// index, salt or vectors are named after it, or is one that SQLite and ken keep beside them.
func fileFilter(name string) func(string) bool {
	index, vectors, salt := fileName("index.db", name), fileName("vectors.db", name), fileName("salt", name)
	return func(file string) bool {
		return file == salt || strings.HasPrefix(file, index) || strings.HasPrefix(file, vectors)
	}
}

// trackedFiles returns the files in the folder .ken of root that git tracks although they must not be
// committed, as paths in that folder. It returns none if git would have to be run, or there is no
// repository.
func trackedFiles(root string) []string {
	repo, err := git.Find(root)
	if err != nil {
		return nil
	}
	rel, err := filepath.Rel(repo.Root, root)
	if err != nil {
		return nil
	}
	paths, err := repo.TrackedBelow(path.Join(filepath.ToSlash(rel), ".ken"))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(paths, mayCommit)
}

// nameFiles returns the names of files as one text for a message, the first ones only if there are many.
func nameFiles(names []string) string {
	shown := make([]string, 0, maxNamed)
	for _, n := range names[:min(len(names), maxNamed)] {
		shown = append(shown, ".ken/"+n)
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// checkExistingFiles finds whether the user's index is beside another one, and warns about
// memory files that were not made under this id. Their content cannot be made
// again, so they are not read, renamed or deleted: only a command of the user's
// takes one over. The caller holds f.mu.
func (f *Folder) checkExistingFiles() {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return
	}
	index := fileName("index.db", f.id.fileID())
	var others []string
	for _, e := range entries {
		f.beside = f.beside || e.Name() == index
		if isMemory(e.Name()) {
			others = append(others, e.Name())
		}
	}
	if len(others) == 0 {
		return
	}
	own, _ := f.state.readRecordOf(f.dir)
	if others = slices.DeleteFunc(others, func(n string) bool { return n == own.memory }); len(others) > 0 {
		f.addLine(nameFiles(others) + ": not made by your ken for this tree, so it is neither read nor changed")
	}
}

// isMemory reports whether name is the name of a memory database, of any id.
func isMemory(name string) bool {
	rest, ok := strings.CutPrefix(name, "memory")
	return ok && strings.HasSuffix(rest, ".db") && (rest == ".db" || rest[0] == '-')
}
