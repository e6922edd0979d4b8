package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// module is a module that the program contains.
type module struct {
	Path, Version, Dir string
	Sum                string
	Replace            *module
}

// grammar is the C source that a module carries of another project.
type grammar struct{ URL, Revision string }

// listModules returns the modules of the program on all systems, by path.
func listModules(ctx context.Context, source string) ([]module, error) {
	found := map[string]module{}
	for _, system := range []string{"linux", "windows", "darwin"} {
		env := []string{"CGO_ENABLED=1", "GOFLAGS=", "GOOS=" + system, "GOARCH=amd64"}
		out, err := output(ctx, source, env, "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./cmd/ken")
		if err != nil {
			return nil, err
		}
		for _, p := range strings.Fields(out) {
			found[p] = module{}
		}
	}
	args := append([]string{"list", "-m", "-json"}, slices.Sorted(maps.Keys(found))...)
	out, err := output(ctx, source, []string{"GOFLAGS="}, "go", args...)
	if err != nil {
		return nil, err
	}
	var list []module
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var m module
		if err := d.Decode(&m); err != nil {
			return nil, err
		}
		if m.Replace != nil {
			m = *m.Replace
		}
		list = append(list, m)
	}
	return list, nil
}

// carriedGrammar returns the project whose grammar a module carries; ok is false if the grammar is the module's own, or there is none.
func carriedGrammar(m *module) (g grammar, ok bool, err error) {
	text, err := os.ReadFile(filepath.Join(m.Dir, "grammar.json"))
	if os.IsNotExist(err) {
		return g, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &g)
	}
	if err == nil && (g.URL == "" || g.Revision == "") {
		err = fmt.Errorf("%s: grammar.json has no url or revision", m.Path)
	}
	return g, err == nil, err
}

var licenceName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|copyright)[-_.A-Za-z0-9]*$`)
})

// licences returns the licences of all that is in the program, one text. It fails if something has none.
func licences(source, goroot string, list []module) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("ken contains the work of others. These are their licences.\n")
	add := func(title, file string) error {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), title, bytes.TrimSpace(text))
		return nil
	}
	if err := add("The Go standard library and runtime", filepath.Join(goroot, "LICENSE")); err != nil {
		return nil, err
	}
	kept := filepath.Join(source, "packaging", "licences")
	for _, f := range [][2]string{
		{"The vocabularies of tiktoken, https://github.com/openai/tiktoken", "tiktoken"},
		{"musl, in programs that are linked statically, https://musl.libc.org", "musl"},
		{"mingw-w64, in programs for Windows, https://www.mingw-w64.org", "mingw-w64"},
		{"The compiler's runtime of Zig, https://ziglang.org", "zig"},
	} {
		if err := add(f[0], filepath.Join(kept, f[1]+".txt")); err != nil {
			return nil, err
		}
	}
	for i := range list {
		m := &list[i]
		files, err := os.ReadDir(m.Dir)
		if err != nil {
			return nil, err
		}
		n := 0
		for _, f := range files {
			if f.Type().IsRegular() && licenceName().MatchString(f.Name()) {
				n++
				if err := add(m.Path+" "+m.Version+", "+f.Name(), filepath.Join(m.Dir, f.Name())); err != nil {
					return nil, err
				}
			}
		}
		if n == 0 {
			return nil, fmt.Errorf("%s has no licence", m.Path)
		}
		g, ok, err := carriedGrammar(m)
		if err != nil {
			return nil, err
		}
		if ok {
			if err := add(g.URL+" at "+g.Revision, filepath.Join(kept, path.Base(g.URL)+".txt")); err != nil {
				return nil, err
			}
		}
	}
	return b.Bytes(), nil
}
