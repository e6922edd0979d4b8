package setup

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"ken/internal/statefile"
	"ken/internal/workflow/agent/runtimes"
)

// checkSystem checks what the agents of this machine run on.
func (x *examination) checkSystem() {
	if isWSL(x.env.Getenv) {
		x.addCheck("program", note, "this is WSL: agents that run on Windows have settings of their own, which ken does not touch; install ken there for them")
	}
	for _, text := range oldNode(x.env.Getenv) {
		x.addCheck("program", note, "%s", text)
	}
}

// nodeVersion is a version of node: major, minor and patch.
type nodeVersion [3]int

func (v nodeVersion) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

func (v nodeVersion) less(o nodeVersion) bool {
	for i := range v {
		if v[i] != o[i] {
			return v[i] < o[i]
		}
	}
	return false
}

// oldNode names the agents in PATH whose packages want a newer node than the one in PATH. Nothing is run: versions are those of files. A
// node whose version is not in a file is left out, and so are packages that name no lowest version.
func oldNode(getenv func(string) string) (list []string) {
	have, ok := installedNode(findInPath(getenv, []string{"node"}))
	if !ok {
		return nil
	}
	for _, r := range runtimes.All() {
		name, want, ok := wantedNode(findInPath(getenv, r.Programs))
		if ok && have.less(want) {
			text := "node %v in PATH is older than %v, which %s (%s) wants, and npm may have installed an old client for it: install a newer node, and then %s again"
			list = append(list, fmt.Sprintf(text, have, want, r.Title, name, name))
		}
	}
	return list
}

// maxNodeFile limits the files that are read of packages.
const maxNodeFile = 1 << 20

// Versions as files have them.
var (
	nodeHeader = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^#define NODE_(MAJOR|MINOR|PATCH)_VERSION (\d+)`)
	})
	inPathNode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[/@-])v?(\d+)\.(\d+)\.(\d+)(?:[/-]|$)`) })
	lowestNode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^>= ?v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.x)*$`) })
)

// installedNode returns the version of a node: that of its header file, else that in its path.
func installedNode(program string) (v nodeVersion, ok bool) {
	real, err := filepath.EvalSymlinks(program)
	if program == "" || err != nil {
		return v, false
	}
	text, err := statefile.Read(filepath.Join(filepath.Dir(filepath.Dir(real)), "include", "node", "node_version.h"), maxNodeFile)
	if found := nodeHeader().FindAllStringSubmatch(string(text), -1); err == nil && len(found) >= len(v) {
		for i := range v {
			v[i], _ = strconv.Atoi(found[i][2]) // of digits
		}
		return v, true
	}
	return parseNode(inPathNode().FindStringSubmatch(filepath.ToSlash(filepath.Dir(real))))
}

// wantedNode returns the name of the package that a program belongs to, and the lowest version of node that it names.
func wantedNode(program string) (name string, v nodeVersion, ok bool) {
	real, err := filepath.EvalSymlinks(program)
	if program == "" || err != nil {
		return "", v, false
	}
	const levels = 5
	dir := filepath.Dir(real)
	for range levels {
		text, err := statefile.Read(filepath.Join(dir, "package.json"), maxNodeFile)
		if os.IsNotExist(err) {
			dir = filepath.Dir(dir)
			continue
		}
		var p struct {
			Name    string `json:"name"`
			Engines struct {
				Node string `json:"node"`
			} `json:"engines"`
		}
		if err != nil || json.Unmarshal(text, &p) != nil {
			return "", v, false
		}
		v, ok = parseNode(lowestNode().FindStringSubmatch(strings.TrimSpace(p.Engines.Node)))
		return p.Name, v, ok
	}
	return "", v, false
}

func parseNode(found []string) (v nodeVersion, ok bool) {
	if found == nil {
		return v, false
	}
	for i := range v {
		v[i], _ = strconv.Atoi(found[i+1]) // of digits, or none
	}
	return v, true
}
