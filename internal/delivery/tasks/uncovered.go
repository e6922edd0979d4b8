package tasks

import (
	"path/filepath"

	"ken/internal/delivery/project"
	"ken/internal/delivery/tasks/protected"
)

// Uncovered returns the reason why no task gives leave to write a file of the project at root, as protected.Reason does.
func Uncovered(root, own, file string) string { return protected.Reason(root, own, file) }

// uncovered returns the reason why the task gives no leave to write a file.
func (w *taskCall) uncovered(file string) string { return Uncovered(w.p.Root, w.task.Root, file) }

// relativePath returns the path of a file as texts show it: relative to the root of the project, if it is below that.
func relativePath(root, file string) string {
	if rel, ok := protected.Below(root, file); ok {
		return filepath.ToSlash(rel)
	}
	return file
}

// treeFile returns the absolute path of a file of the project where the task writes it: below its work tree, if it has one.
func treeFile(p *project.Project, own, rel string) string {
	if own == "" {
		return p.Absolute(rel)
	}
	return filepath.Join(own, filepath.FromSlash(rel))
}
