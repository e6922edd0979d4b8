package tasks

import (
	"ken/internal/delivery/tasks/protected"
	"path/filepath"

	"ken/internal/guard"
)

// wrongTree is the error of a write outside the work tree that the task has or will have.
const wrongTree = "wrong_tree"

// projectPaths returns files as paths of the project, for files of the task's work tree the paths that the index has for them. A
// file outside the work tree is refused, because no review shows it, and the user's tree stays as it is until the merge.
func (w *taskCall) projectPaths(files []string) (out []string, refused *guard.Decision) {
	t := w.task
	for _, f := range files {
		switch rel, ok := protected.Below(t.Root, f); {
		case t.Root == "":
			out = append(out, f)
		case ok:
			out = append(out, filepath.Join(w.p.Root, rel))
		default:
			d := w.refuseOutsideTree("the task is written in its work tree, and nowhere else until it is merged")
			d.Hint = "write below " + t.Root
			return nil, d
		}
	}
	return out, nil
}

// refuseWithoutTree returns the refusal of a permitted write if the work tree of the task is still missing; nil if the task has one or
// needs none.
func (w *taskCall) refuseWithoutTree(files []string) *guard.Decision {
	t := w.task
	if !t.Overlay || t.Root != "" || !t.Intent.Writes() {
		return nil
	}
	d := w.refuseOutsideTree("the task is written in a work tree of its own, which is not made yet")
	name := files[0]
	if rel, ok := protected.Below(w.p.Root, name); ok {
		name = filepath.ToSlash(rel)
	}
	d.Hint = "check_write_target " + name + ", which makes it and names the folder to edit below"
	return d
}

func (w *taskCall) refuseOutsideTree(message string) *guard.Decision {
	return &guard.Decision{Error: wrongTree, Message: message, State: w.task.State, AllowedTools: guard.AllowedTools(w.task)}
}
