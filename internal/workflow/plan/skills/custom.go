package skills

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"ken/internal/workflow/plan/planop"
)

// CustomFiles are files that an installation did not put into its folders, so that an update must keep them.
type CustomFiles struct {
	Files   []string `json:"custom_files"`
	Count   int      `json:"custom_count"`
	Found   bool     `json:"manifest_found"`
	Version *string  `json:"manifest_version,omitempty"`
	Problem string   `json:"problem,omitempty"`
}

// managedFolders are the folders that an installation writes, so an added file in them is custom.
var managedFolders = [...]string{"get-shit-done", "agents", "commands/gsd", "hooks", "command", "skills"}

func listCustomFiles(ctx context.Context, c *planop.Call, in *configDirInput) (CustomFiles, error) {
	dir := in.ConfigDir
	if dir == "" {
		return CustomFiles{}, planop.Usagef("--config-dir is missing")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.Dir, dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return CustomFiles{}, planop.Usagef("--config-dir cannot be read: %s", err)
	}
	defer root.Close()
	a := CustomFiles{Files: []string{}}
	const most = 16 << 20
	text, err := readFileIn(root, "gsd-file-manifest.json", most)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return CustomFiles{}, err
	}
	var manifest struct {
		Version *string
		Files   map[string]any
	}
	if err := json.Unmarshal([]byte(text), &manifest); err != nil {
		a.Problem = "gsd-file-manifest.json is not JSON: " + err.Error()
		return a, nil
	}
	a.Found, a.Version = true, manifest.Version
	for _, name := range managedFolders {
		err := fs.WalkDir(root.FS(), name, func(at string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || ctx.Err() != nil:
				return ctx.Err() // a missing or unreadable folder has no files
			case d.IsDir() && strings.Count(at, "/") > 20:
				return fs.SkipDir
			case d.IsDir() || strings.IndexFunc(at, unicode.IsControl) >= 0:
				return nil
			}
			if _, known := manifest.Files[path.Clean(at)]; !known {
				a.Files = append(a.Files, at)
			}
			return nil
		})
		if err != nil {
			return CustomFiles{}, err
		}
	}
	a.Count = len(a.Files)
	return a, nil
}
