package gotypes

import (
	"bufio"
	"go/build"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Env locates Go's own sources and the modules. The repository cannot set it, because it could point elsewhere.
type Env struct {
	GOROOT   string // "" if there is none; then nothing can be checked
	ModCache string
	GOOS     string
	GOARCH   string
}

// FindEnv finds the user's Go installation as the go command would be found and configured: by the environment, then by
// the file that `go env -w` writes, then by the go program on PATH. No program is run, and directories inside root are
// not trusted.
func FindEnv(getenv func(string) string, root string) Env {
	set := userSettings(getenv)
	get := func(key string) string {
		if v := getenv(key); v != "" {
			return v
		}
		return set[key]
	}
	e := Env{GOOS: runtime.GOOS, GOARCH: runtime.GOARCH, ModCache: get("GOMODCACHE"), GOROOT: goroot(get, root)}
	if e.ModCache == "" {
		gopath := get("GOPATH")
		if list := filepath.SplitList(gopath); len(list) > 0 {
			gopath = list[0]
		}
		if home := getenv("HOME"); gopath == "" && home != "" {
			gopath = filepath.Join(home, "go")
		}
		if gopath != "" {
			e.ModCache = filepath.Join(gopath, "pkg", "mod")
		}
	}
	if !filepath.IsAbs(e.ModCache) || within(root, e.ModCache) {
		e.ModCache = ""
	}
	return e
}

func within(root, p string) bool {
	return p == root || strings.HasPrefix(p, root+string(filepath.Separator))
}

// goroot returns the first directory that holds the sources of the standard library.
func goroot(get func(string) string, root string) string {
	places := []string{get("GOROOT")}
	for _, dir := range filepath.SplitList(get("PATH")) {
		if !filepath.IsAbs(dir) || within(root, dir) {
			continue
		}
		if real, err := filepath.EvalSymlinks(filepath.Join(dir, "go")); err == nil {
			places = append(places, filepath.Dir(filepath.Dir(real)))
		}
	}
	places = append(places, "/usr/local/go", "/usr/lib/go", "/usr/lib/golang", "/opt/homebrew/opt/go/libexec")
	for _, p := range places {
		if !filepath.IsAbs(p) || within(root, p) {
			continue
		}
		if st, err := os.Stat(filepath.Join(p, "src", "unsafe", "unsafe.go")); err == nil && st.Mode().IsRegular() {
			return filepath.Clean(p)
		}
	}
	return ""
}

// userSettings returns the settings that `go env -w` wrote.
func userSettings(getenv func(string) string) map[string]string {
	out := map[string]string{}
	file := getenv("GOENV")
	if file == "" {
		dir := getenv("XDG_CONFIG_HOME")
		if home := getenv("HOME"); dir == "" && home != "" {
			dir = filepath.Join(home, ".config")
			if runtime.GOOS == "darwin" {
				dir = filepath.Join(home, "Library", "Application Support")
			}
		}
		file = filepath.Join(dir, "go", "env")
	}
	if !filepath.IsAbs(file) {
		return out // "off", or nowhere
	}
	f, err := os.Open(file)
	if err != nil {
		return out
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if k, v, ok := strings.Cut(strings.TrimSpace(s.Text()), "="); ok && !strings.HasPrefix(k, "#") {
			out[k] = v
		}
	}
	return out
}

// Version names the Go release of GOROOT, the platform and the module cache, so that two environments of equal version
// have equal results.
func (e Env) Version() string {
	b, err := os.ReadFile(filepath.Join(e.GOROOT, "VERSION"))
	line, _, _ := strings.Cut(string(b), "\n")
	if err != nil || line == "" {
		line = e.GOROOT // a development tree
	}
	return line + " " + e.GOOS + "/" + e.GOARCH + " " + e.ModCache
}

// context selects the files of a package. In the standard library it selects the pure Go variants, because the cgo ones
// cannot be checked without running cgo; elsewhere it selects cgo files, too, and the checker ignores the declarations
// of "C".
func (e Env) context(std bool) build.Context {
	return build.Context{
		GOARCH: e.GOARCH, GOOS: e.GOOS, GOROOT: e.GOROOT, Compiler: "gc",
		ReleaseTags: build.Default.ReleaseTags, ToolTags: build.Default.ToolTags, CgoEnabled: !std,
	}
}
