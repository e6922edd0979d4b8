package git

import (
	"os"
	"path/filepath"
	"strings"
)

// CommitHooks returns the names of the hooks that git would run for a commit.
func (r *Repo) CommitHooks(cfg *Config) []string {
	return r.Hooks(cfg, "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")
}

// Hooks returns those hooks among names that exist and that git would run.
func (r *Repo) Hooks(cfg *Config, names ...string) (found []string) {
	dir := filepath.Join(r.CommonDir, "hooks")
	if to := cfg.Get("core.hookspath"); to != "" {
		dir = expandHome(to)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(r.Root, dir)
		}
	}
	for _, name := range names {
		if isProgram(filepath.Join(dir, name)) || cfg.hasHook(name) {
			found = append(found, name)
		}
	}
	return found
}

// isProgram reports whether git would start a file as a program. On Windows it accepts every file, because files have no executable bit
// there.
func isProgram(path string) bool {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() {
		return false
	}
	return st.Mode()&0o111 != 0 || filepath.Separator == '\\'
}

// hasHook reports whether the configuration names a program for a hook event, as newer versions of git allow.
func (c *Config) hasHook(event string) bool {
	for key, value := range c.values {
		if value == event && strings.HasPrefix(key, "hook.") && strings.HasSuffix(key, ".event") {
			return true
		}
	}
	return false
}
