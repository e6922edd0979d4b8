package tasks

import (
	"path/filepath"
	"strings"

	"ken/internal/delivery/project"
	"ken/internal/guard"
	"ken/internal/worktree"
)

// wrongTree is the error of a write that is not in the work tree that the task has, or is going to have.
const wrongTree = "wrong_tree"

// GuardedFiles returns those of the files about to be written, absolute paths, that a task guards: files of the project outside of
// ken's own folder. For a session that works in the task's work tree these include the files of the tree that it was made from.
func GuardedFiles(p *project.Project, id string, files []string) (out []string) {
	root := p.Root
	if main, _, ok := worktree.MainRoot(root); ok {
		root = main
	}
	own := filepath.FromSlash(worktree.Folder+"/"+id) + string(filepath.Separator)
	for _, f := range files {
		rel, ok := below(root, f)
		if ok {
			rel = strings.TrimPrefix(rel, own)
		}
		if ok && !strings.HasPrefix(rel, ".ken"+string(filepath.Separator)) {
			out = append(out, f)
		}
	}
	return out
}

// below returns the path of a file from a folder that it is below.
func below(folder, file string) (string, bool) {
	rel, err := filepath.Rel(folder, file)
	return rel, err == nil && filepath.IsLocal(rel) && rel != "."
}

// projectPaths returns files by their paths in the project: those of the task's work tree are looked up where the index has them. A
// file beside the work tree is refused, because no review shows it, and the user's tree stays as it is until the merge.
func (w *work) projectPaths(files []string) (out []string, refused *guard.Decision) {
	t := w.task
	for _, f := range files {
		switch rel, ok := below(t.Root, f); {
		case t.Root == "":
			out = append(out, f)
		case ok:
			out = append(out, filepath.Join(w.p.Root, rel))
		default:
			d := w.beside("the task is written in its work tree, and nowhere else until it is merged")
			d.Hint = "write below " + t.Root
			return nil, d
		}
	}
	return out, nil
}

// refuseWithoutTree returns the refusal of a write that would be let through, of a task whose work tree is not made yet; nil if it has
// or needs none.
func (w *work) refuseWithoutTree(files []string) *guard.Decision {
	t := w.task
	if !t.Overlay || t.Root != "" || !t.Intent.Writes() {
		return nil
	}
	d := w.beside("the task is written in a work tree of its own, which is not made yet")
	name := files[0]
	if rel, ok := below(w.p.Root, name); ok {
		name = filepath.ToSlash(rel)
	}
	d.Hint = "check_write_target " + name + ", which makes it and names the folder to edit below"
	return d
}

func (w *work) beside(message string) *guard.Decision {
	return &guard.Decision{Error: wrongTree, Message: message, State: w.task.State, AllowedTools: guard.AllowedTools(w.task)}
}
