package intel

import (
	"context"
	"path/filepath"

	"ken/internal/workflow/plan/argument"
	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// Patched is the result of writing the present time into a file.
type Patched struct {
	Patched   bool   `json:"patched"`
	File      string `json:"file,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	Error     string `json:"error,omitempty"`
}

func patchMeta(ctx context.Context, c *planop.Call, in *fileInput) (Patched, error) {
	project, err := c.Project()
	if err != nil {
		return Patched{}, err
	}
	at, err := argument.CheckPath(filepath.Join(project, folder.Name), inProject(project, in.File))
	if err != nil {
		return Patched{Error: "only files below " + folder.Name + " are written: " + err.Error()}, nil
	}
	real, err := filepath.EvalSymlinks(filepath.Join(project, folder.Name))
	if err != nil {
		return Patched{}, err
	}
	name, err := filepath.Rel(real, at)
	if err != nil {
		return Patched{}, err
	}
	a := Patched{Patched: true, File: at, Timestamp: formatTime(c.Now())}
	_, err = c.ChangeWhole(ctx, "mark "+filepath.ToSlash(name), func(read change.Read) ([]change.File, error) {
		text, ok, err := read(filepath.ToSlash(name))
		if err != nil {
			return nil, err
		}
		if !ok {
			a = Patched{Error: "file not found: " + in.File}
			return nil, nil
		}
		if text, err = withWriteTime(text, a.Timestamp); err != nil {
			a = Patched{Error: "invalid JSON: " + err.Error()}
			return nil, nil
		}
		return []change.File{{Name: filepath.ToSlash(name), Text: &text}}, nil
	})
	return a, err
}

// inProject returns the absolute path of a file of the project.
func inProject(project, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(project, filepath.FromSlash(name))
}
